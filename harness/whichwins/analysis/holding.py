"""Columns held against each other, case by case: what became of every answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from whichwins.analysis.change_result import Change, ChangeKind, Pairing
from whichwins.analysis.classes import FAILED, REJECTED, SILENT, Classes, classify
from whichwins.analysis.counting import in_order
from whichwins.analysis.facts import Facts, lookups_of, twins_of
from whichwins.analysis.lens import lens
from whichwins.analysis.matching import Cases
from whichwins.analysis.parting import Both, part, part_unseen, shown
from whichwins.analysis.result import Cause, Winner
from whichwins.model import Observation, Outcome, base_of
from whichwins.run.view import CaseRecord, LedgerView

UNSEEN = 'X"sha256:'
"""How a value before begins that is known by its digest only."""
NO_STATEMENT = (Outcome.UNSUPPORTED, Outcome.ABSENT)

_OTHER_INPUT = Cause("other", "input", "the case has other bytes than before")
_NOT_REPEATED = Cause("other", "unstable", "the answer did not repeat")


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two columns while they are held against each other. `named`: stages and names of errors count."""

    before: LedgerView
    after: LedgerView
    old_place: int
    new_place: int
    lookups: tuple[bool, bool]
    named: bool
    lens_name: str
    twins: tuple[Mapping[str, str], Mapping[str, str]]
    winners: Mapping[str, Mapping[str, Winner]]

    def answers(self, old: str, new: str) -> Both:
        """The answers to a case, which has an id on each side."""
        return self.before.observations[old][self.old_place], self.after.observations[new][self.new_place]

    def controls(self, old: str, new: str) -> Both | None:
        """The answers to the case's twin. Where one side has no twin the other side's stands for both."""
        twin_before, twin_after = self.twins[0].get(old), self.twins[1].get(new)
        one = self.before.observations[twin_before][self.old_place] if twin_before else None
        other = self.after.observations[twin_after][self.new_place] if twin_after else None
        one, other = one or other, other or one
        return None if one is None or other is None else (one, other)


@dataclass(slots=True)
class _Tally:
    """Counts of two columns: as in `Pairing`."""

    compared: int = 0
    gone: int = 0
    shaky: int = 0
    fresh: int = 0
    dimensions: Counter[str] = field(default_factory=Counter)


def held(
    before: LedgerView,
    after: LedgerView,
    pairs: Sequence[tuple[str, str]],
    cases: Cases,
    lens_name: str,
    winners: Mapping[str, Mapping[str, Winner]] = MappingProxyType({}),
) -> tuple[list[Change], tuple[Pairing, ...]]:
    """What became of every answer, in no particular order, and the columns with their counts.

    `winners`, by case and column, are those of values before that are known by their digest only.
    """
    found: list[Change] = []
    pairings: list[Pairing] = []
    twins = twins_of(before), twins_of(after)
    for old_key, new_key in pairs:
        sides = _Sides(
            before,
            after,
            before.subjects.index(old_key),
            after.subjects.index(new_key),
            (lookups_of(before, [old_key])[0], lookups_of(after, [new_key])[0]),
            one_library(old_key, new_key, before.identity(old_key), after.identity(new_key)),
            lens_name,
            twins,
            winners,
        )
        mine, tally = _compared(sides, base_of(new_key), cases)
        found += mine
        found += _other_inputs(sides, base_of(new_key), cases.other_input)
        identities = before.identity(old_key), after.identity(new_key)
        pairings.append(
            Pairing(
                base_of(new_key),
                old_key,
                new_key,
                *identities,
                tally.compared,
                len(mine),
                in_order(tally.dimensions),
                tally.gone,
                tally.fresh,
                tally.shaky,
            )
        )
    return found, tuple(pairings)


def _compared(sides: _Sides, subject: str, cases: Cases) -> tuple[list[Change], _Tally]:
    """What changed, and the counts of the cells."""
    normal = lens(sides.lens_name)
    found: list[Change] = []
    tally = _Tally()
    for old, new in cases.same:
        both = sides.answers(old, new)
        if both[0] == both[1]:
            tally.compared += both[0].outcome not in NO_STATEMENT
            continue
        classes = classify(both, normal)
        if SILENT in classes.signature:
            found += _silent(sides, subject, new, both, tally)
            continue
        kind = _kind(both, classes, sides.named)
        if kind is not None and both[0].unstable:
            tally.shaky += 1
            continue
        tally.compared += 1
        tally.dimensions.update(classes.dimensions())
        if kind is not None:
            found.append(_change(sides, subject, old, new, both, classes, kind))
    return found, tally


