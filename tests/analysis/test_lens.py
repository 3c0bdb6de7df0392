from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.strategies import literals, numbers, plain_values, values
from whichwins.analysis import lens as lenses
from whichwins.analysis import numbers as forms
from whichwins.analysis.lens import DIMENSIONS, LENSES, Difference, dimensions, first_difference, lens
from whichwins.model import BadInput, Value
from whichwins.notation import read, write

LONG = "7" * 1_000_000

# Two texts; whether value/1 and binary64/1 take them for equal; the dimensions they differ in.
TABLE: list[tuple[str, str, bool, bool, set[str]]] = [
    ("20", "20.0", True, True, {"type"}),
    ("1.1", "D1.1", True, True, {"type"}),
    ("D1.1", "D1.10", True, True, {"spelling"}),
    ("D11e-1", "1.1", True, True, {"type"}),
    ("D2E1", "20", True, True, {"type"}),
    ("0.0", "-0.0", True, True, {"zero-sign"}),
    ("0", "-0.0", True, True, {"type", "zero-sign"}),
    ("D-0e999999999999", "D0", True, True, {"zero-sign"}),
    ("NaN", "Infinity", False, False, set()),
    ("NaN", '"NaN"', False, False, set()),
    ("Infinity", "-Infinity", False, False, set()),
    ("9007199254740993", "9007199254740992.0", False, True, {"type", "precision"}),
    ("9007199254740993", "9007199254740992", False, True, {"precision"}),
    ("9007199254740993", "9007199254740994", False, False, set()),
    ("9007199254740995", "9007199254740996.0", False, True, {"type", "precision"}),
    ("D9007199254740993.0000000000000000000001", "9007199254740994.0", False, True, {"type", "precision"}),
    ("D0.10000000000000000555", "0.1", False, True, {"type", "precision"}),
    ("100000000000000000000", "1e+20", True, True, {"type"}),
    ("1" + "0" * 30, "1e+30", True, True, {"type"}),
    ("1" + "0" * 30, "D1e30", True, True, {"type"}),
    ("1152921504606846976", "1.152921504606847e+18", False, True, {"type", "precision"}),
    ("1152921504606847000", "1.152921504606847e+18", True, True, {"type"}),
    ("D1e400", "Infinity", False, True, {"type", "precision"}),
    ("D1e400", "D1e401", False, True, {"precision"}),
    ("D1e-400", "0.0", False, True, {"type", "precision"}),
    ("D1e999999999999", "D10e999999999998", True, True, {"spelling"}),
    ("D1e999999999999", "D-1e999999999999", False, False, set()),
    ("D10e99999999999999999999", "D1e100000000000000000000", True, True, {"spelling"}),
    ("D0.1e100000000000000000000", "D1e99999999999999999999", True, True, {"spelling"}),
    ("D0.1e-99999999999999999999", "D1e-100000000000000000000", True, True, {"spelling"}),
    ("D10e-100000000000000000000", "D1e-99999999999999999999", True, True, {"spelling"}),
    ("D1e-100000000000000000000", "D1e-99999999999999999999", False, True, {"precision"}),
    ("D0.00001", "1e-05", True, True, {"type"}),
    ("D123456789012345678.5", "D1234567890123456785e-1", True, True, {"spelling"}),
    ("1", "true", False, False, set()),
    ("0", "false", False, False, set()),
    ("null", "false", False, False, set()),
    ("1", '"1"', False, False, set()),
    ("[]", "{}", False, False, set()),
    ("[1]", "[1,1]", False, False, set()),
    ("[1,2]", "[2,1]", False, False, set()),
    ('"20.0"', '"20"', False, False, set()),
    ('{"a":"1.50"}', '{"a":"1.5"}', False, False, set()),
    ('"a"', 'X"a"', False, False, set()),
    ('"a"', 'b"61"', False, False, set()),
    ('{"b":1,"a":2}', '{"a":2,"b":1}', True, True, {"order"}),
    ('{"b":1,"a":2}', '{"a":2.0,"b":1}', True, True, {"order", "type"}),
    ('{"a":1,"b":3,"a":2}', '{"a":1,"a":2,"b":3}', True, True, {"order"}),
    ('{"a":1,"a":2}', '{"a":2,"a":1}', False, False, set()),
    ('{"a":2,"a":2}', '{"a":2}', False, False, set()),
    ('{"a":1}', '{X"a":1}', False, False, set()),
    ('{X"a":1,b"61":2,"a":3}', '{"a":3,b"61":2,X"a":1}', True, True, {"order"}),
    ('[{"x":[{"b":0,"a":-0.0}]}]', '[{"x":[{"a":0.0,"b":0}]}]', True, True, {"order", "zero-sign"}),
    ('{"a":[1.0,{"z":1,"y":[]}]}', '{"a":[1,{"y":[],"z":1}]}', True, True, {"order", "type"}),
    (LONG, LONG[:-1] + "8", False, True, {"precision"}),
    ("D1e" + LONG, "D10e" + LONG[:-1] + "6", True, True, {"spelling"}),
]


