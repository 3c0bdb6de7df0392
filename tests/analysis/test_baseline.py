from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.drawn import INPUTS, SUBJECTS, answers, drawn_views
from tests.analysis.test_change import known_as, put
from tests.analysis.views import view
from tests.run import ledgers
from whichwins.analysis.baseline import check, write
from whichwins.analysis.change import changes
from whichwins.analysis.change_result import Change, Changes
from whichwins.analysis.lens import LENSES
from whichwins.analysis.result import Cause
from whichwins.model import BadInput, Keep, MeasurementFailed, Observation, Outcome, base_of
from whichwins.run import Withheld, read_ledger
from whichwins.run.baseline import Baseline, read
from whichwins.run.view import LedgerView

REPEAT = '{"q":2,"q":20}'
ROWS: tuple[tuple[Any, ...], ...] = (
    ("n/one", "[1]", ["[1]", "[1]"]),
    ("r/two", REPEAT, ['{"q":20}', '{"q":20}']),
    ("s/comma", "[1,]", ["-", "[1]"]),
)
KEYS = ("lib/x", "lib/y")
RUN = view(KEYS, *ROWS)


def kept(made: LedgerView, lens: str = "value/1") -> Baseline:
    stream = io.StringIO()
    write(made, lens, stream)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whichwins.lock"
        path.write_text(stream.getvalue(), encoding="ascii")
        return read(path)


def run_of(*rows: tuple[Any, ...], keys: tuple[str, ...] = KEYS) -> LedgerView:
    return view(keys, *rows)


def told(found: Changes) -> list[tuple[str, str, str]]:
    return [(each.kind, each.subject, each.case) for each in found.changes]


def only(found: Changes) -> Change:
    (change,) = found.changes
    return change


def test_the_same_run_is_clean() -> None:
    found = check(kept(RUN), RUN)
    assert (found.changes, found.groups, found.notes, found.incomplete) == ((), (), (), ())
    assert [(each.subject, each.compared) for each in found.pairings] == [("lib/x", 3), ("lib/y", 3)]
    assert found.corpora.same
    assert (found.corpora.before_cases, found.corpora.after_cases, found.corpora.shared) == (3, 3, 3)


@pytest.mark.parametrize(
    ("before", "after", "kind", "cause"),
    [
        ('{"q":20}', '{"q":2}', "winner-changed", "different winners"),
        ('{"q":20}', '{"q":20,"r":1}', "value-changed", ""),
        ('{"q":20}', "-", "newly-rejected", "rejected"),
        ("-", '{"q":20}', "newly-accepted", "rejected"),
        ("-", "!crash", "newly-failing", "rejected"),
        ("!crash", "-", "recovered", "rejected"),
        ("!crash", "!timeout", "refused-otherwise", "failing"),
    ],
)
def test_changed_answers(before: str, after: str, kind: str, cause: str) -> None:
    known = kept(run_of(("r/two", REPEAT, [before, "-"])))
    change = only(check(known, run_of(("r/two", REPEAT, [after, "-"]))))
    assert (change.kind, change.subject, change.cause.kind) == (kind, "lib/x", cause)
    assert change.data == REPEAT.encode()


def test_a_changed_answer_has_pointer_and_winners_as_far_as_values_allow() -> None:
    known = kept(run_of(("r/two", REPEAT, ['{"q":20}', "-"])))
    change = only(check(known, run_of(("r/two", REPEAT, ['{"q":2}', "-"]))))
    assert (change.before, change.after, change.pointer) == ('{"q":20}', '{"q":2}', "/q")
    assert change.winners == ("last", "first")
    change = only(check(known, run_of(("r/two", REPEAT, ["-", "-"], ["-", "-"]))))
    assert change.winners == ("last", "n/a")


