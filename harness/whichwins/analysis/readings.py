"""Which values are possible readings of a scalar's or a name's spelling in the input.

A reading is what a parser may make of a lexeme without having confused it with another one: the exact
value, the value rounded to binary64, text with its surrogates replaced, dropped or kept as bytes. The
search for winners compares through these, so that rounding and replacement do not hide a winner.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from whichwins.analysis import numbers
from whichwins.model import Binary64, Bytes, DecimalLiteral, Integer, Name, Other, Value

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACED = re.compile("[\ud800-\udfff\ufffd]+")
_WRITTEN_OUT = 800
"""A double written out has at most 767 significant digits; a longer spelling is no such value."""


@lru_cache(maxsize=4096)
def _decimal(text: str) -> str:
    return numbers.decimal(text)


@lru_cache(maxsize=4096)
def _rounded(lexeme: str) -> str:
    return numbers.binary64(lexeme)


def number_reads(lexeme: str, value: Value) -> bool:
    """Whether `value` is a number that a parser may make of the JSON number `lexeme`.

    True for the exact decimal value, for the nearest binary64 (infinite when it overflows), and for
    that double written out in full as an integer or a decimal. The sign of zero does not matter.
    """
    if not isinstance(value, Integer | Binary64 | DecimalLiteral):
        return False
    if value.text == lexeme:
        return True
    got, rounded = _decimal(value.text), _rounded(lexeme)
    if got in (rounded, _decimal(lexeme)):
        return True
    if isinstance(value, Binary64) or len(value.text) > _WRITTEN_OUT or not rounded[-1].isdigit():
        return False
    return got == _decimal(str(Decimal(float(rounded))))


def number_is(lexeme: str, value: Value) -> bool:
    """Whether `value` is exactly `lexeme`, of a type that a host does not round into."""
    return isinstance(value, Integer | DecimalLiteral) and _decimal(value.text) == _decimal(lexeme)


def text_reads(text: str | Bytes, value: Value) -> bool:
    """Whether `value` is a string that a parser may make of a string whose escapes decode to `text`.

    True for the code points themselves (a pair of surrogates read as one character or as two), for
    surrogates and bad bytes replaced by any number of U+FFFD, each by `?`, or dropped, for bytes as
    they are, surrogates encoded as if they were characters, and for bad bytes taken as Latin-1.
    """
    if value == text:
        return True
    if isinstance(value, Bytes):
        return _encoded(text) == _encoded(value)
    if not isinstance(value, str):
        return False
    if isinstance(text, Bytes):
        passed = _from_bytes(text.data)
        if passed is None:
            decoded = text.data.decode("utf-8", "replace")
            others = (text.data.decode("utf-8", "ignore"), text.data.decode("latin-1"))
            return value in others or _squashed(value) == _squashed(decoded)
        text = passed
    text, value = _joined(text), _joined(value)
    if _SURROGATE.search(text) is None:
        return value == text
    readings = (text, _SURROGATE.sub("?", text), _SURROGATE.sub("", text))
    return value in readings or (_SURROGATE.search(value) is None and _squashed(value) == _squashed(text))


def exact_name(name: Name) -> str:
    """A name as text under which only equal names meet; bytes that are no text stay apart.

    A non-string key that a host makes of an integer-like name (`X"int:1"`) is the name again.
    """
    if isinstance(name, str):
        return name if name.isascii() else _joined(name)
    if isinstance(name, Other):
        return name.text.removeprefix("int:")
    decoded = _from_bytes(name.data)
    return "\x00bytes:" + name.data.hex() if decoded is None else _joined(decoded)


def loose_name(name: Name) -> str:
    """A name as text under which names meet that a parser's replacement characters may make equal."""
    if isinstance(name, Bytes):
        return _squashed(name.data.decode("utf-8", "replace"))
    return _squashed(exact_name(name))


def bare_name(name: Name) -> str:
    """A name as text under which names meet that are equal once a parser has dropped what is no character."""
    return loose_name(name).replace("\ufffd", "")


def _squashed(text: str) -> str:
    """Text with each run of surrogates and replacement characters as one U+FFFD."""
    return text if text.isascii() else _REPLACED.sub("\ufffd", text)


def _encoded(text: str | Bytes) -> bytes:
    return text.data if isinstance(text, Bytes) else _joined(text).encode("utf-8", "surrogatepass")


def _joined(text: str) -> str:
    """Surrogate pairs held as two code points, read as the one character."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _from_bytes(data: bytes) -> str | None:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
