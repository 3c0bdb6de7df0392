"""A run as a whole: the ledger's lines by hand, the view that equals it, what makes a run fail."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.run.ledgers import LONG, REJECT, SMALL, accept, corpus, records, view, write
from tests.workers.scripted import subject
from whichwins.corpus import corpus_of
from whichwins.model import Case, MeasurementFailed, Observation, Outcome, Source
from whichwins.run import read_ledger, run_to_ledger, run_to_view
from whichwins.workers import FakePool, Identity


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def test_the_lines_of_a_small_ledger(tmp_path: Path) -> None:
    write(tmp_path / "l", twins=False)
    header, one, value, a, b, c, d, two, *_, footer = (tmp_path / "l").read_text("ascii").splitlines()
    assert json.loads(header)["corpus"] == {"name": "small", "digest": SMALL.digest, "cases": 2, "twins": 0}
    assert json.loads(header)["policies"] == {
        "rfc8259": "rfc8259/1",
        "i-json": "i-json/1",
        "jcs-input": "jcs-input/1",
        "strict-tool-input": "strict-tool-input/1",
    }
    assert list(json.loads(header)) == ["kind", "ledger", "tool", "corpus", "policies", "subjects"]
    assert one == (
        '{"kind":"case","case":"r/one","family":"r","input":"' + sha(b'{"q":2,"q":20}') + '","length":14,'
        '"text":"{\\"q\\":2,\\"q\\":20}","why":"why r/one","expect":{}}'
    )
    # A long text stands once, before the first answer that has it.
    digest = '"' + sha(LONG.encode()) + '"'
    assert value == f'{{"kind":"value","digest":{digest},"text":{json.dumps(LONG)}}}'
    head = '{"kind":"observation","case":"r/one","subject":'
    assert a == head + '"a/first","outcome":"accept","value":"{\\"q\\":2}"}'
    assert b == head + f'"b/long","outcome":"accept","value_digest":{digest}}}'
    assert c == head + '"c/strict","outcome":"reject","stage":"parse","error":"E"}'
    assert d == head + '"d/gone","outcome":"absent","reason":"not installed"}'
    assert '"hex":"5b22ff225d"' in two
    assert footer == '{"kind":"footer","observations":8,"by_outcome":{"accept":5,"reject":1,"absent":2}}'


def test_twins_stand_beside_their_cases(tmp_path: Path) -> None:
    result = write(tmp_path / "l")
    assert (result.cases, result.twins) == (2, 1)
    assert result.by_outcome == {"accept": 8, "reject": 1, "absent": 3}
    assert result.absent == {"d/gone": "not installed"}
    twin = next(line for line in records(tmp_path / "l") if line.get("twin_of"))
    assert (twin["case"], twin["twin_of"], twin["text"]) == ("r/one~twin", "r/one", '{"q":2,"q~2":20}')
    assert twin["expect"]["strict-tool-input/1"] == "accept"


def test_a_view_is_what_reading_the_ledger_back_gives(tmp_path: Path) -> None:
    write(tmp_path / "l")
    read, kept = read_ledger(tmp_path / "l"), view()
    assert read.subjects == kept.subjects == ("a/first", "b/long", "c/strict", "d/gone")
    assert read.observations == kept.observations
    assert {key: (r.data, r.digest, r.length) for key, r in read.cases.items()} == {
        key: (r.data, r.digest, r.length) for key, r in kept.cases.items()
    }
    assert read.header == kept.header


def test_parts_stay_as_they_are_written(tmp_path: Path) -> None:
    source = Source(parts=(("[", None, 3), (None, "ff", 1)))
    made = Case("p/deep", "p", b"[[[\xff", "deep", source)
    write(tmp_path / "l", corpus_of("parts", [made]))
    assert records(tmp_path / "l")[1]["parts"] == [{"text": "[", "repeat": 3}, {"hex": "ff"}]
    assert read_ledger(tmp_path / "l").cases["p/deep"].data == b"[[[\xff"


def test_the_header_says_what_subjects_declare_and_turned_out_to_be(tmp_path: Path) -> None:
    known = Identity(
        runtime="CPython 3.12.1",
        libraries={"json": "2.0.9"},
        details={"scanner": "c"},
        capabilities=["parse"],
        digest=sha(b""),
    )
    pool = FakePool({"a/one": lambda _: REJECT, "b/two": "no such library"}, {"a/one": known})
    run_to_ledger(SMALL, [subject("a/one"), subject("b/two")], pool, tmp_path / "l", tool="0.1.0")
    declared = {
        "family": "scripted",
        "library": "scripted",
        "entry": "answer(bytes)",
        "decode": "library",
    }
    assert records(tmp_path / "l")[0]["subjects"] == {
        "a/one": {
            **declared,
            "runtime": "CPython 3.12.1",
            "libraries": {"json": "2.0.9"},
            "details": {"scanner": "c"},
            "digest": sha(b""),
        },
        "b/two": {**declared, "absent": "no such library"},
    }


def test_no_subject_lives(tmp_path: Path) -> None:
    with pytest.raises(MeasurementFailed, match=r"a/one: gone; b/two: broken"):
        write(tmp_path / "l", fleet={"a/one": "gone", "b/two": "broken"})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(MeasurementFailed, match="a/one: gone"):
        view(fleet={"a/one": "gone"})


def test_progress_ends_at_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write(tmp_path / "l", progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_heard_is_told_each_answer_once_and_nobody_is_asked_twice() -> None:
    asked: list[bytes] = []

    def one(data: bytes) -> Observation:
        asked.append(data)
        return accept("1")

    told: list[tuple[str, Observation]] = []
    made = run_to_view(
        corpus(("t/t", b'{"q":1,"q":2}')),
        [subject("a/one"), subject("b/two")],
        FakePool({"a/one": one, "b/two": "gone"}),
        tool="0.1.0",
        heard=lambda key, observation: told.append((key, observation)),
    )
    assert told == [("a/one", accept("1")), ("b/two", Observation(Outcome.ABSENT, reason="gone"))]
    assert asked == [b'{"q":1,"q":2}', b'{"q":1,"q~2":2}']
    assert list(made.observations) == ["t/t", "t/t~twin"]


def test_an_error_of_the_observer_is_not_one_of_the_file(tmp_path: Path) -> None:
    def broken(_: bytes) -> Observation:
        raise OSError(24, "Too many open files")

    with pytest.raises(OSError, match="Too many open files"):
        write(tmp_path / "l", fleet={"a/one": broken})
    assert list(tmp_path.iterdir()) == []
