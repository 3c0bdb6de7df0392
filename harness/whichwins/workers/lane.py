"""One subject's way through a run: batches, and recovery from a worker that died.

A batch is asked buffered. When its worker dies, overruns or breaks the protocol, a fresh one is
asked the unanswered cases one at a time outside a batch: the first that fails is the culprit and is
asked once more, alone, in another fresh worker. Twice failed is what is recorded; once, the second
answer flagged `unstable`. Then the rest goes on. Replacements start side by side, so that all of it
costs little more than one start.

A subject that is `cold` recurses less or more deeply once its code has been compiled: a deep text is put to
it in a worker that has been asked nothing, and once more in another. Where the two differ, the second answer
is flagged `unstable`.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from whichwins.model import Observation, Outcome, Subject
from whichwins.workers.answers import Batch, garbled, is_answer, read_whole, understand
from whichwins.workers.contract import Launch, Limits
from whichwins.workers.frames import Decoder, Frame, encode
from whichwins.workers.process import Event, Exit, Process
from whichwins.workers.supply import OUT_OF_STEP, Phase, Processes, Supply, Timer

# A control asked after a case shows that the case was answered once: stray output stands before it.
_CONTROL = b"null"
_SPARES_AFTER_BATCH = 3  # one finds the culprit, one confirms it, one goes on
_SPARES_AFTER_CULPRIT = 2
_SPARES_WAITING = 2
_HANGS_AT_FIRST, _HANGS = 2, 10
"""Requests at which what is asked carefully may hang, before it answered any and in all, until it is given
up: each costs a whole time limit. One alone may be the request's doing."""
_DEEP, _BOTTOMLESS = 1000, 50_000
"""Openers of a text that is deep: no frame of a parser is as large as a thousandth part of a stack, and none
so small that more than the larger number fit, whoever compiled it."""


class Host(Processes, Protocol):
    """What a lane needs of its pool."""

    def settled(self, lane: Lane) -> None:
        """The lane is up for the first time, or absent."""

    def finished(self, lane: Lane, batch: Batch) -> None:
        """The lane has an observation for every case of the batch."""


