"""Reading a worker's record: strictly, whatever it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.record import GARBLED, completed, passage, read_journal, read_record
from whichwins.model import Observation, Outcome

BROKEN = Passage(Passed.FAILED, executions=None, reason=GARBLED)


def test_a_whole_record() -> None:
    text = (
        'passed rejected\nsignal http 400\nvalue {"a":1e0}\npreview - 1\ncolour green\npreview a%20b/c 2\n'
        "execute [1]\nexecuted sha256:00\nexecute [2]\napproved sha256:01\nemitted 00ff\n"
        "decoder json 2.0.9\ndecoder orjson 3.10.0\nreason why not\n"
    )
    assert read_record(text) == Passage(
        Passed.REJECTED,
        value='{"a":1.0}',  # canonical
        previews=(Preview("", "1"), Preview("a b/c", "2")),
        executions=("[1]", "[2]"),
        signal="http 400",
        approved="sha256:01",
        executed=("sha256:00",),
        emitted=b"\x00\xff",
        decoders=("json 2.0.9", "orjson 3.10.0"),
        reason="why not",
    )


def test_the_least_record() -> None:
    assert read_record("passed accepted\n") == Passage(Passed.ACCEPTED, executions=())


def test_unknown_is_not_none() -> None:
    assert read_record("passed accepted\nexecutions unknown\n").executions is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "passed accepted",
        "value 1\n",
        "passed accepted\npassed accepted\n",
        "passed\n",
        "passed perhaps\n",
        "passed blocked\n",  # not a worker's to say
        "passed absent\n",
        "passed accepted\nvalue 01\n",
        "passed accepted\nvalue \n",
        "passed accepted\nvalue 1\nvalue 1\n",
        "passed accepted\nexecute {\n",
        "passed accepted\nexecute\n",
        "passed accepted\npreview 1\n",
        "passed accepted\npreview  1\n",
        "passed accepted\npreview w \n",
        "passed accepted\nexecutions none\n",
        "passed accepted\nexecutions unknown\nexecute 1\n",
        "passed accepted\nemitted f\n",
        "passed accepted\nemitted FF\n",
        "passed accepted\napproved a b\n",
        "passed accepted\nexecuted \n",
        "passed accepted\nsignal \x1b[0m\n",
        "passed accepted\nsignal \n",
        "passed accepted\nreason " + "x" * 301 + "\n",
        "passed accepted\nreason é\n",
        "passed accepted\nreason a\rb\n",
        "passed accepted\ndecoder \x00\n",
    ],
)
def test_what_is_wrong_is_a_failure(text: str) -> None:
    assert read_record(text) == BROKEN


@given(st.text(alphabet="passed acceptvluxn 1{}[]\n%-é", max_size=60))
def test_nothing_raises(text: str) -> None:
    assert isinstance(read_record(text), Passage)
    assert isinstance(read_record("passed accepted\n" + text), Passage)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (Observation(Outcome.ACCEPT, "passed accepted\n"), Passage(Passed.ACCEPTED)),
        (Observation(Outcome.ACCEPT, "what"), BROKEN),
        (
            Observation(Outcome.CRASH, signal="exit 3"),
            Passage(Passed.FAILED, executions=None, signal="exit 3", reason="the worker ended"),
        ),
        (
            Observation(Outcome.TIMEOUT),
            Passage(Passed.FAILED, executions=None, signal="timeout", reason="no answer in time"),
        ),
        (Observation(Outcome.GARBLED, reason="x"), Passage(Passed.FAILED, executions=None, reason="x")),
        (Observation(Outcome.REJECT, error="E", stage="parse"), BROKEN),
        (
            Observation(Outcome.FAULT, error="E"),
            Passage(
                Passed.FAILED,
                executions=None,
                signal="exception E",
                reason="the worker could not do its work",
            ),
        ),
        (Observation(Outcome.UNSUPPORTED, reason="x"), Passage(Passed.UNSUPPORTED, reason="x")),
        (Observation(Outcome.ABSENT, reason="x"), Passage(Passed.ABSENT, reason="x")),
    ],
)
def test_what_a_pool_saw(seen: Observation, expected: Passage) -> None:
    assert passage(seen) == expected


def test_a_journal_says_what_ran_before_a_death_and_after_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(
        b"preview a - 1\nexecute a 2\nexecuted a d\nsong a x\nexecute b%20c [3]\nexecute bad {\n\nexecute a 4"
    )
    kept = read_journal(path)
    assert set(kept) == {"a", "b c"}
    dead = completed(passage(Observation(Outcome.CRASH, signal="SIGKILL")), kept["a"], said=False)
    assert (dead.executions, dead.executed, dead.previews) == (("2",), ("d",), (Preview("", "1"),))
    late = completed(passage(Observation(Outcome.ACCEPT, "passed accepted\n")), kept["b c"], said=True)
    assert late.executions == ("[3]",)
    # What could not be told at the time of the answer, and was written down later, is known.
    unknown = Observation(Outcome.ACCEPT, "passed accepted\nexecutions unknown\n")
    assert completed(passage(unknown), kept["a"], said=True).executions == ("2",)
    assert completed(passage(unknown), Passage(Passed.FAILED), said=True).executions is None
    assert passage(unknown).executions is None
    # A worker that lives and says that it cannot know has not said that nothing ran, however it ended.
    failed = Observation(Outcome.ACCEPT, "passed failed\nexecutions unknown\n")
    assert completed(passage(failed), Passage(Passed.FAILED), said=True).executions is None
    assert completed(passage(failed), kept["a"], said=True).executions == ("2",)


def test_an_execution_that_began_and_was_not_written_down_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"begin a -\nbegin b -\nexecute b 1\nexecuted b d\n")
    kept = read_journal(path)
    died = Observation(Outcome.TIMEOUT)
    assert completed(passage(died), kept["a"], said=False).executions is None
    assert completed(passage(died), kept["b"], said=False).executions == ("1",)


def test_a_journal_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "none") == {}
