"""What two subjects read differently."""

from __future__ import annotations

from collections import Counter

from whichwins.analysis.classes import classify
from whichwins.analysis.counting import Counted, by_cause, in_order
from whichwins.analysis.facts import Facts, lookups_of, twins_of
from whichwins.analysis.lens import DEFAULT, lens
from whichwins.analysis.matrix import SignatureTable, pair_kind, pair_matrix
from whichwins.analysis.parting import part, shown
from whichwins.analysis.result import PairCase, PairDifference
from whichwins.analysis.selection import require_two, select
from whichwins.model import BadInput
from whichwins.run.view import LedgerView


def pair(view: LedgerView, row: str, column: str, lens_name: str = DEFAULT) -> PairDifference:
    """Every case that `row`, as the preview, and `column`, as the executor, read differently.

    Twins are left out. Raises BadInput for an unknown lens or subject, MeasurementFailed when one of
    the two is absent or there is no case.
    """
    normal = lens(lens_name)
    if row == column:
        raise BadInput(f"{row} cannot differ from itself: name two subjects")
    selection = select(view, (row, column))
    require_two(selection)
    keys, places = (row, column), (view.subjects.index(row), view.subjects.index(column))
    twins, lookups = twins_of(view), lookups_of(view, keys)
    table = SignatureTable()
    cases: list[PairCase] = []
    dimensions: Counter[str] = Counter()
    for key, record in view.cases.items():
        if record.case.twin_of is not None:
            continue
        answers = view.observations[key]
        both = answers[places[0]], answers[places[1]]
        classes = classify(both, normal)
        table.add(classes.signature, record.length, key)
        dimensions.update(classes.dimensions())
        kind = pair_kind(classes.signature[0], classes.signature[1])
        if kind is None:
            continue
        facts = Facts(record, twins)
        controls = None
        if facts.twin is not None:
            answers = view.observations[facts.twin]
            controls = answers[places[0]], answers[places[1]]
        parting = part(facts, both, controls, lookups, classes, lens_name)
        left, right = map(shown, both)
        cases.append(
            PairCase(
                key, record.case.family, record.length, kind, left, right, parting.pointer, parting.cause
            )
        )
    cases.sort(key=lambda case: (case.kind != "value", case.length, case.case))
    cell = pair_matrix(keys, table).cells[0][1]
    assert cell is not None
    lines = {line.key: line for line in selection.lines}
    counted = [
        Counted(case.cause, case.kind != "value", case.kind == "value", case.length, case.case)
        for case in cases
    ]
    return PairDifference(
        lens_name,
        cell,
        lines[row],
        lines[column],
        tuple(cases),
        by_cause(counted, kinds=False),
        in_order(dimensions),
    )
