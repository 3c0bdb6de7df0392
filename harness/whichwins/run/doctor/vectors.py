"""The vectors of `fixtures/notation.toml`, and what may be held against a kit.

A kit cannot be told from its parser by one answer alone, so blame is sparing:

- *Form*: every answer to every vector must be a value in notation, a rejection, a fault or
  `unsupported`. A worker that dies, hangs or says what is no notation is at fault.
- *Value*: on the core every JSON parser agrees. A vector is in the core when it does not list
  `reject` among what hosts may say, its numbers are exact in the simplest reader (at most 15 digits,
  powers of ten up to 22), and its strings hold no U+0000, its names no `"` and no control character
  (lookups by path cannot say those). There the answer must be right.
- *Type*: `20` and `20.0` show what numbers the host has. One that answers `20` and `20.0` must keep
  them apart everywhere in the core, save where an exponent is written (`2e1` is an integer to Perl); one
  whose only number is the binary64 must say so everywhere. With any other answer (decimals, say)
  numbers of the core are compared by their value.
- *Digits*: some vectors need 17 digits. A parser may miss one; if none of them comes back
  right (or kept as it is spelled), the kit prints too few.

What else differs from the vector is a note: the parser's own way. A manifest may declare such a way
for a vector of the core (`vectors`): then just that answer is a note, and the right one a fault, as the
claim is stale.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from functools import cache

from whichwins._bundled_path import bundled
from whichwins.model import Binary64, Integer, Observation, Outcome
from whichwins.notation import Members, Number, read, render, write
from whichwins.run.doctor.asking import broken, shown, wording
from whichwins.run.doctor.result import Finding

_NOTHING: Mapping[str, str] = {}
_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)')
_ODD_NAME = re.compile(r'"((?:[^"\\]|\\.)*)":')
_SIMPLE_DIGITS, _SIMPLE_POWER = 15, 22
_DOUBLE_DIGITS = 17
_WIDE = Context(prec=2000, Emax=999999, Emin=-999999)


@dataclass(frozen=True, slots=True)
class Vector:
    """One vector: the input, the right notation by number model, what else a host may say."""

    data: bytes
    integers: str
    doubles: str
    also: tuple[str, ...]
    core: bool
    digits: bool
    exponent: bool


@cache
def vectors() -> tuple[Vector, ...]:
    """The vectors that travel with the package."""
    text = (bundled("fixtures") / "notation.toml").read_text(encoding="utf-8")
    found = []
    for table in tomllib.loads(text)["vector"]:
        data = table["json"].encode() if "json" in table else bytes.fromhex(table["json_hex"])
        integers, doubles, also = table["integers"], table["doubles"], tuple(table.get("also", ()))
        whole = "reject" not in also
        core = whole and _is_simple(data.decode(), integers)
        digits = whole and not core and _needs_digits(integers)
        exponent = any("e" in number.lower() for number in _numbers(data.decode()))
        found.append(Vector(data, integers, doubles, also, core, digits, exponent))
    return tuple(found)


def _is_simple(text: str, right: str) -> bool:
    numbers = map(_digits_and_power, _numbers(text))
    return (
        all(digits <= _SIMPLE_DIGITS and abs(power) <= _SIMPLE_POWER for digits, power in numbers)
        and "\\u0000" not in right
        and not any("\\" in name.replace("\\u", "") for name in _ODD_NAME.findall(right))
    )


def _numbers(text: str) -> list[str]:
    """The numbers of a JSON text."""
    return [found[1] for found in _NUMBER.finditer(text) if found[1]]


def _digits_and_power(spelling: str) -> tuple[int, int]:
    sign = Decimal(spelling).as_tuple()
    assert isinstance(sign.exponent, int)
    return len("".join(map(str, sign.digits)).lstrip("0")), sign.exponent


def _needs_digits(right: str) -> bool:
    """Whether the right answer is one binary64 that only 17 digits spell."""
    value = read(right)
    return (
        type(value) is Binary64
        and len(Decimal(value.text).normalize(_WIDE).as_tuple().digits) >= _DOUBLE_DIGITS
    )


def by_value(text: str) -> str:
    """A notation with every number in one form for its decimal value, members by name."""
    return render(read(text), _decimal, _by_name)


def _decimal(number: Number) -> str:
    try:
        value = Decimal(number.text)
        return format(value.normalize(_WIDE) if value else Decimal(0), "e")
    except InvalidOperation:
        return number.text


def _by_name(members: Members) -> Members:
    return sorted(members, key=lambda member: (isinstance(member[0], str), str(member[0])))


def as_doubles(text: str) -> str:
    """A notation as a host has it whose only number is the binary64."""
    return write(read(render(read(text), _double, list)))


def _double(number: Number) -> str:
    return repr(float(number.text)) if type(number) is Integer else number.text


def number_model(answers: Sequence[tuple[Vector, Observation]]) -> str:
    """`integers`, `doubles`, or `value` where neither can be held against the kit."""
    said = {vector.data: observation.value for vector, observation in answers}
    models = {("20", "20.0"): "integers", ("20.0", "20.0"): "doubles"}
    return models.get((said.get(b"20") or "", said.get(b"20.0") or ""), "value")


def held_against(
    answers: Sequence[tuple[Vector, Observation]], declared: Mapping[str, str] = _NOTHING
) -> tuple[list[Finding], list[Finding]]:
    """What the answers to the vectors show: the kit's faults, and the parser's own ways.

    `declared` are answers by text that the manifest says are the library's doing.
    """
    model = number_model(answers)
    # RFC 4627 knew texts that are an object or an array only: who refuses all others reads by it.
    containers_only = all(
        observation.outcome is Outcome.REJECT for vector, observation in answers if not _contains(vector.data)
    )
    findings: list[Finding] = []
    notes: list[Finding] = []
    long: list[bool] = []
    for vector, observation in answers:
        right = vector.doubles if model == "doubles" else vector.integers
        fits = _fits(observation, vector, right, model)
        if (own := declared.get(vector.data.decode("utf-8", "replace"))) is not None:
            as_said = (
                own == "reject"
                if observation.outcome is Outcome.REJECT
                else observation.outcome is Outcome.ACCEPT and observation.value == own
            )
            told = f"{wording(observation)}, not {right}" if as_said else f"{wording(observation)}, not {own}"
            (notes if as_said else findings).append(
                Finding(shown(vector.data), told + ("" if as_said else " as the manifest's `vectors` say"))
            )
            continue
        text = f"{wording(observation)}, not {right}"
        excused = containers_only and not _contains(vector.data)
        if broken(observation) or (vector.core and not fits and not excused):
            findings.append(Finding(shown(vector.data), text))
        elif not fits:
            notes.append(Finding(shown(vector.data), text))
        if vector.digits and observation.outcome is Outcome.ACCEPT:
            said = observation.value or ""
            long.append(fits or (said[:1] == "D" and by_value(said) == by_value(vector.integers)))
    if len(long) > 1 and not any(long):
        findings.append(
            Finding(
                "binary64 of 17 digits",
                f"none of {len(long)} comes back right: spell a binary64 so that it round-trips (%.17g)",
            )
        )
    return findings, notes


def _contains(data: bytes) -> bool:
    """Whether a text is an object or an array."""
    return data.lstrip()[:1] in (b"[", b"{")


def _fits(observation: Observation, vector: Vector, right: str, model: str) -> bool:
    if observation.outcome is Outcome.REJECT:
        return "reject" in vector.also
    if observation.outcome is not Outcome.ACCEPT:
        return False
    said = observation.value or ""
    if said == right:
        return True
    others = [text for text in vector.also if text != "reject"]
    if model == "doubles":
        return said in map(as_doubles, others)
    if model == "integers" and not vector.exponent:
        return said in others
    return by_value(said) in map(by_value, (vector.integers, *others))
