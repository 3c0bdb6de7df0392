"""Which cases of a run get a twin: the same text with its repeated names renamed apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from whichwins.corpus import source_of_bytes
from whichwins.model import Case
from whichwins.reference import read, twin, verdicts

SUFFIX = "~twin"

# Every string, and whether a colon follows: taken from the left without gaps, so that no quote is misread.
_STRINGS = re.compile(rb'"([^"]*)"(?:[ \t\r\n]*(:))?')
_ODD = re.compile(rb"[\\\x80-\xff]")


class _Repeats(Exception):
    """Raised inside the quick check at the first repeated name."""


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise _Repeats


_quick = json.JSONDecoder(object_pairs_hook=_refuse_repeats, parse_int=str, parse_float=str).decode


def may_repeat(data: bytes) -> bool:
    """Whether the reference has to look: False only where no object can repeat a name.

    Cheap first: plain names that are all different; then the standard library for plain ASCII,
    whose objects and names it reads as the reference does. Whatever is odd goes to the reference.
    """
    if data.count(b":") < 2:
        return False
    if _ODD.search(data):
        return True
    names = [text for text, colon in _STRINGS.findall(data) if colon]
    if len(set(names)) == len(names):
        return False
    try:
        _quick(data.decode("ascii"))
    except _Repeats:
        return True
    except (ValueError, RecursionError):
        return True
    return False


def twin_of(case: Case) -> Case | None:
    """The twin of `case`, with the reference's expectations; None where no name repeats."""
    if not may_repeat(case.data):
        return None
    data = twin(read(case.data))
    if data is None:
        return None
    said = verdicts(read(data))
    return replace(
        case,
        id=case.id + SUFFIX,
        data=data,
        why=f"the repeated names of {case.id} renamed apart",
        source=source_of_bytes(data),
        expect={layer: verdict.expectation for layer, verdict in said.items()},
        clauses={layer: verdict.clause for layer, verdict in said.items()},
        refs=(),
        twin_of=case.id,
    )


def with_twins(cases: Iterable[Case]) -> Iterator[Case]:
    """`cases` and their twins, sorted by id. `cases` are sorted and none ends like a twin."""
    twins = [made for case in cases if (made := twin_of(case)) is not None]
    yield from sorted([*cases, *twins], key=lambda case: case.id)
