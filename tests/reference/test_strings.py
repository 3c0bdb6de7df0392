from __future__ import annotations

import pytest

from whichwins.reference import strings


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"\\u00e9\\u00E9\xc3\xa9", "ééé"),
        (b'\\"\\\\\\/\\b\\f\\n\\r\\t', '"\\/\b\f\n\r\t'),
        (b"\\\\u0041", "\\u0041"),
        (b"\\uD834\\udd1E", "\U0001d11e"),
        (b"\\ud834\\ud834\\udd1e", "\ud834\U0001d11e"),
        (b"\\ud834\\\\udd1e", "\ud834\\udd1e"),
        (b"\\u0000", "\0"),
        (b"\xed\xa0\x80", None),
        (b"a\xff", None),
    ],
)
def test_decode(raw: bytes, text: str | None) -> None:
    assert strings.decode(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        # The Unicode Standard, table 3-8 and section 3.9: one U+FFFD for each maximal subpart.
        (b"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A", "\ufffd" * 8 + "A"),
        (b"\xed\xa0\x80\xed\xbf\xbf\xed\xafA", "\ufffd" * 8 + "A"),
        (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", "\ufffd" * 4 + "A"),
        (b"\xf4\x91\x92\x93\xffA\x80\xbfB", "\ufffd" * 5 + "A" + "\ufffd" * 2 + "B"),
        (b"\\ud800", "\ufffd"),
        (b"\\udd1e\\ud834", "\ufffd\ufffd"),
        (b"\xff\\n", "\ufffd\n"),
    ],
)
def test_replaced(raw: bytes, text: str) -> None:
    assert strings.replaced(raw) == text


def test_readings_of_surrogate_bytes() -> None:
    assert strings.readings(b"a") == ("a",)
    assert strings.readings(b"\\ud800") == ("\ud800", "\ufffd")
    assert strings.readings(b"\xed\xa0\x80") == ("\ud800", "\ufffd" * 3, b"\xed\xa0\x80")
    assert strings.readings(b"\xff\\u00e9") == ("\ufffdé", b"\xff\xc3\xa9")


def test_surrogate_bytes_let_through_never_join() -> None:
    assert strings.passed(b"\xed\xa0\xb4\xed\xb4\x9e") == "\ud834\udd1e"
    assert strings.passed(b"\\ud834\xed\xb4\x9e") == "\ud834\udd1e"
    assert strings.passed(b"\xff") is None


def test_all_noncharacters() -> None:
    """66 of them: U+FDD0..U+FDEF and two in each of 17 planes (RFC 7493 section 2.1)."""
    points = [*range(0xFDD0, 0xFDF0), *(plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF))]
    assert len(points) == 66
    for point in points:
        raw = chr(point).encode()
        units = chr(point).encode("utf-16-be").hex()
        escaped = "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)).encode()
        assert strings.noncharacter(b"ab" + raw) == 2
        assert strings.noncharacter(b"ab" + escaped) == 2
        for near in (point - 1, point + 1):
            if near not in points and near < 0x110000:
                assert strings.noncharacter(chr(near).encode()) is None
