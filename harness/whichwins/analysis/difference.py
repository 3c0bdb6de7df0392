"""Where and in what two values differ: by place under a lens, by dimension beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple, TypeAlias, TypeGuard

from whichwins.analysis import numbers
from whichwins.analysis.readings import bare_name
from whichwins.model import Array, Binary64, Bytes, DecimalLiteral, Integer, Name, Object, Value
from whichwins.notation import Number, read, spell_name, write
from whichwins.scanner import STRING

_WHOLE_DOUBLE = re.compile(r"\.0(?![0-9e])")

DIMENSIONS: tuple[str, ...] = ("type", "zero-sign", "order", "precision", "spelling")
"""What may differ where a lens sees none, in the order in which reports list it.

`type`: integer, binary64, decimal. `zero-sign`: 0 and -0. `order`: of the members of an object.
`precision`: different numbers that round to the same double. `spelling`: one decimal, two literals
(D1.10 and D1.1).
"""


class Difference(NamedTuple):
    """A differing place: its JSON Pointer (RFC 6901), the notation on both sides (None: not there).

    A pointer cannot tell repeated names apart: when a name on the way is repeated in its object,
    `occurrences` has for each reference token which one is meant (from 0); otherwise it is empty.
    A name that is bytes, no string at all, or not encodable as UTF-8 stands in its notation.
    """

    pointer: str
    left: str | None
    right: str | None
    occurrences: tuple[int, ...] = ()


class _Missing:
    pass


_MISSING = _Missing()
_Side: TypeAlias = Value | _Missing


class _Child(NamedTuple):
    token: Name | int
    occurrence: int
    repeated: bool
    left: _Side
    right: _Side


def first_difference(a: str, b: str, lens: str, length: int = 80) -> Difference | None:
    """The first place, in the order of `a`, where two notations differ under a lens; None if nowhere.

    Notations longer than `length` characters are cut and end in `...`. Under `exact/1` an object whose
    members agree in all but their order is itself the differing place.
    """
    number = numbers.form_under(lens)
    if a == b:
        return None
    ordered = lens == "exact/1"
    path: list[_Child] = []
    child = _Child(0, 0, False, read(a), read(b))
    stack: list[tuple[Iterator[_Child], Object | None, Object | None]] = []
    while True:
        left, right = child.left, child.right
        if isinstance(left, Array) and isinstance(right, Array):
            stack.append((_elements(left, right), None, None))
        elif isinstance(left, Object) and isinstance(right, Object):
            stack.append((_members(left, right), left, right))
        elif _differ(left, right, number):
            return _difference(path, left, right, length)
        elif stack:
            path.pop()
        while stack:
            following = next(stack[-1][0], None)
            if following is not None:
                child = following
                path.append(child)
                break
            _, before, after = stack.pop()
            if ordered and before and after and _names(before) != _names(after):
                return _difference(path, before, after, length)
            if path:
                path.pop()
        else:
            return None


def same_but_for_names(a: str, b: str, lens: str) -> bool:
    """Whether two notations hold the same in the same order, however the names are spelled.

    Text that differs only in what is no character (surrogates, U+FFFD) counts as the same.
    """
    number = numbers.form_under(lens)
    todo: list[tuple[Value, Value]] = [(read(a), read(b))]
    while todo:
        left, right = todo.pop()
        if isinstance(left, Array) and isinstance(right, Array):
            if len(left.items) != len(right.items):
                return False
            todo.extend(zip(left.items, right.items, strict=True))
        elif isinstance(left, Object) and isinstance(right, Object):
            if len(left.pairs) != len(right.pairs):
                return False
            todo.extend((one[1], other[1]) for one, other in zip(left.pairs, right.pairs, strict=True))
        elif isinstance(left, str | Bytes) and isinstance(right, str | Bytes):
            if bare_name(left) != bare_name(right):
                return False
        elif _differ(left, right, number):
            return False
    return True


def dimensions(a: str, b: str) -> frozenset[str]:
    """Which of DIMENSIONS differ between two notations that are equal under a lens.

    Where they are not, nothing is said of the differing place.
    """
    found: set[str] = set()
    if a == b:
        return frozenset()
    if _whole_doubles_only(a, b):
        return frozenset(("type",))
    todo: list[tuple[_Side, _Side]] = [(read(a), read(b))]
    while todo:
        left, right = todo.pop()
        if isinstance(left, Array) and isinstance(right, Array):
            todo.extend(zip(left.items, right.items, strict=False))
        elif isinstance(left, Object) and isinstance(right, Object):
            if _names(left) != _names(right):
                found.add("order")
            todo.extend((child.left, child.right) for child in _members(left, right))
        elif _is_number(left) and _is_number(right) and left != right:
            found.update(_number_dimensions(left, right))
    return frozenset(found)


def _whole_doubles_only(a: str, b: str) -> bool:
    """Whether the texts differ only in 20 and 20.0: quickly seen, and hosts without integers do it a lot."""
    bare = STRING.sub("", a), STRING.sub("", b)
    return (
        "D" not in bare[0] + bare[1]
        and _WHOLE_DOUBLE.sub("", bare[0]) == _WHOLE_DOUBLE.sub("", bare[1])
        and STRING.findall(a) == STRING.findall(b)
    )


def _number_dimensions(left: Number, right: Number) -> Iterator[str]:
    form = numbers.decimal(left.text)
    same = form == numbers.decimal(right.text)
    if not same and numbers.binary64(left.text) != numbers.binary64(right.text):
        return
    if type(left) is not type(right):
        yield "type"
    if not same:
        yield "precision"
    elif form == "0" and left.text.startswith("-") != right.text.startswith("-"):
        yield "zero-sign"
    elif type(left) is type(right):
        yield "spelling"


def _differ(left: _Side, right: _Side, number: numbers.Form) -> bool:
    if isinstance(left, Array | Object) or isinstance(right, Array | Object):
        return True  # two of a kind were told apart before
    if _is_number(left) and _is_number(right):
        return number(left) != number(right)
    # Python has True == 1, but numbers are no ints here; only a type and its value are compared.
    return type(left) is not type(right) or left != right


def _is_number(value: _Side) -> TypeGuard[Number]:
    return isinstance(value, Integer | Binary64 | DecimalLiteral)


def _elements(left: Array, right: Array) -> Iterator[_Child]:
    for index, (one, other) in enumerate(zip_longest(left.items, right.items, fillvalue=_MISSING)):
        yield _Child(index, 0, False, one, other)


def _members(left: Object, right: Object) -> Iterator[_Child]:
    """Members matched by name and occurrence, in the order of `left`; what only `right` has is last."""
    here, there = _by_name(left), _by_name(right)
    seen: dict[Name, int] = {}
    for name, value in left.pairs:
        at = seen.get(name, 0)
        seen[name] = at + 1
        others = there.get(name, [])
        repeated = len(here[name]) > 1 or len(others) > 1
        yield _Child(name, at, repeated, value, others[at] if at < len(others) else _MISSING)
    seen.clear()
    for name, value in right.pairs:
        at = seen.get(name, 0)
        seen[name] = at + 1
        ours = here.get(name, [])
        if at >= len(ours):
            yield _Child(name, at, len(there[name]) > 1, _MISSING, value)


def _by_name(value: Object) -> dict[Name, list[Value]]:
    members: dict[Name, list[Value]] = {}
    for name, item in value.pairs:
        members.setdefault(name, []).append(item)
    return members


def _names(value: Object) -> list[Name]:
    return [name for name, _ in value.pairs]


def _difference(path: list[_Child], left: _Side, right: _Side, length: int) -> Difference:
    pointer = "".join("/" + _token(child.token) for child in path)
    repeated = any(child.repeated for child in path)
    occurrences = tuple(child.occurrence for child in path) if repeated else ()
    return Difference(pointer, _cut(left, length), _cut(right, length), occurrences)


def _token(name: Name | int) -> str:
    if isinstance(name, int):
        return str(name)
    token = name if isinstance(name, str) and _encodable(name) else spell_name(name)
    return token.replace("~", "~0").replace("/", "~1")


def _encodable(name: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _cut(side: _Side, length: int) -> str | None:
    if isinstance(side, _Missing):
        return None
    text = write(side)
    return text if len(text) <= length else text[: max(length - 3, 0)] + "..."
