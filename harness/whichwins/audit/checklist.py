"""The questions of a review, answered from what was observed: yes (in order), no, unknown; with a witness.

for line in checklist(result): print(line.answer, line.question, line.said)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from whichwins.audit.passage import Passage, Passed
from whichwins.audit.result import VERDICT_OF, AuditResult
from whichwins.audit.stack import Boundary
from whichwins.audit.traits import Trait, traits
from whichwins.model import ACCEPT, REJECT
from whichwins.run.twins import SUFFIX

Answer: TypeAlias = Literal["yes", "no", "unknown"]
_NOT_ASKED = Passage(Passed.ABSENT)
_QUOTED = re.compile(rb'"([^"\\]{3,})"|(?<![\w.])([0-9]{3,})(?![\w.])')
_PLACE = re.compile(r"[0-9]|#|/")


class Line(NamedTuple):
    """One question. `yes` is in order. `said` is a line on why, `witness` the smallest case that shows it."""

    question: str
    answer: Answer
    said: str
    witness: str | None = None


class _Seen:
    """What was observed, by the traits of the requests."""

    def __init__(self, result: AuditResult) -> None:
        self.result = result
        boundaries = result.stack.boundaries
        self.entries = [each for each in boundaries if each.reads is None and each.raw]
        self.executors = [each for each in boundaries if each.role == "executor"]
        self.validators = [each for each in boundaries if each.role == "validator"]

    @cached_property
    def cases(self) -> list[tuple[str, frozenset[Trait]]]:
        """Cases whose bytes are kept, the smallest first, without twins."""
        lines = sorted(self.result.requests.items(), key=lambda item: (item[1].length, item[0]))
        return [
            (key, traits(line.data, self.result.stack.policy.limits))
            for key, line in lines
            if line.data is not None and not key.endswith(SUFFIX)
        ]

    def having(self, trait: Trait) -> list[str]:
        """The cases with a trait."""
        return [key for key, mine in self.cases if trait in mine]

    def passage(self, case: str, boundary: Boundary) -> Passage:
        return self.result.passages.get(case, {}).get(boundary.name, _NOT_ASKED)

    def passed(self, case: str, boundary: Boundary) -> Passed:
        return self.passage(case, boundary).passed

    def ran(self, case: str) -> bool:
        """Whether a tool ran, or may have: what is accepted unseen counts."""
        passages = [self.passage(case, each) for each in self.executors]
        return any(
            each.executions or (each.executions is None and each.passed is Passed.ACCEPTED)
            for each in passages
        )

    def hidden(self, case: str) -> bool:
        """Whether executions of it cannot be seen somewhere."""
        return any(self.passage(case, each).executions is None for each in self.executors)


def checklist(result: AuditResult) -> tuple[Line, ...]:
    """Every question with its answer. `unknown` wherever nothing that was asked could have shown a `no`."""
    seen = _Seen(result)
    return (
        _first_objects(seen),
        _rejects(seen, "repeat", "does every entry reject repeated names"),
        _rejects(seen, "nested", "does every entry reject them in nested objects"),
        _rejects(seen, "escaped", "does every entry reject them where one is spelled with an escape"),
        _rejects(seen, "equal", "does every entry reject them with equal values too"),
        _different_objects(seen),
        _case_folding(seen),
        _aliases(seen),
        _one_value(seen),
        _real_checks(seen),
        _errors(seen),
        _limit(seen, "size", "is size limited, apart from the rest"),
        _limit(seen, "depth", "is depth limited, apart from the rest"),
        _limit(seen, "number", "are numbers limited, apart from the rest"),
    )


def _judge(
    question: str,
    cases: Sequence[str],
    boundaries: Sequence[Boundary],
    verdict: Callable[[str, Boundary], bool | None],
    wrong: str,
    right: str,
) -> Line:
    """`no` at the first case and boundary where `verdict` is False; `yes` if each boundary has a True."""
    good: set[str] = set()
    for case in cases:
        for boundary in boundaries:
            said = verdict(case, boundary)
            if said is False:
                return Line(question, "no", f"{boundary.name} {wrong}", case)
            if said:
                good.add(boundary.name)
    missing = [each.name for each in boundaries if each.name not in good]
    if not boundaries or missing:
        return Line(question, "unknown", f"nothing shows it{' of ' + ', '.join(missing) if missing else ''}")
    return Line(question, "yes", right)


def _first_objects(seen: _Seen) -> Line:
    names = ", ".join(each.name for each in seen.entries)
    question = "are repeats still there where the original JSON first becomes objects"

    def verdict(case: str, boundary: Boundary) -> bool | None:
        if seen.passed(case, boundary) is Passed.REJECTED:
            return True
        if seen.passed(case, boundary) is not Passed.ACCEPTED:
            return None
        passage, line = seen.passage(case, boundary), seen.result.requests[case]
        if line.losses.get(boundary.name) == "occurrence":
            return False
        known = passage.value is not None or passage.emitted is not None or bool(passage.executions)
        return True if known else None

    right = f"they survive, or are rejected, at {names}"
    return _judge(question, seen.having("repeat"), seen.entries, verdict, "loses an occurrence", right)


def _rejects(seen: _Seen, trait: Trait, question: str) -> Line:
    def verdict(case: str, boundary: Boundary) -> bool | None:
        passed = seen.passed(case, boundary)
        if passed is Passed.ACCEPTED:
            return False
        # Who rejects the twin too may not have looked at the repeat at all.
        twin = seen.passed(case + SUFFIX, boundary)
        return True if passed is Passed.REJECTED and twin is Passed.ACCEPTED else None

    right = "each rejects them, and accepts the same text with the names apart"
    return _judge(question, seen.having(trait), seen.entries, verdict, "accepts them", right)


def _different_objects(seen: _Seen) -> Line:
    cases = [case for case in seen.having("shared name") if seen.result.requests[case].expected == ACCEPT]

    def verdict(case: str, boundary: Boundary) -> bool | None:
        passed = seen.passed(case, boundary)
        return None if passed in (Passed.UNSUPPORTED, Passed.ABSENT) else passed is Passed.ACCEPTED

    question = "do equal names in different objects pass"
    return _judge(question, cases, seen.entries, verdict, "does not accept them", "they do everywhere")


def _case_folding(seen: _Seen) -> Line:
    """Names that differ in case are two: both arrive, or the request is rejected as a whole."""

    def verdict(case: str, boundary: Boundary) -> bool | None:
        passage = seen.passage(case, boundary)
        if passage.passed is Passed.REJECTED:
            return True
        if passage.passed is not Passed.ACCEPTED or (passage.value is None and not passage.executions):
            return None
        return boundary.name not in seen.result.requests[case].losses

    question = "are names that differ in case kept apart"
    cases = [case for case in seen.having("case pair") if seen.result.requests[case].expected == ACCEPT]
    boundaries = [*seen.entries, *(each for each in seen.executors if each not in seen.entries)]
    # Behind an entry a request may never arrive: it is judged where it does.
    reached = [
        each for each in boundaries if any(seen.passed(case, each) is not Passed.BLOCKED for case in cases)
    ]
    return _judge(question, cases, reached, verdict, "loses one of them", "both arrive, or neither")


def _aliases(seen: _Seen) -> Line:
    question = "is an alias beside its name rejected"
    if not seen.result.stack.policy.aliases:
        return Line(question, "unknown", "the policy declares no aliases")
    clause = "policy: an alias together with its name in one object"
    cases = [case for case, _ in seen.cases if seen.result.requests[case].clause == clause]
    for case in cases:
        if seen.ran(case):
            return Line(question, "no", "it was executed", case)
    if not cases:
        return Line(question, "unknown", "no request has both")
    if any(map(seen.hidden, cases)):
        return Line(question, "unknown", "whether one was executed cannot be seen")
    if not any(seen.ran(case) for case, _ in seen.cases):
        return Line(question, "unknown", "nothing was executed: what rejects all tells nothing apart")
    return Line(question, "yes", "none of these was executed")


def _one_value(seen: _Seen) -> Line:
    question = "do preview, approval, validation and execution use one accepted value"
    state = seen.result.verdicts[1]
    if state != "broken":
        return Line(question, "yes" if state == "holds" else "unknown", f"verdict 1 {_is(state)}")
    found = [each for each in seen.result.findings if VERDICT_OF[each.fault] == 1]
    first = min(found, key=lambda each: (each.length, each.case))
    return Line(question, "no", f"{first.boundary} and {first.other} do not", first.case)


def _is(state: str) -> str:
    return "is unknown" if state == "unknown" else state


def _real_checks(seen: _Seen) -> Line:
    """Strict types, forbidden extras, `uniqueItems`, writing anew: none of them sees a repeat."""
    question = "does what is taken for a check of repeats see them"

    def verdict(case: str, boundary: Boundary) -> bool | None:
        passed = seen.passed(case, boundary)
        if passed is Passed.ACCEPTED:
            return False
        twin = seen.passed(case + SUFFIX, boundary)
        return True if passed is Passed.REJECTED and twin is Passed.ACCEPTED else None

    cases = [case for case in seen.having("repeat") if seen.result.requests[case].expected == REJECT]
    # One to whom no repeat ever comes is not needed as a check, if somebody before it is one.
    reached = [
        each
        for each in seen.validators
        if any(seen.passed(case, each) is not Passed.BLOCKED for case in cases)
    ]
    for boundary in reached:
        if boundary.reads is not None:
            for case in cases:
                if seen.passed(case, boundary) is Passed.ACCEPTED:
                    said = f"{boundary.name} accepts what {boundary.reads} wrote anew"
                    return Line(question, "no", said, case)
    return _judge(question, cases, reached, verdict, "accepts a repeat", "each validator rejects them")


def _errors(seen: _Seen) -> Line:
    question = "do rejections say where, and not what"
    told = list(_reasons(seen))
    texts = {case: _texts(seen.result.requests[case].data or b"") for case, _, _ in told}
    shared: dict[str, set[str]] = {}  # of a reason, what all requests have that were given it
    for case, _, reason in told:
        shared[reason] = shared[reason] & texts[case] if reason in shared else texts[case]
    for case, name, reason in told:
        words = set(_WORD.findall(reason))
        if any(text in words or (" " in text and text in reason) for text in shared[reason]):
            return Line(question, "no", f"{name} repeats a text of the request", case)
    for case, name, reason in told:
        if not _PLACE.search(reason):
            return Line(question, "no", f"{name} names no place", case)
    if not told:
        return Line(question, "unknown", "no rejection came with words that are recorded")
    if silent := _silent(seen):
        case, name = silent
        said = f"those that are recorded do; what {name} says in a body or by an exception is not recorded"
        return Line(question, "unknown", said, case)
    return Line(question, "yes", "each names a place, and none a text of the request")


_WORD = re.compile(r"\w+")


def _texts(data: bytes) -> set[str]:
    """Strings and numbers of a request that could not stand in a reason by chance."""
    return {(one or other).decode("utf-8", "replace") for one, other in _QUOTED.findall(data)}


def _silent(seen: _Seen) -> tuple[str, str] | None:
    """A rejection whose words are not recorded: a response's body, an exception's message."""
    for case, _ in seen.cases:
        for boundary in seen.result.stack.boundaries:
            passage = seen.passage(case, boundary)
            if passage.passed is Passed.REJECTED and not passage.reason:
                return case, boundary.name
    return None


def _reasons(seen: _Seen) -> Iterator[tuple[str, str, str]]:
    for case, _ in seen.cases:
        for boundary in seen.result.stack.boundaries:
            passage = seen.passage(case, boundary)
            if passage.passed is Passed.REJECTED and passage.reason:
                yield case, boundary.name, passage.reason


def _limit(seen: _Seen, trait: Trait, question: str) -> Line:
    """Each limit on its own: a request that is beyond this one only is rejected, and nothing breaks."""
    limits: set[Trait] = {"size", "depth", "number"}
    cases = [
        case
        for case, mine in seen.cases
        if mine & limits == {trait} and seen.result.requests[case].expected == REJECT
    ]
    for case in cases:
        if seen.ran(case):
            return Line(question, "no", "a request beyond it was executed", case)
        for boundary in seen.result.stack.boundaries:
            if seen.passed(case, boundary) is Passed.FAILED:
                return Line(question, "no", f"{boundary.name} fails on it instead of rejecting it", case)
    if not cases:
        return Line(question, "unknown", "no request is beyond this limit alone")
    if any(map(seen.hidden, cases)):
        return Line(question, "unknown", "whether one was executed cannot be seen")
    if not any(seen.ran(case) for case, _ in seen.cases):
        return Line(question, "unknown", "nothing was executed: what rejects all has no limit")
    rejected = any(
        seen.passed(case, each) is Passed.REJECTED for case in cases for each in seen.result.stack.boundaries
    )
    if not rejected:
        return Line(question, "unknown", "nobody rejected one")
    return Line(question, "yes", "requests beyond it are rejected")