def _mistakes(value: Callable[[str], str], binary64: Callable[[str], str]) -> list[tuple[str, str]]:
    return [
        (a[:50], b[:50])
        for a, b, by_value, by_binary64, _ in TABLE
        if (value(a) == value(b)) != by_value or (binary64(a) == binary64(b)) != by_binary64
    ]


def test_lenses_keep_the_table() -> None:
    assert _mistakes(LENSES["value/1"], LENSES["binary64/1"]) == []


def test_the_walk_without_the_fast_path_keeps_it_too() -> None:
    def walked(name: str) -> Callable[[str], str]:
        return lambda text: lenses._walked(name, text)

    assert _mistakes(walked("value/1"), walked("binary64/1")) == []


def _collapsing(text: str) -> str:
    return json.dumps(json.loads(text), sort_keys=True) if text[0] in "[{" and "X" not in text else text


def _unstable(text: str) -> str:
    return "".join(sorted(LENSES["value/1"](text)))


@pytest.mark.parametrize(
    "fault",
    [
        LENSES["exact/1"],
        LENSES["binary64/1"],
        lambda text: LENSES["value/1"](text).lower().replace('"', ""),
        lambda text: text if "-0" in text else LENSES["value/1"](text),
        lambda text: re.sub(r"e[+-]\d{10,}", "", LENSES["value/1"](text)),
        _collapsing,
        _unstable,
        lambda text: "same",
    ],
)
def test_the_table_catches_a_damaged_lens(fault: Callable[[str], str]) -> None:
    assert _mistakes(fault, LENSES["binary64/1"])


@pytest.mark.parametrize("fault", [LENSES["exact/1"], LENSES["value/1"], lambda text: text[:2]])
def test_the_table_catches_a_damaged_binary64(fault: Callable[[str], str]) -> None:
    assert _mistakes(LENSES["value/1"], fault)


@pytest.mark.parametrize(("a", "b", "by_value", "by_binary64", "expected"), TABLE, ids=range(len(TABLE)))
def test_dimensions(a: str, b: str, by_value: bool, by_binary64: bool, expected: set[str]) -> None:
    if by_binary64:
        assert dimensions(a, b) == dimensions(b, a) == expected
        assert expected
    assert expected <= set(DIMENSIONS)
    assert dimensions(a, a) == frozenset()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("20", "20"),
        ("20.0", "20"),
        ("D-0.0e5", "0"),
        ("-0.0", "0"),
        ("D1.10", "1.1"),
        ("1e+16", "10000000000000000"),
        ("-1e+20", "-100000000000000000000"),
        ("1e+21", "1e+21"),
        ("D1.50e+400", "1.5e+400"),
        ("0.0001", "0.0001"),
        ("D0.00001", "1e-05"),
        ('{"b":1.0,"a":[{"d":"1.0","c":2}]}', '{"a":[{"c":2,"d":"1.0"}],"b":1}'),
        ('{"\\ud83d\\ude00":1,"\\uffff":2}', '{"\\uffff":2,"\\ud83d\\ude00":1}'),
    ],
)
def test_forms_of_value(text: str, form: str) -> None:
    assert LENSES["value/1"](text) == form


def test_lens_by_name() -> None:
    assert list(LENSES) == ["value/1", "exact/1", "binary64/1"]
    assert all(lens(name) is LENSES[name] for name in LENSES)
    with pytest.raises(BadInput, match=r"unknown lens 'vlaue/1'.*value/1, exact/1, binary64/1"):
        lens("vlaue/1")


@given(values() | plain_values())
def test_fast_path_and_walk_agree(value: Value) -> None:
    text = write(value)
    for name in ("value/1", "binary64/1"):
        assert LENSES[name](text) == lenses._walked(name, text)


@given(values(), values())
def test_each_lens_sees_no_more_than_the_one_before(one: Value, other: Value) -> None:
    a, b = write(one), write(other)
    for finer, coarser in (("exact/1", "value/1"), ("value/1", "binary64/1")):
        if LENSES[finer](a) == LENSES[finer](b):
            assert LENSES[coarser](a) == LENSES[coarser](b)


@given(plain_values())
def test_form_of_a_form_is_itself(value: Value) -> None:
    # Forms of what JSON can say are notation again, but for whole numbers in exponent form.
    form = LENSES["value/1"](write(value))
    assert LENSES["value/1"](write(read(form))) == form


