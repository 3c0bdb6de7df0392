"""How deep subjects read, and what of a number survives: frozen, ordered as the subjects are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from whichwins.model import Outcome

Nest = Literal["arrays", "objects"]
NESTS: tuple[Nest, ...] = ("arrays", "objects")
Survival = Literal["exact", "rounded", "other", "refused", "failed"]
SURVIVALS: tuple[Survival, ...] = ("exact", "rounded", "other", "refused", "failed")
"""What becomes of a number's text: its decimal value; the nearest finite binary64; another value; `refused`,
`failed`: none."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep one subject reads one kind of nest.

    `reads`: the deepest level below the first that it does not accept, 0 where it accepts none of them; the
    deepest that was asked where it accepts all. `stops` is that first level and `how` its outcome, None where
    there is none. `again`: levels beyond `stops` that it accepts all the same. `asked` is the deepest level
    put to it, 0: none was.
    """

    reads: int
    stops: int | None
    how: Outcome | None
    again: int
    asked: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Where subjects limit depth, range and precision; tuples by subject, in the order of the pairs.

    `depths` has the kinds of nests that anybody was asked. `numbers` counts the JSON texts in the families of
    numbers by what became of them.
    """

    depths: Mapping[Nest, tuple[Depth, ...]]
    numbers: tuple[Mapping[Survival, int], ...]
