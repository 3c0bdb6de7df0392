from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.analysis.drawn import MIRRORED, drawn_views
from tests.analysis.views import case, view
from tests.run import ledgers
from whichwins.analysis.change import changes, nothing
from whichwins.analysis.change_result import Change, ChangeKind, Changes
from whichwins.analysis.lens import LENSES
from whichwins.analysis.result import Cause
from whichwins.model import BadInput, Keep, MeasurementFailed, Observation, Outcome
from whichwins.run import Withheld, read_ledger
from whichwins.run.view import LedgerView

OLD, NEW = "lib/x@1", "lib/x@2"
DEEP = "[" * 70 + "]" * 70


def one_run(*rows: tuple[Any, ...], **more: Any) -> Changes:
    made = view((OLD, NEW), *rows, **more)
    return changes(made, made, pairs=[(OLD, NEW)])


def only(found: Changes) -> Change:
    (change,) = found.changes
    (group,) = found.groups
    assert group.witness == change
    assert group.count == found.pairings[0].changed == 1
    return change


def put(made: LedgerView, identifier: str, subject: str, answer: Observation) -> LedgerView:
    row = list(made.observations[identifier])
    row[made.subjects.index(subject)] = answer
    return replace(made, observations={**made.observations, identifier: tuple(row)})


def known_as(made: LedgerView, identities: Mapping[str, Mapping[str, Any]], **more: Any) -> LedgerView:
    return replace(made, header={**made.header, "subjects": identities, **more})


@pytest.mark.parametrize(
    ("data", "before", "after", "kind", "name", "narrow"),
    [
        ('{"q":2,"q":20}', '{"q":2}', '{"q":20}', "winner-changed", "repeated name", "different winners"),
        (
            "[9007199254740993]",
            "[9007199254740993]",
            "[9007199254740992.0]",
            "value-changed",
            "number",
            "precision",
        ),
        ("[1,]", "-", "[1]", "newly-accepted", "syntax", "trailing comma"),
        ("[1,]", "[1]", "-", "newly-rejected", "syntax", "trailing comma"),
        ('{"q":2,"q":20}', '{"q":20}', "-", "newly-rejected", "repeated name", "rejected"),
        (DEEP, DEEP, "!crash", "newly-failing", "depth", ""),
        (DEEP, "-", "!fault", "newly-failing", "depth", ""),
        (DEEP, "!timeout", DEEP, "recovered", "depth", ""),
        (DEEP, "!garbled", "-", "recovered", "depth", ""),
        (DEEP, "!fault", "!crash", "refused-otherwise", "depth", ""),
    ],
)
def test_kinds_and_causes(data: str, before: str, after: str, kind: str, name: str, narrow: str) -> None:
    change = only(one_run(("f/c", data, [before, after])))
    assert (change.kind, change.cause.name, change.cause.kind) == (kind, name, narrow)
    assert (change.subject, change.case, change.family) == ("lib/x", "f/c", "f")
    assert (change.length, change.data) == (len(data), data.encode())


def test_a_change_shows_both_answers_the_place_and_the_winners() -> None:
    change = only(one_run(("r/two", '{"q":2,"q":20}', ['{"q":2}', '{"q":20}'])))
    assert (change.before, change.after, change.pointer) == ('{"q":2}', '{"q":20}', "/q")
    assert change.winners == ("first", "last")
    change = only(one_run(("n/big", "[1e400]", ["[Infinity]", "-"])))
    assert (change.before, change.after, change.pointer) == ("[Infinity]", "reject parse E", None)
    assert change.winners is None


def test_a_winner_is_reject_only_if_the_twin_is_accepted() -> None:
    row = ("r/two", '{"q":2,"q":20}', ['{"q":20}', "-"])
    assert only(one_run((*row, ["{}", "{}"]))).winners == ("last", "reject")
    assert only(one_run((*row, ["{}", "-"]))).winners == ("last", "n/a")


def test_another_value_beside_the_same_winner_is_no_change_of_winner() -> None:
    change = only(one_run(("r/two", '{"q":2,"q":1e400}', ['{"q":Infinity}', '{"q":D1e400}'])))
    assert (change.kind, change.cause.name, change.winners) == ("value-changed", "number", ("last", "last"))


