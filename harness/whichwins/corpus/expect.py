"""Expectations as files write them: a table from layer to `verdict` or `verdict: clause`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whichwins.model import LAYERS, BadInput, Expectation

_VERDICTS = ("accept", "reject", "free")

Stated = Mapping[str, tuple[Expectation, str]]
"""What is said, by layer: the verdict and the clause behind it (which may be empty)."""


def read_expect(table: object, place: str) -> Stated:
    """Read an `expect` table. A layer may be written without its version, meaning 1.

    One string instead of a table speaks for every layer. Raises BadInput for a layer or verdict that
    does not exist, or a layer stated twice.
    """
    if isinstance(table, str):
        table = dict.fromkeys(LAYERS, table)
    if not isinstance(table, Mapping):
        raise BadInput(f"{place}: expect must be a verdict, or a table from layer to verdict")
    stated: dict[str, tuple[Expectation, str]] = {}
    for key, value in table.items():
        layer = key if "/" in key else f"{key}/1"
        if layer not in LAYERS:
            raise BadInput(f"{place}: expect has no layer {key!a}: the layers are {', '.join(LAYERS)}")
        if layer in stated:
            raise BadInput(f"{place}: expect states {layer} twice: keep one")
        verdict, _, clause = value.partition(":") if isinstance(value, str) else (None, "", "")
        if verdict not in _VERDICTS:
            raise BadInput(
                f"{place}: expect {key!a} is {value!a}: write accept, reject or free, optionally ': clause'"
            )
        stated[layer] = (cast(Expectation, verdict), clause.strip())
    return stated


def split_stated(stated: Stated) -> tuple[dict[str, Expectation], dict[str, str]]:
    """Return the verdicts and the clauses as a Case holds them, in the order of the layers."""
    expect = {layer: stated[layer][0] for layer in LAYERS if layer in stated}
    clauses = {layer: stated[layer][1] for layer in LAYERS if layer in stated and stated[layer][1]}
    return expect, clauses
