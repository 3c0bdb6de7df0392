"""What an audit cannot say, or says beside its verdicts: counted by boundary, told in one line each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from whichwins.audit.asked import JUDGES, Asked
from whichwins.audit.held import converted, held
from whichwins.audit.passage import Passed
from whichwins.audit.result import VERDICT_OF
from whichwins.audit.stack import Boundary, Stack
from whichwins.audit.unread import is_unread, no_digest, unread_part
from whichwins.model import REJECT

ALL = tuple(sorted(set(VERDICT_OF.values())))
_BOOLS = ("true", "false", "null")
_A = {"reviewer": "a reviewer", "validator": "a validator", "approver": "an approver"}
_UNREAD = "which cannot be read and so not compared"
_ANSWERED = (Passed.ACCEPTED, Passed.REJECTED, Passed.FAILED)


class Unseen(NamedTuple):
    """Something that was not seen: which verdicts it leaves open, where, in words."""

    verdicts: tuple[int, ...]
    boundary: str
    what: str


@dataclass(slots=True)
class Tally:
    """How often each thing was seen or not, and in which request first (the smallest)."""

    unseen: dict[Unseen, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[tuple[str, str], list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    executed: int = 0
    accepted: int = 0
    through: int = 0
    rejected: int = 0
    bools: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    more: set[str] = field(default_factory=set)


def tally(tallied: Tally, asked: Asked) -> None:
    """Add one request."""
    place = asked.record.length, asked.record.case.id
    for unseen in _unseen(asked):
        tallied.unseen[unseen].append(place)
    for note in _notes(asked):
        tallied.notes[note].append(place)
    for boundary in asked.world.stack.boundaries:
        passage = asked.passage(boundary)
        if boundary.kind == "call" and boundary.role in JUDGES and passage.passed is Passed.ACCEPTED:
            _bool(tallied, asked, boundary, place)
    if asked.record.case.twin_of is None:
        executors = [each for each in asked.world.stack.boundaries if each.role == "executor"]
        tallied.executed += any(asked.ran(each) for each in executors)
        tallied.rejected += asked.word.expected == REJECT
    tallied.accepted += asked.control
    tallied.through += asked.control and all(
        asked.passage(each).passed is Passed.ACCEPTED
        for each in asked.world.stack.boundaries
        if each.role == "executor"
    )


def _bool(tallied: Tally, asked: Asked, boundary: Boundary, place: tuple[int, str]) -> None:
    value = asked.passage(boundary).value
    if value not in _BOOLS:
        tallied.more.add(boundary.name)
    elif (asked.record.data or b"").strip() not in (b"true", b"false", b"null"):
        tallied.bools[boundary.name].append(place)


def _unseen(asked: Asked) -> Iterator[Unseen]:
    boundaries = asked.world.stack.boundaries
    for boundary in boundaries:
        passage = asked.passage(boundary)
        if passage.passed is Passed.ABSENT:
            yield Unseen(ALL, boundary.name, f"could not be asked ({passage.reason or 'no reason given'})")
        if boundary.role == "executor" and passage.executions is None and passage.passed in _ANSWERED:
            yield Unseen((2, 4), boundary.name, "executions cannot be seen")
        if _unread_of(asked, boundary) and asked.word.expected == REJECT and asked.loss(boundary) is None:
            yield Unseen(
                (3,), boundary.name, "what it lost cannot be seen: something of its value cannot be read"
            )
        if passage.growing:
            yield Unseen((2,), boundary.name, "what it began outlasts the request, and more may run")
    if asked.record.case.twin_of is not None:
        return
    runners = [each for each in boundaries if each.role == "executor" and asked.ran(each)]
    for executor in runners:
        if not held(asked, executor):
            yield Unseen((1,), executor.name, "it did not say what it executed")
        yield from _incomparable(asked, executor)
    yield from _unread(asked, runners)
    if runners:
        for judge in boundaries:
            passage = asked.passage(judge)
            if judge.role in JUDGES and passage.passed is Passed.UNSUPPORTED:
                yield Unseen(
                    (1, 2),
                    judge.name,
                    "it cannot be asked about what was executed, so whether it accepts it is not known",
                )
            if judge.role not in JUDGES or passage.passed is not Passed.ACCEPTED or held(asked, judge):
                continue
            by_digest = passage.approved is not None and all(asked.passage(e).executed for e in runners)
            if not by_digest:
                yield Unseen((1,), judge.name, f"it did not say what it saw, as {_A[judge.role]}")


def _unread_of(asked: Asked, boundary: Boundary) -> str:
    """A value of a boundary of which something could not be read, or nothing."""
    passage = asked.passage(boundary)
    if passage.emitted is not None or passage.passed is not Passed.ACCEPTED:
        return ""
    return next(filter(is_unread, (passage.value or "", *(passage.executions or ()))), "")


def _unread(asked: Asked, runners: list[Boundary]) -> Iterator[Unseen]:
    """Values and digests that cannot be compared, for something of them could not be read."""
    for judge in asked.world.stack.boundaries if runners else ():
        if judge.role not in JUDGES or asked.passage(judge).passed is not Passed.ACCEPTED:
            continue
        approved = asked.passage(judge).approved
        digests = [digest for each in runners for digest in asked.passage(each).executed]
        if approved is not None and digests and not any(map(no_digest, (approved, *digests))):
            continue  # the digests tell
        for boundary in (judge, *runners):
            bad = next(filter(is_unread, (*held(asked, boundary), *asked.shown(boundary))), None)
            if bad is not None:
                yield Unseen((1,), boundary.name, f"its value has {unread_part(bad)}, {_UNREAD}")


def _incomparable(asked: Asked, executor: Boundary) -> Iterator[Unseen]:
    """Values on the other side of a conversion that cannot be put to them."""
    mine = held(asked, executor)
    for other in asked.world.stack.boundaries:
        if other.role not in JUDGES or not mine:
            continue
        theirs = held(asked, other)
        if theirs and converted(asked, (other, executor), (theirs[0], mine[0])) is None:
            yield Unseen((1,), other.name, f"a conversion lies between it and {executor.name}")


def _notes(asked: Asked) -> Iterator[tuple[str, str]]:
    for boundary in asked.world.stack.boundaries:
        passage = asked.passage(boundary)
        if passage.unstable:
            yield boundary.name, "gave an answer that did not repeat"
        if passage.passed is Passed.FAILED:
            yield boundary.name, "failed: neither accepted nor rejected"
        elif passage.passed is Passed.UNSUPPORTED:
            yield boundary.name, "cannot be given the request: no statement"
        elif passage.passed is Passed.REJECTED and passage.signal.startswith("http 2"):
            yield boundary.name, "rejected with a status of success and an error in the body"
        elif passage.passed is Passed.ACCEPTED and asked.record.case.twin_of is None:
            yield from _blind(asked, boundary)


def _blind(asked: Asked, boundary: Boundary) -> Iterator[tuple[str, str]]:
    """A judge that accepts what the policy rejects, for it reads what another boundary made of it."""
    if boundary.role not in JUDGES or asked.word.expected != REJECT:
        return
    path = asked.world.paths[boundary.name]
    lost = asked.first_loss(path[:-1])
    if lost is not None:
        place, loss = lost
        yield boundary.name, f"is blind: it reads what {path[place].name} left, where {LOST[loss]}"


LOST = {
    "occurrence": "an occurrence of a repeated name is gone",
    "number": "a number is another one",
    "bytes": "bytes were replaced",
    "truncation": "text was left unread",
    "other": "something is gone",
}
"""What each loss is, in words."""


def unknown_lines(stack: Stack, tallied: Tally, total: int) -> tuple[tuple[str, ...], frozenset[int]]:
    """Lines on what cannot be said, and the verdicts that it leaves open."""
    lines: list[str] = []
    verdicts: set[int] = set()
    order = {boundary.name: place for place, boundary in enumerate(stack.boundaries)}
    for boundary in stack.boundaries:
        if not boundary.raw:
            verdicts.update(ALL)
            lines.append(
                f"{boundary.name}: unverified: it is fed parsed objects; {boundary.guarantee}".rstrip("; ")
            )
    for unseen, places in sorted(
        tallied.unseen.items(), key=lambda item: (order[item[0].boundary], item[0].verdicts, item[0].what)
    ):
        verdicts.update(unseen.verdicts)
        lines.append(f"{unseen.boundary}: {unseen.what}, {_of(places, total)}: {_verdicts(unseen.verdicts)}")
    for verdict, count, what in (
        (1, tallied.executed, "no request was executed"),
        (3, tallied.rejected, "no request was asked that the policy rejects"),
        (5, tallied.accepted, "no request was asked that is a control"),
        (
            5,
            tallied.through or not (tallied.accepted and tallied.executed),
            "no control was accepted where it is executed",
        ),
    ):
        if not count:
            verdicts.add(verdict)
            lines.append(f"{what}: {_verdicts((verdict,))}")
    return tuple(lines), frozenset(verdicts)


def note_lines(stack: Stack, tallied: Tally, total: int) -> Iterator[str]:
    """Lines of information, by boundary."""
    order = {boundary.name: place for place, boundary in enumerate(stack.boundaries)}
    notes = dict(tallied.notes)
    for name, places in tallied.bools.items():
        if name not in tallied.more:
            notes[
                name,
                "returned only True, False or None, what it read and no verdict: `ctx.reject` says no",
            ] = places
    for (name, said), places in sorted(notes.items(), key=lambda item: (order[item[0][0]], item[0][1])):
        yield f"{name}: {said}, {_of(places, total)} (smallest: {min(places)[1]})"


def _of(places: list[tuple[int, str]], total: int) -> str:
    return f"{len(places):,} of {total:,} requests"


def _verdicts(numbers: Iterable[int]) -> str:
    named = [str(number) for number in numbers]
    if len(named) == 1:
        return f"verdict {named[0]} is unknown where it is not broken"
    return f"verdicts {', '.join(named[:-1])} and {named[-1]} are unknown where they are not broken"