@pytest.mark.parametrize(
    ("data", "before", "after", "winners"),
    [
        # One parser drops a lone surrogate, the other keeps it; the last one stands in both.
        (r'{"\ud800":1,"\ud800":2}', '{"":2}', r'{"\ud800":2}', ("last", "last")),
        (r'{"\udbff":1,"\uDBFF":2}', '{"":1}', r'{"\udbff":1}', ("first", "first")),
        # Nothing is lost on either side: no name repeats for a parser that tells them apart.
        (r'{"\ud800":1,"\ufffd":2}', r'{"":1,"\ufffd":2}', r'{"\ud800":1,"\ufffd":2}', ("n/a", "n/a")),
        (r'{"\ud83d":1,"\ude00":2}', r'{"":1,"\ude00":2}', r'{"\ud83d":1,"\ude00":2}', ("n/a", "n/a")),
        # Bad bytes as Latin-1 and as a replacement character.
        (b'{"\xff":1,"\xff":2}', r'{"\u00ff":2}', r'{"\ufffd":2}', ("other", "last")),
    ],
)
def test_another_spelling_of_a_name_is_no_other_winner(
    data: str | bytes, before: str, after: str, winners: tuple[str, str]
) -> None:
    change = only(one_run(("f/c", data, [before, after])))
    assert (change.kind, change.winners) == ("value-changed", winners)
    assert change.cause.name in ("unicode", "encoding")


@pytest.mark.parametrize(
    ("data", "before", "after", "winners"),
    [
        (r'{"\ud9ab":2,"\ud9ac":20}', '{"":20}', r'{"\ud9ab":2,"\ud9ac":20}', ("last", "n/a")),
        (r'{"x\ud800":1,"x\ud801":2,"x":3}', '{"x":1}', r'{"x\ud800":1,"x\ud801":2,"x":3}', ("first", "n/a")),
        (b'{"\xed\xa0\x80":1,"\\ud800":2}', r'{"\ud800":1,"":2}', r'{"\ud800":2}', ("n/a", "last")),
    ],
)
def test_names_that_collide_in_one_version_only_are_another_winner(
    data: str | bytes, before: str, after: str, winners: tuple[str, str]
) -> None:
    change = only(one_run(("f/c", data, [before, after])))
    assert (change.kind, change.winners) == ("winner-changed", winners)
    assert (change.cause.name, change.cause.kind) == ("repeated name", "after replacement")


def test_twins_are_controls() -> None:
    found = one_run(("r/two", '{"q":2,"q":20}', ['{"q":20}', '{"q":20}'], ["{}", "-"]))
    assert found.changes == ()
    assert found.pairings[0].compared == found.corpora.shared == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Observation(Outcome.REJECT, stage="parse", error="E"), {"error": "F"}),
        (Observation(Outcome.REJECT, stage="parse", error="E"), {"stage": "decode"}),
        (Observation(Outcome.CRASH, signal="SIGSEGV"), {"signal": "SIGABRT"}),
        (Observation(Outcome.CRASH), {"outcome": Outcome.TIMEOUT}),
    ],
)
def test_a_refusal_of_another_kind(before: Observation, after: dict[str, Any]) -> None:
    made = view((OLD, NEW), ("f/c", "[1,]", ["-", "-"]))
    made = put(put(made, "f/c", OLD, before), "f/c", NEW, before._replace(**after))
    change = only(changes(made, made, pairs=[(OLD, NEW)]))
    assert (change.kind, change.cause.kind) == ("refused-otherwise", "trailing comma")


def test_words_about_a_failure_are_no_change() -> None:
    made = view((OLD, NEW), ("f/c", "[1,]", ["-", "-"]))
    made = put(made, "f/c", OLD, Observation(Outcome.GARBLED, reason="nothing came", message="one"))
    made = put(made, "f/c", NEW, Observation(Outcome.GARBLED, reason="too much came", message="other"))
    assert changes(made, made, pairs=[(OLD, NEW)]).changes == ()


