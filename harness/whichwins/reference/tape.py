"""The tree of a reading, kept flat, and light views on it.

A reading has one row for each node, in document order: an object is followed by name, value,
name, value, ...; an array by its items. Rows are machine integers, so a million nested arrays
cost some 25 bytes a level, and nothing ever recurses, deallocation included.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from whichwins.reference import strings

Kind = Literal["null", "true", "false", "number", "string", "array", "object"]
KINDS: tuple[Kind, ...] = ("null", "true", "false", "number", "string", "array", "object")
NULL, TRUE, FALSE, NUMBER, STRING, ARRAY, OBJECT = range(7)


def _integers() -> array[int]:
    return array("q")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tape:
    """Rows: kind, byte offsets `[start, end)`, and the row after the node's last descendant."""

    data: bytes
    kinds: bytearray = field(default_factory=bytearray)
    starts: array[int] = field(default_factory=_integers)
    ends: array[int] = field(default_factory=_integers)
    after: array[int] = field(default_factory=_integers)


class Member(NamedTuple):
    """One pair of an object, at its place."""

    name: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Node:
    """A view on one row. Two views are equal when they are the same place of the same reading."""

    tape: Tape = field(repr=False)
    index: int

    @property
    def kind(self) -> Kind:
        """One of `KINDS`."""
        return KINDS[self.tape.kinds[self.index]]

    @property
    def start(self) -> int:
        """Byte offset of the token's, or the container's, first byte."""
        return self.tape.starts[self.index]

    @property
    def end(self) -> int:
        """Byte offset just after it."""
        return self.tape.ends[self.index]

    @property
    def lexeme(self) -> bytes:
        """The bytes as they stand in the text, quotes included."""
        return self.tape.data[self.start : self.end]

    @property
    def number(self) -> str:
        """A number as it was spelled."""
        return self.lexeme.decode("ascii")

    @property
    def raw(self) -> bytes:
        """A string's bytes between the quotes, escapes as written."""
        return self.tape.data[self.start + 1 : self.end - 1]

    @property
    def text(self) -> str | None:
        """A string's exact text, or None when its bytes are not UTF-8."""
        return strings.decode(self.raw)

    @property
    def key(self) -> str | bytes:
        """What a name is compared by: its exact text, or its unescaped bytes."""
        raw = self.raw
        text = strings.decode(raw)
        return strings.unescaped_bytes(raw) if text is None else text

    @property
    def replaced(self) -> str:
        """A string's text with U+FFFD for what is not a character."""
        return strings.replaced(self.raw)

    @property
    def items(self) -> tuple[Node, ...]:
        """An array's items."""
        return tuple(Node(self.tape, row) for row in self._children())

    @property
    def members(self) -> tuple[Member, ...]:
        """An object's pairs: all of them, in order."""
        nodes = self.items
        return tuple(map(Member, nodes[::2], nodes[1::2]))

    @property
    def path(self) -> str:
        """Ordinal path: `#0/#2` is the third child of the first child; empty for the root."""
        return ordinal_path(self.tape.data, self.start)

    @property
    def pointer(self) -> str:
        """JSON Pointer (RFC 6901), which names alone make ambiguous where they repeat.

        Costs a walk from the root: ask for it when it is shown.
        """
        return json_pointer(self)

    def _children(self) -> Iterator[int]:
        after, row = self.tape.after, self.index + 1
        while row < after[self.index]:
            yield row
            row = after[row]


def node_at(tape: Tape, offset: int) -> Node:
    """The innermost node that begins at or before an offset; the root before it begins."""
    return Node(tape, max(bisect_right(tape.starts, offset) - 1, 0))


_SHAPE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)


def ordinal_path(data: bytes, offset: int) -> str:
    """Where an offset lies, told by ordinals alone; the bytes before it must be in the grammar.

    Works without a tree, so for a text that broke off, and never quotes the text.
    """
    ordinals: list[int] = []
    for match in _SHAPE.finditer(data, 0, offset):
        token = data[match.start()]
        if token in b"[{":
            ordinals.append(0)
        elif token == 0x2C and ordinals:
            ordinals[-1] += 1
        elif token in b"]}" and ordinals:
            ordinals.pop()
    return "/".join(f"#{ordinal}" for ordinal in ordinals)


def json_pointer(node: Node) -> str:
    """The JSON Pointer of a value or, for a name, of its member."""
    tape, row, parts = node.tape, 0, [""]
    while row < node.index:
        children = list(Node(tape, row)._children())
        if tape.kinds[row] == ARRAY:
            ordinal = bisect_right(children, node.index) - 1
            parts.append(str(ordinal))
            row = children[ordinal]
        else:
            ordinal = (bisect_right(children, node.index) - 1) // 2
            name, row = Node(tape, children[2 * ordinal]), children[2 * ordinal + 1]
            text = name.text
            shown = name.replaced if text is None else text
            parts.append(shown.replace("~", "~0").replace("/", "~1"))
    return "/".join(parts)
