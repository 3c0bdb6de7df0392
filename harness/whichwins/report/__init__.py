"""Renderings of an analysis: pure functions to text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # names only: whoever renders has loaded what it renders
    from whichwins.analysis.agreement import Disagreement
    from whichwins.analysis.casebook import CaseSheet
    from whichwins.analysis.change_result import Gate
    from whichwins.analysis.result import Comparison, Explanation, PairDifference
    from whichwins.audit.result import AuditResult
    from whichwins.model import Case, Subject
    from whichwins.provision.stored import Pruned, Stored
    from whichwins.report.document import Document
    from whichwins.report.veil import Veil
    from whichwins.run.doctor import Checkup

LISTED = 20
"""Lines of a long list in a text report that was not asked for everything."""


def _render(document: Document, form: str, width: int) -> str:
    if form == "markdown":
        from whichwins.report import markdown

        return markdown.render(document)
    from whichwins.report import text

    return text.render(document, width)


def _json(result: object, name: str) -> str:
    from whichwins.report import json

    return json.render(result, name)


def comparison_report(result: Comparison, form: str, width: int = 100, *, everything: bool = False) -> str:
    """A comparison as `text`, `markdown` or `json`; text is a digest unless asked for `everything`."""
    if form == "json":
        return _json(result, "comparison")
    from whichwins.report.comparison import comparison

    listed = LISTED if form == "text" and not everything else None
    return _render(comparison(result, listed), form, width)


def comparison_page(result: Comparison, sheets: Iterable[CaseSheet]) -> str:
    """A comparison as one HTML page that needs no network; `sheets` are its casebook."""
    from whichwins.report.page import page

    return page(result, sheets)


def explanation_report(
    result: Explanation, identities: Mapping[str, Mapping[str, Any]], form: str, width: int = 100
) -> str:
    """One case explained; `identities` by subject, from the ledger's header."""
    if form == "json":
        return _json(result, "explanation")
    from whichwins.report.single import explanation

    return _render(explanation(result, identities), form, width)


def pair_report(result: PairDifference, form: str, width: int = 100, *, everything: bool = False) -> str:
    """What two subjects read differently."""
    if form == "json":
        return _json(result, "pair")
    from whichwins.report.single import pair_difference

    return _render(
        pair_difference(result, LISTED if form == "text" and not everything else None), form, width
    )


def subjects_report(
    chosen: Sequence[Subject], known: Mapping[str, Mapping[str, Any]], form: str, width: int = 100
) -> str:
    """Subjects with what they turned out to be."""
    if form == "json":
        return _json(
            {"subjects": {s.key: {**known[s.key], "install": s.install} for s in chosen}}, "subjects"
        )
    from whichwins.report.listing import subjects

    return _render(subjects(chosen, known), form, width)


def environments_report(stored: Sequence[Stored], form: str, width: int = 100) -> str:
    """The environments in the cache."""
    if form == "json":
        return _json({"environments": [_stored(each) for each in stored]}, "environments")
    from whichwins.report.environments import environments

    return _render(environments(stored), form, width)


def pruned_report(done: Sequence[Pruned], form: str, width: int = 100, *, dry_run: bool) -> str:
    """What became of environments."""
    if form == "json":
        rows = [{**_stored(each.stored), "removed": each.removed, "kept": each.kept} for each in done]
        return _json({"dry_run": dry_run, "environments": rows}, "pruned")
    from whichwins.report.environments import pruned

    return _render(pruned(done, dry_run=dry_run), form, width)


def _stored(each: Stored) -> dict[str, Any]:
    return {"name": each.name, "holds": each.holds, "bytes": each.size, "whole": each.whole}


def list_report(cases: Sequence[Case], form: str, width: int = 100) -> str:
    """Cases, a line each."""
    if form == "json":
        return _json(
            {"cases": [{"case": c.id, "length": len(c.data), "expect": c.expect} for c in cases]}, "cases"
        )
    from whichwins.report.listing import cases_list

    return _render(cases_list(cases), form, width)


def cases_report(cases: Sequence[Case], form: str, width: int = 100) -> str:
    """Cases in full."""
    if form == "json":
        return _json({"cases": cases}, "cases")
    from whichwins.report.listing import cases_shown

    return _render(cases_shown(cases), form, width)


def check_report(count: int, found: Sequence[Disagreement], form: str, width: int = 100) -> str:
    """Expectations held against the reference."""
    if form == "json":
        return _json({"cases": count, "disagreements": [d._asdict() for d in found]}, "check")
    from whichwins.report.listing import check

    return _render(check(count, found), form, width)


def health_report(
    chosen: Sequence[Subject],
    checkups: Sequence[Checkup],
    form: str,
    width: int = 100,
    *,
    everything: bool = False,
) -> str:
    """What an examination of adapters found; `everything` adds what parsers read in their own way."""
    from whichwins.report import health

    installs = {subject.key: subject.install for subject in chosen}
    if form == "json":
        return _json(health.health_data(checkups, installs), "doctor")
    return _render(health.health(checkups, installs, everything), form, width)


