from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from tests.analysis.views import case, view
from whichwins.analysis import compare, explain, pair
from whichwins.analysis.result import ClauseLine, LayerRow
from whichwins.model import BadInput, MeasurementFailed, Outcome

KEYS = ("first", "last", "strict")
REPEAT = ("r/two", '{"q":2,"q":20}', ['{"q":2}', '{"q":20}', "-"])
VIEW = view(
    KEYS,
    REPEAT,
    ("r/longer", '{"qq":2,"qq":20}', ['{"qq":2}', '{"qq":20}', "-"]),
    ("n/big", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]", "-"]),
    ("n/one", "[1]", ["[1]", "[1.0]", "[1]"]),
    ("s/comma", "[1,]", ["[1]", "-", "-"]),
    ("s/none", "[", ["-", "!crash", "-"]),
    ("v/plain", "[]", ["[]", "[]", "!unsupported"]),
)


def test_the_summary_counts_each_split_case_once() -> None:
    summary = compare(VIEW).summary
    assert (summary.cases, summary.twins, summary.subjects) == (7, 2, 3)
    assert (summary.split, summary.verdict, summary.value, summary.both) == (4, 4, 3, 3)
    assert summary.twin_splits == 0
    assert [(each.name, each.cases, each.verdict, each.value, each.witness) for each in summary.by_cause] == [
        ("repeated name", 2, 2, 2, "r/two"),
        ("number", 1, 1, 1, "n/big"),
        ("syntax", 1, 1, 0, "s/comma"),
    ]
    assert [(each.name, each.kind) for each in summary.by_kind] == [
        ("repeated name", "different winners"),
        ("number", "precision"),
        ("syntax", "trailing comma"),
    ]
    assert summary.dimensions == {"type": 1}


def test_splits_winners_and_pairs() -> None:
    result = compare(VIEW)
    assert [(split.case, split.pointer, split.values) for split in result.splits] == [
        ("n/big", "/0", 2),
        ("r/longer", "/qq", 2),
        ("r/two", "/q", 2),
        ("s/comma", None, 1),
    ]
    winners = result.winners
    assert (winners.families, winners.cases) == (("r",), (2,))
    assert [row[0].label for row in winners.cells] == ["first", "last", "reject"]
    assert [cell.witnesses for cell in winners.totals] == [
        {"first": "r/two"},
        {"last": "r/two"},
        {"reject": "r/two"},
    ]
    cell = result.pairs.cells[0][1]
    assert cell is not None
    assert (cell.row, cell.column, cell.compared, cell.value) == ("first", "last", 7, 3)
    assert (cell.row_only, cell.column_only) == (1, 0)
    assert (cell.value_witness, cell.row_only_witness) == ("r/two", "s/comma")
    other = result.pairs.cells[2][0]
    assert other is not None
    assert (other.compared, other.value, other.row_only, other.column_only) == (6, 0, 0, 4)


def test_layers_say_who_breaks_which_clause_and_what_a_limit_excuses() -> None:
    result = compare(VIEW)
    rfc, ijson = result.layers[0], result.layers[1]
    assert (rfc.layer, rfc.accept, rfc.reject, rfc.free) == ("rfc8259/1", 3, 2, 2)
    assert rfc.rows == (
        LayerRow("first", 5, 1, 0, 0, 0),
        LayerRow("last", 5, 0, 0, 0, 1),
        LayerRow("strict", 4, 0, 0, 1, 0),
    )
    assert (ijson.accept, ijson.reject, ijson.free) == (2, 4, 1)
    assert ijson.clauses[0] == ClauseLine(
        "first", "accepts", "RFC 7493 section 2.3: MUST NOT have duplicate names", 2, "r/two"
    )
    assert [line.breach for line in ijson.clauses] == ["accepts"] * 3 + ["fails"]


def test_a_rejection_that_no_limit_excuses_is_a_breach() -> None:
    made = view(("a", "b"), ("v/x", "[1]", ["[1]", "-"]), ("v/deep", "[" * 65 + "]" * 65, ["-", "-"]))
    rfc = compare(made).layers[0]
    assert [(row.rejects, row.limit) for row in rfc.rows] == [(0, 0), (1, 0)]
    assert rfc.clauses == (
        ClauseLine(
            "b",
            "rejects",
            "RFC 8259 section 9: MUST accept all texts that conform to the grammar",
            1,
            "v/x",
        ),
    )


