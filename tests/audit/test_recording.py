"""A recording says what was seen, whole; what is not one is told with its line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.toys import ABSENT, BLOCKED, REPEAT, boundary, cases, failed, no, ran, showed, stack, took
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.recording import Recording, judged, read_recording, recording_lines
from whichwins.audit.requests import Came
from whichwins.model import BadInput, MeasurementFailed, Source
from whichwins.run import CaseRecord

STACK = stack(boundary("gate", "approver"), boundary("tool", "executor", reads="gate"))
CASES = cases(("a/repeat", REPEAT), ("a/bad", b'{"to":"\xff"}'))
PASSAGES = (
    ABSENT,
    BLOCKED,
    no(),
    no("http 400", reason="no"),
    failed(unstable=True),
    took('{"a":1}', '{"a":1}', approved="d"),
    took(None, b"\xff\x00", decoders=("json 2.0.9",)),
    ran("1", "D1.0", executed=("d", "d"), growing=True),
    showed("1", 'u"0000d83d0000de00"', where="the list"),
    Passage(Passed.FAILED, executions=None, previews=(Preview("", "null"),)),
    Passage(Passed.UNSUPPORTED),
)
SEEN = Recording(CASES, {key: {} for key in CASES}, {"gate": {"lookup": True}, "tool": {"runtime": "x"}})


def kept(seen: Recording, folder: Path) -> Path:
    path = folder / "recording.jsonl"
    path.write_text("".join(recording_lines(STACK, seen, "0")), encoding="ascii")
    return path


@given(st.lists(st.sampled_from(PASSAGES), min_size=2 * len(CASES), max_size=2 * len(CASES)))
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, passages: list[Passage]
) -> None:
    rest = iter(passages)
    seen = Recording(
        CASES,
        {key: {"gate": next(rest), "tool": next(rest)} for key in CASES},
        {"gate": {"details": {"a": "b"}, "lookup": True}, "tool": {}},
        corpus="mine",
        whole=True,
        notes=("a note",),
        incomplete=("not all",),
        came=(Came("p", "1", "/x", "a/bad"), Came("", "", "", None)),
        public=frozenset(("a/repeat",)),
        own=frozenset(("gate",)),
        conversions={("tool", "1"): "2", ("tool", "[]"): None},
    )
    read = read_recording(kept(seen, tmp_path_factory.mktemp("kept")), STACK)
    assert bare(read.cases) == bare(CASES)
    assert replace(read, cases=CASES) == seen
    assert judged(STACK, read) == judged(STACK, seen)


def bare(records: Mapping[str, CaseRecord]) -> dict[str, CaseRecord]:
    """Without how the bytes were written down."""
    return {
        key: replace(each, case=replace(each.case, source=Source()), digest="")
        for key, each in records.items()
    }


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        (1, {"kind": "case"}, ":1: the first line is not a recording's header"),
        (1, {"recording": 2}, ":1: this whichwins reads recordings of version 1"),
        (1, {"corpus": 1}, ":1: `corpus` is missing"),
        (1, {"notes": [1]}, ":1: `notes` is missing"),
        (1, {"incomplete": None}, ":1: `incomplete` is missing"),
        (1, {"came": [["p", "1", "/x"]]}, ":1: `came` is not what it should be"),
        (1, {"came": [["p", "1", 2, None]]}, ":1: `came` is not what it should be"),
        (1, {"came": [["p", "1", "/x", []]]}, ":1: `came` names a request that is not there"),
        (1, {"came": [["p", "1", "/x", "a/none"]]}, ":1: `came` names a request that is not there"),
        (1, {"boundaries": []}, ":1: it is of other boundaries than the stack declares"),
        (2, {"length": 1}, ":2: the input does not have the length it states"),
        (3, {"case": "a/other"}, ":3: a request that stands behind no case of its own"),
        (3, {"boundaries": {"else": {"passed": "accepted"}}}, ":3: `boundaries` are not those of the stack"),
        (3, {"boundaries": {"tool": {"passed": "maybe"}}}, ":3: a passage that is none"),
        (3, {"boundaries": {"tool": {"passed": "accepted", "extra": 1}}}, ":3: a passage that is none"),
        (3, {"boundaries": {"tool": {"passed": "accepted", "value": "{"}}}, ":3: "),
        (3, {"boundaries": {"tool": {"passed": "accepted", "emitted": "f"}}}, ":3: a passage that is none"),
        (3, {"boundaries": {"tool": {"passed": "accepted", "executions": 1}}}, ":3: `executions` is missing"),
        (3, {"boundaries": {"tool": {"passed": "accepted", "previews": [["a"]]}}}, ":3: a preview that"),
        (3, {"boundaries": {"tool": {"passed": "accepted", "growing": 1}}}, ":3: `growing` is neither"),
        (-1, {"requests": 9}, ": it counts otherwise"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, line: int, change: dict[str, Any], said: str
) -> None:
    path = kept(SEEN, tmp_path)
    lines = path.read_text().splitlines()
    place = line - 1 if line > 0 else line
    lines[place] = json.dumps(json.loads(lines[place]) | change)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadInput) as caught:
        read_recording(path, STACK)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_that_was_cut_short_is_no_measurement(tmp_path: Path) -> None:
    path = kept(SEEN, tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(MeasurementFailed, match="cut short"):
        read_recording(path, STACK)
    path.write_text("".join([*lines, lines[-1]]))
    with pytest.raises(BadInput, match="after the footer"):
        read_recording(path, STACK)
    path.write_text("".join(lines)[:-20])
    with pytest.raises(BadInput, match="is no line of a recording"):
        read_recording(path, STACK)
    path.write_bytes(b"")
    with pytest.raises(BadInput, match="the first line is not a recording's header"):
        read_recording(path, STACK)
    with pytest.raises(BadInput, match="cannot be read"):
        read_recording(tmp_path / "none", STACK)
