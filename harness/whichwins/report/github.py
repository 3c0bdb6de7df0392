"""A judged change as workflow commands: annotations of a build on GitHub.

A step shows ten annotations of each type. So one stands for a group of changes, the gravest first, and the
tenth says how many more there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from whichwins.analysis.change_result import ChangeGroup, Excused, Gate, Lapse
from whichwins.model import Place
from whichwins.report.change import (
    allow_said,
    details,
    gravest_first,
    group_title,
    lapse_said,
    named,
    place_of,
    short,
    title,
    until_said,
)
from whichwins.report.comparison import plural
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.text import spelled

SHOWN = 10
"""Annotations of one type that GitHub shows for a step."""

_KEEPS = 5


class _Annotation(NamedTuple):
    title: str
    lines: tuple[str, ...]
    place: Place | None = None
    counts: int = 1


def workflow_commands(gate: Gate) -> str:
    """`::error` a group of changes, `::warning` an exception that lapsed, `::notice` what is excused."""
    errors: list[_Annotation] = []
    if incomplete := gate.changes.incomplete:
        errors.append(_Annotation("Not everything was measured", _first(incomplete)))
    groups = gravest_first(gate.changes.groups, lambda group: group.kind)
    errors += [_group(gate, group) for group in groups]
    notices = [_excused(one) for one in gate.excused]
    if notes := gate.changes.notes:
        notices.append(_Annotation("Notes", _first(notes)))
    if not errors and not gate.lapses:
        notices.insert(0, _Annotation("whichwins", (title(gate),)))
    return "".join(
        _command(name, annotation)
        for name, some in (
            ("error", errors),
            ("warning", list(map(_lapse, gate.lapses))),
            ("notice", notices),
        )
        for annotation in _ten(some)
    )


def _first(lines: Sequence[str]) -> tuple[str, ...]:
    left = len(lines) - _KEEPS
    return (
        *(short(line) for line in lines[:_KEEPS]),
        *((f"{plural(left, 'line')} more.",) if left > 0 else ()),
    )


def _ten(some: Sequence[_Annotation]) -> list[_Annotation]:
    if len(some) <= SHOWN:
        return list(some)
    left = some[SHOWN - 1 :]
    changes = sum(annotation.counts for annotation in left)
    said = f"{plural(len(left), 'annotation')} more, for {plural(changes, 'finding')}: the summary has them."
    return [*some[: SHOWN - 1], _Annotation(f"{len(left):,} more", (said,), left[0].place)]


def _group(gate: Gate, group: ChangeGroup) -> _Annotation:
    facts = details(group.witness)
    lines = [f"{name}: {''.join(map(spelled, spans_of(cell)))}" for name, cell in facts]
    lines += [f"to keep the old: {short(say)}" for say in group.keeps[:_KEEPS]]
    return _Annotation(group_title(group, True), tuple(lines), place_of(gate, group.subject), group.count)


def _lapse(lapse: Lapse) -> _Annotation:
    name = "Exception expired" if lapse.kind == "allow-expired" else "Exception unused"
    lines = (lapse_said(lapse), f"covers: {allow_said(lapse.allow)}", f"reason: {short(lapse.allow.reason)}")
    return _Annotation(name, lines, named(lapse.allow.place))


def _excused(one: Excused) -> _Annotation:
    lines = (f"reason: {short(one.allow.reason)}", f"covers: {allow_said(one.allow)}", until_said(one.allow))
    name = f"{plural(len(one.changes), 'change')} excused"
    return _Annotation(name, tuple(filter(None, lines)), named(one.allow.place), len(one.changes))


def _command(name: str, annotation: _Annotation) -> str:
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
