"""What an examination found."""

from __future__ import annotations

from dataclasses import dataclass

OK, FOUND, SKIPPED = "ok", "finding", "skipped"

CHECKS = ("start", "canaries", "protocol", "vectors", "order", "repeats", "depth")
"""The checks, in the order in which they are made."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong. `about` names a transcript, or is the input (shown as text) it was seen on."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """One check of one subject: how many things it looked at, and what it found.

    `state` is `ok`, `finding` or `skipped`, `why` says why it was skipped. `notes` are a parser's
    own ways: true, worth knowing, no fault of the adapter.
    """

    name: str
    state: str
    looked_at: int = 0
    findings: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Checkup:
    """All checks of one subject, in the order of CHECKS; `absent` says why it cannot be had here."""

    subject: str
    checks: tuple[Check, ...]
    absent: str | None = None

    @property
    def healthy(self) -> bool:
        """Whether nothing wrong was found."""
        return all(check.state != FOUND for check in self.checks)


def check(
    name: str, looked_at: int, findings: list[Finding], notes: list[Finding] | tuple[Finding, ...] = ()
) -> Check:
    """A check that was made."""
    return Check(name, FOUND if findings else OK, looked_at, tuple(findings), tuple(notes))


def skipped(name: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(name, SKIPPED, why=why)
