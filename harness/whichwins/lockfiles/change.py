"""What differs between two states of a lock file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from whichwins.lockfiles.locked import Ecosystem, Locked, Pinned, Unpinned
from whichwins.lockfiles.versions import order
from whichwins.model import BadInput, Place

_ONLY_MORE = "more hashes: files were added"


@dataclass(frozen=True, slots=True)
class PackageChange:
    """A package and two versions of it; None where it was not there before, or is not any more.

    `place` is where the later version is written (of a package that is gone: the earlier one). `why` is set
    where one of the two states does not pin it, and says what stands there instead; `why_before` says it of
    the earlier state. An unpinned package is listed even where nothing changed: nothing is known of it.
    `same`: what stands instead is as it was. `elsewhere`: it is from no registry. `otherwise`: what
    differs although the version does not; `only_more`: there are hashes in addition, and nothing else.
    """

    name: str
    ecosystem: Ecosystem
    before: str | None
    after: str | None
    place: Place
    why: str = ""
    why_before: str = ""
    elsewhere: bool = False
    same: bool = False
    otherwise: str = ""
    only_more: bool = False


def changed(old: Locked, new: Locked) -> tuple[PackageChange, ...]:
    """What differs, by name.

    Where a marker or a folder has one version in each state, these two are held against each other, though
    both states have both. Of what is left each new version is held against the nearest that it replaces.

    Raises BadInput when the two are of different ecosystems.
    """
    if old.ecosystem != new.ecosystem:
        raise BadInput(f"{old.file} is {old.kind}, {new.file} is {new.kind}: give two states of one file")
    loose_old, loose_new = _by_name(old.unpinned), _by_name(new.unpinned)
    found: list[PackageChange] = []
    for name in sorted({*old.packages, *new.packages, *loose_old, *loose_new}):
        pins = old.packages.get(name, ()), new.packages.get(name, ())
        loose = loose_old.get(name, ()), loose_new.get(name, ())
        found += _of_one(name, new.ecosystem, pins, loose, of_one_kind=old.kind == new.kind)
    return tuple(found)


def still(old: Locked, new: Locked) -> tuple[str, ...]:
    """Lines on files that both states include, so that what changed in them cannot be seen."""
    return tuple(
        f"{place.file}:{place.line}: includes a file as it is now, not as it was: what changed in it is not "
        "told; name the old state REV:PATH"
        for file, place in old.files.items()
        if file in new.files and place.line
    )


def _by_name(unpinned: Iterable[Unpinned]) -> dict[str, list[Unpinned]]:
    found: dict[str, list[Unpinned]] = {}
    for each in unpinned:
        if each.name:
            found.setdefault(each.name, []).append(each)
    return found


def _of_one(
    name: str,
    ecosystem: Ecosystem,
    pins: tuple[tuple[Pinned, ...], tuple[Pinned, ...]],
    loose: tuple[Sequence[Unpinned], Sequence[Unpinned]],
    *,
    of_one_kind: bool,
) -> Iterator[PackageChange]:
    (before, after), (loose_before, loose_after) = pins, loose
    known = {(each.why, each.source) for each in loose_before}
    last = before[-1].version if before and not after else None
    told: set[tuple[str, str]] = set()
    for each in loose_after:
        if (what := (each.why, each.source)) not in told:
            told.add(what)
            elsewhere = bool(each.source)
            same = what in known
            yield PackageChange(
                name, ecosystem, last, None, each.place, each.why, elsewhere=elsewhere, same=same
            )
    if not after and loose_after:
        return
    was = loose_before[0].why if loose_before else ""
    if was and not after and not before:
        yield PackageChange(name, ecosystem, None, None, loose_before[0].place, why_before=was)
    elif was and after and before and not loose_after:
        yield PackageChange(name, ecosystem, None, after[-1].version, after[-1].place, why_before=was)
    for one, other in _pairs(before, after, ecosystem):
        place = (other or one or after[0]).place
        earlier, later = (each.version if each else None for each in (one, other))
        yield PackageChange(name, ecosystem, earlier, later, place, why_before="" if before else was)
    for old, new in _alike(before, after, ecosystem):
        if said := _otherwise(old, new, of_one_kind=of_one_kind):
            more = said == _ONLY_MORE
            yield PackageChange(
                name, ecosystem, old.version, new.version, new.place, otherwise=said, only_more=more
            )


def _pairs(
    before: tuple[Pinned, ...], after: tuple[Pinned, ...], ecosystem: Ecosystem
) -> Iterator[tuple[Pinned | None, Pinned | None]]:
    """Who became whom: by slot; then the lowest that is gone the lowest that came; the rest the nearest."""
    old = {order(ecosystem, each.version): each for each in before}
    new = {order(ecosystem, each.version): each for each in after}
    was, now = _by_slot(old), _by_slot(new)
    moved = dict.fromkeys(
        (was[slot], now[slot]) for slot in was.keys() & now.keys() if was[slot] != now[slot]
    )
    for one, other in sorted(moved):
        yield old[one], new[other]
    gone = sorted(old.keys() - new.keys() - {one for one, _ in moved})
    came = sorted(new.keys() - old.keys() - {other for _, other in moved})
    for number in range(max(len(gone), len(came))):
        # Beyond the shorter list: the versions that the other side has at all.
        one = gone[number] if number < len(gone) else _nearest(came[number], sorted(old))
        other = came[number] if number < len(came) else _nearest(gone[number], sorted(new))
        yield (None if one is None else old[one]), (None if other is None else new[other])


def _by_slot(versions: dict[Any, Pinned]) -> dict[str, Any]:
    """The version of each slot that has just one."""
    found: dict[str, list[Any]] = {}
    for version, pin in versions.items():
        for slot in pin.slots:
            found.setdefault(slot, []).append(version)
    return {slot: each[0] for slot, each in found.items() if len(each) == 1}


def _nearest(version: Any, among: list[Any]) -> Any:
    """The highest version below, else the lowest above; None when there is none."""
    below = [each for each in among if each < version]
    return below[-1] if below else (among[0] if among else None)


def _alike(
    before: tuple[Pinned, ...], after: tuple[Pinned, ...], ecosystem: Ecosystem
) -> Iterator[tuple[Pinned, Pinned]]:
    """The versions that both states have."""
    old = {order(ecosystem, each.version): each for each in before}
    for new in after:
        if one := old.get(order(ecosystem, new.version)):
            yield one, new


def _otherwise(old: Pinned, new: Pinned, *, of_one_kind: bool) -> str:
    """What differs between two mentions of one version; what only one of them says is no difference."""
    said = []
    algorithms = _algorithms(old.hashes) & _algorithms(new.hashes)
    was, now = ({each for each in one.hashes if _algorithm(each) in algorithms} for one in (old, new))
    if was and now and not was & now:
        said.append("other hashes: these are other files")
    elif was and now and was != now and of_one_kind:
        count = f"{len(now - was)} more hashes, {len(was - now)} fewer"
        said.append(f"{count}: some of its files are others" if was - now else _ONLY_MORE)
    if of_one_kind and old.sources and new.sources and old.sources != new.sources:
        said.append("another source")
    return " and ".join(said)


def _algorithm(text: str) -> str:
    return text.partition(":")[0]


def _algorithms(hashes: Iterable[str]) -> set[str]:
    return {_algorithm(each) for each in hashes}
