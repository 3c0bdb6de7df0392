"""What is in the cache of environments, listed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from whichwins.provision.stored import Pruned, Stored
from whichwins.report.document import Code, Document, Table, paragraph

_MEBIBYTE = 1024 * 1024


def environments(stored: Sequence[Stored]) -> Document:
    """A line for each: what was asked for, what it stands on, size, last use (UTC), name."""
    if not stored:
        return [paragraph("The cache is empty: KEY@VERSION fills it.")]
    rows = tuple(
        (
            Code(each.holds.get("request", "") or "?"),
            each.holds.get("on", each.holds.get("toolchain", "")),
            _size(each.size),
            _day(each.used),
            Code(each.name) if each.whole else (Code(each.name), " (damaged)"),
        )
        for each in stored
    )
    headers = ("asked for", "stands on", "MiB", "last used", "environment")
    total = sum(each.size for each in stored)
    count = f"{len(stored)} environment{'s' if len(stored) != 1 else ''}"
    return [Table(headers, rows, frozenset({2})), paragraph(f"{count}, {_size(total)} MiB.")]


def pruned(done: Sequence[Pruned], *, dry_run: bool) -> Document:
    """What went, what stayed and why."""
    gone = [each for each in done if each.removed]
    rows = tuple(
        (
            Code(each.stored.name),
            f"kept: {each.kept}" if each.kept else "would go" if dry_run else "removed",
            _size(each.stored.size),
        )
        for each in done
    )
    freed = _size(sum(each.stored.size for each in gone))
    said = paragraph(f"{len(gone)} of {len(done)} {'would go' if dry_run else 'removed'}, {freed} MiB.")
    return [Table(("environment", "", "MiB"), rows, frozenset({2})), said] if rows else [said]


def _day(seconds: float) -> str:
    """The day of a time, which a file system may have from anywhere."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return "?"


def _size(count: int) -> str:
    return f"{count / _MEBIBYTE:,.1f}"
