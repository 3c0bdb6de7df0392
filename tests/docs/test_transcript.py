"""The conversation of docs/protocol.md is one that the Python worker has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.adapters.client import Frame, frames
from tests.docs.pages import DOCS, ROOT, blocks, read

WORKER = ROOT / "adapters" / "python" / "worker.py"
Turn = tuple[str, bytes]
"""What is said in one go, by `»` (to the worker) or `«` (from it)."""


def conversation(text: str) -> list[Turn]:
    (block,) = (block.text for block in blocks(text) if block.text.startswith("»"))
    turns: list[Turn] = []
    for line in block.splitlines():
        side, said = line[:1], line[2:].encode() + b"\n"
        assert side in ("»", "«"), line
        if turns and turns[-1][0] == side:
            turns[-1] = (side, turns[-1][1] + said)
        else:
            turns.append((side, said))
    return turns


def disagreements(turns: list[Turn]) -> list[str]:
    """Play what is said to the worker; what it answers otherwise than shown, turn by turn."""
    found = []
    with subprocess.Popen(
        [sys.executable, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            for side, said in turns:
                if side == "»":
                    worker.stdin.write(said)
                    worker.stdin.flush()
                    continue
                for shown in frames(said):
                    head = worker.stdout.readline()
                    heard = worker.stdout.read(int(head.split()[2]) + 1)
                    (answer,) = frames(head + heard)
                    if likeness(shown) != likeness(answer):
                        found.append(f"{shown.text} and {answer.text}")
            worker.stdin.close()
            assert worker.stdout.read() == b""
            assert worker.wait(10) == 0
        finally:
            worker.kill()
    return found


def likeness(frame: Frame) -> object:
    """A frame without what is another on every machine: the values in `ready`, and how many."""
    if frame.verb != "ready":
        return frame
    return (
        frame.verb,
        frame.sequence,
        list(dict.fromkeys(line.partition(" ")[0] for line in frame.text.split("\n"))),
    )


def test_the_worker_has_this_conversation() -> None:
    turns = conversation(read(DOCS / "protocol.md"))
    verbs = {frame.verb for side, said in turns for frame in frames(said)}
    assert verbs == {
        "hello",
        "ready",
        "batch",
        "parse",
        "emit",
        "sing",
        "bye",
        "accept",
        "reject",
        "unsupported",
    }
    assert disagreements(turns) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [(b'{"quantity":20}', b'{"quantity":02}'), (b"file ", b"pile "), (b"reject 2", b"refuse 2")],
)
def test_another_answer_is_noticed(right: bytes, wrong: bytes) -> None:
    turns = conversation(read(DOCS / "protocol.md"))
    changed = [(side, said.replace(right, wrong) if side == "«" else said) for side, said in turns]
    assert changed != turns
    assert len(disagreements(changed)) == 1


def test_a_wrong_length_is_noticed() -> None:
    turns = conversation(read(DOCS / "protocol.md"))
    changed = [(side, said.replace(b"ready 0 144", b"ready 0 145")) for side, said in turns]
    with pytest.raises(AssertionError):
        disagreements(changed)
