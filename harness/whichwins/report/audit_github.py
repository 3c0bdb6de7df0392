"""An audit as workflow commands: an error stands for a group of findings, at the boundary at fault."""

from __future__ import annotations

from whichwins.audit.result import AuditResult, FindingGroup
from whichwins.model import Place
from whichwins.report import lapses
from whichwins.report.annotations import Annotation, commands, first
from whichwins.report.audit_words import (
    FAULTS_SAID,
    details,
    group_title,
    place_of,
    shown_place,
    title,
    unverified,
)
from whichwins.report.change import short
from whichwins.report.document import spans_of
from whichwins.report.text import spelled
from whichwins.report.veil import Veil


def audit_commands(result: AuditResult, veil: Veil) -> str:
    """`::error` a group of findings, `::warning` what is unknown, `::notice` the verdict and the rest."""
    stack = result.stack
    errors: list[Annotation] = []
    if result.incomplete:
        errors.append(Annotation("Not everything was measured", first(result.incomplete)))
    errors += [_group(result, group, veil) for group in result.groups]
    warnings = [
        Annotation(
            f"Unverified: {short(line.name, 60)}",
            (short(line.why) or "nothing is proven",),
            place_of(stack, line.name),
        )
        for line in unverified(result.lines)
    ]
    if result.unknown:
        warnings.append(
            Annotation("Unknown", first(result.unknown), shown_place(stack, Place(stack.place, 1)))
        )
    warnings += map(lapses.annotation, result.lapses)
    notices = [lapses.excused_annotation(one.allow, len(one.findings), "finding") for one in result.excused]
    if result.notes:
        notices.append(Annotation("Notes", first(result.notes)))
    notices.insert(0, Annotation("whichwins audit", (title(result),)))
    return commands(errors, warnings, notices)


def _group(result: AuditResult, group: FindingGroup, veil: Veil) -> Annotation:
    lines = [
        f"{name}: {''.join(map(spelled, spans_of(cell)))}" for name, cell in details(group.witness, veil)
    ]
    lines.append(FAULTS_SAID[group.fault].about)
    return Annotation(group_title(group), tuple(lines), place_of(result.stack, group.boundary), group.count)
