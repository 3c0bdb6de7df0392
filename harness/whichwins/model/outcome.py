"""What one subject did with one case."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    """How a case ended for a subject. Never merged into each other."""

    ACCEPT = "accept"
    """A value, wholly materialised."""
    REJECT = "reject"
    """The library said no, in a way its manifest lists as saying no."""
    FAULT = "fault"
    """Any other failure inside a living worker (RecursionError, an internal error, ...)."""
    CRASH = "crash"
    """The worker died."""
    TIMEOUT = "timeout"
    """Killed at the time limit, with its whole process group."""
    GARBLED = "garbled"
    """The worker broke the protocol."""
    UNSUPPORTED = "unsupported"
    """The case cannot be put to this entry point at all: no statement about the parser."""
    ABSENT = "absent"
    """The subject could not be started."""


class Observation(NamedTuple):
    """An outcome with what belongs to it.

    `value` is the notation text of an accepted value (or, for `emit`, the emitted bytes as
    Latin-1 text). `stage` is decode, parse or bind for a rejection. `error` is the error's
    class name, `signal` what killed a worker (`SIGSEGV`, `exit 7`), `reason` why something is
    unsupported, garbled or absent. `message` is the parser's own text: it may quote the input,
    so it is shown on request only and never stored. `unstable` flags a death or timeout that
    did not repeat.
    """

    outcome: Outcome
    value: str | None = None
    stage: str | None = None
    error: str | None = None
    signal: str | None = None
    reason: str | None = None
    message: str | None = None
    unstable: bool = False
