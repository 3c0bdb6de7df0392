"""A whole audit for JSON: values hidden unless they are to be shown, places relative, nothing cut."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from whichwins.audit.result import AuditResult, Finding
from whichwins.report.audit_case import passage_data
from whichwins.report.audit_words import VERDICTS, over, shown_place, state_of, verdict, what
from whichwins.report.change import named
from whichwins.report.document import Code, spans_of
from whichwins.report.veil import Veil


def audit_data(result: AuditResult, veil: Veil, *, everything: bool = False) -> dict[str, Any]:
    """Everything that an audit says; with `everything` every passage of every request too."""
    stack = result.stack
    data: dict[str, Any] = {
        "verdict": verdict(result),
        "verdicts": [
            {"number": number, "says": said, "is": state_of(result, number)}
            for number, said in VERDICTS.items()
        ],
        "stack": {
            "name": stack.name,
            "file": shown_place(stack, replace(stack.boundaries[0].place, file=stack.place)).file
            if stack.boundaries
            else "",
            "policy": {
                "layer": stack.policy.layer,
                "limits": {
                    field.name: getattr(stack.policy.limits, field.name)
                    for field in fields(stack.policy.limits)
                },
                "names": None if stack.policy.names is None else sorted(stack.policy.names),
                "aliases": dict(sorted(stack.policy.aliases.items())),
            },
        },
        "lens": result.lens,
        "corpus": result.corpus,
        "cases": result.cases,
        "boundaries": [{**_plain(line), "what": what(line, stack)} for line in result.lines],
        "families": result.families,
        "findings": [_finding(finding, veil) for finding in result.findings],
        "groups": [
            {**_plain(group), "witness": {"case": group.witness.case, "length": group.witness.length}}
            for group in result.groups
        ],
        "excused": [
            {
                "allow": replace(one.allow, place=named(one.allow.place)),
                "findings": [_finding(finding, veil) for finding in one.findings],
            }
            for one in result.excused
        ],
        "lapses": [
            replace(one, allow=replace(one.allow, place=named(one.allow.place))) for one in result.lapses
        ],
        "unknown": result.unknown,
        "notes": result.notes,
        "incomplete": result.incomplete,
        "values_shown": veil.show,
    }
    places = {boundary.name: shown_place(stack, boundary.place) for boundary in stack.boundaries}
    for line in data["boundaries"]:
        line["place"] = places.get(line["name"])
    if result.received is not None:
        total, lines = result.received
        data["received"] = {"all": total._asdict(), "lines": [line._asdict() for line in lines]}
    if everything:
        data["passages"] = {
            case: {name: passage_data(passage, veil.of(case, name)) for name, passage in row.items()}
            for case, row in result.passages.items()
        }
    return data


def _plain(item: Any) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)}


def _finding(finding: Finding, veil: Veil) -> dict[str, Any]:
    data = _plain(finding)
    if veil.show:
        return data
    over_case, veil = veil.of(finding.case), over(finding, veil)
    show = veil.hidden_digest if finding.fault == "digest-differs" else veil.said
    if finding.fault not in ("value-differs", "digest-differs"):
        show = veil.outcome
    data["left"], data["right"] = show(finding.left), show(finding.right)
    if finding.data is not None and not over_case.shows(finding.data, whole=True):
        data["data"] = {"left_out": len(finding.data)}
    if finding.pointer is not None and not veil.shows_place(finding.pointer, finding.data):
        data["pointer"] = None
        data["differs_at"] = "".join(
            span.text if isinstance(span, Code) else str(span)
            for span in spans_of(veil.place(finding.pointer, finding.data))
        )
    return data
