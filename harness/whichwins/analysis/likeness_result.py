"""What clustering subjects by likeness returns: frozen, ordered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Measure = Literal["split", "value", "verdict"]
"""What a distance counts of the common cases of two subjects: all on which they part, or those of a kind."""

WHOLE = 1_000_000
"""All cases that two subjects have in common. Shares are parts of it: reports hold no fractions."""


@dataclass(frozen=True, slots=True)
class Join:
    """Two clusters of a tree made one: the leaves from `first`, and those from `middle` up to before `last`.

    `apart` is the average distance of the one's members to the other's, in parts of WHOLE.
    """

    first: int
    middle: int
    last: int
    apart: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The subject that parts least from another, and on how many of their common cases, in parts of WHOLE."""

    subject: str
    apart: int


@dataclass(frozen=True, slots=True)
class Tree:
    """Subjects clustered by likeness. `joins` are in the order in which clusters were joined.

    `nearest[i]` belongs to `leaves[i]`; None where it has no case in common with any.
    """

    measure: Measure
    leaves: tuple[str, ...]
    joins: tuple[Join, ...]
    nearest: tuple[Neighbour | None, ...]