def gate_report(gate: Gate, form: str, width: int = 100, *, everything: bool = False) -> str:
    """A judged change as `text`, `markdown`, `json`, `html`, `junit`, `github` (annotations) or `sarif`.

    Text is a digest unless asked for `everything`; Markdown fits a comment of a pull request, and JSON
    alone is always whole. What is cut is said. ValueError for another form.
    """
    match form:
        case "text":
            from whichwins.report import text
            from whichwins.report.extent import Extent
            from whichwins.report.gate import gate_document

            extent = Extent() if everything else Extent(LISTED, every=False, rest="--all lists them")
            return text.render(gate_document(gate, extent), width)
        case "markdown":
            from whichwins.report.extent import COMMENT
            from whichwins.report.gate import within

            return within(gate, COMMENT)
        case "json":
            from whichwins.report.change import data

            return _json(data(gate), "gate")
        case "html":
            from whichwins.report.gate_page import gate_page

            return gate_page(gate)
        case "junit":
            from whichwins.report.junit import junit

            return junit(gate)
        case "github":
            from whichwins.report.github import workflow_commands

            return workflow_commands(gate)
        case "sarif":
            from whichwins.report.sarif import sarif

            return sarif(gate)
    raise ValueError(form)


def gate_verdict(gate: Gate) -> str:
    """The first line of a report on a judged change: printable ASCII."""
    from whichwins.report.change import title
    from whichwins.report.safe import plain

    return plain(title(gate))


def github_summary(gate: Gate, limit: int) -> str:
    """A judged change as Markdown for a step's summary, `limit` bytes at most: 1 MiB less what is there.

    Lists are cut until it fits, and that is said; empty where not even the verdict fits.
    """
    from whichwins.report.gate import within

    return within(gate, limit)


def _veil(result: AuditResult, show: bool, key: bytes) -> Veil:
    from whichwins.audit.public import labels_of, public_of
    from whichwins.report.veil import Veil

    return Veil(show, key, lambda case: public_of(result, case), result.own, labels_of(result))


def audit_report(
    result: AuditResult,
    form: str,
    width: int = 100,
    *,
    everything: bool = False,
    show_values: bool = False,
    key: bytes = b"",
) -> str:
    """An audit as `text`, `markdown`, `json`, `html`, `junit`, `github` (annotations) or `sarif`.

    Text is a digest unless asked for `everything`, and then JSON has every passage too; Markdown fits a
    comment of a pull request. What is cut is said. Values are hidden unless `show_values`, but for what is
    public of cases that come with whichwins: a hidden one is numbered, or named by a digest under `key`.
    ValueError for another form.
    """
    veil = _veil(result, show_values, key)
    match form:
        case "text":
            from whichwins.report import text
            from whichwins.report.audit import audit_document
            from whichwins.report.extent import Extent

            extent = Extent() if everything else Extent(LISTED, every=False, rest="--all lists them")
            return text.render(audit_document(result, extent, veil), width)
        case "markdown":
            from whichwins.report.audit import within
            from whichwins.report.extent import COMMENT

            return within(result, COMMENT, veil)
        case "json":
            from whichwins.report.audit_data import audit_data

            return _json(audit_data(result, veil, everything=everything), "audit")
        case "html":
            from whichwins.report.audit_page import audit_page

            return audit_page(result, veil)
        case "junit":
            from whichwins.report.audit_junit import audit_junit

            return audit_junit(result, veil)
        case "github":
            from whichwins.report.audit_github import audit_commands

            return audit_commands(result, veil)
        case "sarif":
            from whichwins.report.audit_sarif import audit_sarif

            return audit_sarif(result, veil)
    raise ValueError(form)


def audit_summary(result: AuditResult, limit: int, *, show_values: bool = False, key: bytes = b"") -> str:
    """An audit as Markdown for a step's summary, `limit` bytes at most, as `github_summary`."""
    from whichwins.report.audit import within

    return within(result, limit, _veil(result, show_values, key))


def audit_path(
    result: AuditResult,
    case: str,
    form: str,
    width: int = 100,
    show_values: bool = False,
    *,
    key: bytes = b"",
) -> str:
    """The path of one request through the stack, as `text`, `markdown` or `json`. Values as `audit_report`.

    Raises BadInput for a case that the audit does not have, ValueError for another form.
    """
    from whichwins.report.audit_case import case_of, path_data, path_document

    if form not in ("text", "markdown", "json"):
        raise ValueError(form)
    found, veil = case_of(result, case), _veil(result, show_values, key)
    if form == "json":
        return _json(path_data(result, found, veil), "path")
    return _render(path_document(result, found, veil), form, width)


def checklist_report(result: AuditResult, form: str, width: int = 100) -> str:
    """The questions of a review, answered from an audit, as `text`, `markdown` or `json`.

    ValueError for another form.
    """
    from whichwins.audit.checklist import checklist
    from whichwins.report.checklist import checklist_data, checklist_document

    if form not in ("text", "markdown", "json"):
        raise ValueError(form)
    lines = checklist(result)
    if form == "json":
        return _json(checklist_data(result, lines), "checklist")
    return _render(checklist_document(result, lines), form, width)
