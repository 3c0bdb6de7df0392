"""Audits made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from whichwins.analysis.change_result import Lapse
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.result import (
    FAULTS,
    VERDICT_OF,
    AuditResult,
    BoundaryLine,
    CaseLine,
    ExcusedFindings,
    Fault,
    Finding,
    FindingGroup,
)
from whichwins.audit.stack import Boundary, Policy, Role, Stack
from whichwins.model import Allow, Place

CLAUSE = "strict-tool-input: names once per object"
REPEAT = b'{"quantity":2,"quantity":20}'


def boundary(name: str, role: Role, line: int = 5, **more: Any) -> Boundary:
    given: dict[str, Any] = {"kind": "subject", "target": "python/json", "place": Place("stack.toml", line)}
    return Boundary(name, role, **{**given, **more})


def stack(*boundaries: Boundary, **more: Any) -> Stack:
    given: dict[str, Any] = {"name": "orders", "policy": Policy(), "place": "stack.toml", "folder": Path()}
    if not boundaries:
        boundaries = (boundary("preview", "reviewer"), boundary("executor", "executor", 10))
    return Stack(boundaries=boundaries, **{**given, **more})


def line(name: str, role: str = "reviewer", **more: Any) -> BoundaryLine:
    given: dict[str, Any] = {
        "what": "subject python/json",
        "reads": "",
        "outcomes": {"accepted": 3},
        "executions": 0,
        "losses": {},
        "unverified": False,
        "why": "",
        "identity": {"libraries": {"json": "2.0.9"}, "runtime": "CPython 3.11.7"},
    }
    return BoundaryLine(name, role, **{**given, **more})


def finding(fault: Fault = "value-differs", case: str = "repeated/quantity", **more: Any) -> Finding:
    values = fault == "value-differs"
    given: dict[str, Any] = {
        "family": case.partition("/")[0],
        "length": len(more.get("data") or REPEAT),
        "boundary": "executor",
        "other": "preview" if values or fault == "digest-differs" else "",
        "expected": "reject",
        "clause": CLAUSE,
        "cause": "repeated name",
        "kind": "different winners" if values else "",
        "lossy": "executor" if values else None,
        "loss": "occurrence" if values else None,
        "left": "2" if values else "rejected",
        "right": "20" if values else "executed once",
        "pointer": "/quantity" if values else None,
        "data": REPEAT,
    }
    return Finding(fault, case, **{**given, **more})


def grouped(findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    found: dict[tuple[Fault, str, str, str], list[Finding]] = {}
    for one in findings:
        found.setdefault((one.fault, one.boundary, one.other, one.cause), []).append(one)
    groups = [
        FindingGroup(*key, len(some), min(some, key=lambda one: (one.length, one.case)))
        for key, some in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: FAULTS.index(group.fault)))


def result(*findings: Finding, **more: Any) -> AuditResult:
    """An audit with these findings; what they break is broken, the rest holds."""
    broken = {VERDICT_OF[one.fault] for one in findings}
    families: dict[str, dict[str, int]] = {}
    for one in findings:
        row = families.setdefault(one.family, {})
        row[one.boundary] = row.get(one.boundary, 0) + 1
    given: dict[str, Any] = {
        "stack": stack(),
        "cases": 3,
        "corpus": "built-in",
        "lens": "value/1",
        "verdicts": {number: "broken" if number in broken else "holds" for number in range(1, 6)},
        "lines": (line("preview"), line("executor", "executor", executions=3)),
        "findings": findings,
        "groups": grouped(findings),
        "families": families,
        "passages": {},
        "unknown": (),
        "notes": (),
        "incomplete": (),
    }
    return AuditResult(**{**given, **more})


def allow(reason: str = "cents only", line: int = 30, **more: Any) -> Allow:
    given: dict[str, Any] = {
        "subject": "executor",
        "case": "numbers/*",
        "kind": "value-differs",
        "reason": reason,
        "place": Place("stack.toml", line),
    }
    return Allow(**{**given, **more})


def order() -> AuditResult:
    """The two-unit order: a reviewer is shown 2, the executor runs 20."""
    found = (
        finding(),
        finding(case="repeated/longer", data=REPEAT + b" "),
        finding("passed-what-policy-rejects"),
    )
    passages = {
        "repeated/quantity": {
            "preview": Passage(Passed.ACCEPTED, '{"quantity":2}', (Preview("", '{"quantity":2}'),)),
            "executor": Passage(Passed.ACCEPTED, '{"quantity":20}', executions=('{"quantity":20}',)),
        }
    }
    return result(
        *found,
        lines=(
            line(
                "preview",
                what="subject python/sqlite3-extract",
                losses={"occurrence": 2},
                identity={"libraries": {"sqlite": "3.40.1"}, "runtime": "CPython 3.11.7"},
            ),
            line("executor", "executor", executions=3, losses={"occurrence": 2}),
        ),
        passages=passages,
        families={"repeated": {"preview": 0, "executor": 3}, "numbers": {"preview": 0, "executor": 0}},
        requests={
            "repeated/quantity": CaseLine(
                len(REPEAT), "reject", CLAUSE, {"preview": "occurrence", "executor": "occurrence"}, REPEAT
            )
        },
    )


def everything() -> AuditResult:
    """Every fault once, an unverified boundary, an unseen one, lapses, an excused finding, all else."""
    found = tuple(
        finding(fault, f"c/{place:02}", boundary="tool", other="" if place % 2 else "screen")
        for place, fault in enumerate(FAULTS)
    )
    boundaries = (
        boundary("gateway", "store", 5, kind="command", target="", command=("deploy/gateway",)),
        boundary("screen", "reviewer", 10, reads="gateway"),
        boundary("log", "logger", 15, raw=False, guarantee="one parse"),
        boundary("tool", "executor", 20, reads="gateway"),
    )
    lines = (
        line("gateway", "store", losses={"bytes": 1}, what="command deploy/gateway"),
        line("screen", reads="gateway", outcomes={"accepted": 1, "rejected": 1, "blocked": 1}),
        line("log", "logger", unverified=True, why="it is fed parsed objects: one parse", executions=None),
        line("tool", "executor", reads="gateway", executions=None, outcomes={"accepted": 2, "failed": 1}),
    )
    until = allow(subject="tool", expires=date(2027, 3, 31), cause="number")
    return result(
        *found,
        stack=stack(*boundaries),
        lines=lines,
        verdicts={1: "broken", 2: "unknown", 3: "broken", 4: "broken", 5: "broken"},
        unknown=("tool: executions cannot be seen, 3 of 3 requests",),
        notes=("screen: failed",),
        incomplete=("tool: the worker died",),
        excused=(ExcusedFindings(until, (finding(case="numbers/cents", boundary="tool", cause="number"),)),),
        lapses=(
            Lapse("allow-expired", allow("until the move", 40, expires=date(2026, 1, 2)), "since 2026-01-03"),
            Lapse("allow-unused", allow("never true", 45), "no finding matches it"),
        ),
    )


def many(count: int) -> AuditResult:
    return result(*(finding(case=f"n/{place:06}") for place in range(count)))


def hostile(odd: str) -> AuditResult:
    """An audit with `odd` wherever a text can stand."""
    raw = odd.encode("utf-8", "surrogatepass")
    place = Place(odd, 3)
    found = tuple(
        Finding(
            fault=fault,
            case=f"{number}{odd}",
            family=odd,
            length=len(raw),
            boundary=odd,
            other=odd + "2" if number % 2 else "",
            expected="reject",
            clause=odd,
            cause=odd or "other",
            kind=odd,
            lossy=odd if number % 3 else None,
            loss="bytes" if number % 3 else None,
            left=odd,
            right=odd,
            pointer=f"/{odd}" if number % 2 else None,
            data=raw if number % 4 else None,
        )
        for number, fault in enumerate(FAULTS)
    )
    entry: Mapping[str, Any] = {"libraries": {odd: odd}, "runtime": odd, "entry": odd}
    passages = Passage(
        Passed.REJECTED,
        odd,
        (Preview(odd, odd), Preview("", odd)),
        (odd, odd),
        odd,
        odd,
        (odd,),
        raw,
        (odd,),
        odd,
        unstable=True,
    )
    permit = Allow(odd, odd, odd, odd, place, odd or None, date(2026, 1, 2))
    lines = (
        line(odd, odd, what=odd, reads=odd, losses={odd or "x": 3}, unverified=True, why=odd, identity=entry),
        line(odd + "2", "executor", executions=None, identity=entry),
    )
    both = (
        boundary(odd, "store", target=odd, place=place, raw=False, guarantee=odd),
        boundary(odd + "2", "executor", target=odd, place=place, reads=odd),
    )
    return result(
        *found,
        stack=stack(
            *both, name=odd, place=odd, policy=Policy(odd, names=frozenset({odd}), aliases={odd: odd})
        ),
        lines=lines,
        corpus=odd,
        lens=odd,
        verdicts={1: "broken", 2: odd, 3: "broken", 4: "unknown"},
        passages={odd: {odd: passages, odd + "2": passages._replace(executions=None, passed=Passed.ABSENT)}},
        requests={odd: CaseLine(len(raw), "reject", odd, {odd: "other"}, raw)},
        unknown=(odd,),
        notes=(odd, odd),
        incomplete=(odd,),
        excused=(ExcusedFindings(permit, tuple(replace(one, case=f"e{odd}") for one in found[:2])),),
        lapses=(Lapse("allow-expired", permit, odd), Lapse("allow-unused", permit, odd)),
    )
