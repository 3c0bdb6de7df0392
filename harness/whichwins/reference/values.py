"""A reading as plain Python, and as a value of the notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar, Union

from whichwins.model import Array, Binary64, Bytes, DecimalLiteral, Integer, Object, Value
from whichwins.reference import numbers
from whichwins.reference.tape import ARRAY, OBJECT, Member, Node

Plain: TypeAlias = Union[bool, int, float, str, list["Plain"], dict[str, "Plain"], None]  # noqa: UP007
_T = TypeVar("_T")


def plain(root: Node) -> Plain:
    """dict, list, str, int, float, bool and None, for a text that a strict policy accepts.

    Names are taken to be unique, strings to be UTF-8 and integers to be short.
    """
    return _build(root, _plain_scalar, _plain_array, _plain_object)


def value(root: Node) -> Value:
    """The value with all pairs; integers stay integers, other numbers are their nearest binary64."""
    return _build(root, _scalar, Array, _object)


def spelled(root: Node) -> Value:
    """The value with all pairs and every number as it is spelled in the text."""
    return _build(root, _spelled_scalar, Array, _object)


def _build(
    root: Node,
    scalar: Callable[[Node], _T],
    array: Callable[[list[_T]], _T],
    pairs: Callable[[tuple[Member, ...], list[_T]], _T],
) -> _T:
    """Bottom-up without recursion: rows are in document order, so backwards children come first."""
    tape = root.tape
    built: dict[int, _T] = {}
    for row in range(tape.after[root.index] - 1, root.index - 1, -1):
        node = Node(tape, row)
        if tape.kinds[row] == ARRAY:
            built[row] = array([built.pop(item.index) for item in node.items])
        elif tape.kinds[row] == OBJECT:
            members = node.members
            built[row] = pairs(members, [built.pop(member.value.index) for member in members])
        else:  # names of members too: they are left over
            built[row] = scalar(node)
    return built[root.index]


def _plain_scalar(node: Node) -> Plain:
    match node.kind:
        case "number":
            return int(node.number) if numbers.is_integer(node.number) else float(node.number)
        case "string":
            return node.replaced
        case kind:
            return {"null": None, "true": True, "false": False}[kind]


def _plain_array(items: list[Plain]) -> Plain:
    return items


def _plain_object(members: tuple[Member, ...], values: list[Plain]) -> Plain:
    return {member.name.replaced: value for member, value in zip(members, values, strict=True)}


def _scalar(node: Node) -> Value:
    match node.kind:
        case "number" if numbers.is_integer(node.number):
            return Integer("0" if node.number == "-0" else node.number)
        case "number":
            return Binary64(repr(float(node.number)).replace("inf", "Infinity"))
        case "string":
            return _name(node)
        case kind:
            return {"null": None, "true": True, "false": False}[kind]


def _spelled_scalar(node: Node) -> Value:
    return DecimalLiteral(node.number) if node.kind == "number" else _scalar(node)


def _name(node: Node) -> str | Bytes:
    key = node.key
    return Bytes(key) if isinstance(key, bytes) else key


def _object(members: tuple[Member, ...], values: list[Value]) -> Value:
    return Object([(_name(member.name), value) for member, value in zip(members, values, strict=True)])
