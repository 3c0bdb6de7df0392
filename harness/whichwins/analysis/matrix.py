"""Subject x subject, from bits for cases, and subject x family: no loop over cases and pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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
    """The signature of each case, with the length of its input and its id."""

    rows: list[tuple[int, str, Signature]] = field(default_factory=list)

    def add(self, signature: Signature, length: int, case: str) -> None:
        """Take one case of `length` bytes."""
        self.rows.append((length, case, signature))


class _Column(NamedTuple):
    """What one subject made of the cases: a bit a case, the smallest input is the lowest.

    `planes` are the digits of the class numbers of what it accepts, in binary.
    """

    silent: int
    accepts: int
    planes: tuple[int, ...]


def pair_matrix(subjects: Sequence[str], table: SignatureTable) -> PairMatrix:
    """Every subject against every other, as preview (row) and executor (column)."""
    size = len(subjects)
    rows = sorted(table.rows, reverse=True)
    depth = max((number for _, _, signature in rows for number in signature), default=0).bit_length()
    cases = [case for _, case, _ in reversed(rows)]
    columns = [_column([signature[place] for _, _, signature in rows], depth) for place in range(size)]
    cells: list[list[PairCell | None]] = [[None] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1, size):
            cell = _cell((subjects[row], subjects[column]), columns[row], columns[column], cases)
            cells[row][column], cells[column][row] = cell, cell.flipped()
    return PairMatrix(tuple(subjects), tuple(map(tuple, cells)))


def _column(numbers: Sequence[int], depth: int) -> _Column:
    def bits(told: Iterable[bool]) -> int:
        return int("".join("1" if each else "0" for each in told) or "0", 2)

    return _Column(
        bits(number == SILENT for number in numbers),
        bits(number >= 0 for number in numbers),
        tuple(bits(number >= 0 and number >> digit & 1 == 1 for number in numbers) for digit in range(depth)),
    )


def _cell(names: tuple[str, str], row: _Column, column: _Column, cases: Sequence[str]) -> PairCell:
    both = (1 << len(cases)) - 1 & ~(row.silent | column.silent)
    differ = 0
    for one, other in zip(row.planes, column.planes, strict=True):
        differ |= one ^ other
    value = row.accepts & column.accepts & differ & both
    row_only = row.accepts & ~column.accepts & both
    column_only = column.accepts & ~row.accepts & both

    def witness(found: int) -> str | None:
        return cases[(found & -found).bit_length() - 1] if found else None

    return PairCell(
        *names,
        both.bit_count(),
        value.bit_count(),
        row_only.bit_count(),
        column_only.bit_count(),
        witness(value),
        witness(row_only),
        witness(column_only),
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
