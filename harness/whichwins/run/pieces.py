"""A long text as pieces with a count: what a deep, wide or long text repeats is written once."""

from __future__ import annotations

import re

LONG = 256
"""Shorter texts stay whole."""
_REPEATED = re.compile(r"(.{1,48}?)\1{7,}", re.DOTALL)
_PIECE_CHARACTERS = 32
"""What a piece costs beside its text."""


def pieces_of(text: str) -> list[tuple[str, int]] | None:
    """(text, times) of each piece, in order; None where pieces would not be half as long as the text."""
    if len(text) <= LONG:
        return None
    pieces: list[tuple[str, int]] = []
    end = 0
    for match in _REPEATED.finditer(text):
        if len(match[0]) - len(match[1]) > 2 * _PIECE_CHARACTERS:
            if match.start() > end:
                pieces.append((text[end : match.start()], 1))
            pieces.append((match[1], len(match[0]) // len(match[1])))
            end = match.end()
    if end < len(text):
        pieces.append((text[end:], 1))
    size = sum(len(piece) + _PIECE_CHARACTERS for piece, _ in pieces)
    return pieces if 2 * size < len(text) else None
