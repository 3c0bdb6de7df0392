"""Requests that came, as tables: how many, how many unseen, how many split, by where they came from."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.counting import plural
from whichwins.audit.result import AuditResult, RateLine
from whichwins.report.document import Block, Heading, Table, paragraph
from whichwins.report.extent import Extent, first_of, left_of
from whichwins.report.safe import plain

_WORD = 60
_NAMED = ("producer", "interface", "path")


def received(result: AuditResult, extent: Extent) -> Iterator[Block]:
    """What came, where requests that came were asked; nothing else."""
    if result.received is None:
        return
    total, lines = result.received
    yield Heading("Requests received")
    yield paragraph(
        "Rates are of all that were received. What has no raw text was not looked at: it counts as received,"
        " and as nothing else."
    )
    yield Table(
        ("", "requests", "of all"),
        tuple(
            (name, f"{count:,}", share(count, total.received))
            for name, count in (
                ("received", total.received),
                ("raw text not available", total.unavailable),
                ("repeated names in the text", total.repeated),
                ("accepted by some, not by others", total.parted),
                ("with a finding", total.split),
                *((f"- {cause}", count) for cause, count in total.causes.items()),
            )
        ),
        frozenset({1, 2}),
    )
    named = [name for name in _NAMED if any(getattr(line, name) for line in lines)]
    if not named:
        return
    causes = sorted(total.causes)
    shown = first_of(lines, extent)
    yield Table(
        (
            ", ".join(named),
            "received",
            "no raw text",
            "repeated names",
            "some accept",
            "with a finding",
            *causes,
        ),
        tuple(
            (
                # One column: it stands first in every part of a table that is too wide.
                ", ".join(plain(getattr(line, name), _WORD) or "(not said)" for name in named),
                f"{line.received:,}",
                *(counted(count, line) for count in _counts(line)),
                *(counted(line.causes.get(cause, 0), line) for cause in causes),
            )
            for line in shown
        ),
        frozenset(range(1, 6 + len(causes))),
    )
    yield from left_of(lines, extent, lambda left: plural(len(left), "line"))


def _counts(line: RateLine) -> tuple[int, ...]:
    return line.unavailable, line.repeated, line.parted, line.split


def counted(count: int, line: RateLine) -> str:
    """`3 (0.1%)`, of all that were received there."""
    return f"{count:,} ({share(count, line.received)})" if count else "0"


def share(count: int, whole: int) -> str:
    """A percentage with one digit; never 0.0% for something, nor 100.0% for less than all."""
    if not count:
        return "0%"
    if count == whole:
        return "100%"
    tenths = min(max(round(1000 * count / whole), 1), 999)
    return f"{tenths / 10:.1f}%"
