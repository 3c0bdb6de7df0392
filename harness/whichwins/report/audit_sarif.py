"""An audit as SARIF 2.1.0: a rule is a fault, a result a finding, at the line of the boundary at fault."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.audit.result import AuditResult, Fault, Finding
from whichwins.model import Allow, Place
from whichwins.report import lapses, sarif_log
from whichwins.report.audit_words import (
    FAULTS_SAID,
    cause_said,
    details,
    place_of,
    shown_place,
    title,
    unverified,
    who,
)
from whichwins.report.change import named, short
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.sarif_log import Log, Result, Rule
from whichwins.report.text import spelled
from whichwins.report.veil import Veil

_UNVERIFIED = Rule(
    "unverified-boundary",
    "warning",
    "Unverified boundary",
    "Nothing is proven of this boundary: it is fed parsed objects, or what it executes cannot be seen.",
    (
        "Let it read raw text, or name its sink, so that it can be seen.",
        "Until then take its guarantee for what it is: a word.",
    ),
)


def audit_sarif(result: AuditResult, veil: Veil) -> str:
    """The audit as a SARIF log with one run, within GitHub's limits; what is left out is said in a result."""
    place = shown_place(result.stack, Place(result.stack.place, 1))
    notes = [*result.unknown, *result.notes]
    return sarif_log.sarif(
        Log("audit", title(result), list(_results(result, veil)), result.incomplete, notes, place)
    )


def _results(result: AuditResult, veil: Veil) -> Iterator[Result]:
    for finding in result.findings:
        yield _result(result, finding, veil)
    for line in unverified(result.lines):
        said = f"{short(line.name)} is unverified: {short(line.why, 400) or 'nothing is proven'}."
        place = place_of(result.stack, line.name)
        yield Result(_UNVERIFIED, "warning", said, place, ("unverified", line.name), {})
    for lapse in result.lapses:
        yield lapses.result(lapse)
    for one in result.excused:
        for finding in one.findings:
            yield _result(result, finding, veil, one.allow)


def _result(result: AuditResult, finding: Finding, veil: Veil, allow: Allow | None = None) -> Result:
    facts = {plain(name): "".join(map(spelled, spans_of(cell))) for name, cell in details(finding, veil)}
    said = "; ".join(f"{name} {fact}" for name, fact in facts.items())
    message = f"{who(finding)}: {FAULTS_SAID[finding.fault].name}, {cause_said(finding)}: {said}."
    properties = {
        "fault": finding.fault,
        "boundary": plain(short(finding.boundary)),
        "other": plain(short(finding.other)),
        "cause": plain(cause_said(finding)),
        **{name: facts[name] for name in ("case", "input", "policy says")},
    }
    return Result(
        _rule(finding.fault),
        "error" if allow is None else "note",
        message,
        place_of(result.stack, finding.boundary) if allow is None else named(allow.place),
        (finding.fault, finding.boundary, finding.other, finding.case),
        properties,
        None if allow is None else lapses.justification(allow),
    )


def _rule(fault: Fault) -> Rule:
    said = FAULTS_SAID[fault]
    return Rule(fault, "error", said.name[0].upper() + said.name[1:], said.about, said.help)
