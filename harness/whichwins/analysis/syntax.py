"""What kind of leniency, or of damage, makes a text no JSON: a word for the place the reader stopped at."""

from __future__ import annotations

import re

from whichwins.reference import Problem

_WORDS = {
    "empty": "empty text",
    "string": "string without end",
    "control-character": "control character in a string",
    "escape": "escape",
    "utf-8": "invalid UTF-8",
}
_NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf)", re.IGNORECASE)
_OTHER_SPACE = re.compile(
    rb"[\x0b\x0c\x1c-\x1f]|\xc2[\x85\xa0]|\xe2\x80[\x80-\xaf]|\xe3\x80\x80|\xef\xbb\xbf"
)
_NUMBER = re.compile(rb"[+.\-0-9]")


def wide_encoding(data: bytes) -> str | None:
    """UTF-32 or UTF-16, by byte order mark or by where the zero bytes of ASCII stand, else None."""
    head = data[:4]
    if head in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "UTF-32"
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    zeros = [byte == 0 for byte in head]
    if len(data) % 4 == 0 and zeros in ([True, True, True, False], [False, True, True, True]):
        return "UTF-32"
    if len(data) % 2 == 0 and zeros[:2] in ([True, False], [False, True]) and zeros[2:] in ([], zeros[:2]):
        return "UTF-16"
    return None


def leniency(data: bytes, problem: Problem) -> str:
    """What stands where the grammar ended, or what is missing there.

    One of: comment, trailing comma, stray comma, single quotes, unquoted name, number spelling, NaN
    and infinities, literal spelling, white space, NUL, truncated, structure, and the words above.
    """
    if problem.kind in _WORDS:
        return _WORDS[problem.kind]
    at = problem.offset
    here = data[at : at + 8]
    if not here:
        return "truncated"
    first = here[:1]
    before = data[:at].rstrip(b" \t\r\n")[-1:]
    if here.startswith((b"//", b"/*", b"#")):
        return "comment"
    if first == b"\x00":
        return "NUL"
    if _OTHER_SPACE.match(here):
        return "white space"
    if first in b"]}" and before == b",":
        return "trailing comma"
    if first == b",":
        return "stray comma"
    if first == b"'":
        return "single quotes"
    if _NOT_FINITE.match(here):
        return "NaN and infinities"
    if first.isalpha() or first in b"_$":
        return "unquoted name" if _expects_name(data, at, before) else "literal spelling"
    if problem.kind == "number" or _NUMBER.match(first) or _is_digit(here):
        return "number spelling"
    return "structure"


def _is_digit(here: bytes) -> bool:
    """Whether a digit beyond ASCII stands here, as the full-width ones."""
    return here[:4].decode("utf-8", "ignore")[:1].isdecimal()


def _expects_name(data: bytes, at: int, before: bytes) -> bool:
    if before == b"{":
        return True
    # After a comma only what follows tells: a name is followed by a colon.
    return before == b"," and re.match(rb"[\w$]+[ \t\r\n]*:", data[at : at + 256]) is not None