def _exact(number: str) -> Fraction | str:
    return number if number.lstrip("-")[0] in "NI" else Fraction(number)


@given(numbers(), numbers())
def test_value_is_the_decimal_value(one: Value, other: Value) -> None:
    a, b = write(one).lstrip("D"), write(other).lstrip("D")
    assume("99999999" not in a + b)  # no exponents that a Fraction would expand
    assert (forms.decimal(a) == forms.decimal(b)) == (_exact(a) == _exact(b))
    assert _exact(forms.decimal(a)) == _exact(a)


@given(literals())
@example(read("D9007199254740993"))
@example(read("D9007199254740992.9999999999999999999999999"))
@example(read("D179769313486231580793728971405303415079934132710037826936173e250"))
def test_binary64_is_the_nearest_double(literal: Value) -> None:
    text = write(literal)[1:]
    assume("99999999" not in text and abs(Decimal(text).adjusted()) < 400)
    form = forms.binary64(text)
    value = Fraction(text)
    if form.endswith("Infinity"):
        assert abs(value) >= Fraction(2**1024 - 2**970)  # halfway past the largest double
        return
    bits = Fraction(float(form))
    # Multiples of 2^-1074, with at most 53 bits: the distance is at most half the gap there.
    exponent = max(_power_of_two(abs(value)) - 52, -1074)
    gap = Fraction(2) ** exponent
    assert abs(bits - value) * 2 <= gap
    if abs(bits - value) * 2 == gap:
        assert (bits / gap) % 2 == 0


def _power_of_two(value: Fraction) -> int:
    """The largest n with 2^n <= value; far down for 0."""
    if value == 0:
        return -2000
    power = value.numerator.bit_length() - value.denominator.bit_length()
    return power if Fraction(2) ** power <= value else power - 1


def test_nothing_is_expanded_and_nothing_recurs() -> None:
    started = time.monotonic()
    for text in (LONG, f"D1e{LONG}", f"D-1e-{LONG}", f"D0.{'0' * 1_000_000}1e1000001", "1" + "0" * 1_000_000):
        for name in LENSES:
            assert len(LENSES[name](text)) < 2_100_000
    assert time.monotonic() - started < 10
    deep = '[{"b":' * 50_000 + '1.0,"a":0' + "}]" * 50_000
    with pytest.raises(RecursionError):
        json.loads(deep)
    other = deep.replace("1.0", "2")
    assert LENSES["value/1"](deep).count("b") == 50_000
    found = first_difference(deep, other.replace('2,"a":0', '2,"a":0'), "value/1")
    assert found == Difference("/0/b" * 50_000, "1.0", "2")
    assert dimensions(deep, deep.replace("1.0", "1")) == {"type"}


@pytest.mark.parametrize(
    ("a", "b", "name", "expected"),
    [
        ("1", "2", "value/1", Difference("", "1", "2")),
        ("1", "1.0", "value/1", None),
        ("1", "1.0", "exact/1", Difference("", "1", "1.0")),
        ("true", "1", "value/1", Difference("", "true", "1")),
        ("9007199254740993", "9007199254740992.0", "binary64/1", None),
        ("[1,2,3]", "[1,5,4]", "value/1", Difference("/1", "2", "5")),
        ("[1,2]", "[1]", "value/1", Difference("/1", "2", None)),
        ("[1]", "[1,[]]", "value/1", Difference("/1", None, "[]")),
        ("[[],[[1]]]", "[[],[[2]]]", "value/1", Difference("/1/0/0", "1", "2")),
        ('[{"a":[]},1]', '[{"a":[]},2]', "value/1", Difference("/1", "1", "2")),
        ('{"b":1,"a":2}', '{"a":3,"b":4}', "value/1", Difference("/b", "1", "4")),
        ('{"b":1,"a":2}', '{"a":3,"b":1}', "value/1", Difference("/a", "2", "3")),
        ('{"a":1}', '{"a":1,"b":null}', "value/1", Difference("/b", None, "null")),
        ('{"a":1,"b":null}', '{"a":1}', "value/1", Difference("/b", "null", None)),
        ('{"a":{"b":1}}', '{"a":[1]}', "value/1", Difference("/a", '{"b":1}', "[1]")),
        ('{"a/b":{"m~n":1}}', '{"a/b":{"m~n":2}}', "value/1", Difference("/a~1b/m~0n", "1", "2")),
        ('{"":{"\\u00e9":1}}', '{"":{"\\u00e9":2}}', "value/1", Difference("//é", "1", "2")),
        ('{"\\ud800":1}', '{"\\ud800":2}', "value/1", Difference('/"\\ud800"', "1", "2")),
        ('{b"ff":1}', "{}", "value/1", Difference('/b"ff"', "1", None)),
        ('{"a":1,"a":2}', '{"a":1,"a":3}', "value/1", Difference("/a", "2", "3", (1,))),
        ('{"a":2}', '{"a":1,"a":2}', "value/1", Difference("/a", "2", "1", (0,))),
        ('{"a":1}', '{"a":1,"a":2}', "value/1", Difference("/a", None, "2", (1,))),
        (
            '[{"a":{},"a":{"b":1}}]',
            '[{"a":{},"a":{"b":2}}]',
            "value/1",
            Difference("/0/a/b", "1", "2", (0, 1, 0)),
        ),
        ('{"x":{"b":1,"a":2}}', '{"x":{"a":2,"b":1}}', "value/1", None),
        (
            '{"x":{"b":1,"a":2}}',
            '{"x":{"a":2,"b":1}}',
            "exact/1",
            Difference("/x", '{"b":1,"a":2}', '{"a":2,"b":1}'),
        ),
    ],
)
def test_first_difference(a: str, b: str, name: str, expected: Difference | None) -> None:
    assert first_difference(a, b, name) == expected


