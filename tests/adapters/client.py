"""A small client of the worker protocol for tests: bytes to a worker, bytes back.

with_hello = hello("python/json", "json.from_bytes", rejects=["json.JSONDecodeError"])
answers = ask([python, worker], with_hello, [b"{}", b"{"])   # one Frame each, `ready` is checked
text = talk([python, worker], frame("bye", 0))               # raw bytes, for golden transcripts
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Frame(NamedTuple):
    """One frame. `text` is its body as ASCII-ish text for assertions."""

    verb: str
    sequence: int
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "backslashreplace")


class Ended(NamedTuple):
    """What a finished worker left behind."""

    out: bytes
    err: bytes
    status: int


def frame(verb: str, sequence: int, body: bytes | str = b"") -> bytes:
    raw = body.encode() if isinstance(body, str) else body
    return b"%s %d %d\n%s\n" % (verb.encode(), sequence, len(raw), raw)


def frames(stream: bytes) -> list[Frame]:
    """Split a stream into frames; anything that is not a frame is an AssertionError."""
    found, at = [], 0
    while at < len(stream):
        end = stream.find(b"\n", at)
        assert end >= 0, f"no header line at byte {at}: {stream[at : at + 60]!r}"
        parts = stream[at:end].split(b" ")
        assert len(parts) == 3, f"not a header: {stream[at:end][:60]!r}"
        assert parts[1].isdigit(), f"not a header: {stream[at:end][:60]!r}"
        assert parts[2].isdigit(), f"not a header: {stream[at:end][:60]!r}"
        start, length = end + 1, int(parts[2])
        assert stream[start + length : start + length + 1] == b"\n", f"frame {parts!r} is not closed"
        found.append(Frame(parts[0].decode(), int(parts[1]), stream[start : start + length]))
        at = start + length + 1
    return found


def hello(
    subject: str,
    shim: str,
    rejects: Iterable[str] = (),
    rejects_decode: Iterable[str] = (),
    options: Mapping[str, str] | None = None,
    protocol: int = 1,
    rejects_bind: Iterable[str] = (),
    bounds: Mapping[str, int] | None = None,
) -> bytes:
    lines = [f"protocol {protocol}", f"subject {subject}", f"shim {shim}"]
    lines += [f"rejects {name}" for name in rejects]
    lines += [f"rejects-decode {name}" for name in rejects_decode]
    lines += [f"rejects-bind {name}" for name in rejects_bind]
    lines += [f"option {key}={value}" for key, value in (options or {}).items()]
    lines += [f"bound {name} {most}" for name, most in (bounds or {}).items()]
    return frame("hello", 0, "\n".join(lines) + "\n")


def run(argv: Sequence[str], sent: bytes, env: Mapping[str, str] | None = None, timeout: float = 60) -> Ended:
    """Start a worker, send everything, close its input, wait for its end."""
    done = subprocess.run(list(argv), input=sent, capture_output=True, env=env, timeout=timeout, check=False)
    return Ended(done.stdout, done.stderr, done.returncode)


def talk(
    argv: Sequence[str], sent: bytes, env: Mapping[str, str] | None = None, timeout: float = 60
) -> bytes:
    """Like `run`, but only what the worker said; it must end with status 0."""
    ended = run(argv, sent, env, timeout)
    assert ended.status == 0, f"status {ended.status}: {ended.err[-2000:].decode('utf-8', 'replace')}"
    return ended.out


def ask(
    argv: Sequence[str],
    greeting: bytes,
    inputs: Sequence[bytes],
    verb: str = "parse",
    env: Mapping[str, str] | None = None,
    timeout: float = 60,
) -> list[Frame]:
    """Put `inputs` to a worker in one batch; answers in order, after a checked `ready`."""
    inner = b"".join(frame(verb, number, data) for number, data in enumerate(inputs, 1))
    sent = greeting + frame("batch", 1, inner) + frame("bye", 0)
    first, *answers = frames(talk(argv, sent, env, timeout))
    assert (first.verb, first.sequence) == ("ready", 0), first
    assert [answer.sequence for answer in answers] == list(range(1, len(inputs) + 1))
    return answers


def ready(argv: Sequence[str], greeting: bytes, env: Mapping[str, str] | None = None) -> Frame:
    """Return the answer to `hello` alone (`ready`, or `fault`)."""
    (answer,) = frames(talk(argv, greeting + frame("bye", 0), env))
    return answer
