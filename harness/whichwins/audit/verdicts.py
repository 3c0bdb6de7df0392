"""The five verdicts of an audit on one request.

    for finding in findings_of(Asked(world, case)): ...

Twins are controls: they are no finding of verdicts 1 to 4, and tell a boundary that rejects the repeat from
one that rejects something else. What cannot be seen is told by `audit.unseen`, never guessed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.result import Cause
from whichwins.audit.asked import JUDGES, Asked, Path, ended
from whichwins.audit.causes import why_refused, why_rejected
from whichwins.audit.findings import finding, times
from whichwins.audit.held import disagreements
from whichwins.audit.passage import Passed
from whichwins.audit.result import Finding
from whichwins.audit.stack import Boundary
from whichwins.model import ACCEPT, REJECT

__all__ = ["findings_of"]

_NO = (Passed.REJECTED, Passed.FAILED)
_SERVER_ERROR = "http 5"


def findings_of(asked: Asked) -> Iterator[Finding]:
    """Everything that one request breaks, in the order of the verdicts, by boundary."""
    if asked.record.case.twin_of is None:
        yield from disagreements(asked)
        yield from _executions(asked)
        yield from _passed_on(asked)
        yield from _signals(asked)
    if asked.control:
        yield from _controls(asked)


def executors_of(asked: Asked) -> Iterator[Boundary]:
    """The boundaries that act on the request."""
    return (each for each in asked.world.stack.boundaries if each.role == "executor")


def _executions(asked: Asked) -> Iterator[Finding]:
    """Verdict 2: not accepted means no execution, accepted means exactly one."""
    for boundary in asked.world.stack.boundaries:
        passage = asked.passage(boundary)
        count = len(passage.executions or ())
        if count and passage.passed is not Passed.ACCEPTED:
            cause = Cause("other", passage.signal, "it was executed and then not accepted")
            said = f"{times(count)}, then {ended(passage)}"
            yield finding(asked, "ran-though-not-accepted", boundary, cause, "no execution", said)
        elif count and boundary.role != "executor":
            cause = Cause("other", "role", f"a {boundary.role} executes nothing")
            yield finding(asked, "ran-not-once", boundary, cause, "no execution", times(count))
        elif count > 1:
            cause = Cause("other", "more than once", "one request was executed more than once")
            yield finding(asked, "ran-not-once", boundary, cause, times(1), times(count))
    if asked.word.expected == REJECT:
        return  # that it ran at all is held against it by verdict 3
    for judge in asked.world.stack.boundaries:
        if judge.role not in JUDGES:
            continue
        passed = asked.passage(judge).passed
        unseen = passed is Passed.BLOCKED and not _refused_before(asked, judge)
        if passed not in _NO and not unseen:
            continue
        how = "never reached" if unseen else f"{ended(asked.passage(judge))} by"
        for executor in executors_of(asked):
            if asked.ran(executor):
                said = f"{how} {judge.name}, and executed"
                yield finding(
                    asked,
                    "ran-though-not-accepted",
                    executor,
                    why_refused(asked, judge),
                    "no execution",
                    said,
                    other=judge,
                )


def _refused_before(asked: Asked, judge: Boundary) -> bool:
    """Whether a request did not come to a judge because another judge said no: which is told of that one."""
    path = asked.world.paths[judge.name]
    stop = path[asked.end(path)]
    return stop.role in JUDGES and asked.passage(stop).passed in _NO


def _passed_on(asked: Asked) -> Iterator[Finding]:
    """Verdict 3: what the policy rejects is rejected at or before the first lossy boundary."""
    if asked.word.expected != REJECT:
        return
    seen: set[tuple[str, str]] = set()
    for executor in executors_of(asked):
        path = asked.world.paths[executor.name]
        late = _too_late(asked, path)
        if late is None:
            continue
        other, said = late
        lost = asked.first_loss(path)
        guilty, loss = (executor, None) if lost is None else (path[lost[0]], lost[1])
        if (guilty.name, other.name) not in seen:
            seen.add((guilty.name, other.name))
            cause = why_rejected(asked, loss)
            yield finding(
                asked,
                "passed-what-policy-rejects",
                guilty,
                cause,
                "rejected",
                said,
                other=other,
                lost=None if loss is None else (guilty, loss),
            )


def _too_late(asked: Asked, path: Path) -> tuple[Boundary, str] | None:
    """Where a request that should have been rejected ended, and how; None where it was stopped in time."""
    executor, end = path[-1], asked.end(path)
    if asked.ran(executor):
        count = asked.passage(executor).executions
        return executor, "accepted" if count is None else f"executed {times(len(count), '')}"
    if end == len(path):
        return executor, "accepted by all, and not executed"  # that nothing ran is no rejection
    if asked.passage(path[end]).passed in (Passed.UNSUPPORTED, Passed.ABSENT):
        return None
    lost = asked.first_loss(path[:end])
    return (
        None
        if lost is None
        else (path[end], f"{ended(asked.passage(path[end]))} at {path[end].name}, behind it")
    )


def _signals(asked: Asked) -> Iterator[Finding]:
    """Verdict 4: success means that it was done, and a rejection is no server error."""
    for boundary in asked.world.stack.boundaries:
        passage = asked.passage(boundary)
        if passage.passed is Passed.ACCEPTED and boundary.role == "executor" and passage.executions == ():
            cause = Cause("other", "not executed", "it was accepted and nothing was executed")
            said = f"{ended(passage)}, no execution"
            yield finding(asked, "false-success", boundary, cause, times(1), said)
        elif (
            (
                passage.passed is Passed.FAILED
                or (passage.passed is Passed.REJECTED and passage.signal.startswith(_SERVER_ERROR))
            )
            # Of a control verdict 5 tells it.
            and (asked.word.expected != ACCEPT or not asked.control)
            and not passage.executions
        ):
            cause = why_rejected(asked)
            yield finding(asked, "rejection-as-error", boundary, cause, "rejected", ended(passage))


def _controls(asked: Asked) -> Iterator[Finding]:
    """Verdict 5: what the policy accepts is accepted on every way to one who judges or acts."""
    done: set[str] = set()
    for last in asked.world.stack.boundaries:
        if last.role not in JUDGES and last.role != "executor":
            continue
        path = asked.world.paths[last.name]
        end = asked.end(path)
        if end == len(path):
            continue
        boundary = path[end]
        passage = asked.passage(boundary)
        if passage.passed is Passed.BLOCKED and path[end - 1].name not in done:
            boundary = path[end - 1]
            done.add(boundary.name)
            cause = Cause("other", "handed on", "it was accepted, and nothing was handed on")
            said = f"accepted, and nothing came to {path[end].name}"
            yield finding(asked, "control-rejected", boundary, cause, "handed on", said)
        if boundary.name in done or passage.executions or passage.passed not in _NO:
            continue
        done.add(boundary.name)
        cause = why_refused(asked, boundary)
        yield finding(asked, "control-rejected", boundary, cause, "accepted", ended(passage))
