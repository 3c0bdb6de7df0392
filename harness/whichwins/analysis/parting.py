"""Two answers to one case that are not the same: where they part, over what, and how they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from whichwins.analysis.cause import cause_of
from whichwins.analysis.classes import Classes, cut, difference_of, note, pointer_of
from whichwins.analysis.facts import Facts, winners_of
from whichwins.analysis.result import Cause, Winner
from whichwins.model import Observation

_SHOWN_LENGTH = 400
_UNSEEN = Cause("other", "unseen", "values differ; the one before is long, and only its digest was kept")

Both: TypeAlias = tuple[Observation, Observation]


class Parting(NamedTuple):
    """How two answers part: `pointer` is None unless two values differ, `winners` unless a name repeats."""

    pointer: str | None
    winners: tuple[Winner, Winner] | None
    cause: Cause


def part(
    facts: Facts,
    both: Both,
    controls: Both | None,
    lookups: Sequence[bool],
    classes: Classes,
    lens_name: str,
) -> Parting:
    """How two answers part. `classes` are those of `both`, `controls` the answers to the case's twin."""
    difference = difference_of(classes, lens_name)
    winners = winners_of(facts, both, controls, lookups)
    cause = cause_of(facts, classes, difference, winners, lookups, controls)
    return Parting(pointer_of(difference), None if winners is None else (winners[0], winners[1]), cause)


def part_unseen(
    facts: Facts,
    both: Both,
    winner: Winner | None,
    controls: Both | None,
    lookups: Sequence[bool],
    classes: Classes,
) -> Parting:
    """The same where of the value before the digest is all that is known, and perhaps who wins: no place."""
    now = None if winner is None else winners_of(facts, both, controls, lookups)
    winners = None if winner is None or now is None else (winner, now[1])
    cause = cause_of(facts, classes, None, winners, lookups, controls)
    if classes.value and cause.name == "other":
        cause = _UNSEEN
    return Parting(None, winners, cause)


def shown(observation: Observation) -> str:
    """An answer in one line: its notation, cut where it is long, or how it ended."""
    if observation.value is not None:
        return cut(observation.value, _SHOWN_LENGTH)
    return f"{observation.outcome.value} {note(observation)}".rstrip()
