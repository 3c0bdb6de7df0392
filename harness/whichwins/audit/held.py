"""Verdict 1: what reviewers, validators, approvers and executors held in their hands when a request ran."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whichwins.analysis.result import Cause
from whichwins.audit.asked import JUDGES, Asked
from whichwins.audit.causes import apart
from whichwins.audit.findings import finding
from whichwins.audit.passage import Passed
from whichwins.audit.result import Finding, Loss
from whichwins.audit.stack import Boundary
from whichwins.audit.unread import no_digest, readable

_DIGEST = Cause("other", "digest", "what was executed is not what was approved")


def disagreements(asked: Asked) -> Iterator[Finding]:
    """Every executor that ran, held against everybody else who held a value or approved a digest."""
    for executor in asked.world.stack.boundaries:
        if executor.role != "executor" or not asked.ran(executor):
            continue
        for other in asked.world.stack.boundaries:
            # Of two executors the first by name is held against: the order in a file says nothing.
            rival = other.role == "executor" and other.name < executor.name and asked.ran(other)
            theirs = held(asked, other) if other.role in JUDGES or rival else ()
            if other.role != "reviewer":  # whoever shows something shows it to somebody who reviews
                theirs = tuple(dict.fromkeys((*theirs, *asked.shown(other))))
            if theirs or other.role in JUDGES:
                yield from _against(asked, executor, other, theirs)


def _against(asked: Asked, executor: Boundary, other: Boundary, theirs: Sequence[str]) -> Iterator[Finding]:
    found = _first_apart(asked, (other, executor), theirs, held(asked, executor))
    approved, executed = asked.passage(other).approved, asked.passage(executor).executed
    if other.role == "approver" and approved is not None and executed:
        known = [] if no_digest(approved) else [digest for digest in executed if not no_digest(digest)]
        wrong = next((digest for digest in known if digest != approved), None)
        if wrong is not None:
            cause, pointer = _DIGEST, None
            if found is not None:
                parting = apart(asked, (other, executor), found)
                cause, pointer = parting.cause, parting.pointer
            yield finding(
                asked,
                "digest-differs",
                executor,
                cause,
                approved,
                wrong,
                other=other,
                lost=_lost(asked, executor, other),
                pointer=pointer,
            )
            return
    if found is not None:
        parting = apart(asked, (other, executor), found)
        yield finding(
            asked,
            "value-differs",
            executor,
            parting.cause,
            parting.left,
            parting.right,
            other=other,
            lost=_lost(asked, executor, other),
            pointer=parting.pointer,
        )


def _lost(asked: Asked, executor: Boundary, other: Boundary) -> tuple[Boundary, Loss] | None:
    """The first lossy boundary on the way to the executor, or else on the way to the other one."""
    for boundary in (executor, other):
        path = asked.world.paths[boundary.name]
        lost = asked.first_loss(path)
        if lost is not None:
            return path[lost[0]], lost[1]
    return None


def held(asked: Asked, boundary: Boundary) -> tuple[str, ...]:
    """The values that a boundary showed, judged or ran, each once; empty where it did not say.

    Of a sequence of previews at one place that only grew, as a stream does, the last one counts.
    """
    passage = asked.passage(boundary)
    accepted = passage.passed is Passed.ACCEPTED
    said = (passage.value,) if accepted and passage.value is not None else ()
    if boundary.role == "executor":
        return tuple(dict.fromkeys(passage.executions or said))
    if boundary.role == "reviewer" and passage.previews:
        return asked.shown(boundary)
    return said


def converted(
    asked: Asked, boundaries: tuple[Boundary, Boundary], values: tuple[str, str]
) -> tuple[str, str] | None:
    """Two values as they can be compared: through the conversions that one of them has behind it.

    None where it cannot be said what they would have to be.
    """
    steps = [[each.name for each in asked.world.paths[b.name] if each.transform] for b in boundaries]
    shared = 0
    while shared < min(map(len, steps)) and steps[0][shared] == steps[1][shared]:
        shared += 1
    rest = [steps[0][shared:], steps[1][shared:]]
    if not rest[0] and not rest[1]:
        return values
    if (rest[0] and rest[1]) or asked.world.convert is None:
        return None
    behind = 0 if rest[0] else 1  # the other one's value has yet to be converted
    value: str | None = values[1 - behind]
    for name in rest[behind]:
        value = None if value is None else asked.world.convert(name, value)
    if value is None:
        return None
    return (values[0], value) if behind == 0 else (value, values[1])


def _first_apart(
    asked: Asked, boundaries: tuple[Boundary, Boundary], theirs: Sequence[str], mine: Sequence[str]
) -> tuple[str, str] | None:
    """The first two values that are not the same under the stack's lens."""
    normal = asked.world.normal
    for one in theirs:
        for other in mine:
            if one == other and not any(
                each.transform for b in boundaries for each in asked.world.paths[b.name]
            ):
                continue
            pair = converted(asked, boundaries, (one, other))
            pair = None if pair is None else readable(*pair)
            if pair is not None and pair[0] != pair[1] and normal(pair[0]) != normal(pair[1]):
                return pair
    return None
