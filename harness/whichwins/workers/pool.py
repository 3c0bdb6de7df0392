"""All subjects over all inputs: one selector loop, batches, deadlines, a window on skew."""

from __future__ import annotations

import os
import time
import weakref
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from types import TracebackType
from typing import cast

from whichwins.model import Observation, Subject
from whichwins.workers.answers import Batch
from whichwins.workers.contract import Identity, Launch, Limits
from whichwins.workers.frames import encode
from whichwins.workers.identity import identity
from whichwins.workers.lane import Lane
from whichwins.workers.process import Exit, Process, Processes
from whichwins.workers.supply import Phase

_NOTICED_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 1.0
_SLOW_START_SECONDS = 1.0
_BYE_SECONDS = 0.5


class WorkerPool:
    """One worker process per subject, as a context manager. Implements `Observer`.

    `launches` maps every subject's key to a `Launch`, or to the reason why it is absent.
    `jobs` caps the workers that have work in hand at once (default: the processors);
    it changes no observation. `careful` asks every case alone and nothing twice: for entry
    points that execute something. `digests=False` leaves the digest out of identities.

    Entering starts the workers and waits for nothing; subjects join in as they come up.
    Leaving kills every process that is left, whatever happened. One `observe` or
    `answers_as_they_come` at a time; closing the iterator early gives up its work.
    """

    def __init__(
        self,
        subjects: Sequence[Subject],
        launches: Mapping[str, Launch | str],
        limits: Limits | None = None,
        jobs: int | None = None,
        careful: bool = False,
        digests: bool = True,
    ) -> None:
        self._limits = limits or Limits()
        self._jobs = max(1, jobs if jobs is not None else _processors())
        self._digests = digests
        self._processes = Processes()
        self._end = weakref.finalize(self, self._processes.close)
        self._lanes = [
            Lane(i, s, launches.get(s.key, "has no way to be started"), self._limits, careful, self)
            for i, s in enumerate(subjects)
        ]
        self._keys = tuple(s.key for s in subjects)
        self._undecided = {lane.index for lane in self._lanes if lane.supply.phase is not Phase.ABSENT}
        self._identities: dict[str, Identity] = {}
        self._source: Iterator[Batch] | None = None
        self._current: deque[Batch] = deque()
        self._base = 0
        self._news: list[tuple[Lane, Batch]] | None = None
        self._owners: dict[Process, Lane] = {}
        self._spawned: list[tuple[str, Process]] = []
        self._observing = self._changed = False
        self._left_at = time.monotonic()

    def __enter__(self) -> WorkerPool:
        self._start_some()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._say_bye()
        finally:
            self._end()

    @property
    def keys(self) -> tuple[str, ...]:
        """The subjects' keys, in the order of every row."""
        return self._keys

    @property
    def identities(self) -> Mapping[str, Identity]:
        """Identity by key, of the subjects that started. Waits until every start is decided."""
        while self._undecided:
            self._turn()
        for lane in self._lanes:
            key, supply = lane.subject.key, lane.supply
            if key not in self._identities and supply.proved and supply.ready is not None:
                assert isinstance(supply.launch, Launch)
                self._identities[key] = identity(supply.ready, supply.launch, self._digests)
        return self._identities

    @property
    def absent(self) -> Mapping[str, str]:
        """Reason by key, of the subjects that could not be started or restarted (so far)."""
        return {
            lane.subject.key: lane.absence.reason or "" for lane in self._lanes if lane.absence is not None
        }

    @property
    def seconds(self) -> Mapping[str, float]:
        """Processor time by key, of all workers that a subject had so far."""
        spent = dict.fromkeys(self._keys, 0.0)
        for key, process in self._spawned:
            spent[key] += process.seconds
        return spent

    def last_words(self, key: str) -> str:
        """The tail of what a subject's last lost worker wrote to stderr. May quote inputs."""
        return self._lanes[self._keys.index(key)].supply.words

    def observe(
        self, inputs: Iterable[bytes], verb: str = "parse", shapes: Iterable[str] | None = None
    ) -> Generator[tuple[Observation, ...], None, None]:
        """One row per input, in input order: one observation per subject, in the order of `keys`."""
        if not self._lanes:
            yield from (() for _ in inputs)
            return
        self._take(_batches(inputs, shapes or repeat(None), verb, self._limits, len(self._lanes)))
        try:
            while True:
                self._hand_out()
                while self._current and not self._current[0].left:
                    batch = self._current.popleft()
                    self._base += 1
                    self._changed = True
                    self._hand_out()
                    # Every cell is filled when nothing is left.
                    yield from cast("Iterator[tuple[Observation, ...]]", zip(*batch.answers, strict=True))
                if not self._current and self._source is None:
                    return
                self._turn()
        finally:
            self._release()

    def turn(self) -> None:
        """Let the workers go on, and wait for none: for whoever looks long at a row."""
        if self._observing:
            self._turn(0.0)

    def answers_as_they_come(
        self, data: bytes, verb: str = "parse", shape: str | None = None
    ) -> Generator[tuple[str, Observation], None, None]:
        """(key, observation) for one input, the quickest subject first."""
        self._take(_batches((data,), (shape,), verb, self._limits, len(self._lanes)))
        try:
            self._news = []
            for told in range(len(self._lanes)):
                self._hand_out()
                while len(self._news) <= told:
                    self._turn()
                    self._hand_out()
                lane, batch = self._news[told]
                yield lane.subject.key, cast(Observation, batch.answers[lane.index][0])
        finally:
            self._release()

    # -- one observation at a time -----------------------------------------------------------------

    def _take(self, source: Iterator[Batch]) -> None:
        if self._observing:
            raise RuntimeError("the pool is already observing: finish or close that iterator first")
        if not self._end.alive:
            raise RuntimeError("the pool is closed")
        self._observing = self._changed = True
        self._source = source
        self._base = 0
        for lane in self._lanes:
            lane.next = 0

    def _release(self) -> None:
        self._observing = False
        self._source = None
        self._current.clear()
        self._news = None
        if self._end.alive:
            for lane in self._lanes:
                lane.abandon()

    def _hand_out(self) -> None:
        """Give batches to lanes that are free: those furthest behind first, as many as `jobs` allows."""
        if not self._changed:
            return
        self._changed = False
        free = [lane for lane in self._lanes if lane.batch is None]
        busy = len(self._lanes) - len(free)
        free.sort(key=_progress)
        for lane in free:
            while (busy < self._jobs or self._mute(lane)) and lane.idle:
                batch = self._batch_for(lane)
                if batch is None:
                    break
                lane.next += 1
                lane.begin(batch)
                busy += lane.batch is not None

    def _mute(self, lane: Lane) -> bool:
        return bool(self._current) and lane.mute(self._current[0])

    def _batch_for(self, lane: Lane) -> Batch | None:
        place = lane.next - self._base
        if place < len(self._current):
            return self._current[place]
        if self._source is None or place >= self._limits.window_batches:
            return None
        batch = next(self._source, None)
        if batch is None:
            self._source = None
        else:
            self._current.append(batch)
        return batch

    # -- the loop ----------------------------------------------------------------------------------

    def _start_some(self) -> None:
        """Start what was never started: a few at a time, so that the first are up soon."""
        if not self._undecided:
            return
        now = time.monotonic()
        room = 2 * self._jobs + 2
        for lane in self._lanes:
            if room <= 0:
                return
            if lane.supply.phase is Phase.OFF and lane.index in self._undecided:
                lane.supply.start()
            # One that takes its time holds nobody up.
            starting = lane.supply.phase in (Phase.START, Phase.CANARIES)
            room -= starting and lane.supply.started > now - _SLOW_START_SECONDS

    def _turn(self, longest: float = _LONGEST_WAIT_SECONDS) -> None:
        """Wait so many seconds at most for something to happen, and deal with it."""
        self._start_some()
        before = time.monotonic()
        away = before - self._left_at
        if away > _NOTICED_SECONDS:
            for lane in self._lanes:
                lane.timer.shift(away)
        deadline = min((lane.timer.at for lane in self._lanes), default=before)
        events = self._processes.poll(min(deadline - before, longest))
        self._left_at = time.monotonic()
        heard = set()
        for process, event in events:
            owner = self._owners.get(process)
            if owner is not None:
                heard.add(owner.index)
                owner.on(process, event)
        # Judged by the time before the wait: what a worker had said by its deadline has been read.
        for lane in self._lanes:
            if lane.timer.at <= before:
                lane.overdue(lane.index in heard)

    def _say_bye(self) -> None:
        """Let workers end by themselves, for a moment."""
        waiting = {process for lane in self._lanes for process in lane.supply.living if process.ready}
        for process in waiting:
            self._processes.write(process, encode("bye", 0))
            self._processes.finish(process)
        until = time.monotonic() + _BYE_SECONDS
        while waiting and (left := until - time.monotonic()) > 0:
            waiting -= {process for process, event in self._processes.poll(left) if isinstance(event, Exit)}

    # -- what lanes need (`Host`) --------------------------------------------------------------------

    def spawn(self, index: int, launch: Launch) -> Process:
        """Start a worker for the lane with this index."""
        process = self._processes.spawn(launch)
        self._owners[process] = self._lanes[index]
        self._spawned.append((self._keys[index], process))
        return process

    def write(self, process: Process, data: bytes) -> None:
        """Queue bytes for a worker."""
        self._processes.write(process, data)

    def kill(self, process: Process) -> None:
        """Kill a worker and its group."""
        self._processes.kill(process)
        self._owners.pop(process, None)

    def settled(self, lane: Lane) -> None:
        """The lane is up for the first time, or absent."""
        self._undecided.discard(lane.index)
        self._changed = True

    def finished(self, lane: Lane, batch: Batch) -> None:
        """The lane has an observation for every case of the batch."""
        batch.left -= 1
        self._changed = True
        if self._news is not None:
            self._news.append((lane, batch))


def _progress(lane: Lane) -> tuple[int, int]:
    return lane.next, lane.index


def _batches(
    inputs: Iterable[bytes], shapes: Iterable[str | None], verb: str, limits: Limits, lanes: int
) -> Iterator[Batch]:
    """Cut the inputs into batches of one shape, reading no further ahead than one input."""
    cases: list[bytes] = []
    size = first = 0
    mine: str | None = None
    for data, shape in zip(inputs, shapes, strict=False):  # `shapes` may have no end
        full = len(cases) == limits.batch_cases or size + len(data) > limits.batch_bytes
        if cases and (full or shape != mine):
            yield Batch(verb, first, cases, lanes, mine)
            first += len(cases)
            cases, size = [], 0
        mine = shape
        cases.append(data)
        size += len(data)
    if cases:
        yield Batch(verb, first, cases, lanes, mine)


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
