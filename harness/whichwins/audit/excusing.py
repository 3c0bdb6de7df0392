"""Findings that a stack's exceptions cover, and exceptions that have lapsed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fnmatch import fnmatchcase

from whichwins.analysis.change_result import Lapse
from whichwins.audit.result import ExcusedFindings, Finding
from whichwins.model import Allow

_ANY = "*"


def excuse(
    findings: Sequence[Finding], allows: Sequence[Allow], today: date | None, *, demand_use: bool
) -> tuple[tuple[Finding, ...], tuple[ExcusedFindings, ...], tuple[Lapse, ...]]:
    """What no exception covers, what each covers, and which are themselves findings.

    A finding is covered by the first exception whose boundary, case, kind (the fault) and cause match and
    whose day `expires` (UTC) is not over; without `today` none is over. With `demand_use` one that covers
    nothing is a finding: not where only a part of the corpus was asked.
    """
    covered: list[list[Finding]] = [[] for _ in allows]
    earlier: list[dict[int, None]] = [{} for _ in allows]
    left: list[Finding] = []
    for finding in findings:
        fitting = [
            n for n, allow in enumerate(allows) if _matches(allow, finding) and not _over(allow, today)
        ]
        if not fitting:
            left.append(finding)
            continue
        covered[fitting[0]].append(finding)
        for other in fitting[1:]:
            earlier[other][fitting[0]] = None
    lapses: list[Lapse] = []
    for number, allow in enumerate(allows):
        if _over(allow, today) and allow.expires is not None:
            why = f"expired: its last day was {allow.expires.isoformat()}"
            lapses.append(Lapse("allow-expired", allow, why))
        elif demand_use and not covered[number]:
            lines = " and ".join(f"line {allows[each].place.line}" for each in sorted(earlier[number]))
            why = (
                f"the entry before it in {lines} covers all that it matches"
                if lines
                else "no finding matches it"
            )
            lapses.append(Lapse("allow-unused", allow, f"unused: {why}"))
    pairs = zip(allows, covered, strict=True)
    return (
        tuple(left),
        tuple(ExcusedFindings(allow, tuple(mine)) for allow, mine in pairs if mine),
        tuple(lapses),
    )


def _matches(allow: Allow, finding: Finding) -> bool:
    return (
        allow.kind in (_ANY, finding.fault)
        and allow.cause in (None, finding.cause)
        and fnmatchcase(finding.boundary, allow.subject)
        and fnmatchcase(finding.case, allow.case)
    )


def _over(allow: Allow, today: date | None) -> bool:
    return allow.expires is not None and today is not None and today > allow.expires
