"""The path of one request through a stack, boundary by boundary, as a document and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.analysis.counting import plural
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.result import VERDICT_OF, AuditResult, CaseLine, Finding, Loss
from whichwins.audit.stack import Boundary
from whichwins.model import BadInput
from whichwins.report.audit_words import (
    FAULTS_SAID,
    LOST,
    VERDICTS,
    cause_said,
    policy_says,
    what,
    who,
)
from whichwins.report.change import short
from whichwins.report.document import Block, Cell, Code, Document, Heading, Items, Table, paragraph
from whichwins.report.safe import hex_bytes
from whichwins.report.veil import Veil

LISTED = 20
"""Previews and executions of one boundary that are shown."""

_HEX = 96
_VALUE = 400
NEVER = Passage(Passed.BLOCKED, reason="it was not asked")
"""What stands for a boundary that has no answer to a request."""


def case_of(result: AuditResult, case: str) -> str:
    """The case, if the audit has it. Raises BadInput that says which were meant."""
    if case in result.passages:
        return case
    from difflib import get_close_matches

    known = sorted(result.passages)
    close = get_close_matches(case[:300], known, n=3, cutoff=0.5)
    shown = case if case.isprintable() and len(case) <= 100 else ascii(case[:100])
    hint = (
        f"did you mean {', '.join(close)}?" if close else "`whichwins corpus list` lists those of the corpus"
    )
    raise BadInput(f"--case {shown}: this audit has no such case: {hint}")


def path_document(result: AuditResult, case: str, veil: Veil) -> Document:
    """Input, the policy's word, each boundary in order with what it read and made of it, what is broken."""
    request = request_of(result, case)
    blocks: list[Block] = [Heading(case, 1), *request_rows(request, result, veil.of(case))]
    for number, boundary in enumerate(result.stack.boundaries, 1):
        passage = result.passages[case].get(boundary.name, NEVER)
        blocks.append(Heading(f"{number}. {short(boundary.name, 60)}, {boundary.role}: {ended(passage)}", 3))
        rows = list(boundary_rows(boundary, passage, request, result, case, veil))
        blocks.append(Table(("", ""), tuple(rows), values=frozenset({1})))
    blocks += broken(result, case)
    if veil.hidden:
        blocks.append(paragraph("Values are left out, and numbered: equal ones have one number."))
    return blocks


def path_data(result: AuditResult, case: str, veil: Veil) -> dict[str, Any]:
    """The same for JSON."""
    request = request_of(result, case)
    return {
        "stack": result.stack.name,
        "case": case,
        "length": None if request is None else request.length,
        "input": None if request is None else _data(request.data, veil.of(case)),
        "expected": None if request is None else request.expected,
        "clause": None if request is None else request.clause,
        "path": [
            {
                "boundary": boundary.name,
                "role": boundary.role,
                "reads": boundary.reads,
                **passage_data(result.passages[case].get(boundary.name, NEVER), veil.of(case, boundary.name)),
                "first_lost": None if request is None else request.losses.get(boundary.name),
            }
            for boundary in result.stack.boundaries
        ],
        "broken": [
            {
                "verdict": VERDICT_OF[each.fault],
                "fault": each.fault,
                "boundary": each.boundary,
                "other": each.other,
            }
            for each in findings_on(result, case)
        ],
    }


def passage_data(passage: Passage, veil: Veil) -> dict[str, Any]:
    """One passage for JSON. Unknown executions are null, never an empty list."""
    runs = passage.executions
    return {
        "passed": passage.passed.value,
        "signal": passage.signal,
        "value": None if passage.value is None else veil.said(passage.value),
        "previews": [
            {"where": veil.where(each.where), "value": veil.said(each.value)} for each in passage.previews
        ],
        "executions": None if runs is None else [veil.said(value) for value in runs],
        "approved": None if passage.approved is None else veil.hidden_digest(passage.approved),
        "executed": [veil.hidden_digest(digest) for digest in passage.executed],
        "emitted": None if passage.emitted is None else _data(passage.emitted, veil),
        "decoders": list(passage.decoders),
        "reason": veil.words(passage.reason) if passage.reason else "",
        "unstable": passage.unstable,
    }


def _data(data: bytes | None, veil: Veil) -> Any:
    return data if data is None or veil.shows(data, whole=True) else {"left_out": len(data)}


def request_of(result: AuditResult, case: str) -> CaseLine | None:
    """The request; where it is not kept, as far as a finding on it says."""
    if case in result.requests:
        return result.requests[case]
    finding = next(iter(findings_on(result, case)), None)
    if finding is None:
        return None
    losses: Mapping[str, Loss] = {}
    if finding.lossy is not None and finding.loss is not None:
        losses = {finding.lossy: finding.loss}
    return CaseLine(finding.length, finding.expected, finding.clause, losses, finding.data)


def findings_on(result: AuditResult, case: str) -> list[Finding]:
    """The findings on a request that no exception covers."""
    return [finding for finding in result.findings if finding.case == case]


