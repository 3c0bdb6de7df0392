"""A case: exact bytes, an id, why it exists, what each expectation layer says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Expectation = Literal["accept", "reject", "free"]
ACCEPT: Expectation = "accept"
REJECT: Expectation = "reject"
FREE: Expectation = "free"

LAYERS: tuple[str, ...] = ("rfc8259/1", "i-json/1", "jcs-input/1", "strict-tool-input/1")
"""The expectation layers, each with its version, from the widest to the narrowest."""

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """How the bytes were written down, so that a ledger can show them the same way.

    Exactly one of the three: `text` (UTF-8 encoded to the bytes), `hex`, or `parts`
    (pieces `(text, hex, repeat)` of which one of text and hex is None).
    """

    text: str | None = None
    hex: str | None = None
    parts: tuple[tuple[str | None, str | None, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One input. `id` is `<family>/<name>`; `data` is what every parser receives.

    `expect` maps a layer to accept, reject or free; `clauses` maps a layer to the clause
    that says so. A layer without an entry makes no statement. `twin_of` names the case
    whose repeated names this one has renamed apart.
    """

    id: str
    family: str
    data: bytes
    why: str
    source: Source
    expect: Mapping[str, Expectation] = field(default_factory=lambda: MappingProxyType({}))
    clauses: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    refs: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    shape: str | None = None
    twin_of: str | None = None
