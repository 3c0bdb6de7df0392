"""Case ids: `<family>/<name>`, of characters that are safe in any file name and any report."""

from __future__ import annotations

import re

from whichwins.model import BadInput

_KEPT = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_SEGMENT = re.compile(r"(?:[A-Za-z0-9._-]|%[0-9A-F]{2})+")
MAX_SEGMENT = 240
"""Characters in one segment of an id: with `.json` it stays within 255, the usual limit of a file name."""


def encode(raw: bytes) -> str:
    """Percent-encode everything outside `[A-Za-z0-9._-]`, `%` included: different names, different ids."""
    return "".join(chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in raw)


def segment(name: str, place: str) -> str:
    """Return `name` as one segment of an id. Escapes that are already there stay as they are.

    Raises BadInput when it is empty, `.`, `..`, has a slash or is too long; `place` opens the message.
    """
    if "/" in name:
        raise BadInput(f"{place}: id {name!a} has a slash: the family in front is added by whichwins")
    if name in ("", ".", ".."):
        raise BadInput(f"{place}: id {name!a} is not a name: give the case one")
    pieces: list[str] = []
    end = 0
    for match in _ESCAPE.finditer(name):
        pieces += (encode(name[end : match.start()].encode("utf-8", "surrogatepass")), match.group())
        end = match.end()
    pieces.append(encode(name[end:].encode("utf-8", "surrogatepass")))
    return _short(check_segment("".join(pieces), place), place)


def check_segment(text: str, place: str) -> str:
    """Return `text` if it is a segment as ids have them, of any length, else raise BadInput."""
    if text in (".", "..") or not _SEGMENT.fullmatch(text):
        raise BadInput(f"{place}: {text[:80]!a} is no part of an id: use A-Z a-z 0-9 . _ - and %XX")
    return text


def check_id(text: str, place: str) -> str:
    """Return `text` if it is an id that can be a file's path: family and name, safe, short. Else BadInput."""
    parts = text.split("/")
    if len(parts) < 2:
        raise BadInput(f"{place}: id {text[:80]!a} has no family: write family/name")
    for part in parts:
        _short(check_segment(part, place), place)
    return text


def _short(text: str, place: str) -> str:
    if len(text) > MAX_SEGMENT:
        raise BadInput(f"{place}: id {text[:40]!a}... is longer than {MAX_SEGMENT} characters: shorten it")
    return text


def family_of(case_id: str) -> str:
    """Return the family of an id: everything before the last slash."""
    return case_id.rpartition("/")[0]