def test_of_long_values_only_the_digest_is_there() -> None:
    long = '{"q":["' + "x" * 300 + '"],"n":1}'
    data = long[:-1] + ',"q":2}'  # the first one wins
    known = kept(run_of(("r/long", data, [long, "-"])))
    assert check(known, run_of(("r/long", data, [long, "-"]))).changes == ()
    same = long.replace('"n":1', '"n":1.0')
    assert check(known, run_of(("r/long", data, [same, "-"]))).changes == ()
    change = only(check(known, run_of(("r/long", data, ['{"n":1,"q":2}', "-"]))))
    assert (change.kind, change.pointer, change.winners) == ("winner-changed", None, ("first", "last"))
    assert change.before.startswith('X"sha256:')
    # What else differs cannot be told.
    change = only(check(known, run_of(("r/long", data, ['{"n":1,"q":["x"]}', "-"]))))
    assert (change.kind, change.cause.kind) == ("winner-changed", "different winners")
    single = '{"q":["' + "x" * 300 + '"]}'
    known = kept(run_of(("r/long", single, ['{"q":["' + "y" * 300 + '"]}', "-"])))
    change = only(check(known, run_of(("r/long", single, ['{"q":3}', "-"]))))
    assert (change.kind, change.pointer, change.winners) == ("value-changed", None, None)
    assert change.cause.why == "values differ; the one before is long, and only its digest was kept"
    # A value that another subject, or the reference, has now is known again.
    known = kept(run_of(("r/long", single, [single, "-"])))
    change = only(check(known, run_of(("r/long", single, ['{"q":3}', "-"]))))
    assert (change.before, change.pointer) == (single, "/q")
    # The other way round: short in the baseline, long in the run.
    short = kept(run_of(("r/long", data, ['{"n":1,"q":2}', "-"])))
    change = only(check(short, run_of(("r/long", data, [long, "-"]))))
    assert (change.kind, change.pointer) == ("winner-changed", "/q")


@pytest.mark.parametrize("before", ["-", "!crash", '{"q":2}'])
@pytest.mark.parametrize("after", ["-", "!crash", '{"q":2}', '{"q":20}'])
@pytest.mark.parametrize("twins", [["{}", "{}"], ["-", "{}"], ["{}", "-"], ["-", "-"]])
def test_twins_tell_in_a_check_what_they_tell_in_a_diff(before: str, after: str, twins: list[str]) -> None:
    made = [
        view(("lib/x",), ("r/two", REPEAT, [said], [twin]))
        for said, twin in zip((before, after), twins, strict=True)
    ]
    assert comparable(check(kept(made[0]), made[1])) == comparable(changes(*made))
    assert check(kept(made[0]), made[1]).notes == ()


def test_a_baseline_without_twins_says_so() -> None:
    made = [view(("lib/x",), ("r/two", REPEAT, [said], [twin])) for said, twin in (("-", "-"), ("[1]", "{}"))]
    known = kept(view(("lib/x",), ("r/two", REPEAT, ["-"]), twins=False))
    for old in (known, replace(kept(made[0]), controls=None)):
        found = check(old, made[1])
        # The run's control stands in: it accepts the twin, as the subject did not before.
        assert only(found).winners == ("reject", "other")
        assert found.notes == (
            "the baseline does not say who accepts twins: who refused a repeated name is told by this run's: "
            "--update adds them",
        )
        assert check(old, made[0]).notes == ()
    assert only(check(kept(made[0]), made[1])).winners == ("n/a", "other")


def comparable(found: Changes) -> list[tuple[object, ...]]:
    """What a check and a diff have to say alike; what a check says of new answers left out."""
    return [
        (each.kind, each.subject, each.case, each.pointer, each.winners, each.cause, each.before, each.after)
        for each in found.changes
        if each.kind != "new-split"
    ]


@settings(max_examples=40, deadline=None)
@given(drawn_views(), drawn_views(), st.sampled_from(sorted(LENSES)))
def test_a_check_says_what_a_diff_says(before: LedgerView, after: LedgerView, lens: str) -> None:
    """But for long values of which nobody knows more than the digest, which is said."""
    try:
        expected = comparable(changes(before, after, lens_name=lens))
    except MeasurementFailed:
        return
    found = comparable(check(kept(before, lens), after))
    unseen = [one for one in found if str(one[6]).startswith('X"sha256:')]
    seen = {one[1:3] for one in expected} - {one[1:3] for one in unseen}
    for one in unseen:
        (other,) = [each for each in expected if each[1:3] == one[1:3]]
        kinds = {str(each[0]) for each in (one, other)}
        assert len(kinds) == 1 or kinds == {"value-changed", "winner-changed"}
    # Of values that are equal under the lens the one before may be shown in the spelling of the one after.
    said, wanted = (
        [one[:6] for one in some if one[1:3] in seen and one[0] != "became-unstable"]
        for some in (found, expected)
    )
    assert said == wanted


def test_a_short_spelling_of_a_long_value_is_the_same() -> None:
    data = "[" + "1.0," * 80 + "1.0]"
    known = kept(run_of(("n/many", data, [data, "-"])))
    assert check(known, run_of(("n/many", data, [data.replace(".0", ""), "-"]))).changes == ()


def test_the_lens_is_the_baselines() -> None:
    now = run_of(("n/one", "[1]", ["[1.0]", "[1]"]), *ROWS[1:])
    assert check(kept(RUN), now).changes == ()
    assert check(kept(RUN), now).pairings[0].dimensions == {"type": 1}
    found = check(kept(RUN, "exact/1"), now)
    assert (found.lens, told(found)) == ("exact/1", [("value-changed", "lib/x", "n/one")])
    with pytest.raises(BadInput, match="unknown lens"):
        check(replace(kept(RUN), lens="value/9"), RUN)


