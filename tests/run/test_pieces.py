"""What a text repeats is written once, and the pieces are the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichwins.run.pieces import LONG, pieces_of


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("[" * 1000 + "]" * 1000, [("[", 1000), ("]", 1000)]),
        ('{"a":' * 500 + "1" + "}" * 500, [('{"a":', 500), ("1", 1), ("}", 500)]),
        ('"' + "x" * 5000 + '"', [('"', 1), ("x", 5000), ('"', 1)]),
        ("x" * LONG, None),
        ("".join(map(str, range(1000))), None),
    ],
)
def test_pieces(text: str, pieces: list[tuple[str, int]] | None) -> None:
    assert pieces_of(text) == pieces


@given(st.lists(st.tuples(st.text(min_size=1, max_size=60), st.integers(1, 400)), max_size=6))
def test_the_pieces_are_the_text(given_pieces: list[tuple[str, int]]) -> None:
    text = "".join(piece * times for piece, times in given_pieces)
    pieces = pieces_of(text)
    assert pieces is None or "".join(piece * times for piece, times in pieces) == text
