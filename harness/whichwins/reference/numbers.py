"""What a JSON number lexeme says, decided on its digits: nothing is ever expanded.

`1e999999999999`, an exponent of a million digits and an integer of 4,301 digits cost no more
than their length. Lexemes are taken to be in the grammar of RFC 8259 section 6.
"""

from __future__ import annotations

from typing import NamedTuple

_SAFE = "9007199254740991"
# More exponent digits than these and no lexeme that fits in memory comes back near 1.
_NEAR = 18
_DIGITS_AT_ONCE = 4000  # below the interpreter's limit for text to integer (4,300)


class Decimal(NamedTuple):
    """A decimal value as sign, digits without outer zeros, power of ten of the last digit.

    Zero, of either sign, is `(False, "", 0)`. Equal tuples mean equal values.
    """

    negative: bool
    digits: str
    exponent: int


_ZERO = Decimal(False, "", 0)


def is_integer(lexeme: str) -> bool:
    """Whether the lexeme has neither a fraction nor an exponent."""
    return lexeme.removeprefix("-").isdigit()


def is_safe_integer(lexeme: str) -> bool:
    """Whether an integer lexeme is within [-(2^53)+1, 2^53-1] (RFC 8259 section 6)."""
    digits = lexeme.removeprefix("-")
    return len(digits) < len(_SAFE) or (len(digits) == len(_SAFE) and digits <= _SAFE)


def decimal(lexeme: str) -> Decimal:
    """The exact decimal value of a lexeme, or of Python's `repr` of a finite float."""
    digits, point, exponent = _parts(lexeme)
    if not digits:
        return _ZERO
    return Decimal(lexeme[0] == "-", digits, _integer(exponent) + point)


def overflows(lexeme: str) -> bool:
    """Whether the nearest binary64 is an infinity."""
    digits, _, exponent = _parts(lexeme)
    if not digits or len(exponent.lstrip("+-0")) > _NEAR:
        return bool(digits) and exponent[0] != "-"
    return float(lexeme) in (float("inf"), float("-inf"))


def is_binary64(lexeme: str) -> bool:
    """Whether the value is finite and equals the shortest spelling of its nearest binary64.

    True for `0.1`, `1.0`, `0e+1`, `100000000000000000000.0`; false for `1e400`, `1e-400`,
    `0.10000000000000000555`.
    """
    digits, point, exponent = _parts(lexeme)
    if not digits:
        return True
    if len(exponent.lstrip("+-0")) > _NEAR:
        return False
    nearest = float(lexeme)
    if nearest in (float("inf"), float("-inf")):
        return False
    shortest = decimal(repr(nearest))
    return shortest.digits == digits and shortest.exponent == int(exponent) + point


def _parts(lexeme: str) -> tuple[str, int, str]:
    """Digits without outer zeros, the power of ten they bring, the exponent as written."""
    mantissa, _, exponent = lexeme.removeprefix("-").replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    stripped = (whole + fraction).rstrip("0")
    dropped = len(whole) + len(fraction) - len(stripped)
    return stripped.lstrip("0"), dropped - len(fraction), exponent or "0"


def _integer(text: str) -> int:
    """`int` without its limit on digits, by halves so that the cost stays below quadratic."""
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.removeprefix("+"))
    if len(digits) <= _DIGITS_AT_ONCE:
        return sign * int(digits)
    half = len(digits) // 2
    value: int = _integer(digits[:-half]) * 10**half + _integer(digits[-half:])
    return sign * value