def test_long_notations_are_cut() -> None:
    found = first_difference('["' + "a" * 100 + '"]', '["b"]', "value/1", length=10)
    assert found == Difference("/0", '"aaaaaa...', '"b"')


def test_first_difference_names_the_known_lenses() -> None:
    with pytest.raises(BadInput, match="value/1"):
        first_difference("1", "2", "value")


@given(values(), values())
def test_a_difference_is_found_where_a_lens_sees_one(one: Value, other: Value) -> None:
    a, b = write(one), write(other)
    for name, form in LENSES.items():
        assert (first_difference(a, b, name) is None) == (form(a) == form(b))


@given(values(max_leaves=20), st.data())
def test_so_it_is_in_values_that_are_alike(value: Value, data: st.DataObject) -> None:
    a = write(value)
    marks = [index for index, character in enumerate(a) if character in "0123456789ab"]
    assume(marks)
    at = data.draw(st.sampled_from(marks))
    try:
        b = write(read(a[:at] + data.draw(st.sampled_from("0123456789ab")) + a[at + 1 :]))
    except ValueError:
        assume(False)
    for name, form in LENSES.items():
        assert (first_difference(a, b, name) is None) == (form(a) == form(b))
    if LENSES["binary64/1"](a) == LENSES["binary64/1"](b):
        assert bool(dimensions(a, b)) == (a != b)
        assert ("precision" in dimensions(a, b)) == (LENSES["value/1"](a) != LENSES["value/1"](b))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ('[1.0,{"a":20.0}]', '[1,{"a":20}]', {"type"}),
        ('[1.0,"2.0"]', '[1,"2.0"]', {"type"}),
        ('{"1.0,":1,"1,":2}', '{"1,":2,"1.0,":1}', {"order"}),
        ('{"a.0":1.0,"b":2}', '{"b":2,"a.0":1}', {"order", "type"}),
        ("[D1.0,2.0]", "[D1,2]", {"spelling", "type"}),
        ("[1.0,-0.0]", "[1,0.0]", {"type", "zero-sign"}),
        ("[1.0,-0.0]", "[1,0]", {"type", "zero-sign"}),
        ("[1e+16,1.0]", "[10000000000000000,1]", {"type"}),
    ],
)
def test_whole_doubles_beside_integers_hide_nothing_else(a: str, b: str, expected: set[str]) -> None:
    assert LENSES["value/1"](a) == LENSES["value/1"](b)
    assert dimensions(a, b) == dimensions(b, a) == expected


@pytest.mark.parametrize("depth", [1, 99, 101, 5000])
@pytest.mark.parametrize(("opener", "closer"), [("[", "]"), ('{"b":', "}"), ('[{"\\ud800":', "}]")])
def test_a_deep_value_has_the_normal_form_of_what_it_holds(opener: str, closer: str, depth: int) -> None:
    form = LENSES["value/1"](opener * depth + '{"b":1.0,"a":D1e1}' + closer * depth)
    assert form == opener * depth + '{"a":10,"b":1}' + closer * depth


def test_a_deep_value_whose_containers_hold_two_things_is_sorted_throughout() -> None:
    depth = 5000
    form = LENSES["value/1"]('{"b":' * depth + "1.0" + ',"a":0}' * depth)
    assert form == '{"a":0,"b":' * depth + "1" + "}" * depth
    form = LENSES["value/1"]('{"b":' * depth + '1.0,"a":0' + "}" * depth)
    assert form == '{"b":' * (depth - 1) + '{"a":0,"b":1' + "}" * depth
