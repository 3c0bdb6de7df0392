"""The order in which alike subjects stand together, on distances written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from whichwins.analysis.likeness import by_likeness, distance
from whichwins.analysis.result import PairCell, PairMatrix


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
        (None, 0.0),
        (cell(0), 1.0),  # nothing was put to both: nobody knows, and they do not stand together
        (cell(8), 0.0),
        (cell(8, 1, 2, 1), 0.5),
        (cell(4, 2, 1, 1), 1.0),
    ],
)
def test_a_distance_is_the_share_of_common_cases(given: PairCell | None, apart: float) -> None:
    assert distance(given) == apart


def test_alike_ones_stand_together() -> None:
    # a and c are alike, b and d are: the order of keys would tear both apart. The nearest ends meet: c, d.
    order = by_likeness(matrix([0, 80, 1, 60], [80, 0, 70, 2], [1, 70, 0, 50], [60, 2, 50, 0]))
    assert order == (0, 2, 3, 1)


def test_a_cluster_is_as_far_as_its_members_on_average() -> None:
    # After a and b: c is 50 from them on average (10 and 90), and 40 from d: c goes to d.
    order = by_likeness(matrix([0, 1, 10, 70], [1, 0, 90, 80], [10, 90, 0, 40], [70, 80, 40, 0]))
    assert order == (1, 0, 2, 3)


def test_of_equals_the_first_keys_come_first() -> None:
    assert by_likeness(matrix([0, 5, 5], [5, 0, 5], [5, 5, 0])) == (0, 1, 2)


@pytest.mark.parametrize(("rows", "order"), [((), ()), (([0],), (0,)), (([0, 9], [9, 0]), (0, 1))])
def test_few_have_an_order_too(rows: tuple[list[int], ...], order: tuple[int, ...]) -> None:
    assert by_likeness(matrix(*rows)) == order
