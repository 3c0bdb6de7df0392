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


def part_unseen(facts: Facts, controls: Both | None, lookups: Sequence[bool], classes: Classes) -> Parting:
    """The same where one of two accepted values is known by its digest only: no place, no winner."""
    return Parting(None, None, cause_of(facts, classes, None, None, lookups, controls))


def shown(observation: Observation) -> str:
    """An answer in one line: its notation, cut where it is long, or how it ended."""
    if observation.value is not None:
        return cut(observation.value, _SHOWN_LENGTH)
    return f"{observation.outcome.value} {note(observation)}".rstrip()
