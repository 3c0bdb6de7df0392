"""Frozen data that every layer shares. No I/O, no logic beyond small derivations."""

from whichwins.model.allow import Allow, Place
from whichwins.model.case import ACCEPT, FREE, LAYERS, REJECT, Case, Expectation, Source
from whichwins.model.errors import BadInput, MeasurementFailed, WhichwinsError
from whichwins.model.outcome import Observation, Outcome
from whichwins.model.subject import Adapter, Canary, Keep, LaunchSpec, Subject, base_of
from whichwins.model.value import (
    Array,
    Binary64,
    Bytes,
    DecimalLiteral,
    Integer,
    Name,
    Object,
    Other,
    Value,
)

__all__ = [
    "ACCEPT",
    "FREE",
    "LAYERS",
    "REJECT",
    "Adapter",
    "Allow",
    "Array",
    "BadInput",
    "Binary64",
    "Bytes",
    "Canary",
    "Case",
    "DecimalLiteral",
    "Expectation",
    "Integer",
    "Keep",
    "LaunchSpec",
    "MeasurementFailed",
    "Name",
    "Object",
    "Observation",
    "Other",
    "Outcome",
    "Place",
    "Source",
    "Subject",
    "Value",
    "WhichwinsError",
    "base_of",
]
