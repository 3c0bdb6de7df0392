"""The verdicts of the expectation layers on a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whichwins.model import ACCEPT, FREE, LAYERS, REJECT, Expectation
from whichwins.reference.problems import Problem, ProblemKind
from whichwins.reference.reader import Reading

RFC8259, I_JSON, JCS_INPUT, STRICT_TOOL_INPUT = LAYERS

_BINARY64 = "RFC 7493 section 2.2: numbers SHOULD NOT exceed IEEE 754 binary64"
_UNIQUE = "RFC 7493 section 2.3: MUST NOT have duplicate names"
_NO_SURROGATES = "RFC 7493 section 2.1: MUST NOT include surrogates"
_NO_NONCHARACTERS = "RFC 7493 section 2.1: MUST NOT include noncharacters"
_NO_BOM = "RFC 7493 section 2.1 and RFC 8259 section 8.1: UTF-8, MUST NOT add a byte order mark"
_SAFE = "strict-tool-input: an integer is within 2^53-1"

# Kinds that are not listed make no statement in that layer; fatal ones reject in every layer.
RULES: Mapping[str, Mapping[ProblemKind, tuple[Expectation, str | None]]] = {
    RFC8259: {
        "utf-8": (REJECT, None),
        "bom": (FREE, None),
        "repeated-name": (FREE, None),
        "surrogate": (FREE, None),
        "depth": (FREE, None),
        "number-overflow": (ACCEPT, None),
        "integer-range": (ACCEPT, None),
        "number-precision": (ACCEPT, None),
    },
    I_JSON: {
        "utf-8": (REJECT, "RFC 7493 section 2.1: MUST be UTF-8"),
        "bom": (REJECT, _NO_BOM),
        "repeated-name": (REJECT, _UNIQUE),
        "surrogate": (REJECT, _NO_SURROGATES),
        "noncharacter": (REJECT, None),
        "depth": (FREE, None),
        "top-level": (FREE, None),
        "number-overflow": (FREE, _BINARY64),
        "integer-range": (FREE, "RFC 7493 section 2.2: integers beyond 2^53-1 SHOULD NOT be taken as exact"),
        "number-precision": (FREE, _BINARY64),
    },
    JCS_INPUT: {
        "utf-8": (REJECT, "RFC 8785 section 3.1, RFC 7493 section 2.1: MUST be UTF-8"),
        "bom": (REJECT, f"RFC 8785 section 3.1, {_NO_BOM}"),
        "repeated-name": (REJECT, "RFC 8785 section 3.1: MUST NOT have duplicate names"),
        "surrogate": (REJECT, "RFC 8785 section 3.2.2.2: lone surrogates MUST cause an error"),
        "noncharacter": (REJECT, f"RFC 8785 section 3.1, {_NO_NONCHARACTERS}"),
        "depth": (FREE, None),
        "number-overflow": (REJECT, "RFC 8785 section 3.2.2.3: Infinity MUST cause an error"),
        "number-precision": (FREE, "RFC 8785 section 3.1: expressible as IEEE 754 binary64"),
    },
    STRICT_TOOL_INPUT: {
        "utf-8": (REJECT, "strict-tool-input: well-formed UTF-8"),
        "bom": (REJECT, "strict-tool-input: no byte order mark"),
        "repeated-name": (REJECT, "strict-tool-input: names once per object"),
        "surrogate": (REJECT, "strict-tool-input: no lone surrogates"),
        "depth": (REJECT, "strict-tool-input: depth is limited"),
        "size": (REJECT, "strict-tool-input: size is limited"),
        "number-length": (REJECT, "strict-tool-input: the length of a number is limited"),
        "number-overflow": (REJECT, "strict-tool-input: a number is finite in binary64"),
        "integer-range": (REJECT, _SAFE),
        "number-precision": (REJECT, "strict-tool-input: a number is what its nearest binary64 spells"),
    },
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a layer expects of a text, and the first place that says so.

    `offset` is in bytes. `clause` is empty, and the place None, where nothing stands out.
    """

    expectation: Expectation
    clause: str = ""
    problem: Problem | None = None

    @property
    def offset(self) -> int | None:
        """Byte offset of the problem."""
        return None if self.problem is None else self.problem.offset

    @property
    def path(self) -> str | None:
        """Ordinal path of the problem (`#0/#2`), worked out when asked for."""
        return None if self.problem is None else self.problem.path

    @property
    def kind(self) -> ProblemKind | None:
        """What kind of problem it is."""
        return None if self.problem is None else self.problem.kind


def verdicts(reading: Reading) -> dict[str, Verdict]:
    """Every layer's verdict. Reject beats free beats accept; of equals, the first by offset."""
    return {layer: _verdict(reading, layer) for layer in LAYERS}


def _verdict(reading: Reading, layer: str) -> Verdict:
    first: dict[Expectation, Verdict] = {}
    for problem in reading.problems:  # in order of offset
        rule = rule_for(layer, problem)
        if rule is not None and rule[0] not in first:
            first[rule[0]] = Verdict(rule[0], rule[1], problem)
    return first.get(REJECT) or first.get(FREE) or first.get(ACCEPT) or Verdict(ACCEPT)


def rule_for(layer: str, problem: Problem) -> tuple[Expectation, str] | None:
    """What a layer says of one problem, or None where it makes no statement."""
    rule = RULES[layer].get(problem.kind)
    if rule is None:
        return (REJECT, problem.clause) if problem.fatal else None
    return rule[0], rule[1] or problem.clause
