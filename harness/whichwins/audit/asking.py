"""How a boundary is asked, and what its answer says: one way for parsers, one for what is the user's."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from whichwins.audit.deliver import VERB
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.record import GARBLED, TIMEOUT
from whichwins.audit.stack import Boundary, Role
from whichwins.model import Observation, Outcome, Subject
from whichwins.workers.contract import Launch

PARSE, EMIT = "parse", "emit"

_PASSED = {
    Outcome.ACCEPT: Passed.ACCEPTED,
    Outcome.REJECT: Passed.REJECTED,
    Outcome.UNSUPPORTED: Passed.UNSUPPORTED,
    Outcome.ABSENT: Passed.ABSENT,
}


class Way(Enum):
    """`READ`: a parser, whose value is what it understood. `DELIVER`: it says what happened, in a record."""

    READ = "read"
    DELIVER = "deliver"


class Member(NamedTuple):
    """A boundary, as whom a pool asks it, and how its worker is started (or why it cannot be)."""

    boundary: Boundary
    subject: Subject
    launch: Launch | str


def way_of(capabilities: Sequence[str]) -> Way:
    """How a worker that has these is asked."""
    return Way.DELIVER if VERB in capabilities else Way.READ


def answer(role: Role, seen: Observation) -> Passage:
    """What a parser's answer to `parse` says of a boundary with this role.

    What an executor accepts it runs, once; what a reviewer accepts it shows. A parser runs nothing else.
    """
    passed = _PASSED.get(seen.outcome, Passed.FAILED)
    if passed is Passed.ACCEPTED and seen.value is not None:
        value = seen.value
        return Passage(
            passed,
            value,
            previews=(Preview("", value),) if role == "reviewer" else (),
            executions=(value,) if role == "executor" else (),
            unstable=seen.unstable,
        )
    signal = f"exception {seen.error}" if seen.error else seen.signal or ""
    reason = seen.reason or seen.message or ""
    if seen.outcome is Outcome.TIMEOUT:
        signal, reason = TIMEOUT, "no answer in time"
    elif seen.outcome is Outcome.GARBLED:
        reason = GARBLED
    return Passage(passed, signal=signal, reason=reason, unstable=seen.unstable)


def in_role(role: Role, found: Passage) -> Passage:
    """What a ready-made boundary's record says in a role: its handler is a tool for an executor alone.

    Elsewhere what the handler was given is what the boundary understood, and what a reviewer shows.
    """
    given = found.executions
    if role == "executor" or given is None:
        return found
    value = given[-1] if given else found.value
    shown = found.previews
    if role == "reviewer" and not shown and found.passed is Passed.ACCEPTED and value is not None:
        shown = (Preview("", value),)
    return found._replace(value=value, previews=shown, executions=(), executed=())


def emission(seen: Observation) -> bytes | None:
    """The bytes that a parser's own writer made of a text; None where it made none."""
    if seen.outcome is not Outcome.ACCEPT or seen.value is None:
        return None
    return seen.value.encode("latin-1")
