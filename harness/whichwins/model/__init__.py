"""Frozen data that every layer shares. No I/O, no logic beyond small derivations."""

from whichwins.model.case import ACCEPT, FREE, LAYERS, REJECT, Case, Expectation, Source
from whichwins.model.errors import BadInput, MeasurementFailed, WhichwinsError
from whichwins.model.outcome import Observation, Outcome
from whichwins.model.subject import Adapter, Canary, LaunchSpec, Subject
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
    "Array",
    "BadInput",
    "Binary64",
    "Bytes",
    "Canary",
    "Case",
    "DecimalLiteral",
    "Expectation",
    "Integer",
    "LaunchSpec",
    "MeasurementFailed",
    "Name",
    "Object",
    "Observation",
    "Other",
    "Outcome",
    "Source",
    "Subject",
    "Value",
    "WhichwinsError",
]
