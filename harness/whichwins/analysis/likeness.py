"""Subjects clustered by how often they part: the tree of a report, and the order in which reports list them.

The tree of all splits gives the one order of subjects that every report has; those of value splits and of
verdict splits have orders of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import MappingProxyType

from whichwins.analysis.likeness_result import WHOLE, Join, Measure, Neighbour, Tree
from whichwins.analysis.result import PairCell, PairMatrix

MEASURES: MappingProxyType[Measure, Callable[[PairCell], int]] = MappingProxyType(
    {
        "split": lambda cell: cell.value + cell.row_only + cell.column_only,
        "value": lambda cell: cell.value,
        "verdict": lambda cell: cell.row_only + cell.column_only,
    }
)
_UNIT = 1000 * WHOLE
"""Distances are whole parts of it: sums of them are exact, and equal averages are equal."""


def trees(matrix: PairMatrix) -> tuple[Tree, ...]:
    """The tree of each measure, in the order of MEASURES."""
    return tuple(tree(matrix, measure) for measure in MEASURES)


def _distance(cell: PairCell | None, measure: Measure) -> int:
    """The share of common cases on which two part, of _UNIT; all of it where nothing was put to both."""
    if cell is None:
        return 0
    return MEASURES[measure](cell) * _UNIT // cell.compared if cell.compared else _UNIT


def tree(matrix: PairMatrix, measure: Measure = "split") -> Tree:
    """Clusters of subjects by average distance: the two nearest clusters are joined first.

    Of equal distances, that of the subjects whose ids come first. Clusters are joined at the ends that are
    nearest, the one with the first id before the other where that is all the same.
    """
    apart = [[_distance(cell, measure) for cell in row] for row in matrix.cells]
    leaves, joined = _joined(apart)
    places = {leaf: place for place, leaf in enumerate(leaves)}
    return Tree(
        measure,
        tuple(matrix.subjects[leaf] for leaf in leaves),
        tuple(
            _join([places[leaf] for leaf in one], [places[leaf] for leaf in other], far)
            for one, other, far in joined
        ),
        tuple(_nearest(matrix, apart, leaf) for leaf in leaves),
    )


def _join(one: Sequence[int], other: Sequence[int], far: float) -> Join:
    first, second = sorted((one, other), key=min)
    return Join(min(first), min(second), max(second) + 1, _shown(far))


def _shown(far: float) -> int:
    return round(far * WHOLE / _UNIT)


_Cluster = tuple[int, ...]
_Near = tuple[float, int, int]


def _joined(apart: Sequence[Sequence[int]]) -> tuple[_Cluster, list[tuple[_Cluster, _Cluster, float]]]:
    """The leaves in order, and what was joined at which average distance, the nearest first.

    A cluster goes by its first subject. Kept are the sums of distances between clusters, and for each the
    nearest of those behind it: a join costs little more than one pass over the clusters.
    """
    sums = [list(row) for row in apart]
    clusters: dict[int, _Cluster] = {place: (place,) for place in range(len(apart))}
    joined: list[tuple[_Cluster, _Cluster, float]] = []

    def between(one: int, other: int) -> _Near:
        return sums[one][other] / (len(clusters[one]) * len(clusters[other])), one, other

    def nearest(one: int) -> _Near:
        return min((between(one, other) for other in clusters if other > one), default=(math.inf, one, one))

    near = {one: nearest(one) for one in clusters}
    while len(clusters) > 1:
        far, one, other = min(near.values())
        left, right = clusters[one], clusters.pop(other)
        del near[other]
        joined.append((left, right, far))
        clusters[one] = _end_to_end(left, right, apart)
        for third in clusters:
            sums[one][third] += sums[other][third]
            sums[third][one] = sums[one][third]
        for each in clusters:
            if each == one or near[each][2] in (one, other):
                near[each] = nearest(each)
            elif each < one:
                near[each] = min(near[each], between(each, one))
    return next(iter(clusters.values()), ()), joined


def _end_to_end(left: _Cluster, right: _Cluster, apart: Sequence[Sequence[int]]) -> _Cluster:
    turned = [(a, b) for a in (left, left[::-1]) for b in (right, right[::-1])]
    first, second = min(turned, key=lambda ends: apart[ends[0][-1]][ends[1][0]])
    return first + second


def _nearest(matrix: PairMatrix, apart: Sequence[Sequence[int]], leaf: int) -> Neighbour | None:
    """The subject that parts least from one, the first id of several."""
    others = [place for place, cell in enumerate(matrix.cells[leaf]) if cell is not None and cell.compared]
    if not others:
        return None
    place = min(others, key=lambda other: (apart[leaf][other], other))
    return Neighbour(matrix.subjects[place], _shown(apart[leaf][place]))
