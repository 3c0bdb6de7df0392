"""An audit: what boundaries did with every request, judged under the policy of their stack. Pure.

result = audit(stack, cases, passages, identities, corpus="built-in")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from whichwins.analysis.result import CAUSES
from whichwins.audit.asked import Asked, Convert, world_of
from whichwins.audit.excusing import excuse
from whichwins.audit.look import Looks
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.rates import rates_of
from whichwins.audit.requests import Came
from whichwins.audit.result import (
    FAULTS,
    LOSSES,
    VERDICT_OF,
    AuditResult,
    BoundaryLine,
    CaseLine,
    Finding,
    FindingGroup,
    Loss,
)
from whichwins.audit.stack import Boundary, Stack
from whichwins.audit.unseen import ALL, Tally, note_lines, tally, unknown_lines
from whichwins.audit.verdicts import findings_of
from whichwins.run.view import CaseRecord

__all__ = ["audit"]

_SEEN = (Passed.ACCEPTED, Passed.REJECTED, Passed.FAILED)


def audit(
    stack: Stack,
    cases: Mapping[str, CaseRecord],
    passages: Mapping[str, Mapping[str, Passage]],
    identities: Mapping[str, Mapping[str, object]],
    *,
    corpus: str = "",
    convert: Convert | None = None,
    today: date | None = None,
    whole: bool = False,
    notes: Iterable[str] = (),
    incomplete: Iterable[str] = (),
    came: Sequence[Came] = (),
    looks: Looks | None = None,
    public: Iterable[str] = (),
    own: Iterable[str] = (),
) -> AuditResult:
    """Judge every request. `cases` are sorted by id, twins among them; `passages` are by case and boundary.

    `identities` are by boundary (`lookup`: it reads members by name). `convert` asks a boundary's
    `transform`; without it values on two sides of one are not compared, and verdict 1 is unknown. `whole`:
    everything was asked, so that an exception that covers nothing is a finding. `came`: the requests of which
    `cases` are the different ones. `looks` may hold what was worked out early. `public` are the requests, but
    for twins, that come with whichwins; `own` the boundaries that are its own parsers. Raises BadInput for an
    unknown lens.
    """
    looks = Looks(stack, cases) if looks is None else looks
    world = world_of(stack, looks, passages, identities, convert)
    tallied = Tally()
    found: list[Finding] = []
    requests: dict[str, CaseLine] = {}
    for case in cases:
        asked = Asked(world, case)
        found += findings_of(asked)
        tally(tallied, asked)
        requests[case] = _request(asked)
        looks.done(case)
    ordered = sorted(found, key=_rank)
    left, excused, lapses = excuse(ordered, stack.allow, today, demand_use=whole)
    lines, unknown = unknown_lines(stack, tallied, len(cases))
    broken = {VERDICT_OF[each.fault] for each in left}
    return AuditResult(
        stack=stack,
        cases=sum(record.case.twin_of is None for record in cases.values()),
        corpus=corpus,
        lens=stack.lens,
        verdicts={n: "broken" if n in broken else "unknown" if n in unknown else "holds" for n in ALL},
        lines=tuple(_line(each, cases, passages, identities, requests) for each in stack.boundaries),
        findings=left,
        groups=_groups(left),
        families=_families(stack, cases, left),
        passages=passages,
        unknown=lines,
        notes=(*note_lines(stack, tallied, len(cases)), *notes),
        incomplete=tuple(incomplete),
        requests=requests,
        excused=excused,
        lapses=lapses,
        received=rates_of(came, cases, ordered, passages) if came else None,
        public=_public(cases, frozenset(public)),
        own=frozenset(
            each.name
            for mine in [frozenset(own)]
            for each in stack.boundaries
            if all(step.name in mine and not step.transform for step in stack.path(each.name))
        ),
    )


def _public(cases: Mapping[str, CaseRecord], public: frozenset[str]) -> frozenset[str]:
    """With their twins."""
    return frozenset(key for key, record in cases.items() if (record.case.twin_of or key) in public)


def _rank(finding: Finding) -> tuple[int, str, str, int, str]:
    return FAULTS.index(finding.fault), finding.boundary, finding.other, finding.length, finding.case


def _request(asked: Asked) -> CaseLine:
    """The request with the losses that begin at a boundary, not before it."""
    losses: dict[str, Loss] = {}
    if asked.record.case.twin_of is None:
        for boundary in asked.world.stack.boundaries:
            loss = asked.loss(boundary)
            if loss is not None and asked.first_loss(asked.world.paths[boundary.name][:-1]) is None:
                losses[boundary.name] = loss
    return CaseLine(asked.record.length, asked.word.expected, asked.word.clause, losses, asked.record.data)


def _groups(findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    """By fault, boundary, other and cause; the smallest input is the witness."""
    gathered: dict[tuple[str, str, str, str], list[Finding]] = {}
    for each in findings:
        gathered.setdefault((each.fault, each.boundary, each.other, each.cause), []).append(each)
    groups = [
        FindingGroup(first.fault, first.boundary, first.other, first.cause, len(mine), first)
        for mine in gathered.values()
        for first in [min(mine, key=lambda each: (each.length, each.case))]
    ]
    return tuple(
        sorted(
            groups,
            key=lambda each: (
                FAULTS.index(each.fault),
                each.boundary,
                each.other,
                CAUSES.index(each.cause),
            ),
        )
    )


def _families(
    stack: Stack, cases: Mapping[str, CaseRecord], findings: Sequence[Finding]
) -> Mapping[str, Mapping[str, int]]:
    counts = Counter((each.family, each.boundary) for each in findings)
    families = sorted({record.case.family for record in cases.values()})
    names = [boundary.name for boundary in stack.boundaries]
    return {family: {name: counts[family, name] for name in names} for family in families}


def _line(
    boundary: Boundary,
    cases: Mapping[str, CaseRecord],
    passages: Mapping[str, Mapping[str, Passage]],
    identities: Mapping[str, Mapping[str, object]],
    requests: Mapping[str, CaseLine],
) -> BoundaryLine:
    name = boundary.name
    mine = [found for case in cases if (found := passages.get(case, {}).get(name)) is not None]
    outcomes = Counter(each.passed for each in mine)
    losses = Counter(line.losses[name] for line in requests.values() if name in line.losses)
    known = [each.executions for each in mine if each.passed in _SEEN]
    executions: int | None = 0
    for each in known:
        executions = None if each is None or executions is None else executions + len(each)
    if not known:
        executions = None
    why = _unverified(boundary, outcomes, unseen=executions is None and boundary.role == "executor")
    return BoundaryLine(
        name=name,
        role=boundary.role,
        what=f"{boundary.kind} {boundary.target or ' '.join(boundary.command)}".rstrip(),
        reads=boundary.reads or "",
        outcomes={each.value: outcomes[each] for each in Passed if outcomes[each]},
        executions=executions,
        losses={loss: losses[loss] for loss in sorted(losses, key=LOSSES.index)},
        unverified=bool(why),
        why=why,
        identity=identities.get(name, {}),
    )


def _unverified(boundary: Boundary, outcomes: Counter[Passed], *, unseen: bool) -> str:
    if not boundary.raw:
        return f"it is fed parsed objects: {boundary.guarantee}"
    if not any(outcomes[each] for each in _SEEN):
        return "it answered no request"
    return "its executions cannot be seen" if unseen else ""
