"""What subjects of built adapters must answer: rows of an input and an answer, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.adapters.started import greeting, outcomes, start
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Limits

Rows = Sequence[tuple[bytes, str]]
HERE = "node"
"""Started as this machine is: nothing is added to the environment."""


def wrong(key: str, rows: Rows) -> list[tuple[bytes, str, str]]:
    """The rows that a subject answers otherwise: input, what is right, what it said."""
    said = outcomes(key, HERE, *(data for data, _ in rows))
    return [(data, want, got) for (data, want), got in zip(rows, said, strict=True) if got != want]


def untested(adapter: str, tables: Mapping[str, Rows]) -> list[str]:
    """The subjects of an adapter that have fewer than five rows, and the tables of no subject."""
    keys = {subject.key for subject in select(load_adapters(), [f"{adapter}/*"])}
    return sorted(key for key in keys | tables.keys() if key not in keys or len(tables.get(key, ())) < 5)


def ill(pattern: str) -> dict[str, list[str]]:
    """What the doctor finds, by subject; each must be there."""
    subjects = select(load_adapters(), [pattern])
    launches = {subject.key: start(subject.key, HERE) for subject in subjects}
    found: dict[str, list[str]] = {}
    for one in examine(subjects, launches, Limits(case_seconds=30), jobs=2):
        said = [f"{check.name}: {finding}" for check in one.checks for finding in check.findings]
        if one.absent or said:
            found[one.subject] = [*([one.absent] if one.absent else []), *said]
    return found


__all__ = ["HERE", "Rows", "greeting", "ill", "untested", "wrong"]