def test_an_answer_that_no_longer_repeats() -> None:
    made = view((OLD, NEW), ("f/c", "[1]", ["[1]", "[1.0]"]))
    shaky = put(made, "f/c", NEW, Observation(Outcome.ACCEPT, "[1.0]", unstable=True))
    change = only(changes(shaky, shaky, pairs=[(OLD, NEW)]))
    assert (change.kind, change.cause) == (
        "became-unstable",
        Cause("other", "unstable", "the answer did not repeat"),
    )
    assert changes(shaky, shaky, pairs=[(NEW, OLD)]).changes == ()
    # What is also another answer is told as that.
    shaky = put(made, "f/c", NEW, Observation(Outcome.TIMEOUT, unstable=True))
    assert only(changes(shaky, shaky, pairs=[(OLD, NEW)])).kind == "newly-failing"


@pytest.mark.parametrize("ended", ["[2]", "-", "!fault", "!crash"])
def test_what_did_not_repeat_before_is_no_change(ended: str) -> None:
    """As with a stack that overflows in one run and not in the next."""
    made = view((OLD, NEW), ("f/c", "[1]", ["[1]", ended]), ("f/d", "[1]", ["[1]", "[1]"]))
    shaky = put(made, "f/c", OLD, Observation(Outcome.ACCEPT, "[1]", unstable=True))
    for again in (False, True):
        row = shaky.observations["f/c"][1]
        twice = put(shaky, "f/c", NEW, row._replace(unstable=again))
        found = changes(twice, twice, pairs=[(OLD, NEW)])
        assert found.changes == ()
        assert (found.pairings[0].compared, found.pairings[0].shaky) == (1, 1)
        assert found.notes == (
            f"{OLD} to {NEW}: 1 answer did not repeat before: what became of it is not compared",
        )


def test_what_the_lens_does_not_see_is_counted_and_no_change() -> None:
    rows = (("n/one", "[1]", ["[1]", "[1.0]"]), ("n/zero", "[-0.0]", ["[-0.0]", "[0.0]"]))
    found = one_run(*rows)
    assert found.changes == ()
    assert found.pairings[0].dimensions == {"type": 1, "zero-sign": 1}
    made = view((OLD, NEW), *rows)
    exact = changes(made, made, pairs=[(OLD, NEW)], lens_name="exact/1")
    assert [change.case for change in exact.changes] == ["n/one", "n/zero"]
    with pytest.raises(BadInput, match="unknown lens"):
        changes(made, made, lens_name="value/9")


SILENT_ROWS: tuple[tuple[Any, ...], ...] = (
    ("f/a", "[1]", ["!unsupported", "[1]"]),
    ("f/b", "[1]", ["[1]", "!unsupported"]),
    ("f/c", "[1]", ["[1]", "!absent"]),
    ("f/d", "[1]", ["!unsupported", "!unsupported"]),
    ("f/e", "[1]", ["[1]", "[1]"]),
    ("f/f", "[1,]", ["-", "!unsupported"]),
    ("f/g", "[1,]", ["!crash", "!unsupported"]),
    ("f/h", "[1,]", ["!absent", "!unsupported"]),
    ("f/i", "[1,]", ["!unsupported", "!crash"]),
)


def test_an_answer_that_a_library_no_longer_gives_has_vanished() -> None:
    found = one_run(*SILENT_ROWS)
    assert [(each.kind, each.case, each.before, each.after) for each in found.changes] == [
        ("vanished", "f/b", "[1]", "unsupported"),
        ("vanished", "f/f", "reject parse E", "unsupported"),
        ("vanished", "f/g", "crash", "unsupported"),
    ]
    said = Cause("other", "no answer", "the answer is unsupported, which makes no statement")
    assert {each.cause for each in found.changes} == {said}
    assert (found.pairings[0].compared, found.pairings[0].changed) == (1, 3)
    assert found.notes == (f"{OLD} to {NEW}: 2 cases could not be put to {OLD}: not compared",)
    assert found.incomplete == (
        f"{OLD} is absent in 1 of 9 cases before: not installed",
        f"{NEW} is absent in 1 of 9 cases after: not installed",
    )


