"""Ledgers that are damaged, cut short, tampered with, or none at all: one clear line, never a traceback."""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.run.ledgers import REJECT as REFUSED
from tests.run.ledgers import accept, put, records, write
from whichwins.model import BadInput, MeasurementFailed, Outcome, WhichwinsError
from whichwins.run import read_ledger, store

Lines = list[dict[str, Any]]


@pytest.fixture
def good(tmp_path: Path) -> Lines:
    write(tmp_path / "good")
    return records(tmp_path / "good")


def refused(path: Path) -> WhichwinsError:
    """The one line with which `path` is refused."""
    with pytest.raises((BadInput, MeasurementFailed)) as caught:
        read_ledger(path)
    said = str(caught.value)
    assert said.startswith(str(path))
    assert "\n" not in said
    assert "`run`" in said or "run it again" in said, "no remedy"
    return caught.value


def test_every_line_dropped_in_turn(tmp_path: Path, good: Lines) -> None:
    assert len(good) == 1 + 3 + 3 * 4 + 1 + 1, "header, cases, answers, the long value, footer"
    for number, dropped in enumerate(good):
        error = refused(put(tmp_path / "l", good[:number] + good[number + 1 :]))
        # Without header, or a value that a later line refers to, a line is wrong; else something is missing.
        assert error.exit_code == (2 if dropped["kind"] in ("header", "value") else 3), dropped


def test_every_line_twice(tmp_path: Path, good: Lines) -> None:
    for number, line in enumerate(good):
        path = put(tmp_path / "l", good[: number + 1] + good[number:])
        if line["kind"] == "value":
            read_ledger(path)
        else:
            assert refused(path).exit_code == 2


def test_cut_anywhere(tmp_path: Path, good: Lines) -> None:
    whole = (tmp_path / "good").read_bytes()
    path = tmp_path / "l"
    for length in [*range(0, len(whole) - 1, 97), len(whole) - 2]:
        path.write_bytes(whole[:length])
        refused(path)
    path.write_bytes(whole[:-1])  # all but the last line feed
    read_ledger(path)


def test_a_case_with_its_answers_taken_out(tmp_path: Path, good: Lines) -> None:
    left = [line for line in good if line.get("case") != "r/two"]
    left[-1] = {**left[-1], "observations": 8, "by_outcome": {"accept": 5, "reject": 1, "absent": 2}}
    error = refused(put(tmp_path / "l", left))
    assert error.exit_code == 3
    assert "the header has 2 cases and 1 twins, not 1 and 1" in str(error)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[0]["subjects"].pop("c/strict"), "the header does not know 'c/strict'"),
        (lambda lines: lines[0]["subjects"].update(e={}), "no answer of 'e' to 'r/one'"),
        (lambda lines: lines[0].update(subjects={}), "the header does not know"),
        (lambda lines: lines[-1].update(observations=13), "the footer counts otherwise"),
        (lambda lines: lines[-1].update(by_outcome={"accept": 12}), "the footer counts otherwise"),
        (lambda lines: lines[-1].pop("by_outcome"), "the footer counts otherwise"),
        (lambda lines: lines.__setitem__(slice(1, -1), []), "the footer counts otherwise"),
    ],
)
def test_incomplete(tmp_path: Path, good: Lines, change: Callable[[Lines], object], said: str) -> None:
    change(good)
    error = refused(put(tmp_path / "l", good))
    assert error.exit_code == 3
    assert said in str(error)


def test_no_cases(tmp_path: Path, good: Lines) -> None:
    good[0]["corpus"].update(cases=0, twins=0)
    error = refused(put(tmp_path / "l", [good[0], {"kind": "footer", "observations": 0, "by_outcome": {}}]))
    assert error.exit_code == 3
    assert "no cases" in str(error)


