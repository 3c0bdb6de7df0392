"""How deep subjects read, and what of a number survives: what a picture of a comparison shows.

Both are counted on texts that show nothing else: nests of one kind, and the families of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from whichwins.analysis.casebook import CaseSheet
from whichwins.analysis.lens import lens
from whichwins.model import Outcome

Nest = Literal["arrays", "objects"]
NESTS: tuple[Nest, ...] = ("arrays", "objects")
_OBJECTS = re.compile(rb'((?:\{"[^"\\]*":)+)(?:[0-9]|null|true|false|"")(\}+)')
_SILENT = (Outcome.UNSUPPORTED, Outcome.ABSENT)

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


def depth_of(data: bytes) -> tuple[Nest, int] | None:
    """The kind and number of levels of a text that is nothing but containers in each other."""
    levels = len(data) // 2
    if levels and data.count(b"[", 0, levels) == levels and data.count(b"]", levels) == len(data) - levels:
        return ("arrays", levels) if len(data) == 2 * levels else None
    found = _OBJECTS.fullmatch(data)
    if found is None or found[1].count(b"{") != len(found[2]):
        return None
    return "objects", len(found[2])


def depths(sheets: Iterable[CaseSheet], subjects: int) -> dict[Nest, tuple[Depth, ...]]:
    """How deep each of so many subjects reads, by kind of nest; a kind that nobody was asked is not there."""
    met: dict[Nest, list[tuple[int, Sequence[Outcome]]]] = {}
    for sheet in sheets:
        nest = None if sheet.record.data is None else depth_of(sheet.record.data)
        if nest is not None:
            met.setdefault(nest[0], []).append((nest[1], sheet.outcomes))
    return {
        kind: tuple(
            _depth(sorted((level, outcomes[place]) for level, outcomes in met[kind]))
            for place in range(subjects)
        )
        for kind in NESTS
        if kind in met
    }


def _depth(answers: Sequence[tuple[int, Outcome]]) -> Depth:
    told = [(level, outcome) for level, outcome in answers if outcome not in _SILENT]
    stops, how = next(((each for each in told if each[1] is not Outcome.ACCEPT)), (None, None))
    accepted = [level for level, outcome in told if outcome is Outcome.ACCEPT]
    below = [level for level in accepted if stops is None or level < stops]
    again = len({level for level in accepted if stops is not None and level > stops})
    return Depth(max(below, default=0), stops, how, again, max((level for level, _ in told), default=0))


def fidelity(sheets: Iterable[CaseSheet], subjects: int) -> tuple[dict[Survival, int], ...]:
    """What became of the JSON texts in the families of numbers, for each of so many subjects."""
    decimal, binary64 = lens("value/1"), lens("binary64/1")
    counts: list[dict[Survival, int]] = [dict.fromkeys(SURVIVALS, 0) for _ in range(subjects)]
    for sheet in sheets:
        if not sheet.record.case.family.startswith("numbers-") or sheet.reading is None:
            continue
        exact, rounded = decimal(sheet.reading), binary64(sheet.reading)
        became: list[Survival] = [
            "exact"
            if decimal(text) == exact
            else "rounded"
            if binary64(text) == rounded and "Infinity" not in text
            else "other"
            for text in sheet.texts
        ]
        for place, (answer, outcome) in enumerate(zip(sheet.answers, sheet.outcomes, strict=True)):
            if answer >= 0:
                counts[place][became[answer]] += 1
            elif outcome not in _SILENT:
                counts[place]["refused" if outcome is Outcome.REJECT else "failed"] += 1
    return tuple(counts)
