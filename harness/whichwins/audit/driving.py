"""Putting requests to the boundaries of a stack: each after the one that it reads.

    with driven(stack, members, pools, folder) as drive:
        asked = drive.ask(cases)
        result = audit(stack, cases, asked.passages, asked.identities, convert=asked.convert)

Boundaries that read the same are asked side by side. What is the user's own is asked one request at a time,
and never twice.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeAlias

from whichwins.audit.asking import EMIT, PARSE, Member, Way, answer, emission, in_role, way_of
from whichwins.audit.conversions import Conversions
from whichwins.audit.deliver import VERB, deliver_body
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.record import GARBLED, completed, passage, read_journal, without_stray
from whichwins.audit.stack import Boundary, Stack
from whichwins.model import ACCEPT, BadInput, Observation, Outcome, Subject
from whichwins.run import CaseRecord, declared
from whichwins.workers.contract import Observer

Pools: TypeAlias = Callable[[Sequence[Member], bool], AbstractContextManager[Observer]]
"""Starts workers for members; `True`: each request alone, and none twice."""
Progress: TypeAlias = Callable[[int, int], None]
Told: TypeAlias = Callable[[str, Member, Passage], None]
"""Called with a case and what a boundary said of it, as it comes: the workers are at the next one. What a
journal adds is not in it yet."""

_OF_THE_WORKER = ("options", "runtime", "libraries", "details", "digest")
LATE_SECONDS = 1.0
"""How long a service may take, behind the last answer, to say what it ran."""
WATCHED = 8
"""Requests at which a boundary is watched for the decoders it loads: slow, and soon the same."""


class Driven(NamedTuple):
    """Passages by case and boundary, what each boundary turned out to be, and what was not measured."""

    passages: Mapping[str, Mapping[str, Passage]]
    identities: Mapping[str, Mapping[str, object]]
    incomplete: tuple[str, ...]
    convert: Conversions | None


class _Group(NamedTuple):
    """Boundaries that are asked together: the same input, in the same way. `depth`: how many stand before."""

    depth: int
    reads: str | None
    way: Way
    members: tuple[Member, ...]


def _silent(_done: int, _total: int) -> None:
    """No progress."""


def _untold(_case: str, _member: Member, _found: Passage) -> None:
    """Nobody wants to know early."""


class Drive:
    """The workers of a stack, up; made by `driven`, and asked once."""

    def __init__(
        self,
        groups: Sequence[tuple[_Group, Observer]],
        read: frozenset[str],
        folder: Path,
        convert: Conversions | None,
    ) -> None:
        self._groups = groups
        self._read = read
        self._folder = folder
        self._convert = convert

    def ask(
        self, cases: Mapping[str, CaseRecord], progress: Progress = _silent, told: Told = _untold
    ) -> Driven:
        """Ask every boundary about every case, whose bytes must be there."""
        order = _order(cases)
        passages: dict[str, dict[str, Passage]] = {case: {} for case in cases}
        identities: dict[str, Mapping[str, object]] = {}
        absent: list[str] = []
        total, done = len(order) * len(self._groups), 0
        for _, level in groupby(self._groups, key=_depth):
            side_by_side = list(level)
            ways = [
                _Asking(group, observer, {m.boundary.name for m in group.members} & self._read, told)
                for group, observer in side_by_side
            ]
            # In turn: while one is waited for, the workers of the others work.
            rows = [way.ask(cases, order, passages, self._folder) for way in ways]
            # What is asked one request at a time would wait for its next one while rows are looked at.
            careful = [observer for group, observer in side_by_side if group.way is Way.DELIVER]
            while rows:
                rows = [each for each in rows if _next(each, careful)]
                done += len(rows)
                progress(min(done, total), total)
            for group, observer in side_by_side:
                known = declared([member.subject for member in group.members], observer)
                identities |= {
                    m.boundary.name: _said(m.boundary, known[m.subject.key]) for m in group.members
                }
                absent += [
                    f"{m.boundary.name}, line {m.boundary.place.line} of the stack: could not be asked: "
                    + observer.absent[m.subject.key]
                    for m in group.members
                    if m.subject.key in observer.absent
                ]
        return Driven(passages, identities, tuple(absent), self._convert)


@contextlib.contextmanager
def driven(
    stack: Stack,
    members: Sequence[Member],
    pools: Pools,
    folder: Path,
    *,
    transforms: Sequence[Member] = (),
    parsers: Collection[str] = (),
) -> Iterator[Drive]:
    """Start the workers of every boundary: they come up while the cases are being gathered.

    `members` are one for each boundary, `transforms` one for each boundary with a `transform`, under its
    name. `parsers` are boundaries of which it is known that they just parse: they need not be asked what they
    can do, unless somebody reads them. The members' workers write to `journal_of(folder, boundary)`. BadInput
    where a boundary is read whose parser cannot write.
    """
    read_by: dict[str, Boundary] = {}
    for boundary in stack.boundaries:
        if boundary.reads is not None:
            read_by.setdefault(boundary.reads, boundary)
    capabilities = _capabilities(members, pools, frozenset(parsers).difference(read_by))
    for member in members:
        _require_writer(member, read_by.get(member.boundary.name), capabilities)
    with contextlib.ExitStack() as held:
        groups = [
            (group, held.enter_context(pools(group.members, group.way is Way.DELIVER)))
            for group in _groups(stack, members, capabilities)
        ]
        convert: Conversions | None = None
        if transforms:
            convert = Conversions(
                {each.boundary.name: held.enter_context(pools([each], True)) for each in transforms}
            )
        yield Drive(groups, frozenset(read_by), folder, convert)


def _said(boundary: Boundary, known: Mapping[str, object]) -> Mapping[str, object]:
    """An identity without what only tells this machine's folders: the stack says it better.

    Of a program or a service the worker knows nothing: what it would tell is its own.
    """
    if not keeps_journal(boundary):
        return known
    hidden = _OF_THE_WORKER if boundary.kind in ("http", "command") else ("options",)
    return {key: value for key, value in known.items() if key not in hidden}


def transform_boundary(boundary: Boundary) -> Boundary:
    """The conversion of a boundary, as a boundary of its own: a worker that answers `convert` alone."""
    return replace(
        boundary,
        kind="call",
        target=boundary.transform,
        sink="",
        reads=None,
        executes=False,
    )


def _capabilities(
    members: Sequence[Member], pools: Pools, parsers: Collection[str]
) -> dict[str, Sequence[str]]:
    """What each subject's worker can do, by key; nothing of one that cannot be started."""
    asked = [m for m in members if m.boundary.kind == "subject" or m.boundary.worker]
    unknown = [m for m in asked if m.boundary.name not in parsers]
    can: dict[str, Sequence[str]] = {m.subject.key: (VERB,) for m in members if m not in asked}
    can |= {m.subject.key: (PARSE,) for m in asked if m not in unknown}
    if unknown:
        with pools(unknown, False) as observer:
            can |= {key: known["capabilities"] for key, known in observer.identities.items()}
    return can