def test_twins_are_controls_and_stay_out_of_every_count() -> None:
    made = view(("a", "b"), ("r/x", '{"q":1,"q":2}', ['{"q":2}', '{"q":2}'], ['{"q":1}', "-"]))
    result = compare(made)
    assert (result.summary.cases, result.summary.twins, result.summary.twin_splits) == (1, 1, 1)
    assert result.splits == ()
    assert result.pairs.cells[0][1].compared == 1  # type: ignore[union-attr]
    assert sum(layer.accept + layer.reject + layer.free for layer in result.layers) == 4
    assert result.subjects[1].outcomes == {"accept": 1, "reject": 1}


def test_a_planted_fault_in_one_subject_is_seen() -> None:
    good = ['{"q":20}'] * 3
    clean = view(KEYS, ("r/two", '{"q":2,"q":20}', good), ("v/x", "[1]", ["[1]"] * 3))
    assert compare(clean).summary.split == 0
    for answers, winner in (
        (['{"q":20}', '{"q":2}', '{"q":20}'], "first"),
        (['{"q":20}', '{"q":[2,20]}', '{"q":20}'], "collect"),
        (['{"q":20}', '{"q":22}', '{"q":20}'], "other"),
        (['{"q":20}', "-", '{"q":20}'], "reject"),
    ):
        result = compare(view(KEYS, ("r/two", '{"q":2,"q":20}', answers)))
        assert result.summary.split == 1
        assert [row[0].label for row in result.winners.cells] == ["last", winner, "last"]


def test_absent_subjects_are_shown_and_take_no_part() -> None:
    made = view(KEYS, ("v/x", "[1]", ["[1]", "[2]", "!absent"]), ("v/y", "[]", ["[]", "[]", "!absent"]))
    result = compare(made)
    assert [(line.key, line.live, line.absent) for line in result.subjects] == [
        ("first", True, None),
        ("last", True, None),
        ("strict", False, "not installed"),
    ]
    assert result.summary.subjects == 2
    assert result.pairs.subjects == ("first", "last")
    assert result.incomplete == ("strict is absent: not installed",)


def test_a_subject_absent_in_some_cases_makes_the_measurement_incomplete() -> None:
    made = view(("a", "b"), ("v/x", "[1]", ["[1]", "!absent"]), ("v/y", "[]", ["[]", "[]"]))
    assert compare(made).incomplete == ("b is absent in 1 of 2 cases",)


def test_nothing_is_not_a_comparison() -> None:
    one = view(("a", "b"), ("v/x", "[1]", ["[1]", "!absent"]))
    with pytest.raises(MeasurementFailed, match="there is 1; b is absent: not installed"):
        compare(one)
    with pytest.raises(MeasurementFailed, match="two live subjects"):
        compare(VIEW, subjects=["first"])
    with pytest.raises(MeasurementFailed, match="no cases"):
        compare(view(("a", "b")))
    with pytest.raises(MeasurementFailed, match="only twins"):
        compare(view(("a", "b"), ("v/t", case("v/t", "[]", twin_of="v/x"), ["[]", "[]"])))
    with pytest.raises(BadInput, match="no subject 'nobody'"):
        compare(VIEW, subjects=["first", "nobody"])
    with pytest.raises(BadInput, match="lens"):
        compare(VIEW, "none/1")


def test_subjects_can_be_named_by_pattern() -> None:
    result = compare(VIEW, subjects=["*st"])
    assert result.pairs.subjects == ("first", "last")
    assert result.summary.split == 4


def test_lenses() -> None:
    assert compare(VIEW, "exact/1").summary.split == 5
    assert [split.case for split in compare(VIEW, "binary64/1", ["first", "last"]).splits] == [
        "r/longer",
        "r/two",
        "s/comma",
    ]


def test_a_comparison_is_plain_data() -> None:
    text = json.dumps(asdict(compare(VIEW)))
    assert json.loads(text)["summary"]["split"] == 4
    assert asdict(compare(VIEW)) == asdict(compare(VIEW))


def test_without_content_there_are_no_winners() -> None:
    made = view(KEYS, REPEAT, content=False, twins=False)
    result = compare(made)
    assert not result.content
    assert result.winners.families == ()
    assert result.summary.value == 1


