"""What is written is read back, whatever it is."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.run.ledgers import Answer, write
from tests.strategies import values
from tests.workers.scripted import subject
from whichwins import notation
from whichwins.corpus import corpus_of
from whichwins.model import Case, Expectation, Observation, Outcome, Source
from whichwins.run import read_ledger, run_to_ledger, run_to_view, write_view
from whichwins.workers import FakePool

ODD = [
    "",
    "a",
    "|",
    "`",
    "\n",
    "\r\n",
    "\u2028",
    "\x00",
    "\x1b[31m",
    "::error::x",
    "<script>",
    "\ud800",
    "\udcff",
    "é",
]
HOSTILE = st.sampled_from([*ODD, '"', "\\"]) | st.text(max_size=12)
IDS = st.lists(HOSTILE, min_size=1, max_size=3).map("/".join)
LONG = st.just("[" * 3000 + "]" * 3000)  # more than stands in a line of its own
NOTATIONS = values().map(notation.write) | LONG


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    outcome = draw(st.sampled_from(list(Outcome)))
    value = draw(NOTATIONS) if outcome is Outcome.ACCEPT else None
    stage, error, signal, reason = (draw(st.none() | HOSTILE) for _ in range(4))
    return Observation(outcome, value, stage, error, signal, reason, unstable=draw(st.booleans()))


EXPECTATIONS: st.SearchStrategy[Expectation] = st.sampled_from(["accept", "reject", "free"])
CASES = st.builds(
    Case,
    id=IDS,
    family=HOSTILE,
    data=st.binary(max_size=20) | HOSTILE.map(lambda text: text.encode("utf-8", "surrogatepass")),
    why=HOSTILE,
    source=st.just(Source()),
    expect=st.dictionaries(st.sampled_from(["rfc8259/1", "i-json/1"]), EXPECTATIONS),
    clauses=st.dictionaries(HOSTILE, HOSTILE, max_size=2),
    refs=st.lists(HOSTILE, max_size=2).map(tuple),
    headers=st.dictionaries(HOSTILE, HOSTILE, max_size=2),
    shape=st.none() | HOSTILE,
)


def in_turn(answers: list[Observation]) -> Answer:
    turn = iter(answers)
    return lambda _: next(turn)


@given(st.data(), st.lists(CASES, min_size=1, max_size=4, unique_by=lambda case: case.id))
@settings(max_examples=80, deadline=None)
def test_a_ledger_comes_back_as_it_was(data: st.DataObject, cases: list[Case]) -> None:
    corpus = corpus_of(data.draw(HOSTILE), cases)
    keys = sorted({"live", *data.draw(st.lists(HOSTILE, max_size=3))})
    said = {key: [data.draw(observations()) for _ in cases] for key in keys}
    pool = FakePool({key: in_turn(answers) for key, answers in said.items()})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger")
        run_to_ledger(corpus, list(map(subject, keys)), pool, path, tool="0.1.0", twins=False)
        raw = path.read_bytes()
        view = read_ledger(path)
        # A run kept in memory and written later is the same file.
        again = FakePool({key: in_turn(answers) for key, answers in said.items()})
        kept = run_to_view(corpus, list(map(subject, keys)), again, tool="0.1.0", twins=False)
        write_view(kept, Path(folder, "kept"))
        assert Path(folder, "kept").read_bytes() == raw
        # What is equal once, and nothing else is other.
        small = FakePool({key: in_turn(answers) for key, answers in said.items()})
        run_to_ledger(corpus, [*map(subject, keys)], small, path, tool="0.1.0", twins=False, compact=True)
        compact = read_ledger(path)
    assert compact.observations == view.observations
    assert compact.header == view.header
    assert [one.data for one in compact.cases.values()] == [one.data for one in view.cases.values()]
    assert raw.isascii()
    assert b"\r" not in raw
    assert b"\x1b" not in raw
    assert view.subjects == tuple(keys)
    assert [view.observations[case.id] for case in corpus.cases] == list(zip(*said.values(), strict=True))
    for case in corpus.cases:
        record = view.cases[case.id]
        assert record.content
        assert record.data == case.data
        for name in ("id", "family", "why", "expect", "clauses", "refs", "headers", "shape"):
            assert getattr(record.case, name) == getattr(case, name)
    assert view.header["corpus"] == {
        "name": corpus.name,
        "digest": corpus.digest,
        "cases": len(cases),
        "twins": 0,
    }


def test_equal_answers_of_a_case_are_one_object(tmp_path: Path) -> None:
    write(tmp_path / "l", fleet={key: lambda _: Observation(Outcome.ACCEPT, "[1]") for key in ("a/a", "b/b")})
    one, other = read_ledger(tmp_path / "l").observations["r/one"]
    assert one is other
