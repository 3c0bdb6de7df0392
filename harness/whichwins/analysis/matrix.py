"""Subject x subject and subject x family, from counts of signatures: no loop over cases and pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from whichwins.analysis.classes import SILENT, Signature
from whichwins.analysis.result import (
    WINNERS,
    PairCell,
    PairKind,
    PairMatrix,
    Winner,
    WinnerCell,
    WinnerMatrix,
)

_SILENT_WINNERS = frozenset(("equal", "n/a"))


@dataclass(slots=True)
class SignatureTable:
    """How often each signature occurs, and the smallest input that has it."""

    counts: Counter[Signature] = field(default_factory=Counter)
    smallest: dict[Signature, tuple[int, str]] = field(default_factory=dict)

    def add(self, signature: Signature, length: int, case: str) -> None:
        """Count one case of `length` bytes."""
        self.counts[signature] += 1
        known = self.smallest.get(signature)
        if known is None or (length, case) < known:
            self.smallest[signature] = (length, case)


def pair_matrix(subjects: Sequence[str], table: SignatureTable) -> PairMatrix:
    """Every subject against every other, as preview (row) and executor (column)."""
    size = len(subjects)
    cells: list[list[PairCell | None]] = [[None] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1, size):
            cell = _cell(subjects[row], subjects[column], _project(table, row, column))
            cells[row][column], cells[column][row] = cell, cell.flipped()
    return PairMatrix(tuple(subjects), tuple(map(tuple, cells)))


_Pairs = Mapping[tuple[int, int], tuple[int, tuple[int, str]]]


def _project(table: SignatureTable, row: int, column: int) -> _Pairs:
    projected: dict[tuple[int, int], tuple[int, tuple[int, str]]] = {}
    for signature, count in table.counts.items():
        pair = signature[row], signature[column]
        smallest = table.smallest[signature]
        known = projected.get(pair)
        if known is not None:
            count, smallest = count + known[0], min(smallest, known[1])
        projected[pair] = count, smallest
    return projected


def _cell(row: str, column: str, pairs: _Pairs) -> PairCell:
    compared = 0
    counts: Counter[str] = Counter()
    smallest: dict[str, tuple[int, str]] = {}
    for (one, other), (count, witness) in pairs.items():
        if SILENT in (one, other):
            continue
        compared += count
        kind = pair_kind(one, other)
        if kind is not None:
            counts[kind] += count
            smallest[kind] = min(witness, smallest.get(kind, witness))
    witnesses = {kind: case for kind, (_, case) in smallest.items()}
    return PairCell(
        row,
        column,
        compared,
        counts["value"],
        counts["row_only"],
        counts["column_only"],
        witnesses.get("value"),
        witnesses.get("row_only"),
        witnesses.get("column_only"),
    )


def pair_kind(row: int, column: int) -> PairKind | None:
    """How two class numbers of one signature part: `value`, `row_only`, `column_only`, None if not."""
    if SILENT in (row, column) or row == column or (row < 0 and column < 0):
        return None
    if row >= 0 and column >= 0:
        return "value"
    return "row_only" if row >= 0 else "column_only"


@dataclass(slots=True)
class WinnerTable:
    """Winners by family and subject, with the smallest case of each."""

    subjects: tuple[str, ...]
    cases: Counter[str] = field(default_factory=Counter)
    counts: Counter[tuple[str, int, Winner]] = field(default_factory=Counter)
    smallest: dict[tuple[str, int, Winner], tuple[int, str]] = field(default_factory=dict)

    def add(self, family: str, winners: Sequence[Winner], length: int, case: str) -> None:
        """Count one case; `winners` stand in the order of the subjects."""
        self.cases[family] += 1
        for index, winner in enumerate(winners):
            key = family, index, winner
            self.counts[key] += 1
            self.smallest[key] = min((length, case), self.smallest.get(key, (length, case)))

    def matrix(self) -> WinnerMatrix:
        """Families in the order of their names."""
        families = tuple(sorted(self.cases))
        rows = range(len(self.subjects))
        return WinnerMatrix(
            self.subjects,
            families,
            tuple(self.cases[family] for family in families),
            tuple(tuple(self._cell((family,), index) for family in families) for index in rows),
            tuple(self._cell(families, index) for index in rows),
        )

    def _cell(self, families: Sequence[str], index: int) -> WinnerCell:
        counts: dict[str, int] = {}
        witnesses: dict[str, str] = {}
        for winner in WINNERS:
            keys = [(family, index, winner) for family in families if (family, index, winner) in self.counts]
            if keys:
                counts[winner] = sum(self.counts[key] for key in keys)
                witnesses[winner] = min(self.smallest[key] for key in keys)[1]
        return WinnerCell(label(counts), counts, witnesses)


def label(counts: Mapping[str, int]) -> str:
    """One word for a cell: the only winner that says something, `mixed` where there are several."""
    telling = [winner for winner in counts if winner not in _SILENT_WINNERS]
    if telling:
        return telling[0] if len(telling) == 1 else "mixed"
    return "equal" if "equal" in counts else "n/a"
