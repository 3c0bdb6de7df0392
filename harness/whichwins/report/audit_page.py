"""An audit as one HTML page: the verdicts, the stack as a path, and any one request walking through it.

What it says, and what it hides, is what the text and Markdown reports say and hide: it is made of the same
blocks and of the same rows.
"""

from __future__ import annotations

from typing import Any

from whichwins.analysis.counting import plural
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.result import VERDICT_OF, AuditResult, BoundaryLine
from whichwins.audit.stack import Boundary
from whichwins.report.audit import audit_document, verdict_table
from whichwins.report.audit_case import (
    NEVER,
    boundary_rows,
    broken,
    ended,
    findings_on,
    request_of,
    request_rows,
)
from whichwins.report.audit_words import (
    LOST,
    VERDICTS,
    executions_said,
    of_verdict,
    state_of,
    title,
    verdict,
    what,
)
from whichwins.report.change import short
from whichwins.report.document import Block, Cell, Heading, Items, Paragraph, Table
from whichwins.report.extent import Extent
from whichwins.report.html_blocks import Prepared, cell
from whichwins.report.safe import plain
from whichwins.report.shell import Pool, page_of
from whichwins.report.veil import Veil

LISTED = 20_000
"""Requests whose path a page has: of more, those that break something come first, and it is said."""

GLYPHS = {"holds": "\u2713", "broken": "\u2715", "unknown": "?"}
_SECTIONS = {
    "Boundaries": "boundaries",
    "Findings by family and boundary": "boundaries",
    "Findings": "findings",
    "Every finding": "findings",
    "Exceptions to look at": "findings",
    "Excused": "findings",
    "Not measured": "overview",
    "Unknown": "overview",
    "Notes": "overview",
    "Requests received": "overview",
}
_SILENT = (Passed.BLOCKED, Passed.ABSENT, Passed.UNSUPPORTED)


def audit_page(result: AuditResult, veil: Veil, listed: int = LISTED) -> str:
    """The page; it has the paths of at most `listed` requests."""
    prepared = Prepared()
    parts = _parts(result, veil)
    breaks = {finding.case for finding in result.findings}
    cases = sorted(result.passages, key=lambda case: (case not in breaks, _length(result, case), case))
    left = len(cases) - listed
    return page_of(
        "audit",
        _data(result, cases[:listed], veil),
        title=title(result),
        verdict=verdict(result),
        verdicts=[_verdict(result, number) for number in VERDICTS],
        glyphs=GLYPHS,
        **{name: prepared(blocks) for name, blocks in parts.items()},
        paths=len(cases),
        left="" if left <= 0 else f"{plural(left, 'request')} more: whichwins audit ... --case CASE",
    )


def _parts(result: AuditResult, veil: Veil) -> dict[str, list[Block]]:
    """The document of the other formats, by section; the verdicts, which have a place of their own, apart."""
    parts: dict[str, list[Block]] = {"overview": [], "boundaries": [], "findings": []}
    section, verdicts = "overview", verdict_table(result)
    for block in audit_document(result, Extent(), veil)[1:]:
        if isinstance(block, Heading):
            section = _SECTIONS.get(block.text, section)
            if block.text.lower() == section:
                continue  # it is the section's own title
        if block != verdicts:
            parts[section].append(block)
    return parts


def _verdict(result: AuditResult, number: int) -> dict[str, Any]:
    mine = of_verdict(result, number)
    state = state_of(result, number)
    return {
        "number": number,
        "says": VERDICTS[number],
        "state": short(state),
        "look": state if state in GLYPHS else "unknown",
        "count": len(mine),
        "witness": mine[0].case if mine and mine[0].case in result.passages else None,
    }


def _length(result: AuditResult, case: str) -> int:
    request = result.requests.get(case)
    return 0 if request is None else request.length


def _data(result: AuditResult, cases: list[str], veil: Veil) -> dict[str, Any]:
    words, steps = Pool(), Pool()
    names = [boundary.name for boundary in result.stack.boundaries]
    lines = {line.name: line for line in result.lines}
    return {
        "stack": [
            [
                plain(short(boundary.name, 60)),
                boundary.role,
                names.index(boundary.reads) if boundary.reads in names else -1,
                *_totals(lines.get(boundary.name), result),
            ]
            for boundary in result.stack.boundaries
        ],
        "requests": [_request(result, case, veil, words, steps) for case in cases],
        "steps": steps.things,
        "words": words.things,
    }


def _totals(line: BoundaryLine | None, result: AuditResult) -> list[Any]:
    """What a boundary is; its outcomes, executions and losses over all requests; why nothing is proven."""
    if line is None:
        return ["", [], "unknown", [], None]
    return [
        plain(what(line, result.stack)),
        [[plain(short(name)), count] for name, count in line.outcomes.items() if count],
        executions_said(line.executions),
        [[plain(short(name)), count] for name, count in line.losses.items() if count],
        plain(short(line.why, 400) or "nothing is proven") if line.unverified else None,
    ]


def _request(result: AuditResult, case: str, veil: Veil, words: Pool, steps: Pool) -> list[Any]:
    request = request_of(result, case)
    about: list[Any] = []
    for block in request_rows(request, result, veil.of(case)):
        if isinstance(block, Table):
            about += [[words(_told(row[0])), _spans(row[1], words)] for row in block.rows]
        elif isinstance(block, Paragraph):
            about.append([words(""), _spans(block.spans, words)])
    way = []
    for boundary in result.stack.boundaries:
        passage = result.passages[case].get(boundary.name, NEVER)
        rows = tuple(
            (words(_told(name)), _spans(said, words))
            for name, said in boundary_rows(boundary, passage, request, result, case, veil)
            if name not in ("is", "first lossy", "unverified")
        )
        loss = None if request is None else request.losses.get(boundary.name)
        lost = None if loss is None else words(LOST[loss])
        way.append(
            steps((passage.passed.value, words(plain(ended(passage))), *_runs(boundary, passage), lost, rows))
        )
    said = [
        _spans(item, words)
        for block in broken(result, case)
        if isinstance(block, Items)
        for item in block.items
    ]
    numbers = sorted({VERDICT_OF[finding.fault] for finding in findings_on(result, case)})
    return [plain(case), None if request is None else request.expected, about, way, said, numbers]


def _runs(boundary: Boundary, passage: Passage) -> tuple[int | None, bool]:
    """How often it ran (None: unknown), and whether that is to be said of this boundary."""
    runs = passage.executions
    if passage.passed in _SILENT and not runs:
        return 0, False
    return (None if runs is None else len(runs)), runs is None or bool(runs) or boundary.role == "executor"


def _told(said: Cell) -> str:
    return "".join(text for _, text in cell(said))


def _spans(said: Cell, words: Pool) -> tuple[tuple[int, int], ...]:
    """Spans as (whether it is code, its text's number)."""
    return tuple((int(kind == "code"), words(text)) for kind, text in cell(said))
