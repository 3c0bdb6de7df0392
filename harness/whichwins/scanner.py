"""The notation's fast path: CPython's scanner and encoder, where their answer is proven to be the same."""

from __future__ import annotations

import json
import math
import re

from whichwins.nesting import unwrapped

_SPECIAL = frozenset({"NaN", "Infinity", "-Infinity"})
_REAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_MAYBE_SPACED = re.compile(r" (?:(?<=[\[\]{},:] )|(?=[\[\]{},:]))")
_ESCAPE = re.compile(r"\\(?:u[^\"\\]{4}|.)")
_CANONICAL = r'["\\bfnrt]|u(?:00(?:0[0-7bef]|1[0-9a-f]|7f|[89a-f][0-9a-f])|(?!00)[0-9a-f]{4})'
_CANONICAL_ESCAPE = re.compile(rf"\\(?:{_CANONICAL})")
_OTHER_ESCAPE = re.compile(rf"\\(?!{_CANONICAL})")


class NotationError(ValueError):
    """A text that is not a value in this notation."""


def binary64(spelling: str) -> str:
    """Bring a round-tripping spelling of a binary64 (`1e21`, `2E+3`, `1.50`) to the canonical one.

    Raises NotationError for other texts, for a spelling without `.` and `e` (it would be an integer)
    and for one that overflows or vanishes in binary64: no such number was spelled that way.
    """
    if spelling in _SPECIAL:
        return spelling
    if not _REAL.fullmatch(spelling):
        raise NotationError("notation: not the spelling of a binary64")
    number = float(spelling)
    if math.isinf(number) or (number == 0 and re.match(r"-?[0.]*[1-9]", spelling)):
        raise NotationError("notation: beyond the range of binary64")
    return repr(number)


# CPython's scanner is wider than the notation in four ways, each looked at here:
# text that is not ASCII, white space between tokens, the integer -0, and reals that no double has.


def is_canonical_json(text: str) -> bool:
    """Whether `text` is canonical notation that is JSON as well. False is no statement."""
    if not text.isascii() or "\x7f" in text:
        return False
    if "\\" in text and not _are_canonical_escapes(text):
        return False
    scanner = SCANNER if "-0" in text else _SCANNER_BUT_MINUS_ZERO
    try:
        scanner.decode(text)
    except RecursionError:
        try:
            scanner.decode(unwrapped(text))
        except (ValueError, RecursionError):
            return False
    except ValueError:
        return False
    return not is_spaced(text)


def _are_canonical_escapes(text: str) -> bool:
    if "\\\\" not in text:  # every backslash begins an escape
        return _OTHER_ESCAPE.search(text) is None
    return all(map(_CANONICAL_ESCAPE.fullmatch, set(_ESCAPE.findall(text))))


def is_spaced(text: str) -> bool:
    """Whether white space stands outside the strings of `text`, which the scanner has accepted."""
    if "\n" in text or "\t" in text or "\r" in text:
        return True  # no string holds them raw
    if " " not in text:
        return False
    if text[0] == " " or text[-1] == " ":
        return True
    return _MAYBE_SPACED.search(text) is not None and " " in STRING.sub("", text)


def _check_integer(text: str) -> None:
    if text == "-0":
        raise NotationError


class _CanonicalReals(dict[str, None]):
    """Spellings found canonical, by look-up: subjects agree on most of them. Bounded."""

    def __missing__(self, text: str) -> None:
        if repr(float(text)) != text:
            raise NotationError
        if len(self) >= 10_000:
            self.clear()
        if len(text) < 30:
            self[text] = None


_check_real = _CanonicalReals().__getitem__
SCANNER = json.JSONDecoder(parse_int=_check_integer, parse_float=_check_real)
_SCANNER_BUT_MINUS_ZERO = json.JSONDecoder(parse_int=len, parse_float=_check_real)


def respelled(text: str) -> str | None:
    """The canonical spelling of a text that is JSON with other spellings in it; None: not known."""
    if not text.isascii():
        return None
    try:
        spelled = _ENCODER.encode(_READER.decode(text))
    except (ValueError, RecursionError):
        return None
    return None if is_spaced(text) else spelled


def _whole_integer(text: str) -> int:
    _check_integer(text)
    return int(text)  # ValueError where it is too long to be worth it


def _real(text: str) -> float:
    return float(binary64(text))


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotationError
    return members


_READER = json.JSONDecoder(object_pairs_hook=_each_once, parse_int=_whole_integer, parse_float=_real)
_ENCODER = json.JSONEncoder(check_circular=False, separators=(",", ":"))
