"""One case, explained: the bytes, the reference's reading, the classes, where and why they part."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from whichwins import notation
from whichwins.analysis import numbers
from whichwins.analysis.cause import cause_of
from whichwins.analysis.classes import classify, cut, difference_of, groups, pointer_of
from whichwins.analysis.facts import Facts, lookups_of, twins_of, winners_of
from whichwins.analysis.lens import DEFAULT, lens
from whichwins.analysis.result import ExpectationLine, Explanation, Repeat, Winner
from whichwins.analysis.selection import select
from whichwins.model import LAYERS, BadInput, DecimalLiteral
from whichwins.reference import Node, Occurrence, Reading, occurrences, spelled
from whichwins.run.view import LedgerView

_SPELLING_LENGTH = 80
_REPEATS = 100
"""Repeated names that are listed; a case with more shows its kind with fewer."""


def explain(
    view: LedgerView, case: str, lens_name: str = DEFAULT, subjects: Iterable[str] | None = None
) -> Explanation:
    """Everything the ledger and the reference say of one case, for all subjects or those named.

    Works with any number of live subjects. Raises BadInput for an unknown case, lens or subject.
    """
    normal = lens(lens_name)
    selection = select(view, subjects)
    record = view.cases.get(case)
    if record is None:
        near = difflib.get_close_matches(case, view.cases, 1)
        raise BadInput(f"no case {case!a} in this ledger" + (f": did you mean {near[0]}?" if near else ""))
    keys = tuple(line.key for line in selection.lines)
    row = tuple(view.observations[case][view.subjects.index(key)] for key in keys)
    classes = classify(row, normal)
    facts = Facts(record, twins_of(view))
    twin = facts.twin
    lookups = lookups_of(view, keys)
    twin_row = None if twin is None else [view.observations[twin][view.subjects.index(key)] for key in keys]
    winners = winners_of(facts, row, twin_row, lookups)
    difference = difference_of(classes, lens_name)
    by_subject: Mapping[str, Winner] = {}
    if winners is not None:
        by_subject = {
            line.key: mine for line, mine in zip(selection.lines, winners, strict=True) if line.live
        }
    reading = facts.reading
    return Explanation(
        case=case,
        family=record.case.family,
        why=record.case.why,
        refs=record.case.refs,
        twin_of=record.case.twin_of,
        twin=twin,
        lens=lens_name,
        length=record.length,
        digest=record.digest,
        data=record.data,
        reading=None if reading is None else reading_text(reading),
        problems=() if reading is None else problem_lines(reading),
        repeats=() if reading is None else _repeats(occurrences(reading)),
        expectations=tuple(
            ExpectationLine(layer, record.case.expect[layer], record.case.clauses.get(layer, ""))
            for layer in LAYERS
            if layer in record.case.expect
        ),
        groups=groups(keys, row, classes),
        verdict=classes.verdict,
        value=classes.value,
        pointer=pointer_of(difference),
        left=None if difference is None else difference.left,
        right=None if difference is None else difference.right,
        cause=cause_of(facts, classes, difference, winners, lookups, twin_row) if classes.split else None,
        winners=by_subject,
    )


def reading_text(reading: Reading) -> str | None:
    """The reference's value in notation, repeated names kept; None when the text is no JSON.

    A number is an integer or a binary64 where that is what its spelling says, else its literal.
    """
    if reading.root is None:
        return None
    return notation.render(spelled(reading.root), _number, lambda members: members)


def _number(number: notation.Number) -> str:
    text = number.text
    if not isinstance(number, DecimalLiteral) or text.removeprefix("-").isdigit():
        return "0" if text == "-0" else text
    return notation.binary64(text) if numbers.decimal(text) == numbers.binary64(text) else "D" + text


def problem_lines(reading: Reading) -> tuple[str, ...]:
    """What the reference found odd: kind, byte offset and clause."""
    return tuple(f"{problem.kind} at byte {problem.offset}: {problem.clause}" for problem in reading.problems)


def _repeats(found: list[Occurrence]) -> tuple[Repeat, ...]:
    listed: list[Repeat] = []
    for occurrence in found:
        members = occurrence.object.members
        for group in occurrence.groups:
            if len(listed) == _REPEATS:
                return tuple(listed)
            name = group.name.decode("utf-8", "replace") if isinstance(group.name, bytes) else group.name
            values = tuple(_spelling(members[place].value) for place in group.members[:_REPEATS])
            listed.append(Repeat(occurrence.pointer, name, values))
    return tuple(listed)


def _spelling(node: Node) -> str:
    # A character is at most four bytes: no need to decode more than can be shown.
    data = node.tape.data[node.start : min(node.end, node.start + 4 * _SPELLING_LENGTH + 4)]
    return cut(data.decode("utf-8", "replace"), _SPELLING_LENGTH)
