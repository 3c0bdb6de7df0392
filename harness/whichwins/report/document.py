"""A report before it has a format: headings, paragraphs, lists and tables of raw text.

Text and Markdown render the same document, so the two always say the same. Strings are raw, hostile ones
included; each renderer escapes in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Code:
    """A value, an input, a key: shown as code, cut in the middle beyond `limit` characters."""

    text: str
    limit: int = 200


@dataclass(frozen=True, slots=True)
class Input:
    """Input bytes, shown as text where they are UTF-8."""

    data: bytes
    limit: int = 200


Span: TypeAlias = str | Code | Input
Spans: TypeAlias = tuple[Span, ...]
Cell: TypeAlias = Span | Spans


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the report's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One line of text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Spans, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headers; `right` are the indices of right-aligned columns, `values` of those with values,
    `keep` of those that stand in every part of a table that is too wide, `apart` those of rows that stand off
    from the row above.

    Without any header a table is a list of names and what belongs to them.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: frozenset[int] = frozenset()
    values: frozenset[int] = frozenset()
    keep: frozenset[int] = frozenset({0})
    apart: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that Markdown folds away under `summary`; text shows them as they are, without it.

    `summary` is the report's own wording: no text from outside.
    """

    summary: str
    blocks: tuple[Heading | Paragraph | Items | Table, ...]


Block: TypeAlias = Heading | Paragraph | Items | Table | Fold
Document: TypeAlias = Sequence[Block]


def paragraph(*spans: Span) -> Paragraph:
    """A paragraph of these spans."""
    return Paragraph(spans)


def spans_of(cell: Cell) -> Spans:
    """A cell as spans."""
    return cell if isinstance(cell, tuple) else (cell,)
