"""Normal forms of numbers, worked on as text: nothing is expanded, no digit limit applies.

A number is a sign, digits without zeros at either end, and a power of ten. Its normal form is
spelled so that most canonical texts are their own: integers of at most 21 digits, and any longer one
that does not end in 0, stand plainly; fractions down to 1e-4 stand as `0.0001`; all others stand as
Python would spell them (`1e-07`, `1.5e+22`), the exponent as long as it has to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from whichwins.model import BadInput
from whichwins.notation import Number, spelling

Form: TypeAlias = Callable[[Number], str]

_LITERAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")
_PLAIN_DIGITS = 21
_LOW = 18  # digits of an exponent that are counted as a number; no text has 10^18 digits


def decimal(literal: str) -> str:
    """The normal form of the decimal value of `literal`; equal values have equal forms. -0 is 0.

    `literal` is a number of the notation, without the D of a decimal.
    """
    found = _LITERAL.fullmatch(literal)
    if found is None:
        return literal  # NaN and the infinities
    sign, whole, fraction, exponent_sign, exponent = found.groups(default="")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to the power of (point + exponent).
    point = len(digits) - len(fraction)
    digits = digits.rstrip("0")
    if not digits:
        return "0"
    exponent = exponent.lstrip("0")
    if len(exponent) > _LOW:
        return sign + _scientific(digits, _shifted(exponent_sign, exponent, point - 1))
    point += int(exponent_sign + (exponent or "0"))
    count = len(digits)
    if point >= count:
        if point == count or point <= _PLAIN_DIGITS:
            return sign + digits + "0" * (point - count)
    elif point > 0:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    elif point > -4:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    return sign + _scientific(digits, f"{'-' if power < 0 else '+'}{abs(power):02}")


def binary64(literal: str) -> str:
    """The normal form of the double nearest to `literal` (ties to even); too large is Infinity.

    float() reads decimal text with correct rounding, halfway cases of any length included.
    """
    return decimal(repr(float(literal)).replace("inf", "Infinity").replace("nan", "NaN"))


def _scientific(digits: str, power: str) -> str:
    return f"{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{power}"


def _shifted(sign: str, exponent: str, by: int) -> str:
    """Add a small number to an exponent of more than 18 digits, as text with its sign."""
    sign = sign or "+"
    high, low = exponent[:-_LOW], int(exponent[-_LOW:]) + (-by if sign == "-" else by)
    if low < 0:
        kept = high.rstrip("0")
        high = kept[:-1] + chr(ord(kept[-1]) - 1) + "9" * (len(high) - len(kept))
        low += 10**_LOW
    elif low >= 10**_LOW:
        kept = high.rstrip("9")
        last = chr(ord(kept[-1]) + 1) if kept else "1"
        high = kept[:-1] + last + "0" * (len(high) - len(kept))
        low -= 10**_LOW
    return sign + f"{high}{low:018}".lstrip("0")


_FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "value/1": lambda number: decimal(number.text),
        "exact/1": spelling,
        "binary64/1": lambda number: binary64(number.text),
    }
)


def form_under(lens: str) -> Form:
    """The form of numbers under the lens of that name; BadInput names the known ones."""
    try:
        return _FORMS[lens]
    except KeyError:
        raise BadInput(f"unknown lens {lens!r}: choose one of {', '.join(_FORMS)}") from None