def test_what_cannot_be_put_to_another_library_is_counted() -> None:
    made = view(("lib/x", "lib/y"), *SILENT_ROWS)
    found = changes(made, made, pairs=[("lib/x", "lib/y")])
    assert found.changes == ()
    assert (found.pairings[0].compared, found.pairings[0].gone, found.pairings[0].fresh) == (1, 3, 2)
    assert found.notes == (
        "lib/x to lib/y: 2 cases could not be put to lib/x: not compared",
        "lib/x to lib/y: two libraries: names and stages of their errors are not compared",
        "lib/x to lib/y: 3 cases cannot be put to lib/y: not compared",
    )


def test_two_entry_points_of_a_library_are_one_library() -> None:
    made = view(
        ("lib/x", "lib/x-all", "other/x"), *((key, data, [*said, said[1]]) for key, data, said in SILENT_ROWS)
    )
    same = {"library": "x"}
    made = known_as(made, dict.fromkeys(made.subjects, same))
    made = put(made, "f/e", "lib/x-all", Observation(Outcome.REJECT, stage="parse", error="E"))
    made = put(made, "f/e", "lib/x", Observation(Outcome.REJECT, stage="parse", error="F"))
    found = changes(made, made, pairs=[("lib/x", "lib/x-all")])
    assert [(each.kind, each.case) for each in found.changes] == [
        ("refused-otherwise", "f/e"),
        ("vanished", "f/b"),
        ("vanished", "f/f"),
        ("vanished", "f/g"),
    ]
    assert found.notes[1:] == ("lib/x to lib/x-all: two entry points of one library",)
    # Of another adapter it is another library, whatever it is called.
    assert changes(made, made, pairs=[("lib/x", "other/x")]).pairings[0].gone == 3


def test_one_is_not_several() -> None:
    rows = (("f/a", "[1]", ["!unsupported", "[1]"]), ("f/e", "[1]", ["[1]", "[1]"]))
    assert one_run(*rows).notes == (f"{OLD} to {NEW}: 1 case could not be put to {OLD}: not compared",)
    alone = view((NEW,), ("f/e", "[1]", ["[1]"]))
    both = view((NEW,), ("f/e", "[1]", ["[1]"]), ("f/x", "[2]", ["[2]"]))
    assert changes(alone, both).notes[0] == "the corpora differ: 1 case on both sides, 1 only after"


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("reject ValueError", "fault ValueError", None),
        ("fault ValueError", "reject ValueError", None),
        ("reject ValueError", "fault RecursionError", "newly-failing"),
        ("fault RecursionError", "reject ValueError", "recovered"),
        ("reject ValueError", "crash ValueError", "newly-failing"),
        ("fault ", "reject ", "recovered"),  # neither says what it threw
    ],
)
def test_the_same_exception_is_no_change_whatever_a_version_calls_it(
    before: str, after: str, kind: str | None
) -> None:
    """ujson 5.1 says no with ValueError; 5.2 has a class for that, and still lets a ValueError through."""

    def said(text: str) -> Observation:
        outcome, _, error = text.partition(" ")
        return Observation(Outcome(outcome), stage="parse", error=error or None)

    made = view((OLD, NEW), ("f/c", "[1,]", ["-", "-"]))
    made = put(put(made, "f/c", OLD, said(before)), "f/c", NEW, said(after))
    assert [each.kind for each in changes(made, made, pairs=[(OLD, NEW)]).changes] == ([kind] if kind else [])


def test_turns_of_one_kind_are_groups_of_their_own() -> None:
    found = one_run(
        ("f/a", DEEP, [DEEP, "!fault"]),
        ("f/b", DEEP + " ", ["-", "!fault"]),
        ("f/c", DEEP + "  ", [DEEP, "!fault"]),
        ("f/d", DEEP, ["!fault", DEEP]),
        ("f/e", DEEP, ["!fault", "-"]),
        ("f/f", DEEP, ["!crash", "!fault"]),
        ("f/g", DEEP, [DEEP, "-"]),
    )
    assert [(each.kind, each.turn, each.count, each.witness.case) for each in found.groups] == [
        ("newly-rejected", "", 1, "f/g"),
        ("newly-failing", "accept to fault", 2, "f/a"),
        ("newly-failing", "reject to fault", 1, "f/b"),
        ("recovered", "fault to accept", 1, "f/d"),
        ("recovered", "fault to reject", 1, "f/e"),
        ("refused-otherwise", "crash to fault", 1, "f/f"),
    ]


