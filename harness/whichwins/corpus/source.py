"""How the bytes of a case are written down for a ledger or a person."""

from __future__ import annotations

import re

from whichwins.model import Case, Source

# A fixed set, not str.isprintable(): that follows the Unicode version of the interpreter, and ledgers
# must not. Left out: controls, zero-width and bidirectional marks, line separators, noncharacters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
_PLAIN = bytes((*b"\t\n\r", *range(0x20, 0x7F)))


def source_of_bytes(data: bytes) -> Source:
    """Return `data` as text when it is UTF-8 without hidden characters, otherwise as hex."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Source(hex=data.hex())
    # Only what is not plain needs a look; of text that is UTF-8 the rest is, too.
    odd = data.translate(None, _PLAIN)
    return Source(hex=data.hex()) if odd and _HIDDEN.search(odd.decode("utf-8")) else Source(text=text)


def source_of(case: Case) -> Source:
    """Return how a ledger shows the bytes of `case`: a fixture's parts as they are, else text or hex."""
    return case.source if case.source.parts is not None else source_of_bytes(case.data)
