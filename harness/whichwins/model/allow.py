"""Declared exceptions, and places in files that people can open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, from 1. `file` as the user named it, with forward slashes."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Allow:
    """An exception of `[[allow]]`: changes that are known and accepted, with the reason.

    `subject` and `case` are patterns (`fnmatch`, case-sensitive) over a subject's key without its version
    and over case ids; `kind` is a kind of change, `cause` the name of a cause (None: any). It holds until
    the day `expires` is over (UTC), and while the subject's library is older than `until_version`.
    """

    subject: str
    case: str
    kind: str
    reason: str
    place: Place
    cause: str | None = None
    expires: date | None = None
    until_version: str | None = None
