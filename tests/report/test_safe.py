"""Hostile text made harmless, character by character."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.report.hostile import ODD, TEXTS, codes, seen
from whichwins.report.safe import hex_bytes, markdown, markdown_block, markdown_code, plain, plain_bytes


def each_odd(check: Callable[[str], None]) -> Callable[[str], None]:
    """Try every odd text besides those that are drawn."""
    for odd in ODD:
        check = example(odd)(check)
    return check


@given(TEXTS)
def test_plain_is_printable_ascii(text: str) -> None:
    assert re.fullmatch(r"[ -~]*", plain(text))
    assert not re.search(r"##[\[A-Za-z]", plain(text))
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb", "a\\u{A}b"),
        ("\x00\x1b[0m", "\\u{0}\\u{1B}[0m"),
        ("\x7f\x80\x9b", "\\u{7F}\\u{80}\\u{9B}"),
        ("é", "\\u{E9}"),
        ("\u202e", "\\u{202E}"),
        ("\U0001f600", "\\u{1F600}"),
        ("\ud800", "\\u{D800}"),
        ("\udcff", "\\x{FF}"),
        ("##[error]", "\\u{23}#[error]"),
        ("## heading #1", "## heading #1"),
        ("~!@#$%^&*()", "~!@#$%^&*()"),
    ],
)
def test_what_plain_shows(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_every_byte() -> None:
    for byte in range(256):
        said = plain_bytes(bytes([byte]))
        if 0x20 <= byte < 0x7F:
            assert said == chr(byte)
        else:
            assert said == (f"\\u{{{byte:X}}}" if byte < 0x80 else f"\\x{{{byte:X}}}")
    assert plain_bytes("é".encode()) == "\\u{E9}"
    assert plain_bytes(b"\xed\xa0\x80") == "\\x{ED}\\x{A0}\\x{80}"  # a raw surrogate is no UTF-8


@given(st.binary(max_size=6), st.binary(max_size=6))
def test_different_bytes_are_shown_differently(one: bytes, other: bytes) -> None:
    # A backslash before a brace is no JSON; there the shown form may be either.
    if b"\\" not in one + other and b"##" not in one + other:
        assert (plain_bytes(one) == plain_bytes(other)) == (one == other)


def test_the_middle_of_what_is_long_is_left_out() -> None:
    assert plain("abcdefghij", 6) == "abcd ...(4 more)... ij"
    assert plain("abcdef", 6) == "abcdef"
    assert plain_bytes(b"abcdefghij", 6) == "abcd ...(4 bytes more)... ij"
    assert hex_bytes(b"\x00\x01\x02\x03\x04\x05\x06\x07", 6) == "00 01 02 03 ...(2 bytes more)... 06 07"
    assert hex_bytes(b"\x00\xff", 6) == "00 ff"
    for limit in range(12):
        assert plain("abcdefghij", limit).count("more") == (limit < 10)


@each_odd
@given(TEXTS)
def test_prose_is_text_and_nothing_else(text: str) -> None:
    assert re.fullmatch(r"[ -~]*", markdown(text))
    (block,) = seen("x " + markdown(text))
    assert block.kind == "p"
    assert block.rows[0][0].rstrip() == ("x " + plain(text)).rstrip()


@each_odd
@example("`@")
@given(TEXTS)
def test_prose_calls_nobody(text: str) -> None:
    """GitHub turns @names and #numbers into mentions and references, in all but code."""
    # Code ends at as many back-ticks as it began with.
    prose = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown(text))
    decoded = re.sub(r"&#([0-9]+);", lambda found: chr(int(found[1])), prose)
    assert "@" not in decoded
    assert not re.search(r"#[0-9]", decoded)
    assert "www." not in prose.lower()


@each_odd
@given(TEXTS)
def test_the_start_of_a_block_opens_none(text: str) -> None:
    for kind, opening in (("p", ""), ("li", "- "), ("h2", "## ")):
        shown = markdown_block(markdown(text))
        if shown.strip():
            (block,) = seen(opening + shown)
            assert (block.kind, block.rows[0][0].strip()) == (kind, plain(text).strip())


@each_odd
@given(TEXTS)
def test_code_shows_its_text_exactly(text: str) -> None:
    shown = markdown_code(text)
    assert codes(f"x {shown} y") == ([plain(text)] if text else [])
    assert codes(shown) == ([plain(text)] if text else [])
    seen(shown)


@each_odd
@given(TEXTS)
def test_code_in_a_table_ends_no_cell(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {markdown_code(text, cell=True)} | {markdown(text, cell=True)} |"
    (block,) = seen(table)
    assert [len(row) for row in block.rows] == [2, 2]
    expected = plain(text).replace("\\|", "\\\\u{7C}") or "(empty)"
    assert block.rows[1][0] == expected


def test_bars_of_a_cell_are_escaped_for_every_renderer() -> None:
    """A bar behind an odd or even number of backslashes: renderers differ, so there is none."""
    for text in ODD:
        assert not re.search(r"\\\\+\|", markdown_code(text, cell=True))
        assert not re.search(r"(?<!\\)\|", markdown_code(text, cell=True))
