"""Changes, judged: what exceptions cover, and which exceptions have lapsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Literal

from whichwins.analysis.change_result import Change, ChangeKind, Changes, Excused, Gate, Lapse
from whichwins.analysis.grouping import groups_of
from whichwins.analysis.result import Cause
from whichwins.analysis.versions import reached, version_of
from whichwins.model import Allow, Place

_ANY = "*"


def judge(
    verb: Literal["upgrade", "diff", "check"],
    title: str,
    changes: Changes,
    allows: Sequence[Allow],
    today: date,
    versions: Mapping[str, str] | None = None,
    *,
    demand_use: bool,
    places: Mapping[str, Place] | None = None,
    home: Place | None = None,
) -> Gate:
    """What is left of `changes` once exceptions have covered theirs.

    A change is covered by the first entry whose patterns, kind and cause match and that holds: until the
    day `expires` (UTC) is over, and for a subject as long as its library is older than `until_version`.
    `versions` are those of the side after, by subject; without them the identities say. An entry that holds
    for none of the subjects that it names is itself a finding, `allow-expired`. With `demand_use` (a check)
    so is one that covers nothing, `allow-unused`; without it, only entries that name a subject of this run
    are looked at at all.
    """
    if versions is None:
        versions = _versions(changes)
    subjects = {pairing.subject for pairing in changes.pairings} | {each.subject for each in changes.changes}
    covered: list[list[Change]] = [[] for _ in allows]
    left: list[Change] = []
    taken_by: list[dict[int, None]] = [{} for _ in allows]
    for change in changes.changes:
        first = None
        for number, allow in enumerate(allows):
            if not (_matches(allow, change) and _holds(allow, change.subject, today, versions)):
                continue
            if first is None:
                first = number
                covered[number].append(change)
            else:
                taken_by[number][first] = None
        if first is None:
            left.append(change)
    lapses: list[Lapse] = []
    for number, allow in enumerate(allows):
        named = sorted(subject for subject in subjects if fnmatchcase(subject, allow.subject))
        if not named and not demand_use:
            continue
        over = _over(allow, named, today, versions)
        if over:
            lapses.append(Lapse("allow-expired", allow, over))
        elif demand_use and not covered[number]:
            earlier = [allows[other] for other in sorted(taken_by[number])]
            lapses.append(Lapse("allow-unused", allow, _unused(allow, named, earlier)))
    return Gate(
        verb=verb,
        title=title,
        changes=_without(changes, left),
        excused=tuple(
            Excused(allow, tuple(mine)) for allow, mine in zip(allows, covered, strict=True) if mine
        ),
        lapses=tuple(lapses),
        places=places,
        home=home,
    )


def _versions(changes: Changes) -> dict[str, str]:
    """The version of each subject after; of two columns of one subject, the older."""
    found: dict[str, str] = {}
    for pairing in changes.pairings:
        version = version_of(pairing.after_identity)
        known = found.get(pairing.subject)
        if version and (known is None or reached(known, version)):
            found[pairing.subject] = version
    return found


def _matches(allow: Allow, change: Change) -> bool:
    return (
        allow.kind in (_ANY, change.kind)
        and allow.cause in (None, change.cause.name)
        and fnmatchcase(change.subject, allow.subject)
        and fnmatchcase(change.case, allow.case)
    )


def _holds(allow: Allow, subject: str, today: date, versions: Mapping[str, str]) -> bool:
    if allow.expires is not None and today > allow.expires:
        return False
    version = versions.get(subject)
    # Of a library whose version nobody knows it cannot be said that it has reached one.
    return allow.until_version is None or not version or not reached(version, allow.until_version)


def _over(allow: Allow, named: Sequence[str], today: date, versions: Mapping[str, str]) -> str:
    """Why an entry holds no longer, for any subject that it names; empty if it does."""
    if allow.expires is not None and today > allow.expires:
        return f"expired: its last day was {allow.expires.isoformat()}"
    if not named or any(_holds(allow, subject, today, versions) for subject in named):
        return ""
    has = ", ".join(f"{subject} is {versions[subject]}" for subject in named)
    return f"over: it held until version {allow.until_version}, and {has}"


def _unused(allow: Allow, named: Sequence[str], earlier: Sequence[Allow]) -> str:
    if earlier:
        where = " and ".join(dict.fromkeys(_at(each.place, allow.place) for each in earlier))
        return f"unused: the entry before it in {where} covers all that it matches"
    if not named:
        return f"unused: no subject of this run is {allow.subject}"
    return "unused: no change matches it"


def _at(place: Place, seen_from: Place) -> str:
    return f"line {place.line}" if place.file == seen_from.file else f"{place.file}, line {place.line}"


def _without(changes: Changes, left: Sequence[Change]) -> Changes:
    if len(left) == len(changes.changes):
        return changes
    known = {_group(each.subject, each.kind, each.cause): each.keeps for each in changes.groups}

    def kept(subject: str, kind: ChangeKind, cause: Cause) -> tuple[str, ...]:
        return known[_group(subject, kind, cause)]

    return replace(changes, changes=tuple(left), groups=groups_of(left, kept))


def _group(subject: str, kind: ChangeKind, cause: Cause) -> tuple[str, ChangeKind, str, str]:
    return subject, kind, cause.name, cause.kind
