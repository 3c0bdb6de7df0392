"""Pictures of a comparison: bars and branches in the cells of tables, which say the same in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from whichwins.analysis.likeness_result import WHOLE, Tree
from whichwins.analysis.limits_result import SURVIVALS, Depth
from whichwins.analysis.result import CauseCount, Comparison
from whichwins.report.arranged import depth_rows, leaves, number_rows, percent
from whichwins.report.pictures import depth_title, stops

WIDE = 240
"""Units of the width of a bar."""
_TICKS = ("10", "100", "1k", "10k", "100k", "1M")
"""Powers of ten on the axis of depths: to a million levels."""
_DECADES = len(_TICKS)


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


def depth_tables(result: Comparison) -> list[dict[str, Any]]:
    """For each kind of nest the subjects, who reads least on top."""
    return [
        {
            "kind": kind,
            "title": depth_title(kind),
            "rows": [
                {"subject": subject, "depth": depth, "stops": stops(depth), "bar": _depth_bar(depth)}
                for subject, depth in rows
            ],
            "ticks": [(name, round(WIDE * power / _DECADES, 1)) for power, name in enumerate(_TICKS, 1)],
        }
        for kind, rows in depth_rows(result).items()
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


def fidelity_rows(result: Comparison) -> list[dict[str, Any]]:
    """What of numbers survives in each subject, the most faithful on top; nothing where none were asked."""
    return [
        {
            "subject": subject,
            "counts": counts,
            "bar": _stacked(
                [(f"p-{name}", count) for name, count in zip(SURVIVALS, counts, strict=True)], sum(counts)
            ),
        }
        for subject, counts in number_rows(result)
    ]


TREE = 1000
"""Units of the width of a tree: as many as its scale has."""
_ROW = 10
"""Units of the height of a row of it."""
_STEPS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
"""Between two ticks, in parts of WHOLE."""


def tree_table(tree: Tree) -> dict[str, Any]:
    """A tree as rows that each have their strip of the picture, and the ticks of the scale in percent."""
    whole = max((join.apart for join in tree.joins), default=0) or _STEPS[0]
    step = next((each for each in _STEPS if whole <= 6 * each), _STEPS[-1])
    strips = _strips(tree, TREE / whole)
    return {
        "measure": tree.measure,
        "rows": [
            {
                "subject": leaf.subject,
                "joins": percent(leaf.joins),
                "nearest": leaf.nearest,
                "apart": percent(leaf.apart),
                "top": _ROW * place,
                "path": "".join(strips[place]),
            }
            for place, leaf in enumerate(leaves(tree))
        ],
        "ticks": [
            (f"{100 * at / WHOLE:g} %", round(100 * at / whole, 2)) for at in range(0, whole + 1, step)
        ],
    }


def _strips(tree: Tree, scale: float) -> list[list[str]]:
    """What of the branches each row shows. A cluster's branch leaves from the middle of its two."""
    strips: list[list[str]] = [[] for _ in tree.leaves]
    ends = {(place, place + 1): (0.0, _ROW * (place + 0.5)) for place in range(len(tree.leaves))}
    for join in tree.joins:
        at = round(join.apart * scale, 1)
        one, other = ends.pop((join.first, join.middle)), ends.pop((join.middle, join.last))
        for x, y in (one, other):
            # What runs along the edge of two rows is half in each.
            for place in {int((y - 0.01) / _ROW), int((y + 0.01) / _ROW)}:
                strips[place].append(f"M{x:g} {y:g}H{at:g}")
        for place in range(int(one[1] / _ROW), int((other[1] - 0.01) / _ROW) + 1):
            top, bottom = max(one[1], _ROW * place), min(other[1], _ROW * (place + 1))
            strips[place].append(f"M{at:g} {top:g}V{bottom:g}")
        ends[join.first, join.last] = at, (one[1] + other[1]) / 2
    return strips