def test_an_answer_that_is_gone_has_vanished() -> None:
    found = check(kept(RUN), run_of(*ROWS[:2]))
    assert told(found) == [("vanished", "lib/x", "s/comma"), ("vanished", "lib/y", "s/comma")]
    change = found.changes[0]
    assert (change.before, change.after, change.data, change.family, change.length) == (
        "reject parse E",
        "",
        None,
        "s",
        4,
    )
    assert change.cause == Cause("other", "case gone", "the run does not have the case")
    alone = view(("lib/x",), *((key, data, said[:1]) for key, data, said in ROWS))
    found = check(kept(RUN), alone)
    assert told(found) == [("vanished", "lib/y", case) for case in ("n/one", "s/comma", "r/two")]
    assert found.changes[0].cause.kind == "subject gone"
    assert found.changes[0].data == b"[1]"
    (group,) = found.groups
    assert (group.count, group.witness.case) == (3, "n/one")


@pytest.mark.parametrize("outcome", ["unsupported", "absent"])
def test_an_answer_without_statement_has_vanished(outcome: str) -> None:
    now = run_of(("n/one", "[1]", ["[1]", f"!{outcome}"]), *ROWS[1:])
    found = check(kept(RUN), now)
    assert told(found) == [("vanished", "lib/y", "n/one")]
    assert found.changes[0].cause.why == f"the answer is {outcome}, which makes no statement"
    lines = ("lib/y is absent in 1 of 4 cases after: not installed",) if outcome == "absent" else ()
    assert found.incomplete == lines
    # What made none before is new, and here nobody parts.
    assert check(kept(now), RUN).changes == ()


def test_an_absent_subject_cannot_be_checked() -> None:
    gone = view(KEYS, *((key, data, [said[0], "!absent"], ["{}", "!absent"]) for key, data, said in ROWS))
    with pytest.raises(MeasurementFailed, match="lib/y is absent after: not installed"):
        check(kept(RUN), gone)
    # Where it was so when the baseline was written there is nothing to be missed.
    found = check(kept(gone), gone)
    assert (found.changes, found.notes, found.incomplete) == ((), (), ("lib/y is absent: not installed",))


def test_a_case_with_other_bytes() -> None:
    now = run_of(("n/one", "[2]", ["[2]", "[1]"]), *ROWS[1:])
    found = check(kept(RUN), now)
    assert told(found) == [("input-changed", "lib/x", "n/one"), ("input-changed", "lib/y", "n/one")]


def test_a_case_with_another_id_is_the_same_case() -> None:
    now = run_of(("m/one", "[1]", ["[1]", "-"]), *ROWS[1:])
    found = check(kept(RUN), now)
    assert told(found) == [("newly-rejected", "lib/y", "m/one")]
    assert found.notes == ("1 case has another id: matched by its input",)


def test_a_new_case_on_which_subjects_part_is_a_new_split() -> None:
    now = run_of(*ROWS, ("t/new", '{"z":1,"z":2}', ['{"z":1}', '{"z":2}']))
    change = only(check(kept(RUN), now))
    assert (change.kind, change.subject, change.case) == ("new-split", "lib/y", "t/new")
    assert (change.before, change.after, change.pointer) == ('{"z":1}', '{"z":2}', "/z")
    assert (change.winners, change.cause.name) == (("first", "last"), "repeated name")


def test_the_subjects_that_part_from_most_are_named() -> None:
    keys = ("a/1", "a/2", "b/3", "b/4", "c/5")
    same = ("n/one", "[1]", ["[1]"] * 5)
    now = view(keys, same, ("n/two", "[2]", ["[3]", "[2]", "[2]", "-", "!unsupported"]))
    found = check(kept(view(keys, same)), now)
    assert [(each.subject, each.before, each.after) for each in found.changes] == [
        ("a/1", "[2]", "[3]"),
        ("b/4", "[2]", "reject parse E"),
    ]


def test_new_cases_on_which_nobody_parts_are_a_note() -> None:
    now = run_of(*ROWS, ("t/a", "[3]", ["[3]", "[3.0]"]), ("t/b", "[", ["-", "!crash"]))
    found = check(kept(RUN), now)
    assert found.changes == ()
    assert found.notes == ("2 new cases on which nobody parts: --update adds them",)
    assert (found.corpora.before_cases, found.corpora.after_cases) == (3, 5)


def test_a_lookup_subject_is_one_on_both_sides() -> None:
    """Else all that changed would seem to be a matter of asking for names."""
    rows = [
        view(("lib/x",), ("o/a", '{"a":1}', [said]), lookups=("lib/x",)) for said in ('{"a":1}', '{"a":null}')
    ]
    assert only(check(kept(rows[0]), rows[1])).cause.name == "other"


