"""Subjects in an order in which alike ones stand together."""

from __future__ import annotations

from itertools import combinations

from whichwins.analysis.result import PairCell, PairMatrix


def distance(cell: PairCell | None) -> float:
    """The share of common cases on which two part: 0 to 1; 1 where nothing was put to both."""
    if cell is None:
        return 0.0
    if not cell.compared:
        return 1.0
    return (cell.value + cell.row_only + cell.column_only) / cell.compared


def by_likeness(matrix: PairMatrix) -> tuple[int, ...]:
    """The places of the subjects, clustered by average distance: the two nearest clusters are joined first.

    Clusters are joined at the ends that are nearest. Of equals, those that come first in the order of keys.
    """
    apart = [[distance(cell) for cell in row] for row in matrix.cells]
    clusters: list[tuple[int, ...]] = [(place,) for place in range(len(matrix.subjects))]
    while len(clusters) > 1:
        _, left, right = min(
            (sum(apart[i][j] for i in one for j in other) / (len(one) * len(other)), one, other)
            for one, other in combinations(clusters, 2)
        )
        turned = [(a, b) for a in (left, left[::-1]) for b in (right, right[::-1])]
        first, second = min(turned, key=lambda ends: apart[ends[0][-1]][ends[1][0]])
        clusters = sorted([each for each in clusters if each not in (left, right)] + [first + second])
    return clusters[0] if clusters else ()
