"""Gates made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from whichwins.analysis.change_result import (
    KINDS,
    Change,
    ChangeGroup,
    ChangeKind,
    Changes,
    Corpora,
    Excused,
    Gate,
    Lapse,
    Pairing,
)
from whichwins.analysis.result import CAUSES, Cause, Winner
from whichwins.model import Allow, Place

CORPUS = "sha256:" + "0" * 8
SAME = Corpora(CORPUS, CORPUS, 1999, 1999, 1999, {"timeout": "10"}, {"timeout": "10"})


def identity(
    version: str, runtime: str = "CPython 3.11.7", entry: str = "orjson.loads(bytes)"
) -> dict[str, Any]:
    return {"libraries": {"orjson": version}, "runtime": runtime, "entry": entry}


def change(
    case: str,
    kind: ChangeKind,
    before: str,
    after: str,
    cause: Cause | str = "number",
    *,
    subject: str = "python/orjson",
    data: bytes | None = b"[1]",
    pointer: str | None = None,
    winners: tuple[Winner, Winner] | None = None,
) -> Change:
    if isinstance(cause, str):
        cause = Cause(cause, "", "")
    length = 3 if data is None else len(data)
    family = case.partition("/")[0]
    return Change(subject, case, family, length, kind, before, after, pointer, winners, cause, data)


def pairing(
    subject: str = "python/orjson",
    before: str = "3.9.15",
    after: str = "3.13.0",
    compared: int = 1999,
    changed: int = 0,
    dimensions: Mapping[str, int] | None = None,
) -> Pairing:
    columns = (f"{subject}@{before}", f"{subject}@{after}")
    return Pairing(subject, *columns, identity(before), identity(after), compared, changed, dimensions or {})


def grouped(
    changes: Sequence[Change], keeps: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[ChangeGroup, ...]:
    """Groups as an analysis makes them; `keeps` by the name of a cause."""
    found: dict[tuple[str, str, str, str], list[Change]] = {}
    for one in changes:
        found.setdefault((one.kind, one.subject, one.cause.name, one.cause.kind), []).append(one)
    groups = []
    for some in found.values():
        first = min(some, key=lambda one: (one.length, one.case))
        said = (keeps or {}).get(first.cause.name, ())
        groups.append(ChangeGroup(first.subject, first.kind, first.cause, len(some), first, said))
    order = {name: place for place, name in enumerate((*KINDS, *CAUSES))}
    groups.sort(key=lambda g: (order[g.kind], g.subject, order.get(g.cause.name, 99), g.cause.kind))
    return tuple(groups)


def gate(
    changes: Sequence[Change] = (),
    *,
    pairings: Sequence[Pairing] | None = None,
    keeps: Mapping[str, tuple[str, ...]] | None = None,
    corpora: Corpora = SAME,
    notes: tuple[str, ...] = (),
    incomplete: tuple[str, ...] = (),
    **more: Any,
) -> Gate:
    some = tuple(changes)
    sides = (pairing(changed=len(some)),) if pairings is None else tuple(pairings)
    made = Changes("value/1", sides, corpora, some, grouped(some, keeps), notes, incomplete)
    return Gate(**{"verb": "upgrade", "title": "python/orjson 3.9.15 to 3.13.0", "changes": made, **more})


def allow(reason: str = "known since May", line: int = 12, **more: Any) -> Allow:
    given: dict[str, Any] = {
        "subject": "python/orjson",
        "case": "numbers/*",
        "kind": "newly-rejected",
        "reason": reason,
        "place": Place("whichwins.toml", line),
    }
    return Allow(**{**given, **more})


def every_kind() -> Gate:
    """Each kind of change once, each lapse once, an excused one, notes, another corpus, something missing."""
    changes = [
        change(f"c/{place:02}-{kind}", kind, "[1]", "[2]", CAUSES[place], pointer="/0")
        for place, kind in enumerate(KINDS)
    ]
    changes[0] = replace(changes[0], winners=("first", "last"), data=b'{"q":1,"q":2}', length=13)
    changes[-1] = replace(changes[-1], data=None, after="", pointer=None)
    excused = change("numbers/known", "newly-rejected", "[1]", "reject parse E")
    until = allow(expires=date(2027, 3, 31), until_version="3.14", cause="number")
    return gate(
        changes,
        verb="check",
        title="7 subjects against whichwins.lock",
        corpora=Corpora(
            "sha256:1", "sha256:2", 10, 12, 9, {"timeout": "10", "memory": "1"}, {"timeout": "20"}
        ),
        notes=("the interpreters differ",),
        incomplete=("python/ujson: absent: no module named ujson",),
        excused=(Excused(until, (excused,)),),
        lapses=(
            Lapse(
                "allow-expired",
                allow("until the migration", 20, expires=date(2026, 1, 2)),
                "since 2026-01-03",
            ),
            Lapse("allow-unused", allow("never true", 25), "it covers no change"),
        ),
        places={"python/orjson": Place("requirements/prod.txt", 7)},
    )


def many(count: int) -> Gate:
    """So many changes in one group."""
    subject = "python/orjson"
    changes = [
        change(f"n/{place:06}", "value-changed", "[1]", "[2]", subject=subject) for place in range(count)
    ]
    sides = [pairing(compared=count, changed=count)]
    return gate(changes, pairings=sides, places={subject: Place("uv.lock", 3)})


def hostile(odd: str) -> Gate:
    """A gate with `odd` wherever a text can stand."""
    raw = odd.encode("utf-8", "surrogatepass")
    cause = Cause(odd or "other", odd, odd)
    changes = [
        Change(
            subject=odd,
            case=f"{place}{odd}",
            family=odd,
            length=len(raw),
            kind=kind,
            before=odd,
            after=odd,
            pointer=odd if place % 2 else None,
            winners=("first", "last") if place % 3 else None,
            cause=cause,
            data=raw if place % 4 else None,
        )
        for place, kind in enumerate(KINDS)
    ]
    entry: dict[str, Any] = {"libraries": {odd: odd}, "runtime": odd, "entry": odd}
    permit = Allow(odd, odd, odd, odd, Place(odd, 3), odd or None, date(2026, 1, 2), odd or None)
    made = Changes(
        odd,
        (Pairing(odd, odd, odd + "2", entry, entry, 99, 11, {odd: 1}),),
        Corpora(odd, odd + "2", 1, 2, 1, {odd: odd}, {odd: odd + "2"}),
        tuple(changes),
        grouped(changes, {cause.name: (odd, odd)}),
        (odd, odd),
        (odd,),
    )
    lapses = (Lapse("allow-expired", permit, odd), Lapse("allow-unused", permit, odd))
    return Gate(
        "check",
        odd,
        made,
        (Excused(permit, tuple(replace(one, case=f"e{odd}") for one in changes[:2])),),
        lapses,
        {odd: Place(odd, 1)},
    )
