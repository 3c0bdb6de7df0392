"""A judged change as workflow commands: annotations of a build on GitHub.

One stands for a group of changes, the gravest first.
"""

from __future__ import annotations

from whichwins.analysis.change_result import ChangeGroup, Gate
from whichwins.report import lapses
from whichwins.report.annotations import LINES, Annotation, commands, first
from whichwins.report.change import (
    details,
    gravest_first,
    group_title,
    place_of,
    short,
    title,
)
from whichwins.report.document import spans_of
from whichwins.report.text import spelled


def workflow_commands(gate: Gate) -> str:
    """`::error` a group of changes, `::warning` an exception that lapsed, `::notice` what is excused."""
    errors: list[Annotation] = []
    if incomplete := gate.changes.incomplete:
        errors.append(Annotation("Not everything was measured", first(incomplete)))
    groups = gravest_first(gate.changes.groups, lambda group: group.kind)
    errors += [_group(gate, group) for group in groups]
    notices = [lapses.excused_annotation(one.allow, len(one.changes), "change") for one in gate.excused]
    if notes := gate.changes.notes:
        notices.append(Annotation("Notes", first(notes)))
    if not errors and not gate.lapses:
        notices.insert(0, Annotation("whichwins", (title(gate),)))
    return commands(errors, list(map(lapses.annotation, gate.lapses)), notices)


def _group(gate: Gate, group: ChangeGroup) -> Annotation:
    facts = details(group.witness)
    lines = [f"{name}: {''.join(map(spelled, spans_of(cell)))}" for name, cell in facts]
    lines += [f"to keep the old: {short(say)}" for say in group.keeps[:LINES]]
    return Annotation(group_title(group, True), tuple(lines), place_of(gate, group.subject), group.count)
