"""Every case with every answer, for a report in which a reader looks around: see `CaseSheet`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from whichwins.analysis.classes import Classes, classify, cut, note
from whichwins.analysis.explaining import problem_lines, reading_text
from whichwins.analysis.facts import Facts, lookups_of, twins_of, winners_of
from whichwins.analysis.lens import first_difference, lens
from whichwins.analysis.result import Cause, Comparison, ExpectationLine, Winner
from whichwins.model import LAYERS, Observation, Outcome
from whichwins.run.view import CaseRecord, LedgerView

READ_AT_MOST = 4096
"""Bytes of an input whose reading is shown."""
_PROBLEMS = 5
_POINTER_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Parting:
    """The first JSON Pointer at which two value classes of a case differ, with `one` < `other`."""

    one: int
    other: int
    pointer: str


@dataclass(frozen=True, slots=True)
class CaseSheet:
    """A case and what the live subjects of a comparison answered; tuples by subject are in its order.

    `texts` are the distinct notations that were answered, `classes` the value class of each under the lens;
    `answers[i]` is the text of subject `i`, -1 where it did not accept. `notes[i]` says how a subject that
    did not accept ended. `winners` is None where no name repeats. `reading` is None where the text is no
    JSON, the ledger has no content, or the text is longer than READ_AT_MOST.
    """

    record: CaseRecord
    twin: str | None
    reading: str | None
    problems: tuple[str, ...]
    expectations: tuple[ExpectationLine, ...]
    texts: tuple[str, ...]
    classes: tuple[int, ...]
    answers: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...]
    partings: tuple[Parting, ...]
    verdict: bool
    value: bool
    cause: Cause | None
    winners: tuple[Winner, ...] | None


def casebook(view: LedgerView, result: Comparison) -> Iterator[CaseSheet]:
    """The cases of a comparison of this ledger, twins too, in the order of their ids.

    Causes are those of the comparison's splits; a twin, which is a control, has none.
    """
    subjects = result.pairs.subjects
    places = [view.subjects.index(key) for key in subjects]
    causes = {split.case: split.cause for split in result.splits}
    lookups, twins, normal = lookups_of(view, subjects), twins_of(view), lens(result.lens)
    for key, record in view.cases.items():
        row = tuple(view.observations[key][place] for place in places)
        facts = Facts(record, twins)
        twin_row = None
        if facts.twin is not None:
            twin_row = tuple(view.observations[facts.twin][place] for place in places)
        winners = None if record.case.twin_of is not None else winners_of(facts, row, twin_row, lookups)
        yield _sheet(record, facts, row, classify(row, normal), result.lens, causes.get(key), winners)


def _sheet(
    record: CaseRecord,
    facts: Facts,
    row: Sequence[Observation],
    classes: Classes,
    lens_name: str,
    cause: Cause | None,
    winners: tuple[Winner, ...] | None,
) -> CaseSheet:
    texts = tuple(text for texts in classes.texts for text in texts)
    place = {text: index for index, text in enumerate(texts)}
    accepted = [each.value if each.outcome is Outcome.ACCEPT else None for each in row]
    reading = facts.reading if record.length <= READ_AT_MOST else None
    return CaseSheet(
        record=record,
        twin=facts.twin,
        reading=None if reading is None else reading_text(reading),
        problems=() if reading is None else problem_lines(reading)[:_PROBLEMS],
        expectations=tuple(
            ExpectationLine(layer, record.case.expect[layer], record.case.clauses.get(layer, ""))
            for layer in LAYERS
            if layer in record.case.expect
        ),
        texts=texts,
        classes=tuple(number for number, inside in enumerate(classes.texts) for _ in inside),
        answers=tuple(-1 if text is None else place[text] for text in accepted),
        outcomes=tuple(each.outcome for each in row),
        notes=tuple("" if text is not None else note(each) for each, text in zip(row, accepted, strict=True)),
        partings=tuple(_partings(classes, lens_name)),
        verdict=classes.verdict,
        value=classes.value,
        cause=cause,
        winners=winners,
    )


def _partings(classes: Classes, lens_name: str) -> Iterator[Parting]:
    for (one, left), (other, right) in combinations(enumerate(classes.texts), 2):
        difference = first_difference(left[0], right[0], lens_name)
        if difference is not None:
            yield Parting(one, other, cut(difference.pointer, _POINTER_LENGTH))
