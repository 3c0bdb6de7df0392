"""Bringing up workers for one subject: `hello`, canaries, tries, and spares that start side by side."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from whichwins.model import Canary, Outcome, Subject
from whichwins.notation import canonical
from whichwins.workers.answers import is_answer, understand
from whichwins.workers.contract import Launch, Limits
from whichwins.workers.frames import Decoder, Frame, encode
from whichwins.workers.identity import READY_BYTES, Ready, hello, printable, read_ready
from whichwins.workers.process import Event, Exit, Process, last_words

START_TRIES = 3
_CLOSING_SECONDS = 0.5
_LATE_GRACE_SECONDS = 0.25
_NEVER = float("inf")
OUT_OF_STEP = "an answer is not the one that was due"
_VERDICTS = frozenset(outcome.value for outcome in Outcome)


class Phase(Enum):
    """How far the current worker is."""

    OFF = "off"
    START = "start"
    CANARIES = "canaries"
    UP = "up"
    ABSENT = "absent"


class Processes(Protocol):
    """What a supply needs of its pool."""

    def spawn(self, index: int, launch: Launch) -> Process:
        """Start a worker for the lane with this index; OSError when that fails."""

    def write(self, process: Process, data: bytes) -> None:
        """Queue bytes for a worker."""

    def kill(self, process: Process) -> None:
        """Kill a worker and its group."""


class Timer:
    """A deadline in monotonic seconds. A worker just heard from gets a moment more, up to `latest`."""

    __slots__ = ("at", "latest")

    def __init__(self) -> None:
        self.at = self.latest = _NEVER

    def arm(self, seconds: float, extra: float = 0.0, since: float | None = None) -> None:
        """Due in `seconds`, and `extra` seconds later even when something was heard."""
        self.at = (time.monotonic() if since is None else since) + seconds
        self.latest = self.at + extra

    def hurry(self) -> None:
        """Due in a moment: the worker can say nothing more, and how it ends is about to be known."""
        self.at = self.latest = min(self.at, time.monotonic() + _CLOSING_SECONDS)

    def stop(self) -> None:
        """Nothing is due."""
        self.at = self.latest = _NEVER

    def shift(self, seconds: float) -> None:
        """The harness was elsewhere: that is not the worker's time."""
        self.at += seconds
        self.latest += seconds

    def excused(self, heard: bool) -> bool:
        """Whether a deadline that has passed is put off once more."""
        if not heard or self.at >= self.latest:
            return False
        self.at = min(time.monotonic() + _LATE_GRACE_SECONDS, self.latest)
        return True


