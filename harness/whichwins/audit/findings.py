"""Findings, made of a request and what it breaks."""

from __future__ import annotations

from whichwins.analysis.result import Cause
from whichwins.audit.asked import Asked
from whichwins.audit.result import Fault, Finding, Loss
from whichwins.audit.stack import Boundary


def finding(
    asked: Asked,
    fault: Fault,
    boundary: Boundary,
    cause: Cause,
    left: str,
    right: str,
    *,
    other: Boundary | None = None,
    lost: tuple[Boundary, Loss] | None = None,
    pointer: str | None = None,
) -> Finding:
    """A finding on a request. `left` is what was expected, or `other`'s value; `right` is `boundary`'s."""
    record, word = asked.record, asked.word
    return Finding(
        fault=fault,
        case=record.case.id,
        family=record.case.family,
        length=record.length,
        boundary=boundary.name,
        other="" if other is None or other is boundary else other.name,
        expected=word.expected,
        clause=word.clause,
        cause=cause.name,
        kind=cause.kind,
        lossy=None if lost is None else lost[0].name,
        loss=None if lost is None else lost[1],
        left=left,
        right=right,
        pointer=pointer,
        data=record.data,
    )


def times(count: int, what: str = "execution") -> str:
    """`1 execution`, `2 executions`; without a word `once`, `2 times`."""
    if not what:
        return "once" if count == 1 else f"{count} times"
    return f"{count} {what}" + ("" if count == 1 else "s")
