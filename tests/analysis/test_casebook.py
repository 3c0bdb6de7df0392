"""Every case with every answer: sheets whose contents are worked out by hand."""

from __future__ import annotations

from typing import Any

from tests.analysis.views import view
from whichwins.analysis import casebook, compare
from whichwins.analysis.casebook import READ_AT_MOST, CaseSheet, Parting
from whichwins.model import Outcome

SUBJECTS = ("a/first", "b/last", "c/none")
REPEAT = '{"q":2,"q":20}'


def sheets(*rows: tuple[Any, ...], subjects: tuple[str, ...] = SUBJECTS, **more: Any) -> dict[str, CaseSheet]:
    ledger = view(subjects, *rows, **more)
    return {sheet.record.case.id: sheet for sheet in casebook(ledger, compare(ledger))}


def test_a_repeat_and_what_became_of_it() -> None:
    sheet = sheets(("repeats/two", REPEAT, ['{"q":2}', '{"q":20}', "-"]))["repeats/two"]
    assert sheet.texts == ('{"q":2}', '{"q":20}')
    assert sheet.classes == (0, 1)
    assert sheet.answers == (0, 1, -1)
    assert sheet.outcomes == (Outcome.ACCEPT, Outcome.ACCEPT, Outcome.REJECT)
    assert sheet.notes == ("", "", "parse E")
    assert sheet.partings == (Parting(0, 1, "/q"),)
    assert (sheet.value, sheet.verdict) == (True, True)
    assert sheet.cause is not None
    assert sheet.cause.name == "repeated name"
    assert sheet.winners == ("first", "last", "reject")  # the twin is accepted by all
    assert sheet.twin == "repeats/two~twin"
    assert sheet.reading == REPEAT
    assert [line.split(" at byte ")[0] for line in sheet.problems] == ["repeated-name"]
    assert [(e.layer, e.expectation) for e in sheet.expectations] == [
        ("rfc8259/1", "free"),
        ("i-json/1", "reject"),
        ("jcs-input/1", "reject"),
        ("strict-tool-input/1", "reject"),
    ]


def test_a_twin_is_a_control() -> None:
    found = sheets(("repeats/two", REPEAT, ["-", "-", "-"], ["{}", "{}", "-"]))
    assert list(found) == ["repeats/two", "repeats/two~twin"]
    twin = found["repeats/two~twin"]
    assert (twin.cause, twin.winners, twin.twin) == (None, None, None)
    # Who refuses the twin as well has not refused the repeat.
    assert found["repeats/two"].winners == ("reject", "reject", "n/a")


def test_what_the_lens_holds_equal_is_one_class_of_two_texts() -> None:
    sheet = sheets(("n/one", "[1]", ["[1]", "[1.0]", "[2]"]))["n/one"]
    assert sheet.texts == ("[1]", "[1.0]", "[2]")
    assert sheet.classes == (0, 0, 1)
    assert sheet.partings == (Parting(0, 1, "/0"),)
    assert sheet.winners is None


def test_every_two_classes_part_somewhere() -> None:
    sheet = sheets(("v/three", '{"a":1,"b":2}', ['{"a":1,"b":2}', '{"a":1,"b":3}', "7"]))["v/three"]
    assert sheet.partings == (Parting(0, 1, "/b"), Parting(0, 2, ""), Parting(1, 2, ""))


def test_who_could_not_be_started_is_on_no_sheet() -> None:
    sheet = sheets(("n/one", "1", ["!absent", "1", "!crash"]))["n/one"]
    assert sheet.answers == (0, -1)
    assert sheet.outcomes == (Outcome.ACCEPT, Outcome.CRASH)
    assert (sheet.value, sheet.verdict) == (False, True)


def test_a_text_that_is_no_json_has_no_reading() -> None:
    sheet = sheets(("x/open", "[", ["-", "-", "-"]))["x/open"]
    assert sheet.reading is None
    assert len(sheet.problems) == 1
    assert (sheet.texts, sheet.partings, sheet.cause) == ((), (), None)


def test_a_reading_is_left_out_of_a_long_text_and_where_no_bytes_are_kept() -> None:
    whole, long = f'"{"a" * (READ_AT_MOST - 2)}"', f'"{"a" * (READ_AT_MOST - 1)}"'
    found = sheets(("t/long", long, ["1", "1", "1"]), ("t/whole", whole, ["1", "1", "1"]))
    assert found["t/whole"].reading == whole
    assert (found["t/long"].reading, found["t/long"].problems) == (None, ())
    kept = sheets(("t/short", "1", ["1", "1", "-"]), content=False)["t/short"]
    assert (kept.reading, kept.winners) == (None, None)
    assert kept.verdict
