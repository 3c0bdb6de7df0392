"""What a boundary's worker could not read: equal to nothing, and different from nothing.

is_unread('{"a":1,"f":X"unread: function"}')                   # True
readable('{"a":1,"f":X"unread: function"}', '{"a":2,"f":3}')   # {"a":1,"f":null}, {"a":2,"f":null}
"""

from __future__ import annotations

from whichwins.model import Array, Object, Other, Value
from whichwins.notation import read, write

_MARK = 'X"unread:'
_DIGEST = "unread:"


def is_unread(value: str) -> bool:
    """Whether something of a notation could not be read. (Within text a quotation mark is escaped.)"""
    return _MARK in value


def no_digest(digest: str) -> bool:
    """Whether it stands for the digest of a value that could not be read."""
    return digest.startswith(_DIGEST)


def unread_part(value: str) -> str:
    """What could not be read first, for example `function`."""
    return value.partition(_MARK)[2].partition('"')[0].strip() or "something"


def is_hole(value: object) -> bool:
    """Whether this very value is what could not be read."""
    return isinstance(value, Other) and value.text.startswith(_DIGEST)


def readable(one: str, other: str) -> tuple[str, str] | None:
    """Two values without the places where one of them could not be read; None where that is all."""
    if not (is_unread(one) or is_unread(other)):
        return one, other
    try:
        left, right = _without(read(one), read(other))
    except RecursionError:
        return None
    return write(left), write(right)


def _without(one: Value, other: Value) -> tuple[Value, Value]:
    if is_hole(one) or is_hole(other):
        return None, None
    if isinstance(one, Array) and isinstance(other, Array) and len(one.items) == len(other.items):
        pairs = [_without(*both) for both in zip(one.items, other.items, strict=True)]
        return Array([left for left, _ in pairs]), Array([right for _, right in pairs])
    if isinstance(one, Object) and isinstance(other, Object):
        if any(is_hole(name) for name, _ in (*one.pairs, *other.pairs)):
            return None, None
        mine, theirs = dict(one.pairs), dict(other.pairs)
        if len(mine) < len(one.pairs) or len(theirs) < len(other.pairs):
            return one, other
        shared = {name: _without(mine[name], theirs[name]) for name in mine if name in theirs}
        return (
            Object([(name, shared[name][0] if name in shared else item) for name, item in one.pairs]),
            Object([(name, shared[name][1] if name in shared else item) for name, item in other.pairs]),
        )
    return one, other
