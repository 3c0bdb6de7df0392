"""What can be said of a request whoever answers, worked out at most once; while workers answer, if told to.

looks = Looks(stack, cases)
looks.ahead("orders/1", passage, lookup=False)   # between two answers: the processor is free
looks["orders/1"].word
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from whichwins.analysis.facts import Facts
from whichwins.audit.losses import Original
from whichwins.audit.passage import Passage, Passed, understood
from whichwins.audit.promise import Word, word_of
from whichwins.audit.stack import Stack
from whichwins.model import ACCEPT
from whichwins.reference import Reading
from whichwins.run.view import CaseRecord

_AHEAD_BYTES, _AHEAD_REQUESTS = 20 << 20, 20_000
"""What is looked at early has to be kept: at most so many bytes of texts, and so many texts."""


class Look:
    """One request beside the policy. `facts` is what the reference says of its original bytes."""

    def __init__(self, stack: Stack, record: CaseRecord, twins: Mapping[str, str]) -> None:
        self.record = record
        self.facts = Facts(record, twins, shaped=False)
        self._stack = stack

    @cached_property
    def word(self) -> Word:
        """The policy's word for the original."""
        return word_of(self.facts, self._stack.policy)

    @cached_property
    def control(self) -> bool:
        """Whether the stack has to accept it: the policy does, and it is one of the stack's controls."""
        patterns, case = self._stack.controls, self.record.case
        named = not patterns or any(fnmatchcase(case.twin_of or case.id, each) for each in patterns)
        return self.word.expected == ACCEPT and named

    @cached_property
    def original(self) -> Original | None:
        """The original, to hold answers against; None where its bytes are not kept."""
        data = self.record.data
        return None if data is None else Original(data, self._stack.policy.layer, self._reading)

    def _reading(self) -> Reading:
        reading = self.facts.reading
        assert reading is not None, "a record with its bytes can be read"
        return reading


class Looks:
    """The looks at all requests of an audit. `twins` maps a case to its twin."""

    def __init__(self, stack: Stack, cases: Mapping[str, CaseRecord]) -> None:
        owners = ((record.case.twin_of, key) for key, record in cases.items())
        self.cases = cases
        self.twins = {case: twin for case, twin in owners if case is not None}
        self._stack = stack
        self._early: dict[str, Look] = {}
        self._bytes_left = _AHEAD_BYTES

    def __getitem__(self, case: str) -> Look:
        """The look at a request: the early one, else a new one."""
        return self._early.get(case) or Look(self._stack, self.cases[case], self.twins)

    def ahead(self, case: str, passage: Passage, *, lookup: bool) -> None:
        """Work out what will be asked of a request that a boundary without a conversion answered.

        `lookup`: the boundary reads members by name. Nothing depends on whether this was done.
        """
        look = self._early.get(case)
        if look is None:
            length = self.cases[case].length
            if length > self._bytes_left or len(self._early) == _AHEAD_REQUESTS:
                return
            self._bytes_left -= length
            look = self._early[case] = self[case]
        value, original = understood(passage), look.original if look.word else None
        if passage.passed is not Passed.ACCEPTED or value is None or original is None:
            return
        if passage.emitted is None:
            original.loss(value, lookup=lookup)
        else:
            original.loss_emitted(passage.emitted, value)

    def done(self, case: str) -> None:
        """Let go of a request that is judged; its owner may still ask for a twin."""
        if self.cases[case].case.twin_of is None:
            self._early.pop(case, None)
