"""Names that meet in a typed target: who wins, what is a repeat and what is binding; all by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analysis.views import case, view
from whichwins.analysis import compare
from whichwins.analysis.facts import Facts
from whichwins.analysis.result import Comparison
from whichwins.run.view import LedgerView


def shaped(name: str, text: str) -> Any:
    return case(f"b/{name}", text, shape="order")


def binders(*rows: tuple[str, str, list[str]], twins: dict[str, list[str]] | None = None) -> LedgerView:
    """Two binders, `x/a` and `x/b`; answers are values, `-` refuses."""
    given = [(shaped(name, text).id, shaped(name, text), answers) for name, text, answers in rows]
    made = view(
        ("x/a", "x/b"),
        *((id_, each, answers, (twins or {}).get(id_[2:], ["-", "-"])) for id_, each, answers in given),
    )
    for identity in made.header["subjects"].values():
        identity["shape"] = "order"
    return made


def labels(result: Comparison) -> dict[str, list[str]]:
    assert result.binding is not None
    return {
        column: [row[at].label for row in result.binding.cells]
        for at, column in enumerate(result.binding.columns)
    }


T = '{"target":"t"'
BOTH = [
    ("one", T + ',"qty":1,"quantity":2}'),
    ("two", T + ',"quantity":1,"qty":2}'),
]


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [  # (to alias first, to canonical first)
        (("2", "1"), "canonical"),
        (("1", "2"), "alias"),
        (("2", "2"), "last"),
        (("1", "1"), "first"),
        (("2.0", "1"), "canonical"),  # a host without integers
        (("3", "1"), "mixed"),
        (("3", "3"), "other"),
    ],
)
def test_who_wins_a_collision_of_alias_and_name(answers: tuple[str, str], wanted: str) -> None:
    rows = [(n, t, [T + f',"quantity":{a}}}'] * 2) for (n, t), a in zip(BOTH, answers, strict=True)]
    assert labels(compare(binders(*rows)))["alias collision"] == [wanted] * 2


def test_both_kept_and_neither() -> None:
    rows = [(name, text, [text, T + "}"]) for name, text in BOTH]
    assert labels(compare(binders(*rows)))["alias collision"] == ["both", "neither"]


def test_one_order_does_not_tell_name_from_place() -> None:
    rows = [(*BOTH[0], [T + ',"quantity":2}', T + ',"quantity":1}'])]
    assert labels(compare(binders(*rows)))["alias collision"] == ["canonical or last", "alias or first"]


def test_a_refusal_is_of_the_collision_only_where_each_name_alone_is_accepted() -> None:
    rows = [
        *((name, text, ["-", "-"]) for name, text in BOTH),
        ("qty", T + ',"qty":1}', [T + ',"quantity":1}'] * 2),
        ("quantity", T + ',"quantity":1}', [T + ',"quantity":1}', "-"]),
    ]
    found = labels(compare(binders(*rows)))
    assert found["alias collision"] == ["reject", "n/a"]
    assert (found["canonical"], found["alias"]) == (["bound", "rejected"], ["bound", "bound"])


def test_names_alone() -> None:
    rows = [
        ("case", T + ',"Quantity":1}', [T + ',"quantity":1}', T + ',"Quantity":1}']),
        ("deep", T + ',"options":{"MODE":"m"}}', [T + ',"options":{"mode":"m"}}', "-"]),
        ("other", T + ',"other":1}', [T + "}", T + ',"other":1}']),
    ]
    found = labels(compare(binders(*rows)))
    assert found["other case"] == ["bound", "kept+rejected"]
    assert found["unknown"] == ["ignored", "kept"]
    assert found["canonical"] == found["alias"] == ["n/a", "n/a"]


def test_case_collisions_by_exact_and_variant() -> None:
    rows = [
        ("one", T + ',"Quantity":1,"quantity":2}', [T + ',"quantity":2}', T + ',"quantity":2}']),
        ("two", T + ',"quantity":1,"Quantity":2}', [T + ',"quantity":1}', T + ',"quantity":2}']),
    ]
    assert labels(compare(binders(*rows)))["case collision"] == ["exact", "last"]


@pytest.mark.parametrize(
    "text",
    [
        T + ',"qty":"many","quantity":2}',  # a refusal may be for the type
        '{"qty":1,"quantity":2}',  # or for what is missing
        '{"Target":"t"}',
        T + ',"qty":1,"qty":2}',  # a repeat is another finding
        T + ',"qty":1,"quantity":2,"other":3}',  # or for something else
    ],
)
def test_texts_that_try_several_things_are_not_in_the_table(text: str) -> None:
    assert compare(binders(("x", text, ["-", T + "}"]))).binding is None


def test_nobody_binds_without_a_shape() -> None:
    assert compare(view(("x/a", "x/b"), ("n/one", BOTH[0][1], ["{}", "-"]))).binding is None


CAUSES = [
    # text, the answers, cause, kind
    (BOTH[0][1], [T + ',"quantity":1}', T + ',"quantity":2}'], "binding", "alias collision"),
    (T + ',"Quantity":1,"quantity":2}', [T + ',"quantity":1}', "-"], "binding", "case collision"),
    (T + ',"quantity":null}', [T + "}", "-"], "binding", "null"),
    (T + ',"quantity":"2"}', [T + ',"quantity":2}', "-"], "binding", "type"),
    (T + ',"other":2}', [T + "}", "-"], "binding", "unknown member"),
    (T + ',"Quantity":2}', [T + ',"quantity":2}', T + "}"], "binding", "other case"),
    (T + ',"quantity":2}', [T + ',"quantity":2}', T + "}"], "binding", "alias"),
    (
        '{"target":"t","target":"u"}',
        ['{"target":"t"}', '{"target":"u"}'],
        "repeated name",
        "different winners",
    ),
    ('{"target":7,"target":"u"}', ["-", '{"target":"u"}'], "repeated name", "occurrence that does not fit"),
    (T + ',"quantity":1,"quantity":2}', [T + ',"quantity":2}', T + "}"], "binding", "alias"),
    ('{"target":"t"', ["-", T + "}"], "syntax", "missing piece"),
]


@pytest.mark.parametrize(("text", "answers", "name", "kind"), CAUSES)
def test_repeated_names_and_binding_are_two_findings(
    text: str, answers: list[str], name: str, kind: str
) -> None:
    (split,) = compare(binders(("x", text, answers))).splits
    assert (split.cause.name, split.cause.kind if kind != "missing piece" else kind) == (name, kind)


@pytest.mark.parametrize(
    ("text", "kind"), [('{"options":{}}', "merge"), ('{"qty":1}', "alias"), ('{"options":null}', "null")]
)
def test_what_becomes_of_values_that_were_there(text: str, kind: str) -> None:
    kept = '{"target":"k","options":{"mode":"k"}}'
    (split,) = compare(
        view(("x/a", "x/b"), ("b/x", case("b/x", text, shape="order-onto"), [kept, "{}"]))
    ).splits
    assert (split.cause.name, split.cause.kind) == ("binding", kind)


def test_a_refused_repeat_whose_twin_is_accepted() -> None:
    text = '{"target":"t","target":"u"}'
    asked = binders(("x", text, ["-", '{"target":"u"}']), twins={"x": ['{"target":"t"}', '{"target":"t"}']})
    result = compare(asked)
    assert (result.splits[0].cause.name, result.splits[0].cause.kind) == ("repeated name", "rejected")
    assert [cell.label for cell in result.winners.totals] == ["reject", "last"]


@pytest.mark.parametrize(
    ("text", "answers", "wanted"),
    [
        # The twin is accepted as nobody looks at 7: the refusal says nothing of the repeat.
        ('{"target":"t","target":7}', ["-", '{"target":"7"}'], ["n/a", "n/a"]),
        (T + ',"other":1,"other":2}', [T + "}", T + ',"other":2}'], ["n/a", "last"]),
        (T + ',"qty":1,"qty":2}', [T + ',"quantity":1}', T + ',"qty":2}'], ["first", "last"]),
        (
            T + ',"options":{"mode":"m"},"options":{"limit":1}}',
            [T + ',"options":{"mode":"m","limit":1}}', T + ',"options":{"limit":1}}'],
            ["merge", "last"],
        ),
        # The survivor may be the alias's: no statement.
        (T + ',"quantity":1,"quantity":2,"qty":1}', [T + ',"quantity":1}'] * 2, None),
    ],
)
def test_winners_of_repeats_in_a_target(text: str, answers: list[str], wanted: list[str] | None) -> None:
    accepted = {"x": [T + "}", T + "}"]}
    result = compare(binders(("x", text, answers), twins=accepted))
    assert [cell.label for cell in result.winners.totals] == (wanted or ["n/a", "n/a"])


def test_no_rfc_says_that_json_fits_a_target() -> None:
    result = compare(binders(("x", T + ',"other":1}', ["-", T + "}"]), ("y", "[1,]", ["-", T + "}"])))
    strict, lenient = result.layers[0].rows
    assert (strict.rejects, strict.accepts) == (0, 0)
    assert (lenient.rejects, lenient.accepts) == (0, 1)


def test_without_content_no_cause_is_guessed() -> None:
    asked = view(("x/a", "x/b"), ("b/x", shaped("x", BOTH[0][1]), [T + "}", "-"]), content=False)
    result = compare(asked)
    assert (result.splits[0].cause.name, result.binding) == ("other", None)


def test_where_boundaries_read_a_shape_says_nothing() -> None:
    (record,) = binders(("x", BOTH[0][1], ["-", "-"])).cases.values()
    assert [each.field for each in Facts(record, {}).fields] == ["target", "quantity"]
    assert Facts(record, {}, shaped=False).fields == ()
