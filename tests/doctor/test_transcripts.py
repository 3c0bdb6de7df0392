"""The file of transcripts: its form, and the bytes that come of it."""

from __future__ import annotations

import pytest

from tests.adapters.client import frames
from whichwins.model import BadInput
from whichwins.run.doctor.transcripts import body, read_transcripts, request, transcripts

ONE = '[[transcript]]\nname = "x"\nwhy = "y"\nsteps = [%s]\n'


def test_the_bytes_of_every_step_are_frames() -> None:
    verbs = set()
    for transcript in transcripts():
        assert transcript.why
        for step in transcript.steps:
            if "send" in step:
                (sent,) = frames(request(step, b"protocol 1\nsubject a/b\n"))
                assert (sent.verb, sent.sequence) == (step["send"], step.get("sequence", 0))
                inner = frames(sent.body) if sent.verb == "batch" else []
                assert len(inner) == len(step.get("frames", ()))
                verbs.add(sent.verb)
    assert verbs == {"hello", "parse", "emit", "batch", "bye", "juggle"}


def test_the_bodies_that_the_protocol_names_are_there() -> None:
    (bodies,) = (t for t in transcripts() if t.name == "bodies")
    sent = [body(step["body"]) for step in bodies.steps if step.get("send") == "parse"]
    assert bytes(range(256)) in sent
    assert b"" in sent
    assert b"\0" in sent
    assert any(b"accept 1 3\n" in each for each in sent)
    assert max(map(len, sent)) == 1024 * 1024 + 4


def test_an_answer_is_awaited_before_more_is_sent() -> None:
    for transcript in transcripts():
        due = 0
        for step in transcript.steps:
            assert not ("send" in step and due), transcript.name
            due += len(step.get("frames", [1] if step.get("send") != "bye" else [])) if "send" in step else 0
            due -= "expect" in step
        assert due == 0, transcript.name


def test_hello() -> None:
    greeting = b"protocol 1\nsubject a/b\n"
    assert request({"send": "hello"}, greeting) == b"hello 0 23\nprotocol 1\nsubject a/b\n\n"
    assert b"protocol 2\nsubject" in request({"send": "hello", "protocol": 2}, greeting)
    assert request({"send": "hello", "extra": "x y"}, greeting).endswith(b"subject a/b\nx y\n\n")


def test_bodies() -> None:
    assert body("é") == b"\xc3\xa9"
    assert body({"hex": "00 ff"}) == b"\0\xff"
    assert body([{"text": "ab", "repeat": 2}, {"hex": "00", "repeat": 3}, {"text": "c"}]) == b"abab\0\0\0c"


@pytest.mark.parametrize(
    "text",
    [
        "x = ",
        "x = 1",
        ONE % '{ sned = "parse" }',
        ONE % '{ send = "parse", sequenze = 1 }',
        '[[transcript]]\nname = "x"\nsteps = []\n',
    ],
)
def test_bad_files(text: str) -> None:
    with pytest.raises(BadInput, match=r"^transcripts\.toml: "):
        read_transcripts(text)
