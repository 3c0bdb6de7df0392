"""How often requests that came were split: rates against all that were received, by who sent them and where.

A request whose raw text is not there stays in the denominator and has a column of its own: that nothing is
seen must not look like that nothing happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from whichwins.audit.passage import Passage, Passed
from whichwins.audit.requests import Came
from whichwins.audit.result import Finding, RateLine, Rates
from whichwins.reference import read
from whichwins.run.view import CaseRecord

_ANSWERED = (Passed.ACCEPTED, Passed.REJECTED, Passed.FAILED)


def rates_of(
    came: Sequence[Came],
    cases: Mapping[str, CaseRecord],
    findings: Iterable[Finding],
    passages: Mapping[str, Mapping[str, Passage]],
) -> Rates:
    """Count. `findings` are all, excused ones too; those of twins, which nobody sent, are left out."""
    causes: dict[str, set[str]] = {}
    for each in findings:
        causes.setdefault(each.case, set()).add(each.cause)
    repeats = {key: _repeats(record) for key, record in cases.items() if record.case.twin_of is None}
    parted = {key for key in repeats if _parts(passages.get(key, {}))}
    groups: dict[tuple[str, str, str], list[Came]] = {}
    for each_came in came:
        groups.setdefault((each_came.producer, each_came.interface, each_came.path), []).append(each_came)
    lines = tuple(_line(key, groups[key], repeats, causes, parted) for key in sorted(groups))
    return Rates(_line(("", "", ""), came, repeats, causes, parted), lines)


def _repeats(record: CaseRecord) -> bool:
    return record.data is not None and any(
        each.kind == "repeated-name" for each in read(record.data).problems
    )


def _parts(passages: Mapping[str, Passage]) -> bool:
    """Whether some accept and some do not: a split, also where it breaks no verdict."""
    said = {each.passed is Passed.ACCEPTED for each in passages.values() if each.passed in _ANSWERED}
    return len(said) > 1


def _line(
    key: tuple[str, str, str],
    came: Sequence[Came],
    repeats: Mapping[str, bool],
    causes: Mapping[str, set[str]],
    parted: Collection[str],
) -> RateLine:
    asked = [each.case for each in came if each.case is not None]
    counts = Counter(cause for case in asked for cause in causes.get(case, ()))
    return RateLine(
        *key,
        received=len(came),
        unavailable=len(came) - len(asked),
        repeated=sum(repeats[case] for case in asked),
        split=sum(case in causes for case in asked),
        causes=dict(sorted(counts.items())),
        parted=sum(case in parted for case in asked),
    )