def test_columns_are_matched_by_subject_whatever_their_version() -> None:
    before = view(("lib/x@1", "lib/y"), ("f/c", "[1,]", ["-", "[1]"]))
    after = view(("lib/x@2", "lib/y@7"), ("f/c", "[1,]", ["[1]", "[1]"]))
    found = changes(before, after)
    assert [(each.subject, each.before, each.after) for each in found.pairings] == [
        ("lib/x", "lib/x@1", "lib/x@2"),
        ("lib/y", "lib/y", "lib/y@7"),
    ]
    assert [(each.subject, each.kind) for each in found.changes] == [("lib/x", "newly-accepted")]
    assert found.incomplete == ()


def test_columns_of_one_subject_are_matched_by_full_name_then_by_what_is_left() -> None:
    before = view(("lib/x@1", "lib/x@2"), ("f/c", "[1]", ["[1]", "[1]"]))
    after = view(("lib/x@2", "lib/x@3"), ("f/c", "[1]", ["[1]", "-"]))
    found = changes(before, after)
    assert [(each.before, each.after) for each in found.pairings] == [
        ("lib/x@1", "lib/x@3"),
        ("lib/x@2", "lib/x@2"),
    ]
    assert len(found.changes) == 1


def test_columns_that_cannot_be_told_apart_are_named() -> None:
    before = view(("lib/x",), ("f/c", "[1]", ["[1]"]))
    after = view(("lib/x@1", "lib/x@2"), ("f/c", "[1]", ["[1]", "[1]"]))
    with pytest.raises(BadInput, match=r"lib/x before, lib/x@1 and lib/x@2 after: .*: make ledgers with"):
        changes(before, after)
    found = changes(before, after, pairs=[("lib/x", "lib/x@2")])
    assert [each.after for each in found.pairings] == ["lib/x@2"]


def test_a_subject_of_one_side_is_said_to_be_missing() -> None:
    before = view(("lib/x", "lib/y"), ("f/c", "[1]", ["[1]", "[1]"]))
    after = view(("lib/x", "lib/z"), ("f/c", "[1]", ["[1]", "[1]"]))
    found = changes(before, after)
    assert found.incomplete == ("lib/y is only in the run before: not compared",)
    assert "lib/z is only in the run after: not compared" in found.notes  # new: nothing is lost
    with pytest.raises(MeasurementFailed, match="no subject is in both: lib/y is only in the run before"):
        changes(view(("lib/y",), ("f/c", "[1]", ["[1]"])), view(("lib/z",), ("f/c", "[1]", ["[1]"])))
    with pytest.raises(BadInput, match="no subject 'lib/z' in the run before: it has lib/x, lib/y"):
        changes(before, after, pairs=[("lib/z", "lib/z")])
    with pytest.raises(BadInput, match="no subject 'lib/y' in the run after: it has lib/x, lib/z"):
        changes(before, after, pairs=[("lib/y", "lib/y")])


def test_an_absent_subject_cannot_be_measured() -> None:
    there = view(("lib/x", "lib/y"), ("f/c", "[1]", ["[1]", "[1]"]))
    gone = view(("lib/x", "lib/y"), ("f/c", "[1]", ["[1]", "!absent"]))
    with pytest.raises(MeasurementFailed, match="lib/y is absent after: not installed"):
        changes(there, gone)
    with pytest.raises(MeasurementFailed, match="lib/y is absent before: not installed"):
        changes(gone, there)
    found = changes(gone, gone)
    assert [each.subject for each in found.pairings] == ["lib/x"]
    assert found.incomplete == ("lib/y is absent on both sides: not installed",)
    with pytest.raises(MeasurementFailed, match="nothing can be compared: lib/y is absent on both sides"):
        changes(gone, gone, pairs=[("lib/y", "lib/y")])


