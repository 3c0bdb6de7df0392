"""A document as Markdown that GitHub and others render; nothing in an input can become markup."""

from __future__ import annotations

import re

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
    Table,
    spans_of,
)
from whichwins.report.safe import markdown, markdown_block, markdown_code, plain, plain_bytes
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
    return "\n\n".join(_blocks(document)) + "\n"


def _blocks(document: Document) -> list[str]:
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
            case Fold(summary, blocks):
                # No line of the blocks begins with `<`, so none can end this: a line starts with an escaped
                # word, `#`, `-`, `|` or a back-tick.
                out.append(f"<details>\n<summary>{_words(summary)}</summary>")
                out += _blocks(blocks)
                out.append("</details>")
    return out


def _words(summary: str) -> str:
    # Inside HTML, Markdown's escapes do not hold: character references for all that is no word.
    return re.sub(r"[^A-Za-z0-9 ,.()]", lambda found: f"&#{ord(found[0])};", plain(summary))
