"""Golden transcripts: bytes in, bytes out, written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.client import Frame, frame, frames, hello, run, talk
from tests.adapters.python_worker import ARGV

HELLO = hello("python/json", "json.from_bytes", ["json.JSONDecodeError"], ["UnicodeDecodeError"])


def after_ready(sent: bytes) -> bytes:
    """Return what the worker says after its `ready` frame."""
    out = talk(ARGV, HELLO + sent)
    first = frames(out)[0]
    assert (first.verb, first.sequence) == ("ready", 0)
    return out[len(frame("ready", 0, first.body)) :]


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        (b"parse 1 2\n{}\nbye 2 0\n\n", b"accept 1 2\n{}\n"),
        (b'parse 7 13\n{"a":1,"a":2}\nbye 8 0\n\n', b'accept 7 7\n{"a":2}\n'),
        (b"parse 1 3\n{}\n\nbye 2 0\n\n", b"accept 1 2\n{}\n"),  # a body may end in a line feed
        (
            b"parse 1 0\n\nbye 2 0\n\n",
            b"reject 1 63\nparse JSONDecodeError Expecting value: line 1 column 1 (char 0)\n",
        ),
        (
            b'parse 3 3\n"\xff"\nbye 4 0\n\n',
            b"reject 3 96\ndecode UnicodeDecodeError 'utf-8' codec can't decode byte 0xff "
            b"in position 1: invalid start byte\n",
        ),
        (b"batch 1 24\nparse 1 1\n1\nparse 2 1\n2\n\nbye 2 0\n\n", b"accept 1 1\n1\naccept 2 1\n2\n"),
        (b"batch 1 0\n\nbye 2 0\n\n", b""),
        (b'emit 1 13\n{"a":1,"a":2}\nbye 2 0\n\n', b'accept 1 8\n{"a": 2}\n'),
        (b"bind 1 2\n{}\nbye 2 0\n\n", b"unsupported 1 7\nno bind\n"),
        (b"parse 1 1\n1\n", b"accept 1 1\n1\n"),  # the end of input means `bye`
        (b"bye 1 0\n\nparse 2 1\n1\n", b""),  # nothing after `bye`
    ],
)
def test_exchange(sent: bytes, back: bytes) -> None:
    assert after_ready(sent) == back


def test_another_protocol_is_refused() -> None:
    sent = hello("python/json", "json.from_bytes", ["json.JSONDecodeError"], protocol=2) + b"bye 1 0\n\n"
    assert talk(ARGV, sent) == b"fault 0 43\nProtocolMismatch this kit speaks protocol 1\n"


def test_unknown_keys_of_hello_are_ignored() -> None:
    body = b"protocol 1\nsubject python/json\nshim json.from_bytes\ncolour green\nrejects JSONDecodeError\n"
    out = frames(talk(ARGV, frame("hello", 0, body) + b"parse 1 1\n{\nbye 2 0\n\n"))
    assert [each.verb for each in out] == ["ready", "reject"]


def test_a_missing_library_is_a_fault_at_hello() -> None:
    bare = [ARGV[0], "-S", ARGV[1]]  # without site-packages
    out = frames(talk(bare, hello("python/orjson", "orjson.loads", ["orjson.JSONDecodeError"])))
    assert out == [Frame("fault", 0, b"ModuleNotFoundError No module named 'orjson'")]


def test_an_unknown_shim_is_a_fault_at_hello() -> None:
    (said,) = frames(talk(ARGV, hello("python/x", "json.no_such", ["E"])))
    assert (said.verb, said.sequence) == ("fault", 0)
    assert said.text.startswith("AttributeError ")


def test_half_a_frame_is_no_answer() -> None:
    ended = run(ARGV, HELLO + b"parse 1 200")
    assert [each.verb for each in frames(ended.out)] == ["ready"]
    assert ended.status != 0


def test_the_transcript_of_the_protocol_page() -> None:
    page = (Path(ARGV[1]).parents[1] / "PROTOCOL.md").read_text(encoding="utf-8")
    lines = [line for line in page.split("## A transcript")[1].splitlines() if line[:1] in ("»", "«")]
    sent, said = (
        b"".join(line[2:].encode() + b"\n" for line in lines if line[0] == side) for side in ("»", "«")
    )
    assert [each.verb for each in frames(sent)] == ["hello", "parse", "bye"]
    (ready, *rest), (real_ready, *real_rest) = frames(said), frames(talk(ARGV, sent))
    assert rest == real_rest == [Frame("accept", 1, b'{"quantity":20}')]
    shown = {line.split(" ")[0] for line in ready.text.splitlines()}
    assert shown == {"protocol", "runtime", "library", "capability"}
    assert shown <= {line.split(" ")[0] for line in real_ready.text.splitlines()}
