"""JSON strings: from the bytes between the quotes to text, and what is odd about them.

A string has one exact reading when its bytes are UTF-8. When they are not, or when an escape
is an unpaired surrogate, libraries differ, and the readings they use are derived here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))"
)
_ESCAPE_BYTES = re.compile(_ESCAPE.pattern.encode())
_SURROGATE = re.compile("[\ud800-\udfff]")
# Noncharacters in well-formed UTF-8: U+FDD0..FDEF and the last two code points of every plane.
_RAW_NONCHARACTER = re.compile(
    rb"\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]|[\xf0-\xf4][\x8f\x9f\xaf\xbf]\xbf[\xbe\xbf]"
)


def decode(raw: bytes) -> str | None:
    """The exact text, or None when the bytes are not UTF-8 (RFC 8259 sections 7, 8.1).

    An escaped surrogate pair is one character; an unpaired surrogate stays as it is, so a
    high and a low one never stand side by side.
    """
    try:
        return unescape(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def unescape(text: str) -> str:
    """Resolve the escapes of a string's inside."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def replaced(raw: bytes) -> str:
    """The reading of a decoder that replaces.

    U+FFFD for each maximal subpart of an ill-formed sequence (the WHATWG decoder and Python's
    `errors="replace"` agree on this) and for each unpaired surrogate.
    """
    return _SURROGATE.sub("\ufffd", unescape(raw.decode("utf-8", "replace")))


def passed(raw: bytes) -> str | None:
    """The reading of a decoder that lets raw surrogate bytes (`ED A0 80`) pass, or None."""
    try:
        return unescape(raw.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return None


def unescaped_bytes(raw: bytes) -> bytes:
    """The string for a host whose strings are bytes: escapes resolved, other bytes as they are."""
    return _ESCAPE_BYTES.sub(_character_bytes, raw)


def readings(raw: bytes) -> tuple[str | bytes, ...]:
    """Every distinct reading, the exact one first; bytes last, where they are not UTF-8."""
    exact = decode(raw)
    found: list[str | bytes] = []
    for reading in (exact, passed(raw), replaced(raw), unescaped_bytes(raw) if exact is None else None):
        if reading is not None and reading not in found:
            found.append(reading)
    return tuple(found)


def bad_utf8(raw: bytes) -> int | None:
    """Position of the first byte that is not UTF-8, or None."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def lone_surrogate(raw: bytes) -> int | None:
    """Position of the first escaped unpaired surrogate (RFC 8259 section 8.2), or None."""
    return next((at for at, point in _escaped(raw) if 0xD800 <= point <= 0xDFFF), None)


def noncharacter(raw: bytes) -> int | None:
    """Position of the first noncharacter of a UTF-8 string, raw or escaped, or None."""
    found = [at for at, point in _escaped(raw) if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF]
    if match := _RAW_NONCHARACTER.search(raw):
        found.append(match.start())
    return min(found, default=None)


def _escaped(raw: bytes) -> Iterator[tuple[int, int]]:
    """Position and code point of each `\\u` escape, pairs as one."""
    if b"\\u" not in raw:
        return
    for match in _ESCAPE_BYTES.finditer(raw):
        high, low, single, _ = match.groups()
        if high:
            yield match.start(), _pair(int(high, 16), int(low, 16))
        elif single:
            yield match.start(), int(single, 16)


def _pair(high: int, low: int) -> int:
    return 0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF)


def _character(match: re.Match[str]) -> str:
    high, low, single, short = match.groups()
    if high:
        return chr(_pair(int(high, 16), int(low, 16)))
    return chr(int(single, 16)) if single else _SHORT.get(short, short)


def _character_bytes(match: re.Match[bytes]) -> bytes:
    return unescape(match[0].decode("ascii")).encode("utf-8", "surrogatepass")
