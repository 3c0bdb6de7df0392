"""What is asked of one case, worked out at most once and only when asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from whichwins.analysis.algebra import Document
from whichwins.analysis.binding import Field, surveyed
from whichwins.analysis.binding_winners import bound_winner
from whichwins.analysis.result import Winner
from whichwins.analysis.winners import document_of, winner
from whichwins.model import Observation
from whichwins.model.shape import SHAPES
from whichwins.reference import ProblemKind, Reading, read, value, verdicts
from whichwins.run.twins import may_repeat
from whichwins.run.view import CaseRecord, LedgerView

_DEPTH: tuple[ProblemKind, ...] = ("depth",)
LIMITS: frozenset[ProblemKind] = frozenset(
    ("number-overflow", "integer-range", "number-precision", "number-length", "depth", "size")
)
"""What a parser may limit (RFC 8259 sections 6 and 9): it may refuse a text that has one of these."""


class Facts:
    """A case beside the reference's reading of it; everything is None or empty without content.

    `twins` maps cases to their twins. Runs give a twin to every case whose names repeat, so that where
    there are twins a case without one need not be searched for repeats. `shaped` is false where the case's
    shape says nothing of who reads it.
    """

    def __init__(self, record: CaseRecord, twins: Mapping[str, str], *, shaped: bool = True) -> None:
        self.record = record
        self.shape = record.case.shape if shaped else None
        self.twin = twins.get(record.case.id)
        self._searched = bool(twins)

    @cached_property
    def reading(self) -> Reading | None:
        """What the reference makes of the bytes."""
        if self._shallow is None or not self.deep or self.record.data is None:
            return self._shallow
        return read(self.record.data)

    @cached_property
    def _shallow(self) -> Reading | None:
        # A text may be large because it is deep; then little of it answers most questions.
        return None if self.record.data is None else read(self.record.data, stop=_DEPTH)

    @cached_property
    def deep(self) -> bool:
        """Whether the text nests deeper than 64."""
        return self._found(_DEPTH)

    @cached_property
    def large(self) -> bool:
        """Whether the text is larger than 1 MiB."""
        return self._found(("size",))

    def _found(self, kinds: Iterable[ProblemKind]) -> bool:
        wanted = frozenset(kinds)
        return self._shallow is not None and any(each.kind in wanted for each in self._shallow.problems)

    @cached_property
    def kinds(self) -> frozenset[ProblemKind]:
        """The kinds of problems that the reference found."""
        return frozenset(problem.kind for problem in self.reading.problems) if self.reading else frozenset()

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What the text gives the declared target, for a case of a known shape."""
        if self.shape not in SHAPES or self.reading is None or self.reading.root is None:
            return ()
        return surveyed(self.shape, value(self.reading.root))

    @cached_property
    def document(self) -> Document | None:
        """The reading prepared for winners; None where no name repeats.

        None too where a name that repeats also meets another in its field: the survivor may be that one's.
        """
        if any(each.repeats and each.collides for each in self.fields):
            return None
        data = self.record.data
        if data is None or (self.twin is None and (self._searched or not may_repeat(data))):
            return None
        return None if self.reading is None else document_of(self.reading)

    @cached_property
    def clauses(self) -> Mapping[str, str]:
        """The clause that speaks, by layer: in the reference's words where it agrees with the case.

        Cases word their clauses each in its own way; counted by the reference's, equal ones are together.
        """
        case, reading = self.record.case, self._shallow
        said = {} if reading is None else verdicts(reading)
        return {
            layer: said[layer].clause
            if layer in said and said[layer].expectation == expected and said[layer].clause
            else case.clauses.get(layer, "")
            for layer, expected in case.expect.items()
        }

    @cached_property
    def limited(self) -> bool:
        """Whether RFC 8259 section 9 lets a parser reject the text for a limit of its own.

        Numbers beyond the range or precision of binary64, depth over 64, size over 1 MiB. Without
        content: whether a clause of the case says `MAY be limited`.
        """
        if self.record.data is None:
            return any("MAY be limited" in clause for clause in self.record.case.clauses.values())
        return self._found(LIMITS)


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
    bound = facts.fields
    known: dict[tuple[str | None, object, object, bool], Winner] = {}
    found: list[Winner] = []
    twins: Sequence[Observation | None] = (None,) * len(row) if twin_row is None else twin_row
    for mine, twin, lookup in zip(row, twins, lookups, strict=True):
        key = (mine.value, mine.outcome, twin and twin.outcome, lookup)
        if key not in known:
            known[key] = bound_winner(bound, mine, twin) if bound else winner(document, mine, twin, lookup)
        found.append(known[key])
    return tuple(found)


def lookups_of(view: LedgerView, subjects: Sequence[str]) -> tuple[bool, ...]:
    """Which subjects read members by name, as their identities say."""
    return tuple(_says_yes(view.identity(key)) for key in subjects)


def _says_yes(identity: Mapping[str, object]) -> bool:
    return identity.get("lookup") in (True, "true")
