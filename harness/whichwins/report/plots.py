"""Pictures of a comparison: bars in the cells of tables, which say the same in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from whichwins.analysis.casebook import CaseSheet
from whichwins.analysis.limits import SURVIVALS, Depth, depths, fidelity
from whichwins.analysis.result import CauseCount, Comparison

WIDE = 240
"""Units of the width of a bar."""
_TICKS = ("10", "100", "1k", "10k", "100k", "1M")
"""Powers of ten on the axis of depths: to a million levels."""
_DECADES = len(_TICKS)

SURVIVES = {
    "exact": "the decimal value",
    "rounded": "the nearest binary64",
    "other": "another value",
    "refused": "refused",
    "failed": "failed",
}


def cause_bars(counts: Sequence[CauseCount]) -> list[list[tuple[str, float, float]]]:
    """For each cause a bar: the cases that part in silence, then those that part in their verdict alone."""
    most = max((count.cases for count in counts), default=1)
    return [
        _stacked([("p-value", count.value), ("p-verdict", count.cases - count.value)], most)
        for count in counts
    ]


def _stacked(parts: Sequence[tuple[str, int]], whole: int) -> list[tuple[str, float, float]]:
    """(look, x, width) of each part of a bar, whole parts only."""
    bar, at = [], 0
    for look, count in parts:
        if count:
            bar.append((look, round(WIDE * at / whole, 1), round(WIDE * count / whole, 1)))
        at += count
    return bar


def depth_tables(result: Comparison, sheets: Sequence[CaseSheet]) -> list[dict[str, Any]]:
    """For each kind of nest the subjects, who reads least on top."""
    subjects = result.pairs.subjects
    return [
        {
            "kind": kind,
            "rows": [
                {"subject": subject, "depth": depth, "bar": _depth_bar(depth)}
                for subject, depth in sorted(
                    zip(subjects, found, strict=True), key=lambda row: (row[1].reads, row[0])
                )
                if depth.asked
            ],
            "ticks": [(name, round(WIDE * power / _DECADES, 1)) for power, name in enumerate(_TICKS, 1)],
        }
        for kind, found in depths(sheets, len(subjects)).items()
    ]


def _depth_bar(depth: Depth) -> list[tuple[str, float, float]]:
    """As deep as it reads; then, paler, up to the level at which it is known to stop."""
    reads = _log(depth.reads)
    bar = [("p-reads", 0.0, reads)] if depth.reads else []
    if depth.stops is not None:
        bar.append(("p-between", reads, round(max(_log(depth.stops) - reads, 1.0), 1)))
    return bar


def _log(level: int) -> float:
    return round(WIDE * min(log10(level), _DECADES) / _DECADES, 1) if level > 1 else 0.0


def fidelity_rows(result: Comparison, sheets: Sequence[CaseSheet]) -> list[dict[str, Any]]:
    """What of numbers survives in each subject, the most faithful on top; nothing where none were asked."""
    found = [
        {
            "subject": subject,
            "counts": [counts[name] for name in SURVIVALS],
            "bar": _stacked([(f"p-{name}", counts[name]) for name in SURVIVALS], sum(counts.values())),
        }
        for subject, counts in zip(
            result.pairs.subjects, fidelity(sheets, len(result.pairs.subjects)), strict=True
        )
        if any(counts.values())
    ]
    return sorted(found, key=lambda row: ([-count for count in row["counts"][:2]], row["subject"]))