def _require_writer(
    member: Member, reader: Boundary | None, capabilities: Mapping[str, Sequence[str]]
) -> None:
    can = capabilities.get(member.subject.key)
    if reader is None or can is None or VERB in can or EMIT in can:
        return
    place = reader.place
    raise BadInput(
        f"{place.file}:{place.line}: {reader.name} `reads` {member.boundary.name}, but {member.subject.key} "
        f"writes nothing: let it read the original request, or put a subject there that can emit"
    )


def _groups(
    stack: Stack, members: Sequence[Member], capabilities: Mapping[str, Sequence[str]]
) -> list[_Group]:
    """Whoever reads comes after whom it reads."""
    gathered: dict[tuple[int, str | None, Way], list[Member]] = {}
    for member in members:
        boundary = member.boundary
        depth = len(stack.path(boundary.name))
        way = way_of(capabilities.get(member.subject.key, ()))
        gathered.setdefault((depth, boundary.reads, way), []).append(member)
    return [
        _Group(depth, reads, way, tuple(mine))
        for (depth, reads, way), mine in sorted(gathered.items(), key=lambda item: item[0][0])
    ]


def _next(rows: Iterator[str], careful: Sequence[Observer]) -> bool:
    """Have the next row looked at; whether there was one."""
    there = next(rows, None) is not None
    for observer in careful:
        observer.turn()
    return there


def _depth(started: tuple[_Group, Observer]) -> int:
    return started[0].depth


def _order(cases: Mapping[str, CaseRecord]) -> list[str]:
    """The ids in the order of asking: a few small controls first, at which decoders are watched."""
    controls = [key for key, each in cases.items() if set(each.case.expect.values()) == {ACCEPT}]
    first = sorted(controls, key=lambda key: (cases[key].length, key))[:WATCHED]
    return [*first, *(key for key in cases if key not in set(first))]


