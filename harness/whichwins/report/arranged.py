"""A comparison as every report shows it: one order of subjects, one grouping of rows.

Text, Markdown and HTML are made from this alone, so that the three agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, get_args

from whichwins.analysis.likeness_result import WHOLE, Tree
from whichwins.analysis.limits_result import SURVIVALS, Depth, Limits, Nest
from whichwins.analysis.result import Breach, Comparison, LayerResult, PairCell, WinnerCell

_T = TypeVar("_T")


def arranged(result: Comparison) -> Comparison:
    """The same with its subjects in their order, alike ones together; the absent ones last, by key."""
    keys = result.pairs.subjects
    rank = {key: place for place, key in enumerate(result.order)}
    places = sorted(range(len(keys)), key=lambda place: rank[keys[place]])

    def turned(row: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(row[place] for place in places)

    binding = result.binding
    if binding is not None:
        rows = sorted(zip(binding.subjects, binding.cells, strict=True), key=lambda row: rank[row[0]])
        subjects, cells = zip(*rows, strict=True) if rows else ((), ())
        binding = replace(binding, subjects=subjects, cells=cells)
    winners, pairs, limits = result.winners, result.pairs, result.limits
    return replace(
        result,
        subjects=tuple(sorted(result.subjects, key=lambda line: (rank.get(line.key, len(rank)), line.key))),
        winners=replace(
            winners,
            subjects=turned(winners.subjects),
            cells=turned(winners.cells),
            totals=turned(winners.totals),
        ),
        pairs=replace(pairs, subjects=turned(keys), cells=tuple(map(turned, turned(pairs.cells)))),
        layers=tuple(_layer(layer, rank) for layer in result.layers),
        limits=Limits({kind: turned(found) for kind, found in limits.depths.items()}, turned(limits.numbers)),
        binding=binding,
    )


def _layer(layer: LayerResult, rank: dict[str, int]) -> LayerResult:
    breaches = get_args(Breach)
    return replace(
        layer,
        rows=tuple(sorted(layer.rows, key=lambda row: rank[row.subject])),
        clauses=tuple(
            sorted(layer.clauses, key=lambda c: (breaches.index(c.breach), c.clause, rank[c.subject]))
        ),
    )


@dataclass(frozen=True, slots=True)
class WinnerRow:
    """A row of the table of winners. Rows of one `group`, from 1, say the same in every family."""

    subject: str
    group: int
    total: WinnerCell
    cells: tuple[WinnerCell, ...]


def winner_rows(result: Comparison) -> list[WinnerRow]:
    """Alike rows together: first-wins, the rarest and gravest, on top; then large groups.

    Groups that have as much of both come in the order of their first subjects.
    """
    matrix = result.winners
    looks = [
        tuple(short(cell) for cell in (total, *cells))
        for total, cells in zip(matrix.totals, matrix.cells, strict=True)
    ]
    firsts = {look: sum("first" in said.split("+") for said in look) for look in looks}
    order = sorted(set(looks), key=lambda look: (-firsts[look], -looks.count(look), looks.index(look)))
    rows = zip(matrix.subjects, looks, matrix.totals, matrix.cells, strict=True)
    made = [WinnerRow(subject, order.index(look) + 1, total, cells) for subject, look, total, cells in rows]
    return sorted(made, key=lambda row: row.group)


def short(cell: WinnerCell) -> str:
    """The winners of a cell, the frequent first: `last`, `last+other`."""
    if cell.label != "mixed":
        return cell.label
    telling = [name for name in cell.counts if name not in ("equal", "n/a")]
    return "+".join(sorted(telling, key=lambda name: (-cell.counts[name], name))) or cell.label


def parted(result: Comparison) -> list[PairCell]:
    """The pairs that part, each once, those with most value splits on top."""
    cells = result.pairs.cells
    found = [cell for place, row in enumerate(cells) for cell in row[place + 1 :] if cell is not None]
    return sorted(
        (cell for cell in found if cell.value or cell.row_only or cell.column_only),
        key=lambda cell: (-cell.value, -(cell.row_only + cell.column_only)),
    )


def depth_rows(result: Comparison) -> dict[Nest, list[tuple[str, Depth]]]:
    """By kind of nest the subjects that were asked, who reads least on top."""
    return {
        kind: sorted(
            (row for row in zip(result.pairs.subjects, found, strict=True) if row[1].asked),
            key=lambda row: row[1].reads,
        )
        for kind, found in result.limits.depths.items()
    }


def number_rows(result: Comparison) -> list[tuple[str, list[int]]]:
    """What of numbers survives, counts in the order of SURVIVALS, the most faithful on top."""
    rows = [
        (subject, [counts[name] for name in SURVIVALS])
        for subject, counts in zip(result.pairs.subjects, result.limits.numbers, strict=True)
    ]
    return sorted((row for row in rows if any(row[1])), key=lambda row: [-count for count in row[1][:2]])


@dataclass(frozen=True, slots=True)
class Leaf:
    """A row of a tree: `joins` is the distance at which its cluster joins that of the row above.

    None for the first row. `nearest` and `apart`: None where there is no case in common with any.
    """

    subject: str
    joins: int | None
    nearest: str | None
    apart: int | None


def leaves(tree: Tree) -> list[Leaf]:
    """The rows of a tree; order and heights are all of it."""
    heights = {join.middle: join.apart for join in tree.joins}
    return [
        Leaf(subject, heights.get(place), near.subject if near else None, near.apart if near else None)
        for place, (subject, near) in enumerate(zip(tree.leaves, tree.nearest, strict=True))
    ]


def percent(share: int | None) -> str:
    """Parts of WHOLE as percent; nothing where there are none."""
    return "" if share is None else f"{100 * share / WHOLE:.2f} %"