ONE, VALUE, ANSWER, LONG, REJECT = 1, 2, 3, 4, 5
"""Places in the small ledger: a case, the long value, an answer, one with the long value, a rejection."""


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (0, {"ledger": 2}, "ledger version 2; this whichwins reads 1"),
        (0, {"ledger": "1"}, "ledger version '1'"),
        (0, {"ledger": True}, "ledger version True"),
        (0, {"ledger": 1.0}, "ledger version 1.0"),
        (0, {"kind": "case"}, "not a ledger header"),
        (ONE, {"kind": "header"}, "a second header"),
        (ONE, {"text": '{"q":2,"q":21}'}, "not the one of its digest"),
        (ONE, {"text": "{}"}, "length"),
        (ONE, {"text": "\ud800"}, "neither UTF-8 text nor hex"),
        (ONE, {"length": 13}, "length"),
        (ONE, {"length": True}, "`length` is missing or no count"),
        (ONE, {"length": -1}, "`length`"),
        (ONE, {"input": "sha256:00"}, "`input` is no digest"),
        (ONE, {"hex": "00"}, "more than one of text, hex and parts"),
        (ONE, {"text": None, "hex": "0"}, "more than one"),
        (ONE, {"expect": {"rfc8259/1": "maybe"}}, "not accept, reject or free"),
        (ONE, {"refs": [1]}, "`refs`"),
        (VALUE, {"text": '"y"'}, "not the one of its digest"),
        (VALUE, {"text": '"é"'}, "not the one of its digest"),
        (ANSWER, {"value": "{"}, "not in the notation"),
        (ANSWER, {"value": "1E2"}, "not in the notation"),  # right, but not canonical
        (ANSWER, {"value": "{} "}, "not in the notation"),
        (ANSWER, {"outcome": "reject"}, "an accepted case has a value, and no other has"),
        (ANSWER, {"outcome": "maybe"}, "unknown outcome 'maybe'"),
        (ANSWER, {"unstable": 1}, "`unstable`"),
        (LONG, {"value_digest": "sha256:" + "0" * 64}, "its value is not in the ledger"),
        (LONG, {"value_digest": []}, "`value_digest` is missing or no text"),
        (REJECT, {"outcome": "accept"}, "an accepted case has a value, and no other has"),
        (VALUE, {"parts": 1}, "`parts` is no list"),
        (VALUE, {"parts": [{"text": "[", "repeat": 2}]}, "not the one of its digest"),
        (VALUE, {"parts": [{"hex": "00"}]}, "a part that is no text"),
        (VALUE, {"parts": [{"text": "é"}]}, "a value that is not ASCII"),
        (VALUE, {"parts": [{"text": "[[", "repeat": 1 << 40}]}, "larger than"),
        (ANSWER, {"subjects": [0]}, "one of `subject` and `subjects`"),
    ],
)
def test_lines_that_no_run_writes(
    tmp_path: Path, good: Lines, number: int, change: dict[str, Any], said: str
) -> None:
    good[number].update(change)
    error = refused(put(tmp_path / "l", good))
    assert error.exit_code == 2
    assert said in str(error)
    assert f"line {number + 1}" in str(error) or "ledger version" in str(error)


@pytest.mark.parametrize(
    ("subjects", "said"),
    [
        ([], "no list of places"),
        ({}, "no list of places"),
        ([4], "a place that no subject has"),
        ([-1], "a place that no subject has"),
        ([True], "a place that no subject has"),
        (["0"], "a place that no subject has"),
        ([[0, 4]], "a place that no subject has"),
        ([[1, 0]], "a place that no subject has"),
        ([[0, 1, 2]], "a place that no subject has"),
        ([0, 0], "answers 'r/one' twice"),
        ([[0, 1], 1], "answers 'r/one' twice"),
    ],
)
def test_places_of_subjects_that_no_run_writes(
    tmp_path: Path, good: Lines, subjects: object, said: str
) -> None:
    del good[ANSWER]["subject"]
    good[ANSWER]["subjects"] = subjects
    error = refused(put(tmp_path / "l", good))
    assert error.exit_code == 2
    assert f"line {ANSWER + 1}" in str(error)
    assert said in str(error)