def test_a_new_subject_splits_where_it_parts_from_all_on_record() -> None:
    known = (*ROWS, ("u/parted", "[7]", ["[7]", "[8]"]))
    now = view(
        ("lib/x", "lib/y", "lib/z"),
        ("n/one", "[1]", ["[1]", "[1]", "[2]"]),  # parts from both
        ("r/two", REPEAT, ['{"q":20}', '{"q":20}', '{"q":20}']),
        ("s/comma", "[1,]", ["-", "[1]", "!crash"]),  # does not accept, as lib/x: that split is on record
        ("u/parted", "[7]", ["[7]", "[8]", "[8]"]),  # as lib/y
    )
    found = check(kept(run_of(*known)), now)
    assert told(found) == [("new-split", "lib/z", "n/one")]
    assert found.notes == ("lib/z is not in the baseline: --update adds it",)
    alone = view(("lib/x",), *((key, data, said[:1]) for key, data, said in ROWS))
    assert told(check(kept(alone), RUN)) == [("new-split", "lib/y", "s/comma")]


def test_versions_do_not_matter_but_stand_there() -> None:
    before = known_as(
        view(("lib/x@1",), ("n/one", "[1]", ["[1]"])),
        {"lib/x@1": {"library": "x", "libraries": {"x": "1"}, "runtime": "CPython 3.10.1", "entry": "old"}},
    )
    identity = {"library": "x", "libraries": {"x": "2"}, "runtime": "CPython 3.11.7", "entry": "new"}
    after = known_as(view(("lib/x@2",), ("n/one", "[1]", ["-"])), {"lib/x@2": identity})
    keeps = {"lib/x": [Keep("other", "ask otherwise", since="2"), Keep("other", "never", since="3")]}
    found = check(kept(before), after, keeps=keeps, notes=["slower"])
    (pairing,) = found.pairings
    assert (pairing.subject, pairing.before, pairing.after) == ("lib/x", "lib/x", "lib/x@2")
    assert pairing.before_identity["libraries"] == {"x": "1"}
    assert found.groups[0].keeps == ("ask otherwise",)
    assert found.notes == (
        "lib/x to lib/x@2: ran on CPython 3.10.1 before and on CPython 3.11.7 after: "
        "what differs may come from there",
        "slower",
    )


def test_left_out_inputs_are_checked_under_their_key(tmp_path: Path) -> None:
    def made(key: bytes | None, **fleet: Any) -> LedgerView:
        path = tmp_path / "run.jsonl"
        withheld = None if key is None else Withheld(key, LENSES["value/1"])
        ledgers.write(path, fleet={**ledgers.FLEET, **fleet}, withheld=withheld)
        return read_ledger(path)

    known = kept(made(b"k" * 16))
    assert check(known, made(b"k" * 16)).changes == ()
    found = check(known, made(b"k" * 16, **{"b/long": lambda data: ledgers.accept("7")}))
    assert told(found) == [("value-changed", "b/long", "r/two"), ("value-changed", "b/long", "r/one")]
    with pytest.raises(MeasurementFailed, match="different keys"):
        check(known, made(b"l" * 16))
    with pytest.raises(MeasurementFailed, match="left out before only"):
        check(known, made(None))


@settings(max_examples=25, deadline=None)
@given(drawn_views(), st.sampled_from(sorted(LENSES)))
def test_what_was_written_of_a_run_finds_nothing_in_it(made: LedgerView, lens: str) -> None:
    found = check(kept(made, lens), made)
    assert (found.changes, found.notes) == ((), ())


@settings(max_examples=40, deadline=None)
@given(drawn_views(), st.sampled_from(sorted(INPUTS)), st.sampled_from(SUBJECTS), answers())
def test_a_changed_answer_is_always_found(made: LedgerView, case: str, key: str, answer: Observation) -> None:
    was = made.observations[case][SUBJECTS.index(key)]
    if was.outcome in (Outcome.UNSUPPORTED, Outcome.ABSENT):
        return  # new, and then no change of an answer
    found = check(kept(made), put(made, case, key, answer))
    if was.unstable:
        return  # what became of it cannot be told from chance
    if was.outcome is answer.outcome is Outcome.ACCEPT:
        same = LENSES["value/1"](was.value or "") == LENSES["value/1"](answer.value or "")
    else:
        same = was[:5] == answer[:5]  # reason and message are words
    expected = {(base_of(key), case)} if not same or (answer.unstable and not was.unstable) else set()
    assert {(each.subject, each.case) for each in found.changes} == expected
