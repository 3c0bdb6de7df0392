"""A value as a parser returned it, without any of the host's own equalities.

Numbers stay as text: no digit limit applies and nothing is expanded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer of a host integer type, in canonical decimal digits."""

    text: str


@dataclass(frozen=True, slots=True)
class Binary64:
    """An IEEE 754 binary64, in canonical spelling (Python's repr, NaN, Infinity, -Infinity)."""

    text: str


@dataclass(frozen=True, slots=True)
class DecimalLiteral:
    """A decimal, or a number literal that the library kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Bytes:
    """A host string of bytes that is not UTF-8."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Other:
    """Anything else the host returned, by a name. Equal only within one runtime."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """An array. Compared through the notation, never recursively."""

    items: list[Value]


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """An object: all surviving pairs in surviving order, repeated names allowed."""

    pairs: list[tuple[Name, Value]]


# A str may hold lone surrogates, and a high and a low one side by side as two code points.
Name: TypeAlias = str | Bytes | Other
Value: TypeAlias = bool | str | Integer | Binary64 | DecimalLiteral | Bytes | Other | Array | Object | None