def _silent(sides: _Sides, subject: str, new: str, both: Both, tally: _Tally) -> Iterator[Change]:
    """A cell with a statement on one side at most. What a library answered and no longer does has vanished.

    Of an absent subject the caller says more; between two libraries and for new answers a count is enough.
    """
    one, other = both
    if one.outcome not in NO_STATEMENT and other.outcome is Outcome.UNSUPPORTED:
        if sides.named:
            yield change_of(sides.after.cases[new], subject, "vanished", (one, other), no_answer(other))
        else:
            tally.gone += 1
    elif one.outcome is Outcome.UNSUPPORTED and other.outcome not in NO_STATEMENT:
        tally.fresh += 1


def one_library(old_key: str, new_key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two columns are of one library of one adapter, be it by other entry points."""
    if base_of(old_key) == base_of(new_key):
        return True
    adapters = {key.partition("/")[0] for key in (old_key, new_key)}
    return len(adapters) == 1 and bool(old.get("library")) and old.get("library") == new.get("library")


def no_answer(now: Observation) -> Cause:
    """The cause where there was an answer and is none now."""
    return Cause("other", "no answer", f"the answer is {now.outcome}, which makes no statement")


def _kind(both: Both, classes: Classes, named: bool) -> ChangeKind | None:
    """What became of an answer; winners are looked at later. None: the same, under the lens."""
    (one, other), (old, new) = both, classes.signature
    if named and _same_error(one, other):
        return "became-unstable" if other.unstable and not one.unstable else None
    if old != new:
        if old == FAILED:
            return "recovered"
        if new == FAILED:
            return "newly-failing"
        if old == REJECTED:
            return "newly-accepted"
        return "newly-rejected" if new == REJECTED else "value-changed"
    if old < 0 and _way(one, named) != _way(other, named):
        return "refused-otherwise"
    return "became-unstable" if other.unstable and not one.unstable else None


def _same_error(one: Observation, other: Observation) -> bool:
    """Whether callers catch the same: a class of errors may be a refusal in one version and in the other not.

    As ValueError is for ujson, which has a class of its own since 5.2.
    """
    thrown = {Outcome.REJECT, Outcome.FAULT}
    return {one.outcome, other.outcome} == thrown and one.error is not None and one.error == other.error


def _way(answer: Observation, named: bool) -> tuple[str | None, ...]:
    """How a case ended without a value, as far as it is compared."""
    return (answer.outcome, answer.stage, answer.error, answer.signal) if named else (answer.outcome,)


def _change(
    sides: _Sides, subject: str, old: str, new: str, both: Both, classes: Classes, kind: ChangeKind
) -> Change:
    record = sides.after.cases[new]
    if kind == "became-unstable":
        return change_of(record, subject, kind, both, _NOT_REPEATED)
    facts = Facts(record, sides.twins[1])
    if (both[0].value or "").startswith(UNSEEN):
        winner = sides.winners.get(old, {}).get(sides.before.subjects[sides.old_place])
        parting = part_unseen(facts, both, winner, sides.controls(old, new), sides.lookups, classes)
    else:
        parting = part(facts, both, sides.controls(old, new), sides.lookups, classes, sides.lens_name)
    if kind == "value-changed" and parting.cause.name == "repeated name":
        kind = "winner-changed"
    return change_of(record, subject, kind, both, parting.cause, parting.pointer, parting.winners)


def change_of(
    record: CaseRecord,
    subject: str,
    kind: ChangeKind,
    both: tuple[Observation | None, Observation | None],
    cause: Cause,
    pointer: str | None = None,
    winners: tuple[Winner, Winner] | None = None,
) -> Change:
    """A change on a case; an answer that is None was, or is, nothing."""
    before, after = ("" if answer is None else shown(answer) for answer in both)
    return Change(
        subject=subject,
        case=record.case.id,
        family=record.case.family,
        length=record.length,
        kind=kind,
        before=before,
        after=after,
        pointer=pointer,
        winners=winners,
        cause=cause,
        data=record.data,
    )


def _other_inputs(sides: _Sides, subject: str, cases: Iterable[str]) -> Iterator[Change]:
    for key in cases:
        both = sides.answers(key, key)
        if not all(answer.outcome in NO_STATEMENT for answer in both):
            yield change_of(sides.after.cases[key], subject, "input-changed", both, _OTHER_INPUT)