class _Asking:
    """One group being asked."""

    def __init__(self, group: _Group, observer: Observer, emitting: set[str], told: Told) -> None:
        self._group = group
        self._told = told
        self._observer = observer
        self._emitting = emitting
        # Two boundaries may be one parser.
        self._places = {key: place for place, key in enumerate(observer.keys)}

    def ask(
        self,
        cases: Mapping[str, CaseRecord],
        order: Sequence[str],
        passages: dict[str, dict[str, Passage]],
        folder: Path,
    ) -> Iterator[str]:
        """Fill in the passages of the group's boundaries; each case is told once it was asked."""
        inputs: dict[str, bytes] = {}
        for case in order:
            data = self._input(cases[case], passages[case])
            if isinstance(data, Passage):
                passages[case].update({m.boundary.name: data for m in self._group.members})
            else:
                inputs[case] = data
        if self._group.way is Way.DELIVER:
            yield from self._deliver(cases, inputs, passages, folder)
        else:
            yield from self._read(inputs, passages)

    def _input(self, record: CaseRecord, before: Mapping[str, Passage]) -> bytes | Passage:
        """What comes to the group, or that nothing comes."""
        if self._group.reads is None:
            return record.case.data
        earlier = before[self._group.reads]
        if earlier.passed is not Passed.ACCEPTED:
            return Passage(Passed.BLOCKED, reason=f"{self._group.reads} did not accept it")
        if earlier.emitted is None:
            return Passage(Passed.BLOCKED, reason=f"{self._group.reads} handed nothing on")
        return earlier.emitted

    def _read(
        self,
        inputs: Mapping[str, bytes],
        passages: dict[str, dict[str, Passage]],
    ) -> Iterator[str]:
        writing = [m for m in self._group.members if m.boundary.name in self._emitting]
        rows = self._observer.observe(inputs.values(), PARSE)
        for case, row in zip(inputs, rows, strict=True):
            for member in self._group.members:
                seen = row[self._places[member.subject.key]]
                found = answer(member.boundary.role, seen)
                passages[case][member.boundary.name] = found
                if member not in writing:
                    self._told(case, member, found)
            yield case
        if not writing:
            return
        for case, row in zip(inputs, self._observer.observe(inputs.values(), EMIT), strict=True):
            for member in writing:
                name = member.boundary.name
                found = passages[case][name]
                if found.passed is Passed.ACCEPTED:
                    passages[case][name] = _written(found, row[self._places[member.subject.key]])
                self._told(case, member, passages[case][name])

    def _deliver(
        self,
        cases: Mapping[str, CaseRecord],
        inputs: Mapping[str, bytes],
        passages: dict[str, dict[str, Passage]],
        folder: Path,
    ) -> Iterator[str]:
        bodies = (
            deliver_body(
                data,
                case,
                # Behind another boundary the headers of the original request no longer hold.
                cases[case].case.headers if self._group.reads is None else None,
                watch_decoders=number < WATCHED,
            )
            for number, (case, data) in enumerate(inputs.items())
        )
        seen: dict[str, list[Passage]] = {}
        told: dict[str, list[bool]] = {}
        for case, row in zip(inputs, self._observer.observe(bodies, VERB), strict=True):
            said = seen[case] = []
            lived = told[case] = []
            for member in self._group.members:
                answered = row[self._places[member.subject.key]]
                said.append(passage(answered))
                lived.append(answered.outcome is Outcome.ACCEPT and said[-1].reason != GARBLED)
                self._told(case, member, _in_role(member, said[-1]))
            yield case
        members = enumerate(self._group.members)
        if any(_may_be_late(each, (said[at] for said in seen.values())) for at, each in members):
            time.sleep(LATE_SECONDS)
        for place, member in enumerate(self._group.members):
            name = member.boundary.name
            kept = read_journal(journal_of(folder, name)) if keeps_journal(member.boundary) else None
            silent = _RAN_UNSEEN if _never_reported(member.boundary, kept or {}) else _RAN_NOTHING
            for case, answers in seen.items():
                found = answers[place]
                if kept is not None:
                    found = completed(found, kept.get(case, silent), said=told[case][place])
                    found = without_stray(found, kept)
                passages[case][name] = _in_role(member, found)


def _in_role(member: Member, found: Passage) -> Passage:
    return in_role(member.boundary.role, found) if member.boundary.kind == "subject" else found


def _may_be_late(member: Member, said: Iterable[Passage]) -> bool:
    """Whether reports may be on their way: a service's, or of what was accepted and has not run."""
    boundary = member.boundary
    if boundary.role != "executor" or not keeps_journal(boundary):
        return False
    return boundary.kind == "http" or any(
        each.passed is Passed.ACCEPTED and each.executions == () for each in said
    )


_RAN_NOTHING, _RAN_UNSEEN = Passage(Passed.FAILED), Passage(Passed.FAILED, executions=None)
"""What an empty journal says; and of what only reports if it reports at all."""


def _never_reported(boundary: Boundary, kept: Mapping[str, Passage]) -> bool:
    reports = boundary.kind in ("http", "command")
    return reports and not any(each.executions for each in kept.values())


def keeps_journal(boundary: Boundary) -> bool:
    """Whether its worker is whichwins' own, which writes down what runs: silence means that nothing ran."""
    return boundary.kind != "subject" and not boundary.worker


def journal_of(folder: Path, boundary: str) -> Path:
    """The file in which a boundary's workers write down executions as they happen."""
    return folder / f"{boundary}.journal"


def _written(found: Passage, seen: Observation) -> Passage:
    emitted = emission(seen)
    if emitted is None:
        reason = "it accepted the text, and its writer did not write the value"
        return found._replace(reason=reason)
    return found._replace(emitted=emitted)


def subjects_of(members: Sequence[Member]) -> tuple[Subject, ...]:
    """Each subject once, sorted by key: two boundaries may be one parser."""
    return tuple(dict(sorted((member.subject.key, member.subject) for member in members)).values())
