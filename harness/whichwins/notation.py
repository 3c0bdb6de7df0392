"""The text form of a value: ASCII, lossless, canonical. Both directions, never recursive.

It is JSON (RFC 8259) where JSON can say it, without white space, and otherwise:

    20          an integer of a host integer type     20.0 1e+16 NaN   a binary64, as Python's repr
    D1.10       a decimal, or a literal that was kept  b"ff"           bytes that are not UTF-8
    u"0000…"    text with a high and a low surrogate as two code points (UTF-32BE)
    X"set"      anything else, by name                 {X"int:1":2}    so do names of members

The standard library's scanner does the work where its answer is proven to be the same; everything it
cannot say, and every refusal, is the business of the reader below. Integers are never converted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from json.encoder import encode_basestring_ascii as _quote
from typing import Any, NoReturn, TypeAlias, TypeVar

from whichwins.model import (
    Array,
    Binary64,
    Bytes,
    DecimalLiteral,
    Integer,
    Name,
    Object,
    Other,
    Value,
)
from whichwins.scanner import SCANNER as _SCANNER
from whichwins.scanner import STRING as _STRING
from whichwins.scanner import NotationError as NotationError
from whichwins.scanner import binary64 as binary64
from whichwins.scanner import is_canonical_json, is_spaced, respelled

Number: TypeAlias = Integer | Binary64 | DecimalLiteral
Members: TypeAlias = list[tuple[Name, Value]]
_From = TypeVar("_From")
_To = TypeVar("_To")

_WORDS: dict[str, Value] = {"null": None, "true": True, "false": False}
_SCALAR = re.compile(
    r"(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>null|true|false)"
    r"|(?P<special>NaN|-?Infinity)"
    r"|D(?P<literal>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r'|(?P<kind>[bu])"(?P<hex>[0-9a-fA-F]*)"'
)
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_PLAIN_STRING = re.compile(r'"([ !#-\[\]-\x7f]*)"')
_PLAIN_NAME = re.compile(r'"([ !#-\[\]-\x7f]*)":')


def canonical(text: str) -> str:
    """Bring a worker's answer to the canonical notation; NotationError when it is no value at all.

    Workers may spell a binary64 in any round-tripping way, strings with any of JSON's escapes, and
    hex in capitals. A text that is canonical already comes back as it is, for the price of one scan.
    """
    if is_canonical_json(text):
        return text
    quick = respelled(text)
    return write(_read(text)) if quick is None else quick


def check(text: str) -> None:
    """Raise NotationError unless `text` is a value in this notation, in any permitted spelling."""
    canonical(text)


def read(text: str) -> Value:
    """Read one value; raises NotationError. Binary64 spellings come out canonical."""
    if text.isascii():
        try:
            value = _DECODER.decode(text)
        except (ValueError, RecursionError):  # not JSON, or deep: the reader below decides
            return _read(text)
        if not is_spaced(text):
            return _wrap(value)
    return _read(text)


def write(value: Value) -> str:
    """Write a value, canonically where its Binary64 texts are canonical."""
    return render(value, spelling, _as_they_come)


def render(
    value: Value, number: Callable[[Number], str], members: Callable[[Members], Iterable[tuple[Name, Value]]]
) -> str:
    """Write a value with `number` spelling its numbers and `members` ordering its members."""
    out: list[str] = []
    stack: list[tuple[Iterator[Any], str]] = []
    todo: Iterator[Any] = iter((value,))  # values, or pairs where `close` is }
    close = ""
    while True:
        for item in todo:
            if close == "}":
                name, item = item
                out.append(spell_name(name) + ":")
            if isinstance(item, Array):
                stack.append((todo, close))
                out.append("[")
                todo, close = iter(item.items), "]"
                break
            if isinstance(item, Object):
                stack.append((todo, close))
                out.append("{")
                todo, close = iter(members(item.pairs)), "}"
                break
            out.append(_scalar(item, number))
            out.append(",")
        else:
            if not stack:
                out.pop()
                return "".join(out)
            if out[-1] == ",":
                out[-1] = close
            else:
                out.append(close)
            out.append(",")
            todo, close = stack.pop()


def spelling(number: Number) -> str:
    """Write a number."""
    return "D" + number.text if type(number) is DecimalLiteral else number.text


def spell_name(name: Name) -> str:
    """Write the name of a member."""
    return _text(name) if isinstance(name, str) else _marked(name)


def _scalar(value: Value, number: Callable[[Number], str]) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Integer | Binary64 | DecimalLiteral):
        return number(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Bytes | Other):
        return _marked(value)
    raise TypeError(f"not a value: {type(value).__name__}")


def _as_they_come(members: Members) -> Members:
    return members


def _text(text: str) -> str:
    if not text.isascii() and _SPLIT_PAIR.search(text):
        return f'u"{text.encode("utf-32-be", "surrogatepass").hex()}"'
    return _quote(text)


def _marked(value: Bytes | Other) -> str:
    return f'b"{value.data.hex()}"' if isinstance(value, Bytes) else "X" + _quote(value.text)


# `read` has the scanner build the values.


def _integer(text: str) -> Integer:
    if text == "-0":
        raise NotationError
    return Integer(text)


def _real(text: str) -> Binary64:
    return Binary64(binary64(text))


def _object(pairs: list[tuple[str, object]]) -> Object:
    # Objects inside lists are made before the lists are seen, so only lists are left to wrap.
    return Object([(name, _wrap(value)) for name, value in pairs])


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=Binary64
)


def _wrap(value: object) -> Value:
    """Make Arrays of the scanner's lists, in place."""
    if type(value) is not list:
        return value  # type: ignore[return-value]
    todo: list[list[object]] = [value]
    while todo:
        items = todo.pop()
        for index, item in enumerate(items):
            if type(item) is list:
                todo.append(item)
                items[index] = Array(item)
    return Array(value)