def test_cases_are_matched_by_id_then_by_input() -> None:
    before = view(
        ("lib/x",), ("mine/a", "[1]", ["[1]"]), ("mine/b", "[1]", ["[1]"]), ("mine/gone", "[2]", ["[2]"])
    )
    after = view(
        ("lib/x",), ("new/1", "[1]", ["-"]), ("new/2", "[1]", ["[1]"]), ("new/fresh", "[3]", ["[3]"])
    )
    found = changes(before, after)
    assert [(each.case, each.family, each.kind) for each in found.changes] == [
        ("new/1", "new", "newly-rejected")
    ]
    assert (found.corpora.before_cases, found.corpora.after_cases, found.corpora.shared) == (3, 3, 2)
    assert found.notes == (
        "the corpora differ: 2 cases on both sides, 1 only before, 1 only after",
        "2 cases have another id: matched by their input",
    )


def test_the_twin_of_a_case_with_another_id_is_its_control() -> None:
    before = view(("lib/x",), ("a/two", '{"q":2,"q":20}', ["-"]))
    after = view(("lib/x",), ("b/two", '{"q":2,"q":20}', ['{"q":20}']))
    assert only(changes(before, after)).winners == ("reject", "last")
    without = view(("lib/x",), ("b/two", '{"q":2,"q":20}', ['{"q":20}']), twins=False)
    assert only(changes(before, without)).winners == ("reject", "last")


def test_an_id_with_another_input_is_no_match() -> None:
    before = view(("lib/x",), ("f/a", "[1]", ["[1]"]), ("f/b", "[2]", ["[2]"]))
    after = view(("lib/x",), ("f/a", "[2]", ["[2]"]), ("f/b", "[1]", ["[1]"]))
    found = changes(before, after)
    assert [(each.case, each.kind, each.before, each.after) for each in found.changes] == [
        ("f/a", "input-changed", "[1]", "[2]"),
        ("f/b", "input-changed", "[2]", "[1]"),
    ]
    assert (found.pairings[0].compared, found.pairings[0].changed, found.corpora.shared) == (0, 0, 0)
    silent = view(("lib/x",), ("f/a", "[2]", ["!unsupported"]), ("f/b", "[2]", ["[2]"]))
    other = view(("lib/x",), ("f/a", "[1]", ["!unsupported"]), ("f/b", "[2]", ["[2]"]))
    assert changes(silent, other).changes == ()


def test_nothing_shared_is_no_measurement() -> None:
    before, after = (view(("lib/x",), (f"f/{data}", data, [data])) for data in "12")
    with pytest.raises(MeasurementFailed, match="no case is in both"):
        changes(before, after)


def test_what_else_differs_is_in_the_notes() -> None:
    made = view(("lib/x",), ("f/c", "[1]", ["[1]"]))
    old = {"runtime": "CPython 3.10.2", "entry": "x.loads(str)", "decode": "library", "options": {"a": "1"}}
    before = known_as(made, {"lib/x": old}, policies={"i-json": "i-json/1"}, tool="1")
    new = old | {"runtime": "CPython 3.11.7", "entry": "x.loads(bytes)"}
    after = known_as(
        made,
        {"lib/x": new},
        policies={"i-json": "i-json/2", "jcs": "jcs/1"},
        tool="2",
        corpus={"digest": "sha256:11"},
    )
    found = changes(before, after, notes=["slower"])
    assert found.notes == (
        "the corpora have the same inputs, and differ in reasons or expectations",
        "the policy i-json differs: i-json/1 before, i-json/2 after",
        "the policy jcs differs: none before, jcs/1 after",
        "whichwins 1 ran before, 2 after: adapters and cases may differ",
        "lib/x: ran on CPython 3.10.2 before and on CPython 3.11.7 after: what differs may come from there",
        "lib/x: entry differs: an adapter asks the library in another way",
        "slower",
    )
    assert not found.corpora.same
    assert changes(before, before).notes == ()
    assert changes(before, before).corpora.same


