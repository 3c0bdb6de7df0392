"""Which subjects of a ledger take part in an analysis, and how their cases ended."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whichwins.analysis.counting import plural
from whichwins.analysis.result import SubjectLine
from whichwins.model import BadInput, MeasurementFailed, Observation, Outcome
from whichwins.run.view import LedgerView


@dataclass(frozen=True, slots=True)
class Selection:
    """The subjects asked for: `lines` for all of them, `live` those that were started, sorted."""

    lines: tuple[SubjectLine, ...]
    live: tuple[str, ...]
    places: tuple[int, ...]

    def row(self, observations: Sequence[Observation]) -> tuple[Observation, ...]:
        """The observations of the live subjects."""
        return tuple(observations[place] for place in self.places)


def select(view: LedgerView, subjects: Iterable[str] | None = None) -> Selection:
    """The named subjects, or all. A name is a key or a pattern such as `python/*`.

    Raises BadInput for a key that the ledger does not have, MeasurementFailed when there is no case.
    """
    if not view.cases:
        raise MeasurementFailed("the ledger has no cases: nothing was measured")
    keys = view.subjects if subjects is None else _named(view.subjects, subjects)
    places = {key: place for place, key in enumerate(view.subjects)}
    lines = tuple(_subject_line(view, key, places[key]) for key in keys)
    live = tuple(line.key for line in lines if line.live)
    return Selection(lines, live, tuple(places[key] for key in live))


def _named(known: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    found: set[str] = set()
    for name in names:
        matching = [key for key in known if key == name] or fnmatch.filter(known, name)
        if not matching:
            raise BadInput(f"no subject {name!a} in this ledger: it has {', '.join(known)}")
        found.update(matching)
    return tuple(sorted(found))


def require_two(selection: Selection) -> None:
    """Raise MeasurementFailed unless two subjects are live: one alone agrees with itself."""
    count = len(selection.live)
    if count < 2:
        absent = "".join(
            f"; {line.key} is absent: {line.absent}" for line in selection.lines if not line.live
        )
        raise MeasurementFailed(f"comparing needs two live subjects, there is {count or 'none'}{absent}")


def incomplete(view: LedgerView, selection: Selection) -> tuple[str, ...]:
    """One line for each thing that keeps the measurement from being whole, in the order of subjects."""
    found: list[str] = []
    for line in selection.lines:
        absent = line.outcomes.get(Outcome.ABSENT.value, 0)
        if not line.live:
            found.append(f"{line.key} is absent: {line.absent}")
        elif absent:
            found.append(f"{line.key} is absent in {absent} of {plural(len(view.cases), 'case')}")
        if line.unstable:
            found.append(f"{line.key} has {plural(line.unstable, 'answer')} that did not repeat")
    return tuple(found)


def _subject_line(view: LedgerView, key: str, place: int) -> SubjectLine:
    outcomes: Counter[Outcome] = Counter()
    unstable, reason = 0, None
    for row in view.observations.values():
        observation = row[place]
        outcomes[observation.outcome] += 1
        if observation.outcome is Outcome.ABSENT and reason is None:
            reason = observation.reason or "no reason recorded"
        unstable += observation.unstable
    live = outcomes[Outcome.ABSENT] < len(view.observations)
    counts = {outcome.value: outcomes[outcome] for outcome in Outcome if outcomes[outcome]}
    return SubjectLine(key, view.identity(key), live, None if live else reason, counts, unstable)