# The reader: all of the notation, any depth.


def _read(text: str) -> Value:
    at = 0
    stack: list[Array | Object] = []
    names: list[Name] = []  # of the member being read, one for each open object
    value: Value
    while True:
        opener = text[at : at + 1]
        if opener == "[":
            at += 1
            value = Array([])
            if text[at : at + 1] != "]":
                stack.append(value)
                continue
            at += 1
        elif opener == "{":
            at += 1
            value = Object([])
            if text[at : at + 1] != "}":
                name, at = _read_name(text, at)
                names.append(name)
                stack.append(value)
                continue
            at += 1
        else:
            value, at = _read_scalar(text, at)
        while stack:
            parent = stack[-1]
            following = text[at : at + 1]
            at += 1
            if isinstance(parent, Array):
                parent.items.append(value)
                if following == ",":
                    break
                if following != "]":
                    _fail(", or ] expected", at - 1)
            else:
                parent.pairs.append((names.pop(), value))
                if following == ",":
                    name, at = _read_name(text, at)
                    names.append(name)
                    break
                if following != "}":
                    _fail(", or } expected", at - 1)
            value = stack.pop()
        else:
            if at != len(text):
                _fail("one value expected, more found", at)
            return value


def _read_name(text: str, at: int) -> tuple[Name, int]:
    plain = _PLAIN_NAME.match(text, at)
    if plain:
        return plain[1], plain.end()
    name, end = _read_scalar(text, at)
    if not isinstance(name, str | Bytes | Other):
        _fail("a name expected", at)
    if text[end : end + 1] != ":":
        _fail(": expected", end)
    return name, end + 1


def _read_scalar(text: str, at: int) -> tuple[Value, int]:
    plain = _PLAIN_STRING.match(text, at)
    if plain:
        return plain[1], plain.end()
    if text.startswith('"', at):
        return _read_string(text, at)
    if text.startswith('X"', at):
        what, end = _read_string(text, at + 1)
        return Other(what), end
    found = _SCALAR.match(text, at)
    if found is None:
        _fail("a value expected", at)
    kind, body, end = found.lastgroup, found[found.lastgroup or 0], found.end()
    if kind == "number":
        if _INTEGER.fullmatch(body):
            return Integer(body), end
        return Binary64(_at(at, binary64, body)), end
    if kind == "literal":
        return DecimalLiteral(body), end
    if kind == "word":
        return _WORDS[body], end
    if kind == "special":
        return Binary64(body), end
    data = _at(at, bytes.fromhex, body)
    if found["kind"] == "b":
        return Bytes(data), end
    return _at(at, lambda points: points.decode("utf-32-be", "surrogatepass"), data), end


def _read_string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if found is None:
        _fail("a string without end", at)
    string = found[0]
    if not string.isascii():
        _fail("ASCII expected", at)
    value = _at(at, _SCANNER.decode, string)
    assert isinstance(value, str)
    return value, found.end()


def _at(at: int, convert: Callable[[_From], _To], body: _From) -> _To:
    try:
        return convert(body)
    except ValueError:
        _fail("a value that cannot be", at)


def _fail(what: str, at: int) -> NoReturn:
    raise NotationError(f"notation: {what} at character {at}")
