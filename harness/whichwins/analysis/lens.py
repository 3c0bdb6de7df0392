"""Lenses: pure normal forms of a value. Equality under a lens is equality of normal forms.

`exact/1` is the notation itself. `value/1` looks at numbers by their decimal value (a binary64 by
its shortest round-tripping spelling; -0 is 0, NaN is NaN), and at members by name, repeats in their
order. `binary64/1` in addition rounds every number to the nearest double. What a lens leaves out,
`dimensions` names.

Texts must be canonical notation. A normal form is text to compare, not notation: its numbers stand
in the form of `analysis.numbers`, its members sorted by the code points of their names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from whichwins.analysis import numbers
from whichwins.analysis.difference import DIMENSIONS, Difference, dimensions, first_difference
from whichwins.model import Bytes, Name
from whichwins.nesting import wrapping
from whichwins.notation import Members, NotationError, read, render

__all__ = ["DEFAULT", "DIMENSIONS", "LENSES", "Difference", "Lens", "dimensions", "first_difference", "lens"]

Lens: TypeAlias = Callable[[str], str]
DEFAULT = "value/1"
_PLAIN_DIGITS = 21  # integers up to this many digits are their own normal form
_EXACT_BELOW = 2**53  # whole doubles up to here have their digits as shortest spelling


def exact(text: str) -> str:
    """`exact/1`: the canonical notation."""
    return text


def value(text: str) -> str:
    """`value/1`: see the module."""
    return _fast(_VALUE, text) or _walked("value/1", text)


def binary64(text: str) -> str:
    """`binary64/1`: see the module."""
    return _fast(_BINARY64, text) or _walked("binary64/1", text)


LENSES: Mapping[str, Lens] = MappingProxyType(
    {"value/1": value, "exact/1": exact, "binary64/1": binary64},
)
"""The lenses by name, the default first."""


def lens(name: str) -> Lens:
    """The lens of that name; BadInput names the known ones."""
    numbers.form_under(name)
    return LENSES[name]


def _walked(name: str, text: str) -> str:
    # Containers that hold one thing each are their own normal form, a million of them too.
    before, inner, after = wrapping(text)
    try:
        held = read(inner)
    except NotationError:
        before, held, after = "", read(text), ""
    return before + render(held, numbers.form_under(name), _sorted) + after


def _sorted(members: Members) -> Members:
    return sorted(members, key=lambda member: _code_points(member[0]))


def _code_points(name: Name) -> tuple[int, str]:
    if isinstance(name, str):
        return 0, name
    return (1, name.data.hex()) if isinstance(name, Bytes) else (2, name.text)


# The fast path: the standard library's scanner and encoder, both in C. The encoder spells floats as
# repr does, which is their normal form from 1e21 up and for all that are not whole; the others become
# ints of at most 21 digits. Whatever does not fit (no JSON, repeats, depth, long integers) is walked.


def _fast(decoder: json.JSONDecoder, text: str) -> str | None:
    try:
        return _ENCODER.encode(decoder.decode(text))
    except (ValueError, RecursionError):
        return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members


def _short(text: str) -> int:
    if len(text) > _PLAIN_DIGITS:
        raise ValueError
    return int(text)


def _real(text: str) -> int | float:
    number = float(text)
    if not number.is_integer():
        return number
    if -_EXACT_BELOW < number < _EXACT_BELOW:
        return int(number)
    form = numbers.decimal(text)
    return number if "e" in form else int(form)


def _nearest(text: str) -> int | float:
    return int(text) if len(text) < 16 else _real(repr(float(text)))


_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True, check_circular=False)
_VALUE = json.JSONDecoder(object_pairs_hook=_once, parse_int=_short, parse_float=_real)
_BINARY64 = json.JSONDecoder(object_pairs_hook=_once, parse_int=_nearest, parse_float=_real)
