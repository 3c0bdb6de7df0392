"""Workflow commands: annotations of a build on GitHub.

A step shows ten annotations of each type. So one should stand for a group of findings, the gravest first; the
tenth says how many more there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from whichwins.analysis.counting import plural
from whichwins.model import Place
from whichwins.report.change import short
from whichwins.report.safe import plain

SHOWN = 10
"""Annotations of one type that GitHub shows for a step."""
LINES = 5
"""Lines of a list in an annotation."""


class Annotation(NamedTuple):
    """A title and lines of raw text, where they stand, how many findings they are for."""

    title: str
    lines: tuple[str, ...]
    place: Place | None = None
    counts: int = 1


def commands(
    errors: Sequence[Annotation], warnings: Sequence[Annotation], notices: Sequence[Annotation]
) -> str:
    """The annotations as lines for a step's output."""
    return "".join(
        _command(name, annotation)
        for name, group in (("error", errors), ("warning", warnings), ("notice", notices))
        for annotation in _ten(group)
    )


def first(lines: Sequence[str]) -> tuple[str, ...]:
    """The first lines of a list; the last says how many more there are."""
    left = len(lines) - LINES
    return (
        *(short(line) for line in lines[:LINES]),
        *((f"{plural(left, 'line')} more.",) if left > 0 else ()),
    )


def _ten(group: Sequence[Annotation]) -> list[Annotation]:
    if len(group) <= SHOWN:
        return list(group)
    left = group[SHOWN - 1 :]
    findings = sum(annotation.counts for annotation in left)
    said = f"{plural(len(left), 'annotation')} more, for {plural(findings, 'finding')}: the summary has them."
    return [*group[: SHOWN - 1], Annotation(f"{len(left):,} more", (said,), left[0].place)]


def _command(name: str, annotation: Annotation) -> str:
    properties = [("title", annotation.title)]
    if annotation.place is not None:
        properties[:0] = [("file", annotation.place.file), ("line", str(annotation.place.line))]
    said = ",".join(f"{key}={_property(value)}" for key, value in properties)
    return f"::{name} {said}::{'%0A'.join(map(_data, annotation.lines))}\n"


def _data(text: str) -> str:
    # Printable ASCII: no line ends in it. No `::` either, where some other reader looks within a line.
    return re.sub(r":(?=:)|^:|:$", r"\\u{3A}", plain(text)).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
