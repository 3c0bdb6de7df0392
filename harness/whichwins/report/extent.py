"""How much of a report is shown: lists that are cut say so, and a document fits where it is posted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from whichwins.analysis.counting import plural
from whichwins.report import markdown
from whichwins.report.change import short
from whichwins.report.document import Block, Document, Heading, Items, paragraph

COMMENT = 65_000
"""Characters of a pull-request comment: GitHub takes 65,536, and who posts it may add some."""

_SHORTENED = "Shortened to fit where it is posted"
_T = TypeVar("_T")


class Extent(NamedTuple):
    """How much a document shows: the lines of each list (None: all), and whether it lists everything.

    `rest` says where what is left out can be found; `note` stands at the top of what was cut.
    """

    listed: int | None = None
    every: bool = True
    rest: str = ""
    note: str = ""


def first_of(items: Sequence[_T], extent: Extent) -> Sequence[_T]:
    """As many as are listed."""
    return items if extent.listed is None else items[: extent.listed]


def left_of(items: Sequence[_T], extent: Extent, said: Callable[[Sequence[_T]], str]) -> Iterator[Block]:
    """What is not listed, counted by `said`; nothing where all are."""
    if extent.listed is not None and (left := items[extent.listed :]):
        yield paragraph(f"{said(left)} more: {extent.rest}.")


def listing(heading: str, said: Sequence[str], extent: Extent) -> Iterator[Block]:
    """Lines under a heading; nothing where there are none."""
    if said:
        yield Heading(heading, 3)
        if shown := first_of(said, extent):
            yield Items(tuple((short(line, 400),) for line in shown))
        yield from left_of(said, extent, lambda left: plural(len(left), "line"))


def fitted(made: Callable[[Extent], Document], longest: int, limit: int, titles: Sequence[str]) -> str:
    """A document as Markdown in at most `limit` characters, all ASCII; lists are cut, and that is said.

    `longest` is the length of its longest list. Where no list has room one of the `titles` stands alone;
    empty where not even that fits.
    """
    listed = min(longest, max(limit, 0) // 100)
    while listed >= 0:
        extent = Extent()
        if listed < longest:
            shown = f"each list has {plural(listed, 'entry', 'entries')} at most" if listed else "no lists"
            note = f"{_SHORTENED}: {shown}; the JSON report has all."
            extent = Extent(listed, rest="the JSON report has all", note=note)
        shown = markdown.render(made(extent))
        if len(shown) <= limit:
            return shown
        listed = min(listed - 1, int(listed * limit / len(shown) * 0.95))
    cut = paragraph(f"{_SHORTENED}: the JSON report has all.")
    for heading in titles:
        shown = markdown.render([Heading(heading, 1), cut])
        if len(shown) <= limit:
            return shown
    return ""
