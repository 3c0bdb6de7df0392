"""What one boundary did with one request."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Passed(StrEnum):
    """How a request ended at a boundary. Never merged into each other."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FAILED = "failed"
    """It raised, died, or hung: neither accepted nor rejected."""
    UNSUPPORTED = "unsupported"
    """The bytes cannot be put to it: no statement."""
    BLOCKED = "blocked"
    """It never saw the request: an earlier boundary did not pass it on."""
    ABSENT = "absent"
    """It could not be started."""


class Preview(NamedTuple):
    """A value that somebody was shown, in notation, and where."""

    where: str
    value: str


class Passage(NamedTuple):
    """One boundary, one request.

    `value` is what it understood, in notation (None: it did not say). `previews` in the order in which they
    were shown; `executions` the final arguments of each execution, in order, also of those after which it
    failed; None where executions cannot be seen: unknown, never none. `signal` is how it said so: `exception
    ValueError`, `http 400`, `http 200 with an error body`, `exit 1`, empty where it just returned.
    `approved` is
    the digest that an approver allowed, `executed` the digests that were executed. `emitted` is what the next
    boundary reads. `decoders` are the JSON decoders seen at work, `library version`. `growing`: something
    that it began still ran when it was last looked at, so that more may have been executed since.
    """

    passed: Passed
    value: str | None = None
    previews: tuple[Preview, ...] = ()
    executions: tuple[str, ...] | None = ()
    signal: str = ""
    approved: str | None = None
    executed: tuple[str, ...] = ()
    emitted: bytes | None = None
    decoders: tuple[str, ...] = ()
    reason: str = ""
    unstable: bool = False
    growing: bool = False


def understood(passage: Passage) -> str | None:
    """What a boundary made of a request: its last final arguments, else what it said."""
    return passage.executions[-1] if passage.executions else passage.value