def test_a_compact_ledger_says_what_is_equal_once(tmp_path: Path) -> None:
    same = {key: lambda _: accept("[1]") for key in ("a/a", "b/b", "c/c", "e/e")}
    write(tmp_path / "l", fleet={**same, "d/d": lambda _: REFUSED}, compact=True)
    lines = [json.loads(line) for line in (tmp_path / "l").read_text("ascii").splitlines()]
    ours = [line for line in lines if line["kind"] == "observation" and line["case"] == "r/one"]
    assert [line["subjects"] for line in ours] == [[[0, 2], 4], [3]]
    assert read_ledger(tmp_path / "l").observations["r/one"][3].outcome is Outcome.REJECT
    assert lines[-1]["observations"] == 15


WRONG: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**30,
    "",
    "x",
    "\ud800",
    [],
    [[]],
    {},
    {"a": 1},
    {"a": {"b": []}},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else ()
    return [*([path] if path else []), *(p for key, item in inner for p in places(item, (*path, key)))]


def changed(line: dict[str, Any], path: tuple[Any, ...], wrong: Any) -> dict[str, Any]:
    made = copy.deepcopy(line)
    target = made
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = wrong
    return made


def test_a_wrong_type_in_every_field(tmp_path: Path, good: Lines) -> None:
    good[0]["subjects"]["a/first"].update(
        libraries={"x": "1"},
        details={"x": "1"},
        options={"x": "1"},
        lookup=True,
        digest="sha256:0",
        absent="x",
    )
    good[ONE].update(
        expect={"rfc8259/1": "accept"}, clauses={"rfc8259/1": "x"}, headers={"x": "y"}, refs=["x"]
    )
    good[REJECT].update(signal="x", reason="x", unstable=True)
    tried = 0
    dumped = [json.dumps(line) for line in good]
    path = tmp_path / "l"
    for number in (0, ONE, VALUE, ANSWER, LONG, REJECT, len(good) - 1):
        for place in places(good[number]):
            for wrong in WRONG:
                lines = list(dumped)
                lines[number] = json.dumps(changed(good[number], place, wrong))
                path.write_text("\n".join(lines), encoding="ascii")
                try:
                    view = read_ledger(path)
                except WhichwinsError as error:
                    tried += 1
                    assert "\n" not in str(error)  # noqa: PT017
                else:
                    # What is let through has the types that all others rely on.
                    check_types(view.header, place, wrong)
    assert tried > 500


def check_types(header: Any, path: tuple[Any, ...], wrong: Any) -> None:
    assert isinstance(header["tool"], str), (path, wrong)
    for identity in header["subjects"].values():
        for name, found in identity.items():
            if name in ("libraries", "details", "options"):
                assert all(isinstance(item, str) for item in found.values()), (path, wrong)
            else:
                assert isinstance(found, bool if name == "lookup" else str), (path, wrong)


def test_unknown_members_and_lines_are_passed_over(tmp_path: Path, good: Lines) -> None:
    plain = read_ledger(put(tmp_path / "l", good))
    for line in good:
        line["new"] = {"deep": [1, 2.5, None]}
    good[0]["subjects"]["a/first"]["new"] = {"a": [1]}
    good[0]["corpus"]["new"] = 1
    good.insert(1, {"kind": "weather", "rain": True})
    read = read_ledger(put(tmp_path / "l", good))
    assert read == plain


RAW = {
    "empty": b"",
    "a line feed": b"\n",
    "text": b"hello\n",
    "binary": bytes(range(256)),
    "zeros": bytes(4096),
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "byte order mark": b"\xef\xbb\xbf{}\n",
    "utf-16": '{"kind":"header"}\n'.encode("utf-16"),
    "an array": b'["header"]\n',
    "a string": b'"header"\n',
    "a number": b"1\n",
    "NaN": b'{"kind":"header","ledger":NaN}\n',
    "Infinity": b'{"kind":"header","ledger":-Infinity}\n',
    "a huge number": b'{"kind":"header","ledger":' + b"9" * 5000 + b"}\n",
    "a huge exponent": b'{"kind":"header","ledger":1e999999999999}\n',
    "deep arrays": b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n",
    "deep objects": b'{"a":' * 200_000 + b"1" + b"}" * 200_000 + b"\n",
    "a name twice": b'{"kind":"header","kind":"header"}\n',
    "a name twice below": b'{"kind":"header","subjects":{"a":{},"a":{}}}\n',
    "raw Unicode": '{"kind":"h\u00e9ader"}\n'.encode(),
    "trailing data": b'{"kind":"header"} {}\n',
    "single quotes": b"{'kind':'header'}\n",
}


