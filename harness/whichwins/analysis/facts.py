"""What is asked of one case, worked out at most once and only when asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from whichwins.analysis.algebra import Document
from whichwins.analysis.result import Winner
from whichwins.analysis.winners import document_of, winner
from whichwins.model import Observation
from whichwins.reference import ProblemKind, Reading, read
from whichwins.run.twins import may_repeat
from whichwins.run.view import CaseRecord, LedgerView

_LIMITS: frozenset[ProblemKind] = frozenset(
    ("number-overflow", "integer-range", "number-precision", "number-length", "depth", "size")
)


class Facts:
    """A case beside the reference's reading of it; everything is None or empty without content."""

    def __init__(self, record: CaseRecord) -> None:
        self.record = record

    @cached_property
    def reading(self) -> Reading | None:
        """What the reference makes of the bytes."""
        return None if self.record.data is None else read(self.record.data)

    @cached_property
    def kinds(self) -> frozenset[ProblemKind]:
        """The kinds of problems that the reference found."""
        return frozenset(problem.kind for problem in self.reading.problems) if self.reading else frozenset()

    @cached_property
    def document(self) -> Document | None:
        """The reading prepared for winners; None where no name repeats."""
        data = self.record.data
        if data is None or self.reading is None or not may_repeat(data):
            return None
        return document_of(self.reading)

    @cached_property
    def limited(self) -> bool:
        """Whether RFC 8259 section 9 lets a parser reject the text for a limit of its own.

        Numbers beyond the range or precision of binary64, depth over 64, size over 1 MiB. Without
        content: whether a clause of the case says `MAY be limited`.
        """
        if self.reading is None:
            return any("MAY be limited" in clause for clause in self.record.case.clauses.values())
        return not _LIMITS.isdisjoint(self.kinds)


def twins_of(view: LedgerView) -> dict[str, str]:
    """The id of each case's twin."""
    twins = ((record.case.twin_of, key) for key, record in view.cases.items())
    return {case: twin for case, twin in twins if case is not None}


def winners_of(
    facts: Facts,
    row: Sequence[Observation],
    twin_row: Sequence[Observation] | None,
    lookups: Sequence[bool],
) -> tuple[Winner, ...] | None:
    """Each subject's winner, in order, decided once per distinct answer; None where no name repeats."""
    document = facts.document
    if document is None:
        return None
    known: dict[tuple[str | None, object, object, bool], Winner] = {}
    found: list[Winner] = []
    twins: Sequence[Observation | None] = (None,) * len(row) if twin_row is None else twin_row
    for mine, twin, lookup in zip(row, twins, lookups, strict=True):
        key = (mine.value, mine.outcome, twin and twin.outcome, lookup)
        if key not in known:
            known[key] = winner(document, mine, twin, lookup)
        found.append(known[key])
    return tuple(found)


def lookups_of(view: LedgerView, subjects: Sequence[str]) -> tuple[bool, ...]:
    """Which subjects read members by name, as their identities say."""
    return tuple(_says_yes(view.identity(key)) for key in subjects)


def _says_yes(identity: Mapping[str, object]) -> bool:
    return identity.get("lookup") in (True, "true")
