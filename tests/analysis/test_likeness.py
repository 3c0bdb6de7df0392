"""Subjects clustered by likeness, on distances written by hand, and beside the slow way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from whichwins.analysis.likeness import tree, trees
from whichwins.analysis.likeness_result import Join, Neighbour
from whichwins.analysis.result import PairCell, PairMatrix


def places(found: PairMatrix) -> tuple[int, ...]:
    return tuple(map(found.subjects.index, tree(found).leaves))


def cell(compared: int, value: int = 0, row_only: int = 0, column_only: int = 0) -> PairCell:
    return PairCell("a", "b", compared, value, row_only, column_only, None, None, None)


def matrix(*rows: Sequence[int]) -> PairMatrix:
    """Rows of percentages; the diagonal is left out."""
    return PairMatrix(
        tuple("abcdefgh"[: len(rows)]),
        tuple(
            tuple(None if one == other else cell(100, value) for other, value in enumerate(row))
            for one, row in enumerate(rows)
        ),
    )


@pytest.mark.parametrize(
    ("given", "apart"),
    [
        (cell(0), 1_000_000),  # nothing was put to both: nobody knows, and they do not stand together
        (cell(8), 0),
        (cell(8, 1, 2, 1), 500_000),
        (cell(4, 2, 1, 1), 1_000_000),
    ],
)
def test_a_distance_is_the_share_of_common_cases(given: PairCell, apart: int) -> None:
    found = tree(PairMatrix(("a", "b"), ((None, given), (given.flipped(), None))))
    assert found.joins == (Join(0, 1, 2, apart),)


def test_alike_ones_stand_together() -> None:
    # a and c are alike, b and d are: the order of keys would tear both apart. The nearest ends meet: c, d.
    found = tree(matrix([0, 80, 1, 60], [80, 0, 70, 2], [1, 70, 0, 50], [60, 2, 50, 0]))
    assert found.leaves == ("a", "c", "d", "b")
    # The last: on average of a-b 80, a-d 60, c-b 70 and c-d 50 percent.
    assert found.joins == (Join(0, 1, 2, 10_000), Join(2, 3, 4, 20_000), Join(0, 2, 4, 650_000))
    assert found.nearest == (
        Neighbour("c", 10_000),
        Neighbour("a", 10_000),
        Neighbour("b", 20_000),
        Neighbour("d", 20_000),
    )


def test_a_cluster_is_as_far_as_its_members_on_average() -> None:
    # After a and b: c is 50 from them on average (10 and 90), and 40 from d: c goes to d.
    found = tree(matrix([0, 1, 10, 70], [1, 0, 90, 80], [10, 90, 0, 40], [70, 80, 40, 0]))
    assert found.leaves == ("b", "a", "c", "d")
    assert [each.apart for each in found.joins] == [10_000, 400_000, 625_000]


def test_of_equals_the_first_ids_come_first() -> None:
    assert places(matrix([0, 5, 5], [5, 0, 5], [5, 5, 0])) == (0, 1, 2)
    # b and d are as near as a and c.
    joins = tree(matrix([0, 9, 5, 9], [9, 0, 9, 5], [5, 9, 0, 9], [9, 5, 9, 0])).joins
    assert [(each.first, each.last) for each in joins] == [(0, 2), (2, 4), (0, 4)]


@pytest.mark.parametrize(("rows", "order"), [((), ()), (([0],), (0,)), (([0, 9], [9, 0]), (0, 1))])
def test_few_have_an_order_too(rows: tuple[list[int], ...], order: tuple[int, ...]) -> None:
    assert places(matrix(*rows)) == order


def test_each_measure_has_a_tree_of_its_own() -> None:
    # a and b part in their values alone, a and c in their verdicts alone, b and c in both.
    one, other, both = cell(10, 4), cell(10, 0, 1, 2), cell(10, 5, 0, 4)
    found = trees(PairMatrix(("a", "b", "c"), ((None, one, other), (one, None, both), (other, both, None))))
    assert [(each.measure, each.joins[0]) for each in found] == [
        ("split", Join(0, 1, 2, 300_000)),
        ("value", Join(0, 1, 2, 0)),
        ("verdict", Join(0, 1, 2, 0)),
    ]
    assert [each.leaves for each in found] == [("c", "a", "b"), ("c", "a", "b"), ("b", "a", "c")]


def test_whom_nobody_can_be_held_against_has_no_neighbour() -> None:
    nothing = cell(0)
    alone = tree(PairMatrix(("a", "b"), ((None, nothing), (nothing, None))))
    assert alone.nearest == (None, None)
    assert alone.joins == (Join(0, 1, 2, 1_000_000),)


@pytest.mark.parametrize("seed", range(8))
def test_the_quick_way_is_the_slow_way(seed: int) -> None:
    """Every average anew, in fractions, with many equal distances."""
    chance, count = random.Random(seed), 8
    rows = [[0] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        rows[one][other] = rows[other][one] = chance.choice((0, 10, 20, 30))
    clusters: list[tuple[int, ...]] = [(place,) for place in range(count)]
    expected = []
    while len(clusters) > 1:
        far, _, left, right = min(
            (
                Fraction(sum(rows[i][j] for i in one for j in other), 100 * len(one) * len(other)),
                (min(one), min(other)),
                one,
                other,
            )
            for one, other in combinations(clusters, 2)
        )
        clusters = sorted(
            [each for each in clusters if each not in (left, right)] + [(*left, *right)], key=min
        )
        expected.append(
            (round(far * 1_000_000), "".join(sorted("abcdefgh"[each] for each in (*left, *right))))
        )
    found = tree(matrix(*rows))
    joined = [("".join(sorted(found.leaves[each.first : each.last])), each.apart) for each in found.joins]
    assert [(far, members) for members, far in joined] == expected
