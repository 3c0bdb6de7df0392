"""Expectation layers against what subjects did: who breaks which clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from whichwins.analysis.classes import FAILED, REJECTED, SILENT, Signature
from whichwins.analysis.result import Breach, ClauseLine, LayerResult, LayerRow
from whichwins.model import ACCEPT, FREE, LAYERS, REJECT, Case, Expectation

_BREACHES: tuple[Breach, ...] = get_args(Breach)
_Said = tuple[Expectation, str] | None
_Key = tuple[tuple[_Said, ...], bool, bool, Signature]
_Place = tuple[int, Breach, str]


@dataclass(slots=True)
class LayerTable:
    """Cases counted by what the layers say of them, whether a limit excuses, and the signature.

    Twins are not added: they restate the layers on texts made for another purpose.
    """

    counts: Counter[_Key] = field(default_factory=Counter)
    smallest: dict[_Key, tuple[int, str]] = field(default_factory=dict)

    def add(
        self, case: Case, clauses: Mapping[str, str], limited: bool, signature: Signature, length: int
    ) -> None:
        """Count one case; `limited`: RFC 8259 section 9 permits a rejection (see Facts for both)."""
        said = tuple(
            (case.expect[layer], clauses.get(layer, "")) if layer in case.expect else None for layer in LAYERS
        )
        key = said, limited, case.shape is not None, signature
        self.counts[key] += 1
        known = self.smallest.get(key)
        if known is None or (length, case.id) < known:
            self.smallest[key] = length, case.id

    def results(self, subjects: Sequence[str]) -> tuple[LayerResult, ...]:
        """Every layer in the order of LAYERS, every subject in the order given."""
        return tuple(self._result(number, subjects) for number in range(len(LAYERS)))

    def _result(self, layer: int, subjects: Sequence[str]) -> LayerResult:
        totals: Counter[Expectation] = Counter()
        judged: Counter[int] = Counter()
        places: Counter[_Place] = Counter()
        smallest: dict[_Place, tuple[int, str]] = {}
        for key, count in self.counts.items():
            said, limited, bound, signature = key
            statement = said[layer]
            if statement is None:
                continue
            expectation, clause = statement
            totals[expectation] += count
            if expectation == FREE:
                continue
            for index, number in enumerate(signature):
                if number == SILENT:
                    continue
                judged[index] += count
                breach = breach_of(expectation, number, limited, bound)
                if breach is not None:
                    place = index, breach, clause or _default_clause(layer, expectation)
                    places[place] += count
                    smallest[place] = min(self.smallest[key], smallest.get(place, self.smallest[key]))
        rows = tuple(_row(key, index, judged[index], places) for index, key in enumerate(subjects))
        clauses = tuple(
            ClauseLine(subjects[index], breach, clause, places[index, breach, clause], smallest[place][1])
            for place in sorted(places, key=_order)
            for index, breach, clause in (place,)
        )
        return LayerResult(LAYERS[layer], totals[ACCEPT], totals[REJECT], totals[FREE], rows, clauses)


def blameable(case: Case, signature: Signature) -> bool:
    """Whether a clause will be named: a subject accepts, or fails on, what a layer rejects."""
    return REJECT in case.expect.values() and any(number >= 0 or number == FAILED for number in signature)


def excusable(case: Case, signature: Signature) -> bool:
    """Whether it matters that a limit may excuse a rejection: a layer accepts what a subject rejects."""
    return REJECTED in signature and ACCEPT in case.expect.values()


def breach_of(expectation: Expectation, number: int, limited: bool, bound: bool = False) -> Breach | None:
    """What a class number means against accept or reject; None: as expected.

    `bound`: the case is for subjects that bind. JSON that does not fit their target they may refuse: no RFC
    says that it fits.
    """
    if expectation == FREE or number == SILENT:
        return None
    if number == FAILED:
        return "fails"
    if expectation == REJECT:
        return None if number == REJECTED else "accepts"
    if number >= 0 or bound:
        return None
    return "limit" if limited else "rejects"


def _row(subject: str, index: int, judged: int, places: Mapping[_Place, int]) -> LayerRow:
    counts: Counter[Breach] = Counter()
    for (mine, breach, _), count in places.items():
        if mine == index:
            counts[breach] += count
    return LayerRow(subject, judged, counts["accepts"], counts["rejects"], counts["limit"], counts["fails"])


def _order(place: _Place) -> tuple[int, str, int]:
    index, breach, clause = place
    return _BREACHES.index(breach), clause, index


def _default_clause(layer: int, expectation: Expectation) -> str:
    if expectation == REJECT:
        return f"{LAYERS[layer]} rejects"
    if layer == 0:
        return "RFC 8259 section 9: MUST accept all texts that conform to the grammar"
    return f"{LAYERS[layer]} accepts"