def test_another_build_of_a_library_is_noted() -> None:
    """As where only one of two versions has a wheel with its C extension."""
    made = view((OLD, NEW), ("f/c", "[1]", ["[1]", "[1]"]))
    details = {"scanner": "python", "recursion-limit": "1000"}
    known = known_as(made, {OLD: {"details": details}, NEW: {"details": details | {"scanner": "C"}}})
    (note,) = changes(known, known, pairs=[(OLD, NEW)]).notes
    assert note == (
        f"{OLD} to {NEW}: scanner python became C: what differs may come from there "
        "(another interpreter has other wheels)"
    )
    same = known_as(made, {OLD: {"details": details}, NEW: {"details": dict(details)}})
    assert changes(same, same, pairs=[(OLD, NEW)]).notes == ()


def test_the_same_files_under_two_names_are_noted() -> None:
    made = view((OLD, NEW), ("f/c", "[1]", ["[1]", "[1]"]))
    same = {"digest": "sha256:aa", "libraries": {"x": "1"}}
    found = known_as(made, {OLD: same, NEW: same})
    assert changes(found, found, pairs=[(OLD, NEW)]).notes == (
        "lib/x@1 to lib/x@2: the same files on both sides: nothing was exchanged",
    )
    other = known_as(made, {OLD: same, NEW: same | {"digest": "sha256:bb"}})
    assert changes(other, other, pairs=[(OLD, NEW)]).notes == ()


def test_between_two_libraries_names_of_errors_are_not_compared() -> None:
    made = view(("lib/x", "lib/y"), ("f/c", "[1,]", ["-", "-"]), ("f/d", "[", ["-", "!crash"]))
    made = put(made, "f/c", "lib/y", Observation(Outcome.REJECT, stage="decode", error="Other"))
    found = changes(made, made, pairs=[("lib/x", "lib/y")])
    assert [(each.subject, each.case, each.kind) for each in found.changes] == [
        ("lib/y", "f/d", "newly-failing")
    ]
    assert found.notes == (
        "lib/x to lib/y: two libraries: names and stages of their errors are not compared",
    )


