"""Stacks, requests and passages made by hand: what an audit judges, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.analysis.views import case
from whichwins.audit.auditing import audit
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.result import AuditResult
from whichwins.audit.stack import Boundary, Policy, Role, Stack
from whichwins.model import Place
from whichwins.run.twins import twin_of
from whichwins.run.view import CaseRecord

REPEAT = '{"quantity":2,"quantity":20}'
TWIN = '{"quantity":2,"quantity~2":20}'
PLAIN = '{"quantity":3}'
BIG = '{"quantity":9007199254740993}'
NUL = b'{"quantity":2}\0{"quantity":20}'
BAD = b'{"to":"a\xff"}'

BLOCKED = Passage(Passed.BLOCKED)
ABSENT = Passage(Passed.ABSENT, reason="not installed")


def boundary(name: str, role: Role, reads: str | None = None, **more: Any) -> Boundary:
    place = Place("stack.toml", 1)
    return Boundary(name, role, "call", f"toy:{name}", place, reads=reads, **more)


def stack(*boundaries: Boundary, **more: Any) -> Stack:
    values: dict[str, Any] = {"policy": Policy(), "place": "stack.toml", "folder": Path()}
    return Stack(name="toy", boundaries=boundaries, **(values | more))


def took(value: str | None = None, emitted: str | bytes | None = None, **more: Any) -> Passage:
    """Accepted, without an execution."""
    raw = emitted.encode() if isinstance(emitted, str) else emitted
    return Passage(Passed.ACCEPTED, value, emitted=raw, **more)


def ran(*values: str, **more: Any) -> Passage:
    """Accepted, and executed with these arguments."""
    return Passage(Passed.ACCEPTED, values[-1], executions=values, **more)


def showed(*values: str, where: str = "") -> Passage:
    """A reviewer's screen."""
    return Passage(Passed.ACCEPTED, previews=tuple(Preview(where, value) for value in values))


def no(signal: str = "exception ValueError", **more: Any) -> Passage:
    return Passage(Passed.REJECTED, signal=signal, **more)


def failed(signal: str = "exception RecursionError", **more: Any) -> Passage:
    return Passage(Passed.FAILED, signal=signal, **more)


Row = tuple[str, str | bytes, Sequence[Passage]]


def cases(*rows: tuple[str, str | bytes]) -> dict[str, CaseRecord]:
    """Cases by id with their twins, as a run has them."""
    made = [case(key, data) for key, data in rows]
    made += [twin for each in made if (twin := twin_of(each)) is not None]
    return {
        each.id: CaseRecord(each, "sha256:", len(each.data))
        for each in sorted(made, key=lambda each: each.id)
    }


def judged(
    of: Stack,
    *rows: Row,
    identities: Mapping[str, Mapping[str, object]] | None = None,
    **more: Any,
) -> AuditResult:
    """Audit rows of (case, data, passages in the order of the boundaries). A twin's row ends in `~twin`."""
    known = cases(*((key, data) for key, data, _ in rows if not key.endswith("~twin")))
    names = [each.name for each in of.boundaries]
    passages = {key: dict(zip(names, row, strict=True)) for key, _, row in rows}
    assert passages.keys() == known.keys(), "every case wants a row, its twin too"
    return audit(of, known, passages, identities or {}, **more)


def faults(result: AuditResult) -> list[tuple[str, str, str]]:
    """(fault, boundary, case) of each finding."""
    return [(each.fault, each.boundary, each.case) for each in result.findings]


def broken(result: AuditResult) -> list[int]:
    return [number for number, state in result.verdicts.items() if state == "broken"]
