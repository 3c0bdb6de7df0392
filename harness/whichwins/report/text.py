"""A document for a terminal: ASCII, within a width, safe to print."""

from __future__ import annotations

import textwrap

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
from whichwins.report.safe import plain, plain_bytes
from whichwins.report.tables import text_table

MIN_WIDTH = 40


def _span(span: Span) -> str:
    if isinstance(span, Code):
        return plain(span.text, span.limit)
    if isinstance(span, Input):
        return plain_bytes(span.data, span.limit)
    return plain(span)


def _cell(cell: Cell) -> str:
    return "".join(map(_span, spans_of(cell)))


def _header(text: str) -> str:
    return "\n".join(plain(line) for line in text.split("\n"))


def _wrapped(text: str, width: int, hanging: str = "") -> str:
    # Long values are not broken: a person copies them.
    return textwrap.fill(
        text, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
    )


def render(document: Document, width: int = 100) -> str:
    """The document as text, `width` columns wide where words and tables allow it."""
    width = max(width, MIN_WIDTH)
    out: list[str] = []
    for block in document:
        match block:
            case Heading(text, level):
                title = plain(text)
                out.append(title + "\n" + ("=" if level == 1 else "-") * len(title))
            case Paragraph(spans):
                out.append(_wrapped("".join(map(_span, spans)), width))
            case Items(items):
                out.append("\n".join(_wrapped("- " + "".join(map(_span, i)), width, "  ") for i in items))
            case Table(headers, rows, right):
                cells = [[_cell(cell) for cell in row] for row in rows]
                out.append(text_table([_header(h) for h in headers], cells, width, right=sorted(right)))
    return "\n\n".join(out) + "\n"
