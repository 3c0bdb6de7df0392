"""Counting splits by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from whichwins.analysis.lens import DIMENSIONS
from whichwins.analysis.result import CAUSES, Cause, CauseCount


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 case`, `1,999 cases`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class Counted(NamedTuple):
    """A split as it is counted. `length` in bytes, to find the smallest witness."""

    cause: Cause
    verdict: bool
    value: bool
    length: int
    case: str


def by_cause(splits: Iterable[Counted], kinds: bool) -> tuple[CauseCount, ...]:
    """Counts by cause, or by cause and kind: in the order of CAUSES, then the most frequent kind first."""
    gathered: dict[tuple[str, str], list[Counted]] = {}
    for split in splits:
        gathered.setdefault((split.cause.name, split.cause.kind if kinds else ""), []).append(split)
    counts = [
        CauseCount(
            name,
            kind,
            len(cases),
            sum(case.verdict for case in cases),
            sum(case.value for case in cases),
            min((case.length, case.case) for case in cases)[1],
        )
        for (name, kind), cases in gathered.items()
    ]
    return tuple(sorted(counts, key=lambda count: (CAUSES.index(count.name), -count.cases, count.kind)))


def in_order(dimensions: Counter[str]) -> dict[str, int]:
    """Dimensions that were seen, in the order in which reports list them."""
    return {name: dimensions[name] for name in DIMENSIONS if dimensions[name]}
