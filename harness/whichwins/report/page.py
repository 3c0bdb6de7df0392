"""A comparison as one HTML page that needs nothing else: no network, no files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whichwins.analysis.casebook import CaseSheet
from whichwins.analysis.result import WINNERS, Comparison, WinnerCell
from whichwins.report.arranged import arranged, short, winner_rows
from whichwins.report.binding import binding_part
from whichwins.report.comparison import TITLE, command, dimensions, entry_point, libraries, verdict
from whichwins.report.expectations import BREACHES_SAID, asked_layers
from whichwins.report.expectations import TITLE as LAYERS
from whichwins.report.html_blocks import Prepared
from whichwins.report.page_data import language, page_data
from whichwins.report.pictures import ALIKE, ALIKE_SAID, LIMITS_SAID, NUMBERS, NUMBERS_SAID, SURVIVES
from whichwins.report.plots import TREE, WIDE, cause_bars, depth_tables, fidelity_rows, tree_table
from whichwins.report.shell import page_of

GLYPHS = {
    "first": "\u25c0",
    "last": "\u25b6",
    "reject": "\u2715",
    "all": "\u2261",
    "merge": "\u2295",
    "collect": "\u229e",
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
    data = page_data(result, sheets)
    result = arranged(result)
    binding = Prepared()(binding_part(result.binding), 0)
    return page_of(
        "comparison",
        data,
        title=TITLE,
        result=result,
        verdict=verdict(result),
        dimensions=dimensions(result),
        command=f"{command(result)} -o report.html",
        cause_bars=cause_bars(result.summary.by_cause),
        winner_rows=_winner_rows(result),
        shown_winners=_shown_winners(result),
        glyphs=GLYPHS,
        meanings=MEANINGS,
        binding_title=binding[0]["text"] if binding else "",
        binding=binding[1:],
        alike=ALIKE,
        alike_said=ALIKE_SAID,
        trees=[tree_table(tree) for tree in result.trees],
        tree_wide=TREE,
        live=[line for line in result.subjects if line.live],
        libraries=libraries,
        entry_point=entry_point,
        language=language,
        layers_title=LAYERS,
        layers_said=BREACHES_SAID,
        layers=asked_layers(result.layers),
        limits_said=LIMITS_SAID,
        depths=depth_tables(result),
        numbers=fidelity_rows(result),
        numbers_title=NUMBERS,
        numbers_said=NUMBERS_SAID,
        survives=SURVIVES,
        wide=WIDE,
    )


def _winner_rows(result: Comparison) -> list[dict[str, Any]]:
    """The rows of the table of winners, with the number of their group and their place in the order."""
    rank = {key: place for place, key in enumerate(result.pairs.subjects)}
    return [
        {
            "subject": row.subject,
            "group": row.group,
            "place": rank[row.subject],
            "cells": [_cell(cell) for cell in (row.total, *row.cells)],
        }
        for row in winner_rows(result)
    ]


def _cell(cell: WinnerCell) -> dict[str, str]:
    said = short(cell)
    look = "first" if cell.label == "mixed" and "first" in cell.counts else cell.label
    counts = ", ".join(f"{name} {cell.counts[name]:,}" for name in WINNERS if name in cell.counts)
    return {"said": said, "look": look, "glyph": GLYPHS[look], "counts": counts}


def _shown_winners(result: Comparison) -> list[str]:
    seen = {cell.label for cells in result.winners.cells for cell in cells}
    return [name for name in WINNERS if name in seen]