@pytest.mark.parametrize("name", RAW)
def test_what_is_no_ledger(tmp_path: Path, name: str) -> None:
    path = tmp_path / "l"
    path.write_bytes(RAW[name])
    error = refused(path)
    assert error.exit_code == 2
    assert len(str(error)) < len(str(path)) + 200


def test_a_repeated_name_in_any_line(tmp_path: Path, good: Lines) -> None:
    """A ledger must not itself be read differently by two readers."""
    lines = [json.dumps(line) for line in good]
    for number, line in enumerate(lines):
        doubled = '{"kind":"footer",' + line[1:]
        (tmp_path / "l").write_text(
            "\n".join([*lines[:number], doubled, *lines[number + 1 :]]), encoding="ascii"
        )
        assert refused(tmp_path / "l").exit_code == 2


def test_what_is_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path).exit_code == 2
    assert "No such file" in str(refused(tmp_path / "nothing"))
    (tmp_path / "loop").symlink_to("loop")
    assert refused(tmp_path / "loop").exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    write(tmp_path / "l")
    (tmp_path / "l").chmod(0)
    assert "Permission denied" in str(refused(tmp_path / "l"))


def test_a_line_that_never_ends(tmp_path: Path, good: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_LINE", 8000)
    read_ledger(tmp_path / "good")
    good[ONE]["why"] = "x" * 8000
    error = refused(put(tmp_path / "l", good))
    assert error.exit_code == 2
    assert "line 2 is longer than 8000 bytes" in str(error)


def case(parts: list[dict[str, Any]], data: bytes, identifier: str = "p/p") -> dict[str, Any]:
    return {
        "kind": "case",
        "case": identifier,
        "family": "p",
        "input": "sha256:" + hashlib.sha256(data).hexdigest(),
        "length": len(data),
        "parts": parts,
        "why": "",
        "expect": {},
    }


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([{"text": "[", "repeat": 10**12}], "larger than"),
        ([{"text": "", "repeat": 10**12}], ""),  # nothing, as often as one likes
        ([{"text": "", "repeat": 10**40}], "no count"),
        ([{"text": "[", "repeat": True}], "no count"),
        ([{"text": "[", "hex": "5b"}], "neither text nor hex"),
        ([{"repeat": 2}], "neither text nor hex"),
        (["["], "no list of objects"),
        ("[", "no list of objects"),
        ([{"hex": "5"}], "neither UTF-8 text nor hex"),
        ([{"hex": 5}], "no text"),
    ],
)
def test_parts_that_build_too_much_or_nothing(tmp_path: Path, good: Lines, parts: Any, said: str) -> None:
    good[0]["corpus"]["cases"] = 3
    lines = [good[0], case(parts, b""), *good[1:]]
    error = refused(put(tmp_path / "l", lines))
    assert error.exit_code == (2 if said else 3)
    assert said in str(error)


def test_many_parts_build_no_more_than_one_may(
    tmp_path: Path, good: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_BUILT", 5000)
    made = [case([{"text": "[", "repeat": 1000}], b"[" * 1000, f"p/{number}") for number in range(6)]
    error = refused(put(tmp_path / "l", [good[0], *made, *good[1:]]))
    assert error.exit_code == 2
    assert "line 7: what is built from parts is larger than 5000 bytes" in str(error)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_any_byte_changed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated"
    if not path.exists():
        write(path.with_name("whole"))
        path.touch()
    raw = bytearray(path.with_name("whole").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(raw)
    try:
        read_ledger(path)
    except WhichwinsError as error:
        assert "\n" not in str(error)  # noqa: PT017
