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
    level,
    place_of,
    short,
    stood_for,
    title,
)
from whichwins.report.document import spans_of
from whichwins.report.text import spelled


def workflow_commands(gate: Gate) -> str:
    """`::error` a group of changes, `::warning` who answers again and an exception that lapsed, `::notice`
    what is excused, and what a gate stood for in which nothing changed.
    """
    errors: list[Annotation] = []
    if incomplete := gate.changes.incomplete:
        errors.append(Annotation("Not everything was measured", first(incomplete)))
    groups = gravest_first(gate.changes.groups, lambda group: group.kind)
    errors += [_group(gate, group) for group in groups if level(group.kind) == "error"]
    warnings = [_group(gate, group) for group in groups if level(group.kind) == "warning"]
    warnings += map(lapses.annotation, gate.lapses)
    notices = [lapses.excused_annotation(one.allow, len(one.changes), "change") for one in gate.excused]
    if notes := gate.changes.notes:
        notices.append(Annotation("Notes", first(notes)))
    if not errors and not warnings:
        notices.insert(0, Annotation("whichwins", (title(gate), *first(stood_for(gate.changes.pairings)))))
    return commands(errors, warnings, notices)


def _group(gate: Gate, group: ChangeGroup) -> Annotation:
    facts = details(group.witness)
    lines = [f"{name}: {''.join(map(spelled, spans_of(cell)))}" for name, cell in facts]
    lines += [f"to keep the old: {short(say)}" for say in group.keeps[:LINES]]
    return Annotation(group_title(group, True), tuple(lines), place_of(gate, group.subject), group.count)
