"""Tables for terminals and Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

Row = Sequence[str]


NARROWEST = 16
"""Columns that the last column of a table keeps when it is folded."""


def text_table(headers: Row, rows: Sequence[Row], width: int, *, right: Sequence[int] = ()) -> str:
    """A table in ASCII, at most `width` columns wide if at all possible.

    First the last column is folded; where that is not enough, the columns go into several tables with the
    first repeated. `right` are the indices of right-aligned columns. Cells and headers may hold line breaks.
    """
    widths = _widths(headers, rows)
    room = width - sum(widths[:-1]) - 2 * (len(widths) - 1)
    if rows and widths[-1] > room >= NARROWEST and len(headers) - 1 not in right:
        rows = [[*row[:-1], _folded(row[-1], room)] for row in rows]
        widths = _widths(headers, rows)
    blocks: list[list[int]] = []
    for index in range(1, len(headers)):
        block = blocks[-1] if blocks else None
        used = widths[0] + sum(2 + widths[i] for i in block) if block else 0
        if block is None or used + 2 + widths[index] > width:
            blocks.append([index])
        else:
            block.append(index)
    return "\n\n".join(
        _tabulate(
            [headers[i] for i in (0, *block)],
            [[row[i] for i in (0, *block)] for row in rows],
            "simple",
            ["right" if i in right else "left" for i in (0, *block)],
        )
        for block in blocks or [[]]
    )


def _widths(headers: Row, rows: Sequence[Row]) -> list[int]:
    return [
        max((len(line) for cell in column for line in cell.split("\n")), default=0)
        for column in zip(headers, *rows, strict=True)
    ]


def _folded(cell: str, width: int) -> str:
    lines = (textwrap.wrap(line, width, break_on_hyphens=False) or [""] for line in cell.split("\n"))
    return "\n".join(part for wrapped in lines for part in wrapped)


def markdown_table(headers: Row, rows: Sequence[Row], *, right: Sequence[int] = ()) -> str:
    """A Markdown table; cells are Markdown already."""
    return _tabulate(headers, rows, "pipe", ["right" if i in right else "left" for i in range(len(headers))])


def _tabulate(headers: Row, rows: Sequence[Row], style: str, align: list[str]) -> str:
    from tabulate import tabulate

    table = tabulate(
        [list(row) for row in rows],
        headers=list(headers),
        tablefmt=style,
        colalign=align if rows else None,
        disable_numparse=True,
        preserve_whitespace=True,
    )
    return "\n".join(line.rstrip() for line in table.split("\n"))