class Supply:
    """The current worker of one subject, and its spares.

    `up` is called whenever a worker can be given work, `absent` once when there will be none.
    """

    def __init__(
        self,
        index: int,
        subject: Subject,
        launch: Launch | str,
        limits: Limits,
        processes: Processes,
        timer: Timer,
        up: Callable[[], None],
        absent: Callable[[], None],
    ) -> None:
        self.subject = subject
        self.launch = launch
        self.phase = Phase.OFF
        self.reason: str | None = None
        if isinstance(launch, str):
            self.phase = Phase.ABSENT
            self.reason = launch
        self.current: Process | None = None
        self.closed = False
        self.started = 0.0
        self.ready: Ready | None = None
        self.proved = False
        self.words = ""
        self._index = index
        self._limits = limits
        self._processes = processes
        self._timer = timer
        self._up = up
        self._absent = absent
        self._spares: list[Process] = []
        self._decoders: dict[Process, Decoder] = {}
        self._canaries: deque[tuple[int, Canary]] = deque()
        self._failed_starts = 0

    @property
    def living(self) -> list[Process]:
        """Every process there is."""
        return list(self._decoders)

    def decoder(self) -> Decoder:
        """The frame decoder of the current worker."""
        assert self.current is not None
        return self._decoders[self.current]

    def start(self) -> None:
        """Bring up a worker: a spare or a new one. `up` or `absent` follows."""
        try:
            self.current = self._spares.pop(0) if self._spares else self._spawn()
        except (OSError, ValueError) as problem:
            said = problem.strerror if isinstance(problem, OSError) else None
            self.give_up(f"cannot be started: {printable(said or str(problem))}")
            return
        self.closed = False
        self.started = self.current.born
        self.phase = Phase.START
        if self.current.ready:
            self._greeted()
        else:
            self._timer.arm(self._limits.start_seconds, since=self.current.born)

    def prepare(self, spares: int) -> None:
        """Have so many workers starting or waiting beside the current one."""
        try:
            while len(self._spares) < spares:
                self._spares.append(self._spawn())
        except (OSError, ValueError):
            return  # whoever needs one will see

    def trim(self, spares: int) -> None:
        """Keep so many spares at most."""
        for process in self._spares[spares:]:
            self.drop(process)

    def send(self, data: bytes) -> None:
        """Queue bytes for the current worker."""
        assert self.current is not None
        self._processes.write(self.current, data)

    def drop(self, process: Process | None) -> None:
        """Kill a worker of this subject."""
        if process is None:
            return
        self.words = last_words(process) or self.words
        self._processes.kill(process)
        self._decoders.pop(process, None)
        if process in self._spares:
            self._spares.remove(process)
        if process is self.current:
            self.current = None
            self._timer.stop()

    def stop(self) -> None:
        """Kill every worker; the next `start` begins afresh."""
        for process in self.living:
            self.drop(process)
        if self.phase is not Phase.ABSENT:
            self.phase = Phase.OFF

    def on(self, process: Process, event: Event) -> bool:
        """Deal with an event of a spare or of a start. False: it is about the work in hand."""
        if process not in self._decoders:
            return True
        if process is not self.current:
            self._spare_event(process, event)
        elif self.phase is Phase.UP:
            return False
        elif isinstance(event, Exit):
            self._failed(f"the worker ended ({event})")
        elif not event:
            self.closed = True
            self._timer.hurry()
        else:
            self._read(process, event)
        return True

    def overdue(self) -> None:
        """The start, or a canary, has taken its time."""
        if self.closed:
            self._failed("the worker closed its output")
        elif self.phase is Phase.START:
            self._failed(f"not ready within {self._limits.start_seconds:g} s", final=True)
        else:
            self._failed(f"no answer within {self._limits.case_seconds:g} s")

    def _spawn(self) -> Process:
        assert isinstance(self.launch, Launch)
        process = self._processes.spawn(self._index, self.launch)
        self._decoders[process] = Decoder(READY_BYTES)
        self._processes.write(process, encode("hello", 0, hello(self.subject)))
        return process

    def _spare_event(self, process: Process, event: Event) -> None:
        if isinstance(event, Exit) or not event or process.ready:
            self.drop(process)
            return
        decoder = self._decoders[process]
        frames = decoder.feed(event)
        if len(frames) == 1 and isinstance(_read_greeting(frames[0]), Ready):
            process.ready = True
        elif frames or decoder.error is not None:
            self.drop(process)

    def _read(self, process: Process, data: bytes) -> None:
        decoder = self._decoders[process]
        for frame in decoder.feed(data):
            if self.phase is Phase.START:
                ready = _read_greeting(frame)
                if isinstance(ready, str):
                    self._failed(ready, final=True)
                    return
                self.ready = self.ready or ready
                self._greeted()
            elif self.phase is Phase.CANARIES:
                self._canary(frame)
            else:
                # More than was asked for, before any work: the worker is not in step.
                self._failed(f"broke the protocol: {OUT_OF_STEP}", final=True)
            if process is not self.current:
                return
        if decoder.error is not None:
            self._failed(f"broke the protocol: {decoder.error}")

    def _greeted(self) -> None:
        assert self.current is not None
        self.current.ready = True
        self.decoder().limit = self._limits.answer_bytes
        self.phase = Phase.CANARIES
        if not self.proved:
            self._canaries = deque(enumerate(self.subject.canaries, 1))
            for number, canary in self._canaries:
                self.send(encode("parse", number, canary.text.encode("utf-8", "surrogatepass")))
        self._next_canary()

    def _next_canary(self) -> None:
        if self._canaries:
            self._timer.arm(self._limits.case_seconds)
            return
        self._failed_starts = 0
        self.proved = True
        self.phase = Phase.UP
        self._timer.stop()
        self._up()

    def _canary(self, frame: Frame) -> None:
        number, canary = self._canaries[0]
        if frame.sequence != number or not is_answer(frame.verb):
            self._failed(f"broke the protocol: {OUT_OF_STEP}")
            return
        answer = understand("parse", frame.verb, frame.body)
        if answer.outcome is Outcome.ACCEPT:
            right = answer.value in [canonical(text) for text in canary.expect if text not in _VERDICTS]
            said = "accepted with a value that is not the right one"
        else:
            right = answer.outcome.value in canary.expect
            said = f"answered {answer.outcome.value}" + (f" ({answer.error})" if answer.error else "")
        if not right:
            self._failed(said, final=True)
            return
        self._canaries.popleft()
        self._next_canary()

    def _failed(self, reason: str, final: bool = False) -> None:
        if self.phase is Phase.CANARIES and self._canaries:
            canary = self._canaries[0][1]
            why = f" ({canary.reason})" if canary.reason else ""
            reason = f"failed the canary {ascii(canary.text)[:200]}{why}: {reason}"
        elif self.phase is Phase.START:
            reason = f"did not start: {reason}"
        self.drop(self.current)
        self._canaries.clear()
        self._failed_starts += 1
        if final or self._failed_starts >= START_TRIES:
            self.give_up(reason)
        else:
            self.start()

    def give_up(self, reason: str) -> None:
        """Start no more workers: it is absent from here on."""
        self.reason = reason
        self.phase = Phase.ABSENT
        self.stop()
        self._absent()


def _read_greeting(frame: Frame) -> Ready | str:
    if frame.verb == b"fault" and frame.sequence == 0:
        return printable(frame.body.decode("utf-8", "replace"))
    if frame.verb != b"ready" or frame.sequence != 0:
        return "the answer to `hello` is not `ready`"
    return read_ready(frame.body)
