"""How deep subjects read, and what of a number survives.

Both are counted on texts that show nothing else: nests of one kind, and the families of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from whichwins.analysis.casebook import READ_AT_MOST
from whichwins.analysis.explaining import reading_text
from whichwins.analysis.facts import Facts
from whichwins.analysis.lens import lens
from whichwins.analysis.limits_result import NESTS, SURVIVALS, Depth, Limits, Nest, Survival
from whichwins.model import Observation, Outcome

# Names that nobody refuses: what becomes of others says nothing of depth.
_OBJECTS = re.compile(rb'((?:\{"[ !#-\[\]-~]*":)+)(?:[0-9]|null|true|false|"")(\}+)')
_SILENT = (Outcome.UNSUPPORTED, Outcome.ABSENT)


class LimitTable:
    """Gathers, case by case, how deep each of so many subjects reads and what of numbers survives."""

    def __init__(self, subjects: int) -> None:
        self._subjects = range(subjects)
        self._met: dict[Nest, list[tuple[int, Sequence[Outcome]]]] = {}
        self._counts: list[dict[Survival, int]] = [dict.fromkeys(SURVIVALS, 0) for _ in self._subjects]
        self._decimal, self._binary64 = lens("value/1"), lens("binary64/1")

    def add(self, facts: Facts, row: Sequence[Observation]) -> None:
        """Count one case; observations in the order of the subjects."""
        record = facts.record
        nest = None if record.data is None else depth_of(record.data)
        if nest is not None:
            self._met.setdefault(nest[0], []).append((nest[1], [each.outcome for each in row]))
        if record.case.family.startswith("numbers-") and record.length <= READ_AT_MOST:
            reading = None if facts.reading is None else reading_text(facts.reading)
            if reading is not None:
                self._count(reading, row)

    def _count(self, reading: str, row: Sequence[Observation]) -> None:
        exact, rounded = self._decimal(reading), self._binary64(reading)
        became: dict[str, Survival] = {}
        for counts, observation in zip(self._counts, row, strict=True):
            text = observation.value
            if observation.outcome is Outcome.ACCEPT and text is not None:
                if text not in became:
                    became[text] = self._became(text, exact, rounded)
                counts[became[text]] += 1
            elif observation.outcome not in _SILENT:
                counts["refused" if observation.outcome is Outcome.REJECT else "failed"] += 1

    def _became(self, text: str, exact: str, rounded: str) -> Survival:
        if self._decimal(text) == exact:
            return "exact"
        # What rounds to infinity is no number any more.
        return "rounded" if self._binary64(text) == rounded and "Infinity" not in text else "other"

    def limits(self) -> Limits:
        """What was gathered."""
        return Limits(
            {
                kind: tuple(
                    _depth(sorted((level, outcomes[place]) for level, outcomes in self._met[kind]))
                    for place in self._subjects
                )
                for kind in NESTS
                if kind in self._met
            },
            tuple(self._counts),
        )


def depth_of(data: bytes) -> tuple[Nest, int] | None:
    """The kind and number of levels of a text that is nothing but containers in each other."""
    levels = len(data) // 2
    if levels and data.count(b"[", 0, levels) == levels and data.count(b"]", levels) == len(data) - levels:
        return ("arrays", levels) if len(data) == 2 * levels else None
    found = _OBJECTS.fullmatch(data)
    if found is None or found[1].count(b"{") != len(found[2]):
        return None
    return "objects", len(found[2])


def _depth(answers: Sequence[tuple[int, Outcome]]) -> Depth:
    told = [(level, outcome) for level, outcome in answers if outcome not in _SILENT]
    stops, how = next(((each for each in told if each[1] is not Outcome.ACCEPT)), (None, None))
    accepted = [level for level, outcome in told if outcome is Outcome.ACCEPT]
    below = [level for level in accepted if stops is None or level < stops]
    again = len({level for level in accepted if stops is not None and level > stops})
    return Depth(max(below, default=0), stops, how, again, max((level for level, _ in told), default=0))
