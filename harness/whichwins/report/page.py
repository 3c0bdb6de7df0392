"""A comparison as one HTML page that needs nothing else: no network, no files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whichwins.analysis.casebook import CaseSheet
from whichwins.analysis.counting import plural
from whichwins.analysis.result import WINNERS, Comparison, WinnerCell
from whichwins.report.comparison import entry_point, libraries, short
from whichwins.report.page_data import language, page_data
from whichwins.report.plots import SURVIVES, WIDE, cause_bars, depth_tables, fidelity_rows
from whichwins.report.shell import page_of

GLYPHS = {
    "first": "\u25c0",
    "last": "\u25b6",
    "reject": "\u2715",
    "all": "\u2261",
    "merge": "\u2295",
    "collect": "\u29c9",
    "mixed": "\u25d0",
    "other": "?",
    "equal": "=",
    "n/a": "\u2013",
}
"""A sign for each winner, so that colour says nothing alone."""
MEANINGS = {
    "first": "the first occurrence survives",
    "last": "the last occurrence survives",
    "reject": "refused, while the twin without the repeat is accepted",
    "all": "every pair is kept",
    "merge": "objects are laid over each other",
    "collect": "the values become one array",
    "mixed": "several, the more frequent first",
    "other": "none of these explains the value",
    "equal": "the surviving value does not tell",
    "n/a": "no statement",
}


def page(result: Comparison, sheets: Iterable[CaseSheet]) -> str:
    """The page of a comparison; `sheets` are its casebook."""
    sheets = list(sheets)
    return page_of(
        "comparison",
        page_data(result, sheets),
        cause_bars=cause_bars(result.summary.by_cause),
        depths=depth_tables(result, sheets),
        numbers=fidelity_rows(result, sheets),
        survives=SURVIVES,
        wide=WIDE,
        title="Which value reaches which parser",
        result=result,
        live=[line for line in result.subjects if line.live],
        absent=[line for line in result.subjects if not line.live],
        libraries=libraries,
        entry_point=entry_point,
        language=language,
        glyphs=GLYPHS,
        meanings=MEANINGS,
        winner_rows=_winner_rows(result),
        shown_winners=_shown_winners(result),
        split_words=_split_words(result),
    )


def _winner_rows(result: Comparison) -> list[dict[str, Any]]:
    """The rows of the table of winners, with the number of their group: alike in every family."""
    matrix = result.winners
    rows = zip(matrix.subjects, matrix.cells, matrix.totals, strict=True)
    made: list[dict[str, Any]] = [
        {"subject": subject, "cells": [_cell(cell) for cell in (total, *cells)]}
        for subject, cells, total in rows
    ]
    looks = [tuple(cell["said"] for cell in row["cells"]) for row in made]
    # First-wins, the rarest and gravest, stands on top; then large groups.
    firsts = {look: sum("first" in said.split("+") for said in look) for look in looks}
    order = sorted(set(looks), key=lambda look: (-firsts[look], -looks.count(look), look))
    for row, look in zip(made, looks, strict=True):
        row["group"] = order.index(look)
    return sorted(made, key=lambda row: (row["group"], row["subject"]))


def _cell(cell: WinnerCell) -> dict[str, str]:
    said = short(cell)
    look = "first" if cell.label == "mixed" and "first" in cell.counts else cell.label
    counts = ", ".join(f"{name} {cell.counts[name]:,}" for name in WINNERS if name in cell.counts)
    return {"said": said, "look": look, "glyph": GLYPHS[look], "counts": counts}


def _shown_winners(result: Comparison) -> list[str]:
    seen = {cell.label for cells in result.winners.cells for cell in cells}
    return [name for name in WINNERS if name in seen]


def _split_words(result: Comparison) -> str:
    """The verdict in a sentence."""
    summary = result.summary
    subjects, cases = plural(summary.subjects, "subject"), plural(summary.cases, "case")
    if not summary.split:
        return f"All {subjects} agree on {cases}."
    return f"{subjects} part on {summary.split:,} of {cases}."
