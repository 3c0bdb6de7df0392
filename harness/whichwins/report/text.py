"""A document for a terminal: ASCII, within a width, safe to print."""

from __future__ import annotations

import re
import textwrap

from whichwins.report.document import (
    Cell,
    Code,
    Document,
    Fold,
    Heading,
    Input,
    Items,
    Paragraph,
    Span,
    Spans,
    Table,
    spans_of,
)
from whichwins.report.safe import plain, plain_bytes
from whichwins.report.tables import text_table

MIN_WIDTH = 40

_UNBROKEN = "\0"
"""Stands for a space inside a value while lines are broken."""
# A line that begins so is a command to a build service, also behind white space.
_COMMAND = re.compile(r"^( *)::", re.MULTILINE)


def spelled(span: Span) -> str:
    """A span as printable ASCII on one line, cut at its limit."""
    if isinstance(span, Code):
        return plain(span.text, span.limit)
    if isinstance(span, Input):
        return plain_bytes(span.data, span.limit)
    return plain(span)


def _cell(cell: Cell) -> str:
    return "".join(map(spelled, spans_of(cell)))


def _header(text: str) -> str:
    return "\n".join(plain(line) for line in text.split("\n"))


def _lines(spans: Spans, width: int, first: str = "", hanging: str = "") -> str:
    # Values are not broken: a person copies them.
    words = "".join(spelled(s) if isinstance(s, str) else spelled(s).replace(" ", _UNBROKEN) for s in spans)
    filled = textwrap.fill(
        words,
        width,
        initial_indent=first,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace(_UNBROKEN, " ")


def render(document: Document, width: int = 100) -> str:
    """The document as text, `width` columns wide where words and tables allow it."""
    shown = "\n\n".join(_blocks(document, max(width, MIN_WIDTH)))
    return _COMMAND.sub(r"\1\\u{3A}:", shown) + "\n"


def _blocks(document: Document, width: int) -> list[str]:
    out: list[str] = []
    for block in document:
        match block:
            case Heading(text, level):
                title = _lines((text,), width)
                longest = max(map(len, title.split("\n")))
                out.append(title + "\n" + ("=" if level == 1 else "-") * longest)
            case Paragraph(spans):
                out.append(_lines(spans, width))
            case Items(items):
                out.append("\n".join(_lines(item, width, "- ", "  ") for item in items))
            case Table(headers, rows, right, values, keep, apart):
                cells = [[_cell(cell) for cell in row] for row in rows]
                titles = [_header(header) for header in headers]
                out.append(
                    text_table(titles, cells, width, right=right, values=values, keep=keep, apart=apart)
                )
            case Fold(_, blocks):
                out += _blocks(blocks, width)
    return out
