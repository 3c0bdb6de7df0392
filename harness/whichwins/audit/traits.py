"""What is particular about a request, for the questions of the checklist: read off its original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from whichwins.notation import write
from whichwins.reference import Node, ProblemKind, Reading, occurrences, read, spelled
from whichwins.reference.reader import DEFAULT_LIMITS, Limits
from whichwins.reference.tape import OBJECT

Trait: TypeAlias = Literal[
    "repeat", "nested", "escaped", "equal", "shared name", "case pair", "size", "depth", "number"
]
"""`repeat`: names repeat in an object; `nested`: not in the outermost one; `escaped`: spelled in two ways;
`equal`: with equal values everywhere. `shared name`: one name in two objects; `case pair`: two names of
one object differ in case only. `size`, `depth`, `number`: beyond a limit of the policy."""

_LARGEST = 1 << 16
"""Bytes of a text whose names are looked at: nobody's checklist needs a larger witness."""
_LIMITS: dict[ProblemKind, Trait] = {
    "size": "size",
    "depth": "depth",
    "number-length": "number",
    "number-overflow": "number",
    "integer-range": "number",
}


def traits(data: bytes, limits: Limits = DEFAULT_LIMITS) -> frozenset[Trait]:
    """What is particular about a text; of one that is no JSON only what makes it too large or too deep."""
    reading = read(data, stop=("depth", "size"), limits=limits)
    found: set[Trait] = {_LIMITS[each.kind] for each in reading.problems if each.kind in _LIMITS}
    if reading.root is not None and len(data) <= _LARGEST:
        found.update(_of_names(reading))
    return frozenset(found)


def _of_names(reading: Reading) -> Iterator[Trait]:
    yield from _of_repeats(reading)
    owners: dict[str | bytes, int] = {}
    for row, kind in enumerate(reading.tape.kinds):
        if kind != OBJECT:
            continue
        folded: dict[str, str] = {}
        for name, _ in Node(reading.tape, row).members:
            key = name.key
            if owners.setdefault(key, row) != row:
                yield "shared name"
            if isinstance(key, str) and folded.setdefault(key.casefold(), key) != key:
                yield "case pair"


def _of_repeats(reading: Reading) -> Iterator[Trait]:
    equal = True
    for occurrence in occurrences(reading):
        members = occurrence.object.members
        for group in occurrence.groups:
            if group.collision:
                continue
            yield "repeat"
            if occurrence.object.index:
                yield "nested"
            names = {members[place].name.raw for place in group.members}
            if len(names) > 1:
                yield "escaped"
            equal = equal and len({_spelling(members[place].value) for place in group.members}) == 1
    if equal and any(each.kind == "repeated-name" for each in reading.problems):
        yield "equal"


def _spelling(node: Node) -> str:
    return write(spelled(node))
