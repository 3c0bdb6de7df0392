"""Whether hand-written expectations and the reference reader agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from whichwins.model import Case, Expectation
from whichwins.reference import read, verdicts


class Disagreement(NamedTuple):
    """A layer on which a case's expectation and the reference differ; `clause` is the reference's."""

    case: str
    layer: str
    expected: Expectation
    said: Expectation
    clause: str


def judge(data: bytes) -> Mapping[str, tuple[Expectation, str]]:
    """What the reference says of `data`: layer -> (verdict, clause)."""
    return {layer: (said.expectation, said.clause) for layer, said in verdicts(read(data)).items()}


def disagreements(
    cases: Iterable[Case], judge: Callable[[bytes], Mapping[str, tuple[Expectation, str]]] = judge
) -> list[Disagreement]:
    """Every layer of every case that states something else than `judge`; empty when all agree."""
    found = []
    for case in cases:
        said = judge(case.data)
        for layer, expected in case.expect.items():
            verdict, clause = said[layer]
            if verdict != expected:
                found.append(Disagreement(case.id, layer, expected, verdict, clause))
    return found
