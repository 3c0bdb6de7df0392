"""Tables for terminals and Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

Row = Sequence[str]

NARROWEST = 16
"""Columns to which a text column of a terminal's table is folded at most."""
_GAP = 2
_SIGNS = re.compile(r"[-/_.,:+@]")
"""A word that is too long is cut behind the last of these."""


def text_table(
    headers: Row,
    rows: Sequence[Row],
    width: int,
    *,
    right: Iterable[int] = (),
    values: Iterable[int] = (),
    keep: Iterable[int] = (0,),
    apart: Iterable[int] = (),
) -> str:
    """A table in ASCII, at most `width` columns wide unless a column of numbers leaves no room.

    Where a table is too wide its text columns are folded between words, to half their width at most; where
    that is not enough, its columns go into several tables, those of `keep` into each: what a row is about.
    The first column is folded only where it leaves no room for another, behind a sign in an id or a key.
    `right` are the indices of right-aligned columns: these are never folded. `values` are those of columns
    that may also be folded within words, `apart` those of rows with an empty line above. Cells and headers
    may hold line breaks.
    """
    numbers = frozenset(right)
    rows = _set_apart(rows, frozenset(apart), len(headers))
    columns = [[header, *cells] for header, cells in zip(headers, _columns(headers, rows), strict=True)]
    full = [_width(column) for column in columns]
    free = frozenset(values)
    narrow = width - _GAP - NARROWEST
    least = [
        min(wide, max(narrow, NARROWEST))
        if place == 0
        else wide
        if place in numbers
        else _least(column, wide, place in free)
        for place, (wide, column) in enumerate(zip(full, columns, strict=True))
    ]
    return "\n\n".join(
        _block(headers, rows, block, _shares(block, full, least, numbers, width), numbers)
        for block in _blocks(least, width, sorted({0, *keep}))
    )


def _set_apart(rows: Sequence[Row], places: frozenset[int], columns: int) -> list[Row]:
    empty = (" ", *[""] * (columns - 1))  # a row of nothing at all would be left out
    return [each for place, row in enumerate(rows) for each in ((empty, row) if place in places else (row,))]


def _least(column: Row, wide: int, value: bool) -> int:
    if value:
        return min(wide, NARROWEST)
    # Words stay whole: a person copies ids and keys.
    longest = max(map(len, " ".join(column).split()), default=0)
    return min(wide, max(longest, NARROWEST, wide // 2))


def _columns(headers: Row, rows: Sequence[Row]) -> list[Row]:
    return [[row[place] for row in rows] for place in range(len(headers))]


def _width(cells: Iterable[str]) -> int:
    return max((len(line) for cell in cells for line in cell.split("\n")), default=0)


def _blocks(least: Sequence[int], width: int, keep: list[int]) -> list[list[int]]:
    """Which columns stand together: as many as fit beside those that every part has, at least one."""
    if any(sum(least[p] + _GAP for p in {*keep, place}) - _GAP > width for place in range(len(least))):
        keep = [0]  # they would leave no room
    blocks: list[list[int]] = [[]]
    beside = sum(least[place] + _GAP for place in keep)
    room = width - beside
    for place in range(len(least)):
        if place in keep:
            continue
        if least[place] > room and blocks[-1]:
            blocks.append([])
            room = width - beside
        blocks[-1].append(place)
        room -= least[place] + _GAP
    return [sorted([*keep, *block]) for block in blocks]


def _shares(
    block: list[int], full: Sequence[int], least: Sequence[int], numbers: frozenset[int], width: int
) -> list[int]:
    """The width of each column of a block: what is left over goes to the columns in their order."""
    spare = width - sum(least[place] for place in block) - _GAP * (len(block) - 1)
    shares: list[int] = []
    for place in block:
        more = min(full[place] - least[place], max(spare, 0))
        spare -= more
        shares.append(least[place] + more)
    for place in (len(block) - 1, 0):  # the first gives way last
        if spare < 0 and block[place] not in numbers:
            less = min(-spare, max(shares[place] - NARROWEST, 0))
            shares[place] -= less
            spare += less
    return shares


def _block(
    headers: Row, rows: Sequence[Row], block: list[int], shares: list[int], numbers: frozenset[int]
) -> str:
    shown = [_folded_row(row, block, shares) for row in rows]
    if any(headers):
        titles = _folded_row(headers, block, shares)
        # The rule is a row like any other: tabulate would make room for headers that have enough.
        columns = [[title, *cells] for title, cells in zip(titles, _columns(titles, shown), strict=True)]
        shown = [titles, ["-" * _width(column) for column in columns], *shown]
    return _tabulate([], shown, "plain", ["right" if place in numbers else "left" for place in block])


def _folded_row(row: Row, block: list[int], shares: list[int]) -> list[str]:
    return [_folded(row[place], share) for place, share in zip(block, shares, strict=True)]


def _folded(cell: str, width: int) -> str:
    if all(len(line) <= width for line in cell.split("\n")):
        return cell
    return "\n".join(
        part
        for line in cell.split("\n")
        for whole in textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        for part in _parts(whole, width)
    )


def _parts(word: str, width: int) -> Iterator[str]:
    """A word in parts of at most `width`, each but the last behind a sign where there is one."""
    while len(word) > width:
        cut = max((sign.end() for sign in _SIGNS.finditer(word, 0, width)), default=width)
        yield word[:cut]
        word = word[cut:]
    yield word


def markdown_table(headers: Row, rows: Sequence[Row], *, right: Iterable[int] = ()) -> str:
    """A Markdown table; cells are Markdown already."""
    numbers = frozenset(right)
    align = ["right" if place in numbers else "left" for place in range(len(headers))]
    return _tabulate(headers, rows, "pipe", align)


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