def request_rows(request: CaseLine | None, result: AuditResult, veil: Veil) -> Iterator[Block]:
    """Input, length, the policy's word."""
    if request is None:
        yield paragraph("The bytes are not kept, and nothing is broken.")
        return
    rows: list[tuple[Cell, ...]] = [("input", veil.input(request.data, request.length, _VALUE))]
    if request.data is not None and veil.shows(request.data):
        rows.append(("bytes", Code(hex_bytes(request.data, _HEX), 4 * _HEX)))
    rows.append(("length", plural(request.length, "byte")))
    rows.append((short(result.stack.policy.layer), policy_says(request.expected, request.clause)))
    yield Table(("", ""), tuple(rows), values=frozenset({1}))


def ended(passage: Passage) -> str:
    """How a request ended at a boundary, and by what sign."""
    said = passage.passed.value
    return f"{said}, {short(passage.signal)}" if passage.signal else said


def boundary_rows(
    boundary: Boundary,
    passage: Passage,
    request: CaseLine | None,
    result: AuditResult,
    case: str,
    veil: Veil,
) -> Iterator[tuple[Cell, ...]]:
    """What one boundary read and made of a request, each with its name."""
    line = next((each for each in result.lines if each.name == boundary.name), None)
    if line is not None:
        yield ("is", Code(what(line, result.stack)))
    yield ("read", _read(boundary, result, case, veil))
    veil = veil.of(case, boundary.name)
    if passage.reason:
        yield ("because", passage.reason if passage.passed is Passed.ABSENT else veil.words(passage.reason))
    if passage.value is not None:
        yield ("understood", veil.value(passage.value, _VALUE))
    for number, preview in enumerate(passage.previews[:LISTED], 1):
        name = "showed" if len(passage.previews) == 1 else f"showed, {number}."
        cell = veil.value(preview.value, _VALUE)
        yield (name, (f"{short(veil.where(preview.where), 60)}: ", *_spans(cell)) if preview.where else cell)
    yield from _left(len(passage.previews), "preview")
    if passage.approved is not None:
        yield ("approved", veil.digest(passage.approved))
    yield from _executions(boundary, passage, veil)
    if passage.emitted is not None:
        yield ("handed on", veil.input(passage.emitted, len(passage.emitted), _VALUE))
    if passage.decoders:
        yield ("decoders", short(", ".join(passage.decoders)))
    loss = None if request is None else request.losses.get(boundary.name)
    if loss is not None:
        yield ("first lossy", f"{LOST[loss]} is lost here")
    if passage.unstable:
        yield ("unstable", "the answer did not repeat")
    if line is not None and line.unverified:
        yield ("unverified", short(line.why, 400) or "nothing is proven")


def _read(boundary: Boundary, result: AuditResult, case: str, veil: Veil) -> Cell:
    fed = "" if boundary.raw else " (in production: objects that somebody else parsed)"
    if boundary.reads is None:
        return f"the original request{fed}"
    before = result.passages[case].get(boundary.reads, NEVER)
    said = f"what {short(boundary.reads, 60)} handed on{fed}"
    if before.emitted is None:
        return f"{said}: nothing"
    over = veil.of(case, boundary.reads)
    return (f"{said}: ", *_spans(over.input(before.emitted, len(before.emitted), _VALUE)))


def _executions(boundary: Boundary, passage: Passage, veil: Veil) -> Iterator[tuple[Cell, ...]]:
    runs = passage.executions
    if passage.passed in (Passed.BLOCKED, Passed.ABSENT, Passed.UNSUPPORTED) and not runs:
        return
    if runs is None:
        yield ("executed", "unknown: it cannot be seen")
    elif not runs and boundary.role == "executor":
        yield ("executed", "never")
    for number, value in enumerate((runs or ())[:LISTED], 1):
        yield ("executed" if len(runs or ()) == 1 else f"executed, {number}.", veil.value(value, _VALUE))
    yield from _left(len(runs or ()), "execution")
    for digest in passage.executed[:LISTED]:
        yield ("its digest", veil.digest(digest))


def _left(count: int, what: str) -> Iterator[tuple[Cell, ...]]:
    if count > LISTED:
        yield ("", f"{plural(count - LISTED, what)} more")


def _spans(cell: Cell) -> tuple[Any, ...]:
    return cell if isinstance(cell, tuple) else (cell,)


def broken(result: AuditResult, case: str) -> Iterator[Block]:
    """The verdicts that a request breaks."""
    findings = findings_on(result, case)
    yield Heading("What it breaks")
    if not findings:
        excused = sum(each.case == case for one in result.excused for each in one.findings)
        yield paragraph(f"Nothing but {plural(excused, 'excused finding')}." if excused else "Nothing.")
        return
    yield Items(
        tuple(
            (
                f"verdict {VERDICT_OF[each.fault]} ({VERDICTS[VERDICT_OF[each.fault]]}): "
                f"{FAULTS_SAID[each.fault].name}, {who(each)}, cause {cause_said(each)}",
            )
            for each in findings
        )
    )
