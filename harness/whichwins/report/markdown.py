"""A document as Markdown that GitHub and others render; nothing in an input can become markup."""

from __future__ import annotations

from whichwins.report.document import (
    Cell,
    Code,
    Document,
    Heading,
    Input,
    Items,
    Paragraph,
    Span,
    Table,
    spans_of,
)
from whichwins.report.safe import markdown, markdown_code, plain_bytes
from whichwins.report.tables import markdown_table


def _span(span: Span) -> str:
    if isinstance(span, Code):
        return markdown_code(span.text, span.limit)
    if isinstance(span, Input):
        return markdown_code(plain_bytes(span.data, span.limit))
    return markdown(span)


def _cell(cell: Cell) -> str:
    return "".join(map(_span, spans_of(cell)))


def render(document: Document) -> str:
    """The document as Markdown."""
    out: list[str] = []
    for block in document:
        match block:
            case Heading(text, level):
                out.append("#" * level + " " + markdown(text))
            case Paragraph(spans):
                out.append("".join(map(_span, spans)))
            case Items(items):
                out.append("\n".join("- " + "".join(map(_span, item)) for item in items))
            case Table(headers, rows, right):
                cells = [[_cell(cell) for cell in row] for row in rows]
                titles = [markdown(header.replace("-\n", "-").replace("\n", " ")) for header in headers]
                out.append(markdown_table(titles, cells, right=sorted(right)))
    return "\n\n".join(out) + "\n"
