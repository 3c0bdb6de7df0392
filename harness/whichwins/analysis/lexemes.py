"""Whether two numbers can be one number of the text that each side read in its own way.

same_digits(reading, "/q", "9007199254740993", "9007199254740992.0")    # True
same_digits(read(b'{"q":2}'), "/q", "2", "20")                          # False: another number was read
"""

from __future__ import annotations

from decimal import Decimal

from whichwins.analysis.readings import number_reads
from whichwins.model import DecimalLiteral
from whichwins.reference import Node, Reading

_PLAIN = 1 << 31
"""Below it no host's integers wrap or stop, and its floats are near the number."""
_NEAR, _TINY = Decimal(2) ** -8, Decimal(2) ** -64


def same_digits(reading: Reading, pointer: str, left: str, right: str) -> bool:
    """Whether some number that stands at the pointer can be both; also where the text tells none there."""
    lexemes = _numbers_at(reading, pointer)
    if not lexemes and reading.root is not None and not _odd(reading):
        return False
    return not lexemes or any(_reads(each, left) and _reads(each, right) for each in lexemes)


def _odd(reading: Reading) -> bool:
    """Whether a name may have been read as another one: then the place says nothing."""
    return any(each.kind in ("utf-8", "surrogate") for each in reading.problems)


def _numbers_at(reading: Reading, pointer: str) -> list[str]:
    """The numbers of all occurrences, as they are spelled."""
    found = [] if reading.root is None else [reading.root]
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        found = [child for node in found for child in _children(node, name)]
    return [node.number for node in found if node.kind == "number"]


def _children(node: Node, name: str) -> list[Node]:
    if node.kind == "object":
        return [value for member, value in node.members if member.key == name]
    if node.kind == "array" and name.isascii() and name.isdecimal() and len(name) < 10:
        return list(node.items[int(name) : int(name) + 1])
    return []


def _reads(lexeme: str, side: str) -> bool:
    """Whether a parser may make `side` of a number; of one that is plain nothing far from it."""
    value = side.removeprefix("D")
    if number_reads(lexeme, DecimalLiteral(value)):
        return True
    try:
        was, now = Decimal(lexeme), Decimal(value)
        if not now.is_finite() or not _TINY < abs(was) < _PLAIN:
            return bool(was)  # what overflows, wraps or vanishes; nothing of that becomes of 0
        return abs(now - was) <= abs(was) * _NEAR
    except ArithmeticError:  # beyond what Decimal takes
        return True
