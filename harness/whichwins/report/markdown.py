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
from whichwins.report.safe import markdown, markdown_block, markdown_code, plain_bytes
from whichwins.report.tables import markdown_table


def _span(span: Span, cell: bool) -> str:
    if isinstance(span, Code):
        return markdown_code(span.text, span.limit, cell=cell)
    if isinstance(span, Input):
        return markdown_code(plain_bytes(span.data, span.limit), cell=cell)
    return markdown(span, cell=cell)


def _inline(content: Cell, *, cell: bool = False) -> str:
    out = ""
    for span in spans_of(content):
        shown = _span(span, cell)
        # Back-ticks of neighbours must not run together.
        out += (" " if out.endswith("`") and shown.startswith("`") else "") + shown
    return out if cell else markdown_block(out)


def render(document: Document) -> str:
    """The document as Markdown."""
    out: list[str] = []
    for block in document:
        match block:
            case Heading(text, level):
                out.append("#" * level + " " + _inline(text))
            case Paragraph(spans):
                out.append(_inline(spans))
            case Items(items):
                out.append("\n".join("- " + _inline(item) for item in items))
            case Table(headers, rows, right):
                cells = [[_inline(cell, cell=True) for cell in row] for row in rows]
                joined = (header.replace("-\n", "-").replace("\n", " ") for header in headers)
                titles = [_inline(title, cell=True) for title in joined]
                out.append(markdown_table(titles, cells, right=right))
    return "\n\n".join(out) + "\n"
