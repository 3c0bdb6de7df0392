"""The questions of a review with their answers, as a document and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from whichwins.report.document import Block, Cell, Code, Document, Heading, Table, paragraph
from whichwins.report.safe import plain

if TYPE_CHECKING:
    from whichwins.audit.checklist import Line
    from whichwins.audit.result import AuditResult

_SAID = 300


def checklist_document(result: AuditResult, lines: Sequence[Line]) -> Document:
    """A row a question. The answer stands before it: what is wide comes last."""
    counts = Counter(line.answer for line in lines)
    heads = ", ".join(f"{answer} {counts[answer]}" for answer in ("yes", "no", "unknown") if counts[answer])
    rows: list[tuple[Cell, ...]] = [
        (line.answer, line.question, plain(line.said, _SAID), Code(line.witness) if line.witness else "")
        for line in lines
    ]
    blocks: list[Block] = [
        Heading(f"Checklist of {plain(result.stack.name, 60)}: {heads}", 1),
        paragraph("Yes is in order. Answered from what was observed alone; the path of a witness: --case."),
        Table(("", "question", "because", "witness"), tuple(rows), values=frozenset({3})),
    ]
    return blocks


def checklist_data(result: AuditResult, lines: Sequence[Line]) -> dict[str, Any]:
    """The same for JSON."""
    return {"stack": result.stack.name, "lines": [line._asdict() for line in lines]}
