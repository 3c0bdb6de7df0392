"""Twins: the same text with its repeated names renamed apart."""

from __future__ import annotations

from collections import defaultdict

from whichwins.reference.reader import Reading
from whichwins.reference.repeats import loose_readings, occurrences
from whichwins.reference.tape import Node


def twin(reading: Reading) -> bytes | None:
    """The control that tells "rejects the repeat" from "rejects something else in it".

    From the second occurrence on, a name gets `~2`, `~3`, ... before its closing quote, unique
    in its object; every other byte stays. Names that only collide after replacement are
    renamed too. None when nothing repeats or the text is not in the grammar.
    """
    insertions: list[tuple[int, bytes]] = []
    for occurrence in occurrences(reading):
        insertions += _renamings(occurrence.object)
    if not insertions:
        return None
    pieces: list[bytes] = []
    done = 0
    for at, suffix in sorted(insertions):
        pieces += (reading.data[done:at], suffix)
        done = at
    return b"".join((*pieces, reading.data[done:]))


def _renamings(node: Node) -> list[tuple[int, bytes]]:
    """What to insert where, so that every reading of every name of this object is its own."""
    names = [member.name for member in node.members]
    readings = []
    for name in names:
        key = name.key
        readings.append({key} | loose_readings(name, key))
    taken: set[str | bytes] = set().union(*readings)
    used: set[str | bytes] = set()
    counters: defaultdict[str, int] = defaultdict(lambda: 1)
    insertions: list[tuple[int, bytes]] = []
    for name, mine in zip(names, readings, strict=True):
        if used.isdisjoint(mine):
            used |= mine
            continue
        base = name.replaced
        while True:
            counters[base] += 1
            suffix = f"~{counters[base]}"
            renamed = {
                text + suffix if isinstance(text, str) else text + suffix.encode("ascii") for text in mine
            }
            if taken.isdisjoint(renamed):
                break
        taken |= renamed
        insertions.append((name.end - 1, suffix.encode("ascii")))
    return insertions
