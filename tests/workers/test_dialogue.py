"""A conversation with one worker: frames, silence, ends."""

from __future__ import annotations

import sys

import pytest

from whichwins.workers.contract import Launch, Limits
from whichwins.workers.dialogue import Dialogue, Silence, Stopped, TooLate
from whichwins.workers.frames import Frame

LIMITS = Limits()


def worker(script: str) -> Launch:
    return Launch((sys.executable, "-S", "-E", "-c", "import os, sys, time\n" + script))


def heard(script: str, seconds: float = 20) -> Frame | Silence:
    with Dialogue(worker(script), LIMITS) as dialogue:
        return dialogue.hear(seconds)


def test_a_frame_and_the_end() -> None:
    with Dialogue(
        worker("os.write(1, b'accept 1 2\\n[]\\n'); sys.exit(os.read(0, 9) != b'bye')"), LIMITS
    ) as dialogue:
        assert dialogue.hear(20) == Frame(b"accept", 1, b"[]")
        assert dialogue.end(0.05) is None
        dialogue.send(b"bye")
        assert dialogue.end(20) == "exit 0"
        assert dialogue.left_over() is None
        assert dialogue.hear(1) == "the worker ended (exit 0)"


def test_the_end_of_input() -> None:
    with Dialogue(worker("sys.exit(len(sys.stdin.read()))"), LIMITS) as dialogue:
        dialogue.send(b"12345")
        dialogue.finish()
        assert dialogue.end(20) == "exit 5"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("os.write(1, b'Hello!\\n')", "a header line is not `verb sequence length`"),
        ("os.write(1, b'accept 1 2\\n[]!')", "a body does not end where its header says"),
        ("sys.exit(3)", "the worker ended (exit 3)"),
        (
            "os.write(1, b'accept 1 9\\n[]'); os.kill(os.getpid(), 9)",
            "the worker ended (SIGKILL) in the middle of a frame",
        ),
        ("os.close(1); time.sleep(60)", "the worker closed its output and runs on"),
    ],
)
def test_silence(script: str, said: str) -> None:
    found = heard(script)
    assert isinstance(found, Silence)
    assert not isinstance(found, TooLate)
    assert found == said


def test_too_late() -> None:
    found = heard("time.sleep(60)", 0.3)
    assert isinstance(found, TooLate)
    assert found == "no answer within 0.3 s"


def test_left_over() -> None:
    with Dialogue(worker("os.write(1, b'accept 1 2\\n[]\\naccept 2 2\\n[]\\nbye')"), LIMITS) as dialogue:
        dialogue.end(20)
        assert [dialogue.left_over() for _ in range(3)] == [
            Frame(b"accept", 1, b"[]"),
            Frame(b"accept", 2, b"[]"),
            "half a frame",
        ]


def test_no_such_program() -> None:
    with pytest.raises(OSError, match="no-such"):
        Dialogue(Launch(("/no-such",)), LIMITS)


def test_a_command_that_no_system_takes() -> None:
    with pytest.raises(OSError, match="null byte"):
        Dialogue(Launch(("/bin/true", "a\0b")), LIMITS)


def test_nobody_waits_any_more() -> None:
    with Dialogue(worker("time.sleep(60)"), LIMITS, lambda: True) as dialogue, pytest.raises(Stopped):
        dialogue.hear(20)
    with Dialogue(worker(""), LIMITS, lambda: True) as dialogue, pytest.raises(Stopped):
        dialogue.settle(20)