def test_explain() -> None:
    found = explain(VIEW, "r/two")
    assert found.data == b'{"q":2,"q":20}'
    assert found.reading == '{"q":2,"q":20}'
    assert (found.twin, found.twin_of) == ("r/two~twin", None)
    assert [(each.pointer, each.name, each.spellings) for each in found.repeats] == [("", "q", ("2", "20"))]
    assert [line.layer for line in found.expectations] == [
        "rfc8259/1",
        "i-json/1",
        "jcs-input/1",
        "strict-tool-input/1",
    ]
    assert [line.expectation for line in found.expectations] == ["free", "reject", "reject", "reject"]
    assert [(group.outcome, group.members) for group in found.groups] == [
        (Outcome.ACCEPT, ("first",)),
        (Outcome.ACCEPT, ("last",)),
        (Outcome.REJECT, ("strict",)),
    ]
    assert (found.pointer, found.left, found.right) == ("/q", "2", "20")
    assert found.cause is not None
    assert found.cause.name == "repeated name"
    assert found.winners == {"first": "first", "last": "last", "strict": "reject"}
    assert found.problems == ("repeated-name at byte 7: RFC 8259 section 4: names SHOULD be unique",)


@pytest.mark.parametrize(
    ("data", "reading"),
    [
        ("[1,-0,1.0,1e2,0.1]", "[1,0,1.0,100.0,0.1]"),
        ("[9007199254740993,0.10000000000000000555]", "[9007199254740993,D0.10000000000000000555]"),
        ("[1e400,1e-400]", "[D1e400,D1e-400]"),
        (r'["\ud800\u00e9"]', r'["\ud800\u00e9"]'),
        ("[1,]", None),
    ],
)
def test_the_reading_keeps_what_a_double_would_lose(data: str, reading: str | None) -> None:
    assert explain(view(("a", "b"), ("v/x", data, ["[]", "[]"])), "v/x").reading == reading


def test_explain_what_does_not_split_or_is_not_there() -> None:
    found = explain(VIEW, "v/plain")
    assert (found.cause, found.pointer, found.verdict, found.value) == (None, None, False, False)
    assert found.winners == {}
    with pytest.raises(BadInput, match="did you mean r/two"):
        explain(VIEW, "r/twoo")
    withheld = explain(view(KEYS, REPEAT, content=False), "r/two")
    assert (withheld.data, withheld.reading, withheld.repeats) == (None, None, ())


def test_pair_is_read_in_the_order_it_was_asked_in() -> None:
    there, back = pair(VIEW, "first", "strict"), pair(VIEW, "strict", "first")
    assert (there.cell.row, there.cell.row_only, there.cell.column_only) == ("first", 4, 0)
    assert (back.cell.row, back.cell.row_only, back.cell.column_only) == ("strict", 0, 4)
    assert back.cell == there.cell.flipped()
    assert [each.kind for each in there.cases] == ["row_only"] * 4
    assert (back.cases[0].case, back.cases[0].row, back.cases[0].column) == (
        "s/comma",
        "reject parse E",
        "[1]",
    )


def test_pair_lists_silent_differences_first() -> None:
    found = pair(VIEW, "first", "last")
    assert [(each.case, each.kind, each.pointer) for each in found.cases] == [
        ("r/two", "value", "/q"),
        ("r/longer", "value", "/qq"),
        ("n/big", "value", "/0"),
        ("s/comma", "row_only", None),
    ]
    assert [(each.name, each.cases, each.value, each.verdict) for each in found.by_cause] == [
        ("repeated name", 2, 2, 0),
        ("number", 1, 1, 0),
        ("syntax", 1, 0, 1),
    ]
    assert found.dimensions == {"type": 1}
    with pytest.raises(BadInput, match="differ from itself"):
        pair(VIEW, "first", "first")


def test_values_far_deeper_than_the_stack() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    other = "[" * 100_000 + "1" + "]" * 100_000
    made = view(("a", "b", "c"), ("d/x", deep, [deep, other, "-"]))
    (split,) = compare(made).splits
    assert split.pointer is not None
    assert len(split.pointer) == 400
    assert explain(made, "d/x").reading == deep