class Lane:
    """One subject and the batch it has in hand. Driven by `begin`, `on` and `overdue`."""

    def __init__(
        self, index: int, subject: Subject, launch: Launch | str, limits: Limits, careful: bool, host: Host
    ) -> None:
        self.index = index
        self.subject = subject
        self.next = 0
        self.timer = Timer()
        self.supply = Supply(index, subject, launch, limits, host, self.timer, self._up, self._absent)
        self._limits = limits
        self._careful = careful
        self._one_by_one = careful
        self._host = host
        self._innocent_batches = 0
        self._killed_before = False
        self._fresh = False
        self._answered = False
        self._hangs = 0
        self._forget()

    def _forget(self) -> None:
        self.batch: Batch | None = None
        self._answers: list[Observation | None] = []
        # Of a batch asked whole: what has been read, and the exact decoder once it is needed.
        self._chunks: list[bytes] = []
        self._buffered = 0
        self._line_feeds = 0
        self._exact: Decoder | None = None
        self._exactly_read = 0
        # Of cases asked one by one: what is left, and what is known of the first of them.
        self._pending: deque[int] | None = None
        self._first_failure: Observation | None = None
        self._held: Observation | None = None
        self._first_cold: Observation | None = None
        self._suspicious = False
        self._culprits = 0

    @property
    def absence(self) -> Observation | None:
        """What stands in every cell of a subject that could not be started."""
        reason = self.supply.reason
        return None if reason is None else Observation(Outcome.ABSENT, reason=reason)

    @property
    def idle(self) -> bool:
        """Whether a batch can be given to it."""
        if self.batch is not None:
            return False
        phase = self.supply.phase
        return phase is Phase.UP or phase is Phase.ABSENT or (phase is Phase.OFF and self.supply.proved)

    def mute(self, batch: Batch) -> bool:
        """Whether it answers without a worker: absent, without the capability, or of another shape."""
        return self.supply.phase is Phase.ABSENT or bool(self._unfit(batch))

    def _unfit(self, batch: Batch) -> str:
        """Why the batch cannot be put to this subject; empty when it can."""
        mine, ready = self.subject.shape, self.supply.ready
        if batch.shape is not None and batch.shape != mine:
            if mine:
                return f"asked only cases of the shape {mine}"
            return f"a case of the shape {batch.shape}, for subjects of that shape"
        if ready is not None and batch.verb not in ready.capabilities:
            return f"the subject has no `{batch.verb}`"
        return ""

    def begin(self, batch: Batch) -> None:
        """Ask a batch. `Host.finished` follows, at once or later, whatever happens."""
        self._forget()
        self.batch = batch
        self._answers = batch.answers[self.index]
        absence = self.absence
        if absence is not None:
            self._finish(absence)
        elif unfit := self._unfit(batch):
            self._finish(Observation(Outcome.UNSUPPORTED, reason=unfit))
        else:
            if self._one_by_one or (self.subject.cold and any(map(is_deep, batch.cases))):
                self._pending = deque(range(len(batch.cases)))
            self._work()

    def abandon(self) -> None:
        """Give up the batch in hand; the worker that has it is of no use any more."""
        if self.batch is not None:
            self._forget()
            self.supply.stop()

    def on(self, process: Process, event: Event) -> None:
        """What a worker of this lane wrote, or how it ended."""
        if self.supply.on(process, event):
            return
        if self.batch is None:
            # Gone, or speaking without being asked and so out of step: the next batch starts a fresh one.
            self.supply.stop()
        elif isinstance(event, Exit):
            self._failed(Observation(Outcome.CRASH, signal=str(event)))
        elif not event:
            self.supply.closed = True
            self.timer.hurry()
        elif self._pending is None:
            self._batch_output(self.batch, event)
        else:
            self._single_output(self.batch, self._pending, event)

    def overdue(self, heard: bool) -> None:
        """The deadline has passed; `heard`: something was read from a worker just now."""
        if self.timer.excused(heard):
            return
        if self.supply.phase is not Phase.UP:
            self.supply.overdue()
        elif self.supply.closed:
            self._failed(garbled("the worker closed its output"))
        else:
            self._failed(Observation(Outcome.TIMEOUT))

    # -- asking ------------------------------------------------------------------------------------

    def _up(self) -> None:
        self._host.settled(self)
        if self.batch is not None:
            self._work()

    def _absent(self) -> None:
        absence = self.absence
        if self.batch is not None and absence is not None:
            if self._first_failure is not None and self._pending:
                self._record(self._pending[0], self._first_failure._replace(unstable=True))
            self._finish(absence)
        self._host.settled(self)

    def _work(self) -> None:
        """Ask what is to be asked next of the current worker; without one, bring one up first."""
        batch, pending = self.batch, self._pending
        assert batch is not None
        if pending is not None and not pending:
            self._finish(None)
            return
        if pending is not None and self._is_cold(batch, pending[0]) and not self._fresh:
            self.supply.drop(self.supply.current)
            self.supply.prepare(_SPARES_WAITING)
            self._fresh = True
        if self.supply.current is None:
            self.supply.start()  # and from there back to here
            return
        self._fresh = False
        if pending is None:
            request = batch.request
        else:
            request = batch.alone(pending[0])
            if self._suspicious:
                request += encode(batch.verb, batch.first + pending[0] + 1, _CONTROL)
        self.supply.send(request)
        self.timer.arm(self._limits.case_seconds, extra=self._limits.case_seconds)

    def _is_cold(self, batch: Batch, offset: int) -> bool:
        return self.subject.cold and not self._careful and is_deep(batch.cases[offset])

    def _record(self, offset: int, observation: Observation) -> None:
        assert self.batch is not None
        self._answers[offset] = self.batch.intern(offset, observation)

    def _finish(self, rest: Observation | None) -> None:
        batch = self.batch
        assert batch is not None
        if rest is not None:
            for offset, answer in enumerate(self._answers):
                if answer is None:
                    self._record(offset, rest)
        elif self._pending is not None and not self._culprits:
            # Slow cases, or a worker that cannot do batches: stop paying for a failed one each time.
            self._innocent_batches += 1
            self._one_by_one |= self._innocent_batches > 1
        if self._culprits and rest is None:
            if self._killed_before:  # cases that kill come in herds: be ready while work goes on
                self.supply.prepare(_SPARES_WAITING)
            self._killed_before = True
        self.supply.trim(_SPARES_WAITING)
        self.timer.stop()
        self._forget()
        self._host.finished(self, batch)

    # -- a batch asked whole -----------------------------------------------------------------------

    def _batch_output(self, batch: Batch, data: bytes) -> None:
        self._buffered += len(data)
        if self._buffered > self._limits.answer_bytes:
            self._failed(garbled(f"more than {self._limits.answer_bytes} bytes of answers"))
            return
        if self._exact is None:
            self._chunks.append(data)
            self._line_feeds += data.count(b"\n")
            if self._line_feeds < 2 * len(batch.cases):
                return
            data = b"".join(self._chunks)
            answers = read_whole(data, batch)
            if answers is not None:
                self._answers[:] = answers
                self._finish(None)
                return
        problem = self._read_exactly(batch, data)
        if problem is not None:
            self._failed(garbled(problem))
        elif self._exactly_read == len(batch.cases):
            self._finish(None)

    def _read_exactly(self, batch: Batch, data: bytes) -> str | None:
        """Fill in the answers that are complete, in order; what is wrong with them, if anything."""
        if self._exact is None:
            self._exact = Decoder(self._limits.answer_bytes)
        for frame in self._exact.feed(data):
            offset = self._exactly_read
            if (
                offset == len(batch.cases)
                or frame.sequence != batch.first + offset
                or not is_answer(frame.verb)
            ):
                return OUT_OF_STEP
            self._record(offset, understand(batch.verb, frame.verb, frame.body))
            self._exactly_read += 1
        if self._exactly_read == len(batch.cases) and self._exact.partial:
            return "output after the last answer"
        return self._exact.error

    # -- cases asked one by one --------------------------------------------------------------------

    def _single_output(self, batch: Batch, pending: deque[int], data: bytes) -> None:
        worker = self.supply.current
        decoder = self.supply.decoder()
        frames = decoder.feed(data)
        due = 2 if self._suspicious and self._held is None else 1
        if decoder.error is not None or len(frames) + decoder.partial > due:
            self._held = None  # whatever was held was not the only answer: it does not count
            self._failed(garbled(decoder.error or OUT_OF_STEP))
            return
        for frame in frames:
            self._single_answer(batch, pending, frame)
            if self.supply.current is not worker:
                return

    def _single_answer(self, batch: Batch, pending: deque[int], frame: Frame) -> None:
        due = batch.first + pending[0] + (self._held is not None)
        if frame.sequence != due or not is_answer(frame.verb):
            self._held = None
            self._failed(garbled(OUT_OF_STEP))
            return
        answer = self._held or understand(batch.verb, frame.verb, frame.body)
        self._answered = True
        if self._suspicious and self._held is None:
            self._held = answer
            return
        if self._first_failure is not None:
            answer = answer._replace(unstable=True)
        elif self._is_cold(batch, pending[0]) and self._first_cold is None:
            self._held, self._first_cold = None, answer
            self._work()
            return
        self._settle(answer)
        self._work()

    def _settle(self, observation: Observation) -> None:
        assert self._pending is not None
        if self._first_cold is not None and not _same(self._first_cold, observation):
            observation = observation._replace(unstable=True)
        self._record(self._pending.popleft(), observation)
        self._held = self._first_failure = self._first_cold = None

    # -- failure -----------------------------------------------------------------------------------

    def _failed(self, what: Observation) -> None:
        """The worker died, overran or broke the protocol while it had work."""
        batch = self.batch
        assert batch is not None
        self.supply.drop(self.supply.current)
        if self._pending is None:
            if what.outcome is Outcome.GARBLED:
                self._answers[:] = [None] * len(batch.cases)  # out of step: none of them counts
            elif self._exact is None:
                self._read_exactly(batch, b"".join(self._chunks))
            self._chunks.clear()
            self._pending = deque(o for o, answer in enumerate(self._answers) if answer is None)
            self._suspicious = what.outcome is Outcome.GARBLED
            self.supply.prepare(_SPARES_AFTER_BATCH)
        else:
            self._blame(what)
        if self.batch is not None:  # else it was given up
            self._work()

    def _lose_patience(self, what: Observation) -> None:
        self._hangs += what.outcome is Outcome.TIMEOUT
        if self._hangs >= (_HANGS if self._answered else _HANGS_AT_FIRST):
            whose = f"{self._hangs} requests" if self._answered else f"its first {self._hangs} requests"
            self.supply.give_up(f"hung at {whose}: it was asked no more (--timeout gives it longer)")

    def _blame(self, what: Observation) -> None:
        """The case asked alone failed: have it confirmed, or record it."""
        first = self._first_failure
        self._suspicious |= what.outcome is Outcome.GARBLED and not self._careful
        if self._held is not None:
            # The case was answered; what failed is the control after it.
            self._settle(self._held._replace(unstable=True) if first is not None else self._held)
        elif self._careful:
            self._settle(what)
            self._lose_patience(what)
        elif first is None:
            self._culprits += 1
            self._first_failure = what
            self.supply.prepare(_SPARES_AFTER_CULPRIT)
        else:
            same = (what.outcome, what.signal) == (first.outcome, first.signal)
            self._settle(what if same else what._replace(unstable=True))


def is_deep(data: bytes) -> bool:
    """Whether a text may be deep; one that is wide instead is asked with the same care."""
    return _DEEP < data.count(b"[") + data.count(b"{") <= _BOTTOMLESS


def _same(one: Observation, other: Observation) -> bool:
    """Whether two answers are the same but for words about them."""
    return one[:5] == other[:5]
