"""Matrices from signatures, against a naive loop over cases and pairs."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from whichwins.analysis.classes import FAILED, REJECTED, SILENT
from whichwins.analysis.matrix import SignatureTable, WinnerTable, label, pair_matrix
from whichwins.analysis.result import PairCell

SUBJECTS = ("a", "b", "c", "d")
signatures = st.tuples(*[st.sampled_from([0, 1, 2, REJECTED, FAILED, SILENT])] * len(SUBJECTS))
corpora = st.lists(st.tuples(signatures, st.integers(0, 9)), max_size=40)


def naive(corpus: list[tuple[tuple[int, ...], int]], row: int, column: int) -> PairCell:
    found: dict[str, list[tuple[int, str]]] = {"value": [], "row_only": [], "column_only": []}
    compared = 0
    for number, (signature, length) in enumerate(corpus):
        one, other = signature[row], signature[column]
        if one == SILENT or other == SILENT:
            continue
        compared += 1
        place = (length, f"case{number:03}")
        if one >= 0 and other >= 0:
            if one != other:
                found["value"].append(place)
        elif one >= 0:
            found["row_only"].append(place)
        elif other >= 0:
            found["column_only"].append(place)
    smallest = {kind: min(cases)[1] if cases else None for kind, cases in found.items()}
    return PairCell(
        SUBJECTS[row],
        SUBJECTS[column],
        compared,
        len(found["value"]),
        len(found["row_only"]),
        len(found["column_only"]),
        smallest["value"],
        smallest["row_only"],
        smallest["column_only"],
    )


@given(corpora)
def test_pairs_are_what_a_double_loop_counts(corpus: list[tuple[tuple[int, ...], int]]) -> None:
    table = SignatureTable()
    for number, (signature, length) in enumerate(corpus):
        table.add(signature, length, f"case{number:03}")
    matrix = pair_matrix(SUBJECTS, table)
    for row, column in itertools.product(range(len(SUBJECTS)), repeat=2):
        expected = None if row == column else naive(corpus, row, column)
        assert matrix.cells[row][column] == expected


def test_winners_by_family() -> None:
    table = WinnerTable(("a", "b"))
    table.add("two", ("first", "last"), 9, "two/long")
    table.add("two", ("first", "equal"), 5, "two/short")
    table.add("two", ("last", "n/a"), 7, "two/mid")
    table.add("one", ("equal", "n/a"), 3, "one/x")
    matrix = table.matrix()
    assert matrix.families == ("one", "two")
    assert matrix.cases == (1, 3)
    assert [[cell.label for cell in row] for row in matrix.cells] == [["equal", "mixed"], ["n/a", "last"]]
    assert matrix.cells[0][1].counts == {"first": 2, "last": 1}
    assert matrix.cells[0][1].witnesses == {"first": "two/short", "last": "two/mid"}
    assert [cell.label for cell in matrix.totals] == ["mixed", "last"]
    assert matrix.totals[1].counts == {"last": 1, "equal": 1, "n/a": 2}


def test_a_label_ignores_what_says_nothing() -> None:
    assert label({"last": 3, "equal": 9, "n/a": 1}) == "last"
    assert label({"equal": 9, "n/a": 1}) == "equal"
    assert label({"n/a": 1}) == label({}) == "n/a"
    assert label({"reject": 1, "other": 1}) == "mixed"