def test_changes_are_ordered_and_grouped_with_the_smallest_witness() -> None:
    made = view(
        ("lib/x@1", "lib/x@2", "lib/y@1", "lib/y@2"),
        ("a/comma", "[1,]", ["-", "[1]", "[1]", "[1]"]),
        ("b/comma", "[1,  ]", ["-", "[1]", "-", "[1]"]),
        ("c/comma", "[  ,]", ["-", "[]", "[1]", "[1]"]),
        ("d/comma", "[ 1,]", ["-", "[1]", "[1]", "-"]),
        ("e/one", "[1]", ["[1]", "[2]", "[1]", "[1]"]),
    )
    found = changes(made, made, pairs=[("lib/y@1", "lib/y@2"), ("lib/x@1", "lib/x@2")])
    assert [(each.kind, each.subject, each.case) for each in found.changes] == [
        ("value-changed", "lib/x", "e/one"),
        ("newly-accepted", "lib/x", "a/comma"),
        ("newly-accepted", "lib/x", "c/comma"),
        ("newly-accepted", "lib/x", "d/comma"),
        ("newly-accepted", "lib/x", "b/comma"),
        ("newly-accepted", "lib/y", "b/comma"),
        ("newly-rejected", "lib/y", "d/comma"),
    ]
    assert [
        (each.kind, each.subject, each.cause.name, each.cause.kind, each.count, each.witness.case)
        for each in found.groups
    ] == [
        ("value-changed", "lib/x", "other", "", 1, "e/one"),
        ("newly-accepted", "lib/x", "syntax", "stray comma", 1, "c/comma"),
        ("newly-accepted", "lib/x", "syntax", "trailing comma", 3, "a/comma"),
        ("newly-accepted", "lib/y", "syntax", "trailing comma", 1, "b/comma"),
        ("newly-rejected", "lib/y", "syntax", "trailing comma", 1, "d/comma"),
    ]


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (Keep("number", "use x"), ("use x",)),
        (Keep("number", "use x", subject="lib/x-old"), ("use x (lib/x-old)",)),
        (Keep("number", "use x", kind="value-changed"), ("use x",)),
        (Keep("number", "use x", kind="precision"), ("use x",)),
        (Keep("number", "use x", kind="newly-rejected"), ()),
        (Keep("number", "use x", kind="range"), ()),
        (Keep("syntax", "use x"), ()),
        (Keep("number", "use x", since="3.10"), ("use x",)),
        (Keep("number", "use x", since="3.9"), ("use x",)),
        (Keep("number", "use x", since="3.10.1"), ()),
        (Keep("number", "use x", since="4"), ()),
    ],
)
def test_what_keeps_the_old_behaviour_is_named(keep: Keep, said: tuple[str, ...]) -> None:
    made = view((OLD, NEW), ("n/big", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]"]))
    made = known_as(made, {OLD: {}, NEW: {"library": "x", "libraries": {"other": "9", "x": "3.10"}}})
    keeps = {"lib/x": [keep], "lib/y": [Keep("number", "never")]}
    (group,) = changes(made, made, pairs=[(OLD, NEW)], keeps=keeps).groups
    assert group.keeps == said


def test_without_content_the_values_speak() -> None:
    rows = (("n/big", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]"]),)
    change = only(one_run(*rows, content=False))
    assert (change.kind, change.cause.name, change.pointer, change.data) == (
        "value-changed",
        "number",
        "/0",
        None,
    )


def test_left_out_inputs_are_joined_under_one_key_only(tmp_path: Path) -> None:
    def made(name: str, key: bytes | None, **fleet: Any) -> LedgerView:
        withheld = None if key is None else Withheld(key, LENSES["value/1"])
        path = tmp_path / name
        ledgers.write(path, fleet={**ledgers.FLEET, **fleet}, withheld=withheld)
        return read_ledger(path)

    other = {"a/first": lambda data: ledgers.accept("7")}
    before, after = made("b", b"k" * 16), made("a", b"k" * 16, **other)
    assert changes(before, before).changes == ()
    found = changes(before, after)
    assert {(each.case, each.kind, each.data) for each in found.changes} == {
        ("r/one", "value-changed", None),
        ("r/two", "value-changed", None),
    }
    assert changes(before, after, lens_name="exact/1").notes == (
        "values are left out: compared under value/1, not under exact/1",
    )
    with pytest.raises(MeasurementFailed, match="made under different keys: make both with one --digest-key"):
        changes(before, made("c", b"l" * 16))
    with pytest.raises(MeasurementFailed, match="left out before only"):
        changes(before, made("d", None))
    with pytest.raises(MeasurementFailed, match="left out after only"):
        changes(made("d", None), before)


def test_nothing_has_its_notes() -> None:
    found = nothing("exact/1", ["no library differs"])
    assert (found.lens, found.changes, found.notes) == ("exact/1", (), ("no library differs",))


@settings(max_examples=25, deadline=None)
@given(drawn_views())
def test_nothing_changes_between_a_run_and_itself(made: LedgerView) -> None:
    again = replace(made, observations=dict(made.observations))
    for other in (made, again):
        found = changes(made, other)
        assert (found.changes, found.groups, found.notes) == ((), (), ())


@settings(max_examples=25, deadline=None)
@given(drawn_views(), drawn_views())
def test_kinds_are_mirrored_when_the_sides_are(one: LedgerView, other: LedgerView) -> None:
    def seen(found: Changes) -> dict[tuple[str, str], ChangeKind]:
        return {(each.subject, each.case): each.kind for each in found.changes}

    there, back = seen(changes(one, other)), seen(changes(other, one))
    for cell in there.keys() | back.keys():
        if any(_answer(seen, *cell).unstable for seen in (one, other)):
            continue  # what did not repeat before is not compared, and so one way only
        kinds = there.get(cell), back.get(cell)
        one_way = {"became-unstable", "vanished"} & {*kinds}
        assert one_way or kinds[1] == MIRRORED[kinds[0]], (cell, kinds)


def _answer(made: LedgerView, subject: str, case: str) -> Observation:
    (place,) = [at for at, key in enumerate(made.subjects) if key.partition("@")[0] == subject]
    return made.observations[case][place]


def test_matching_by_version_would_be_seen() -> None:
    """The planted fault of diffs: results whose id carries the version are never compared."""
    made = case("f/c", "[1]")
    before, after = view(("lib/x@1",), ("f/c", made, ["[1]"])), view(("lib/x@2",), ("f/c", made, ["-"]))
    assert only(changes(before, after)).kind == "newly-rejected"
