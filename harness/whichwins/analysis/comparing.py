"""What a ledger says about its subjects side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from whichwins.analysis.binding import BindingTable
from whichwins.analysis.cause import cause_of
from whichwins.analysis.classes import classify, difference_of, pointer_of
from whichwins.analysis.counting import Counted, by_cause, in_order
from whichwins.analysis.facts import Facts, lookups_of, twins_of, winners_of
from whichwins.analysis.layers import LayerTable, blameable, excusable
from whichwins.analysis.lens import DEFAULT, lens
from whichwins.analysis.likeness import trees
from whichwins.analysis.limits import LimitTable
from whichwins.analysis.matrix import SignatureTable, WinnerTable, pair_matrix
from whichwins.analysis.result import Comparison, Split, Summary
from whichwins.analysis.selection import Selection, incomplete, require_two, select
from whichwins.model import MeasurementFailed
from whichwins.run.view import LedgerView


def compare(view: LedgerView, lens_name: str = DEFAULT, subjects: Iterable[str] | None = None) -> Comparison:
    """Compare the subjects of a ledger, or those named, under a lens.

    Raises MeasurementFailed with fewer than two live subjects or no cases, BadInput for an unknown
    lens or subject.
    """
    normal = lens(lens_name)
    selection = select(view, subjects)
    require_two(selection)
    live = selection.live
    lookups, twins = lookups_of(view, live), twins_of(view)
    table, winner_table, layer_table = SignatureTable(), WinnerTable(live), LayerTable()
    binding_table = BindingTable(live, {key: str(view.identity(key).get("shape", "")) for key in live})
    limit_table = LimitTable(len(live))
    splits: list[Split] = []
    dimensions: Counter[str] = Counter()
    twin_count = twin_splits = 0
    for key, record in view.cases.items():
        row = selection.row(view.observations[key])
        classes = classify(row, normal)
        if record.case.twin_of is not None:
            twin_count += 1
            twin_splits += classes.split
            continue
        facts = Facts(record, twins)
        table.add(classes.signature, record.length, key)
        dimensions.update(classes.dimensions())
        limit_table.add(facts, row)
        limited = excusable(record.case, classes.signature) and facts.limited
        clauses = facts.clauses if blameable(record.case, classes.signature) else record.case.clauses
        layer_table.add(record.case, clauses, limited, classes.signature, record.length)
        twin_row = None if facts.twin is None else selection.row(view.observations[facts.twin])
        winners = winners_of(facts, row, twin_row, lookups)
        if winners is not None:
            winner_table.add(record.case.family, winners, record.length, key)
        if facts.fields:
            binding_table.add(record.case.shape or "", facts.fields, row, record.length, key)
        if classes.split:
            difference = difference_of(classes, lens_name)
            splits.append(
                Split(
                    case=key,
                    family=record.case.family,
                    length=record.length,
                    verdict=classes.verdict,
                    value=classes.value,
                    values=len(classes.texts),
                    pointer=pointer_of(difference),
                    cause=cause_of(facts, classes, difference, winners, lookups, twin_row),
                )
            )
    if twin_count == len(view.cases):
        raise MeasurementFailed("the ledger has only twins, no cases: nothing was measured")
    pairs = pair_matrix(live, table)
    return Comparison(
        lens=lens_name,
        tool=str(view.header.get("tool", "")),
        corpus=str(view.header.get("corpus", {}).get("digest", "")),
        content=all(record.content for record in view.cases.values()),
        subjects=selection.lines,
        summary=_summary(
            len(view.cases) - twin_count, twin_count, twin_splits, selection, splits, dimensions
        ),
        splits=tuple(splits),
        winners=winner_table.matrix(),
        pairs=pairs,
        trees=trees(pairs),
        layers=layer_table.results(live),
        limits=limit_table.limits(),
        incomplete=incomplete(view, selection),
        binding=binding_table.matrix(),
    )


def _summary(
    cases: int,
    twins: int,
    twin_splits: int,
    selection: Selection,
    splits: list[Split],
    dimensions: Counter[str],
) -> Summary:
    counted = [Counted(each.cause, each.verdict, each.value, each.length, each.case) for each in splits]
    return Summary(
        cases=cases,
        twins=twins,
        subjects=len(selection.live),
        split=len(splits),
        verdict=sum(split.verdict for split in splits),
        value=sum(split.value for split in splits),
        both=sum(split.verdict and split.value for split in splits),
        twin_splits=twin_splits,
        by_cause=by_cause(counted, kinds=False),
        by_kind=by_cause(counted, kinds=True),
        dimensions=in_order(dimensions),
    )
