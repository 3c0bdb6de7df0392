"""Objects whose names repeat, or would for a decoder that replaces what is not a character."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from whichwins.reference import strings
from whichwins.reference.reader import Reading
from whichwins.reference.tape import Node


@dataclass(frozen=True, slots=True)
class Group:
    """Members of one object whose names are the same.

    With `collision`, the names differ exactly (RFC 8259 section 8.3, after unescaping) and are
    the same only in another reading: bad bytes or unpaired surrogates replaced by U+FFFD, or
    raw surrogate bytes let through. `name` is that reading then.
    """

    name: str | bytes
    members: tuple[int, ...]
    collision: bool = False


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One object in which names repeat."""

    object: Node
    groups: tuple[Group, ...]

    @property
    def pointer(self) -> str:
        """JSON Pointer of the object; a walk from the root, so ask when it is shown."""
        return self.object.pointer


def occurrences(reading: Reading) -> list[Occurrence]:
    """The repeating objects of a reading in document order; empty where it is not in the grammar.

    Groups stand in the order of their first members, exact repeats before collisions.
    """
    if reading.root is None:
        return []
    found = (
        Occurrence(node, _groups(node)) for node in (Node(reading.tape, row) for row in reading.suspects)
    )
    return [occurrence for occurrence in found if occurrence.groups]


def _groups(node: Node) -> tuple[Group, ...]:
    exact: defaultdict[str | bytes, list[int]] = defaultdict(list)
    loose: defaultdict[str, list[int]] = defaultdict(list)
    keys: list[str | bytes] = []
    for ordinal, member in enumerate(node.members):
        key = member.name.key
        keys.append(key)
        exact[key].append(ordinal)
        for reading in loose_readings(member.name, key):
            loose[reading].append(ordinal)
    groups = [Group(name, tuple(members)) for name, members in exact.items() if len(members) > 1]
    seen: set[tuple[int, ...]] = set()
    for name, ordinals in loose.items():
        members = tuple(ordinals)
        if members not in seen and len({keys[ordinal] for ordinal in members}) > 1:
            seen.add(members)
            groups.append(Group(name, members, collision=True))
    return tuple(sorted(groups, key=lambda group: (group.collision, group.members)))


def loose_readings(name: Node, key: str | bytes) -> set[str]:
    """What decoders that replace, or let surrogates pass, make of a name."""
    if isinstance(key, str) and key.isascii():
        return {key}
    raw = name.raw
    return {reading for reading in (strings.replaced(raw), strings.passed(raw)) if reading is not None}
