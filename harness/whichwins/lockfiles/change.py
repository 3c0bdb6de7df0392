"""What differs between two states of a lock file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whichwins.lockfiles.locked import Ecosystem, Locked, Pinned
from whichwins.lockfiles.versions import order
from whichwins.model import BadInput, Place


@dataclass(frozen=True, slots=True)
class PackageChange:
    """A package and two versions of it; None where it was not there before, or is not any more.

    `place` is where the later version is written (of a package that is gone: the earlier one). `why` is set
    where one of the two states does not pin it, and says what stands there instead; `why_before` says it of
    the earlier state. An unpinned package is listed even where nothing changed: nothing is known of it.
    """

    name: str
    ecosystem: Ecosystem
    before: str | None
    after: str | None
    place: Place
    why: str = ""
    why_before: str = ""


def changed(old: Locked, new: Locked) -> tuple[PackageChange, ...]:
    """What differs, by name. Of several versions each new one is held against the nearest that it replaces.

    Raises BadInput when the two are of different ecosystems.
    """
    if old.ecosystem != new.ecosystem:
        raise BadInput(f"{old.file} is {old.kind}, {new.file} is {new.kind}: give two states of one file")
    loose_old = {each.name: each for each in old.unpinned if each.name}
    loose_new = {each.name: each for each in new.unpinned if each.name}
    names = sorted({*old.packages, *new.packages, *loose_new})
    found: list[PackageChange] = []
    for name in names:
        before, after = old.packages.get(name, ()), new.packages.get(name, ())
        if not after and (loose := loose_new.get(name)):
            last = before[-1].version if before else None
            found.append(PackageChange(name, new.ecosystem, last, None, loose.place, why=loose.why))
            continue
        was = "" if before or name not in loose_old else loose_old[name].why
        for one, other in _pairs(before, after, new.ecosystem):
            place = (other or one or after[0]).place
            earlier, later = (each.version if each else None for each in (one, other))
            found.append(PackageChange(name, new.ecosystem, earlier, later, place, why_before=was))
    return tuple(found)


def _pairs(
    before: tuple[Pinned, ...], after: tuple[Pinned, ...], ecosystem: Ecosystem
) -> Iterator[tuple[Pinned | None, Pinned | None]]:
    """Who became whom: the lowest that is gone the lowest that came, and so on; the rest the nearest."""
    old = {order(ecosystem, each.version): each for each in before}
    new = {order(ecosystem, each.version): each for each in after}
    gone, came = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    if not (gone or came):
        return
    for number in range(max(len(gone), len(came))):
        # Beyond the shorter list: the versions that the other side has at all.
        one = gone[number] if number < len(gone) else _nearest(came[number], sorted(old))
        other = came[number] if number < len(came) else _nearest(gone[number], sorted(new))
        yield (None if one is None else old[one]), (None if other is None else new[other])


def _nearest(version: Any, among: list[Any]) -> Any:
    """The highest version below, else the lowest above; None when there is none."""
    below = [each for each in among if each < version]
    return below[-1] if below else (among[0] if among else None)
