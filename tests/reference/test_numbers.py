from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.texts import NUMBERS
from whichwins.reference import numbers
from whichwins.reference.numbers import Decimal


@pytest.mark.parametrize(
    ("lexeme", "expected"),
    [
        ("0", Decimal(False, "", 0)),
        ("-0.00e7", Decimal(False, "", 0)),
        ("20", Decimal(False, "2", 1)),
        ("20.0", Decimal(False, "2", 1)),
        ("2E1", Decimal(False, "2", 1)),
        ("-0.0123", Decimal(True, "123", -4)),
        ("1e+16", Decimal(False, "1", 16)),
        ("1.50e-3", Decimal(False, "15", -4)),
        ("1e999999999999", Decimal(False, "1", 999999999999)),
        ("100e-999999999999", Decimal(False, "1", -999999999997)),
    ],
)
def test_decimal(lexeme: str, expected: Decimal) -> None:
    assert numbers.decimal(lexeme) == expected


@given(NUMBERS.map(bytes.decode))
def test_decimal_is_the_value(lexeme: str) -> None:
    negative, digits, exponent = numbers.decimal(lexeme)
    assert digits == digits.strip("0")
    value = Fraction(int(digits or "0")) * Fraction(10) ** exponent
    assert (-value if negative else value) == Fraction(lexeme)


@given(NUMBERS.map(bytes.decode))
def test_binary64_by_fractions(lexeme: str) -> None:
    """The definition, done with exact arithmetic: equal to the shortest spelling of the nearest double."""
    nearest = float(lexeme)
    infinite = nearest in (float("inf"), float("-inf"))
    assert numbers.overflows(lexeme) == infinite
    assert numbers.is_binary64(lexeme) == (not infinite and Fraction(repr(nearest)) == Fraction(lexeme))


@given(st.integers(-(2**54), 2**54))
def test_safe_integers_by_arithmetic(value: int) -> None:
    assert numbers.is_safe_integer(str(value)) == (abs(value) <= 2**53 - 1)


@pytest.mark.parametrize("lexeme", ["1.0", "1e2", "-1E2"])
def test_not_an_integer_lexeme(lexeme: str) -> None:
    assert not numbers.is_integer(lexeme)


@pytest.mark.parametrize("lexeme", ["0", "-0", "9" * 5000])
def test_an_integer_lexeme(lexeme: str) -> None:
    assert numbers.is_integer(lexeme)


@pytest.mark.parametrize(
    ("lexeme", "is_binary64", "overflows"),
    [
        ("1e400", False, True),
        ("1e-400", False, False),
        ("0e999999999999999999999", True, False),
        ("-1e999999999999999999999", False, True),
        ("1e-999999999999999999999", False, False),
        ("1e0000000000000000000000001", True, False),
        ("9" * 5000, False, True),
        ("1" + "0" * 308, True, False),
        ("0." + "0" * 5000 + "1e5001", True, False),
        ("1" + "0" * 5000 + "e-5000", True, False),
        ("1.7976931348623158e308", False, False),
        ("1.7976931348623159e308", False, True),
        ("4.9406564584124654e-324", False, False),
    ],
)
def test_binary64_at_the_edges(lexeme: str, is_binary64: bool, overflows: bool) -> None:
    assert (numbers.is_binary64(lexeme), numbers.overflows(lexeme)) == (is_binary64, overflows)


def test_nothing_is_expanded() -> None:
    began = time.process_time()
    for lexeme in ("1e" + "9" * 500_000, "1" * 500_000, "0." + "1" * 500_000, "1e-" + "9" * 500_000):
        assert not numbers.is_binary64(lexeme)
        assert numbers.overflows(lexeme) == ("." not in lexeme and "-" not in lexeme)
    assert time.process_time() - began < 2


def test_exponents_beyond_the_digit_limit_compare() -> None:
    assert numbers.decimal("10e" + "9" * 5000) == numbers.decimal("1e1" + "0" * 5000)
    assert numbers.decimal("1e-" + "9" * 5000) != numbers.decimal("1e-" + "9" * 4999)
