"""Which cases of a run get a twin: the same text with its repeated names renamed apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from whichwins.corpus import source_of_bytes
from whichwins.model import Case
from whichwins.nesting import unwrapped
from whichwins.reference import read, twin, verdicts
from whichwins.scanner import STRING

SUFFIX = "~twin"


class _Repeats(Exception):
    """Raised inside the quick check at the first name that needs the reference."""


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise _Repeats


def _once_and_characters(pairs: list[tuple[str, Any]]) -> None:
    """The same where there are surrogates: names that hold one may only be the same once it is replaced."""
    _once(pairs)
    for name, _ in pairs:
        if not name.isascii():
            try:
                name.encode()
            except UnicodeEncodeError:
                raise _Repeats from None


def _decoder(hook: Callable[[list[tuple[str, Any]]], None]) -> Callable[[str], object]:
    # The values do not matter, so numbers become what is cheap: no limit on digits is met.
    return json.JSONDecoder(object_pairs_hook=hook, parse_int=len, parse_float=len, parse_constant=len).decode


_plain, _careful = _decoder(_once), _decoder(_once_and_characters)


def may_repeat(data: bytes) -> bool:
    """Whether the reference has to look: False only where no object can repeat a name.

    The standard library reads objects and names as the reference does, and what it refuses the reference
    refuses, but for a byte order mark, depth, and bytes that are not UTF-8: those become surrogates here.
    """
    if data.count(b":") < 2:
        return False
    try:
        text = data.decode()
        decode = _careful if "\\ud" in text or "\\uD" in text else _plain
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        decode = _careful
    if text[0] == "\ufeff":
        return True
    try:
        decode(text)
    except RecursionError:
        return _deep_may_repeat(text, decode)
    except _Repeats:
        return True
    except ValueError:
        pass  # refused here, so refused by the reference: nothing to rename
    return False


def _deep_may_repeat(text: str, decode: Callable[[str], object]) -> bool:
    """The same for a deep text: containers that hold one thing repeat nothing, what they hold may."""
    bare = STRING.sub("", text)
    if bare.count("[") != bare.count("]") or bare.count("{") != bare.count("}"):
        return False  # never closed: not JSON, so there is nothing to rename
    try:
        decode(unwrapped(text))
    except (ValueError, RecursionError, _Repeats):
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
        clauses={layer: verdict.clause for layer, verdict in said.items() if verdict.clause},
        refs=(),
        twin_of=case.id,
    )


def with_twins(cases: Iterable[Case]) -> Iterator[Case]:
    """`cases` and their twins, sorted by id. `cases` are sorted and none ends like a twin."""
    twins = [made for case in cases if (made := twin_of(case)) is not None]
    yield from sorted([*cases, *twins], key=lambda case: case.id)
