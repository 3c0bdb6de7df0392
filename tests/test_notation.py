from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import plain_values, values
from whichwins import notation
from whichwins.model import Array, Binary64, Bytes, DecimalLiteral, Integer, Object, Other, Value
from whichwins.notation import NotationError, binary64, canonical, check, read, write
from whichwins.scanner import is_canonical_json, respelled

VECTORS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent.parent / "fixtures" / "notation.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("true", True),
        ("false", False),
        ("0", Integer("0")),
        ("-12", Integer("-12")),
        ("20.0", Binary64("20.0")),
        ("-0.0", Binary64("-0.0")),
        ("1e+16", Binary64("1e+16")),
        ("NaN", Binary64("NaN")),
        ("-Infinity", Binary64("-Infinity")),
        ("D1.10", DecimalLiteral("1.10")),
        ("D-007e+3", DecimalLiteral("-007e+3")),
        ('"a\\u00e9\\n"', "aé\n"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ude00\\ud83d"', "\ude00\ud83d"),
        ('u"0000d83d0000de00"', "\ud83d\ude00"),
        ('b"ff"', Bytes(b"\xff")),
        ('b""', Bytes(b"")),
        ('X"set of 3"', Other("set of 3")),
    ],
)
def test_scalars_both_ways(text: str, value: Value) -> None:
    assert (read(text), type(read(text))) == (value, type(value))
    assert write(value) == canonical(text) == text


def test_containers_keep_order_and_repeats() -> None:
    text = '{"b":[],"a":{},"b":[1,[2.0]],b"ff":null,X"int:1":true,u"0000d83d0000de00":D1}'
    value = read(text)
    assert isinstance(value, Object)
    assert [name for name, _ in value.pairs] == [
        "b",
        "a",
        "b",
        Bytes(b"\xff"),
        Other("int:1"),
        "\ud83d\ude00",
    ]
    inner = value.pairs[2][1]
    assert isinstance(inner, Array)
    assert inner.items[0] == Integer("1")
    assert write(value) == text


def test_lists_of_the_scanner_become_arrays_everywhere() -> None:
    value = read('[[],[[1]],{"a":[[2]]}]')
    assert isinstance(value, Array)
    assert all(not isinstance(each, list) for each in _everything(value))


def _everything(value: Value) -> list[Value]:
    found: list[Value] = [value]
    for each in found:
        if isinstance(each, Array):
            found.extend(each.items)
        elif isinstance(each, Object):
            found.extend(item for _, item in each.pairs)
    return found


@given(values())
def test_what_is_written_is_read_back(value: Value) -> None:
    text = write(value)
    assert text.isascii()
    assert write(read(text)) == text
    assert canonical(text) == text
    check(text)


@given(values())
def test_fast_and_slow_reader_agree(value: Value) -> None:
    text = write(value)
    assert _shape(read(text)) == _shape(notation._read(text)) == _shape(value)


@given(plain_values())
def test_json_takes_the_fast_path(value: Value) -> None:
    assert is_canonical_json(write(value))


def _shape(value: Value) -> str:
    return repr([(type(each).__name__, each) for each in _everything(value)])


@given(values(), st.data())
def test_hostile_texts_are_refused_by_both_or_read_alike(value: Value, data: st.DataObject) -> None:
    text = write(value)
    at = data.draw(st.integers(0, len(text)))
    added = data.draw(
        st.sampled_from([*' \n,:[]{}"\\0-+.eEDbuX', "", "-0", "\x7f", "é", "٣", "NaN", "\\u+041"])
    )
    damaged = text[:at] + added + text[at + data.draw(st.integers(0, 2)) :]
    try:
        slow = write(notation._read(damaged))
    except NotationError:
        assert not is_canonical_json(damaged)
        for reader in (read, canonical, check):
            with pytest.raises(NotationError):
                reader(damaged)
    else:
        assert write(read(damaged)) == canonical(damaged) == slow
        assert canonical(slow) == slow


SPACED = ["", " ", "1 ", " 1", "[1, 2]", "[1 ,2]", '{"a": 1}', '{"a" :1}', '{ "a":1}', "[ ]", "[1]\n", "[\t]"]
NUMBERS = ["-0", "[-0]", "01", "-", "+1", "1.", ".5", "1e", "1e400", "-1e400", "1e-400", "0x10", "1_0", "٣"]
WORDS = ["nan", "inf", "-NaN", "None", "True", "undefined", "tru", "truee", "nullnull", "d1", "\ufeff1"]
BRACKETS = [
    "[",
    "]",
    "[1",
    "[1,]",
    "[,1]",
    "[1}",
    "{",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1]',
    "{1:2}",
    "{D1:2}",
]
STRINGS = ['"', '"a', "'a'", '"\n"', '"\\x41"', '"\\u12"', '"\\u+041"', '"é"', '"\x00"', '"a" "b"', '"a""b"']
DECIMALS = ["D", "DNaN", "D1.", "D+1", "D.5", "D 1", "Dd1", "D1e", "D٣"]
HEX = [
    'b"f"',
    'b"fg"',
    'b"f f "',
    "b",
    "bff",
    'B"ff"',
    'u"d83d"',
    'u"00110000"',
    'u"0000d83d',
    "X",
    "X1",
    'X "a"',
]
MORE = ["1 2", "1,2", "[1]2", "{}{}", "/**/1", "[1]//", "X[1]", "[b]"]


@pytest.mark.parametrize("text", [*SPACED, *NUMBERS, *WORDS, *BRACKETS, *STRINGS, *DECIMALS, *HEX, *MORE])
def test_garbage_is_refused(text: str) -> None:
    for reader in (read, canonical, check, notation._read):
        with pytest.raises(NotationError):
            reader(text)


def test_an_error_says_where() -> None:
    with pytest.raises(NotationError, match=r", or \] expected at character 2"):
        read("[1 ,2]")


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("1e21", "1e+21"),
        ("2E+3", "2000.0"),
        ("9.999999999999999e+22", "1e+23"),
        ("1.0e+16", "1e+16"),
        ("20.00", "20.0"),
        ("0.00001", "1e-05"),
        ("1E-7", "1e-07"),
        ("-0e5", "-0.0"),
        ("0.10000000000000001", "0.1"),
        ("4.9e-324", "5e-324"),
        ("1.0e0000000000000000000000016", "1e+16"),
        ("100000000000000000000000.0", "1e+23"),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
    ],
)
def test_spellings_of_a_binary64(spelling: str, expected: str) -> None:
    assert binary64(spelling) == expected
    assert canonical(f'{{"a":[{spelling},"1.50"]}}') == f'{{"a":[{expected},"1.50"]}}'


@pytest.mark.parametrize(
    "spelling", ["20", "1e400", "1e-400", "inf", "nan", " 1.0", "1_0.0", "1.0 ", "", "01.0"]
)
def test_no_spellings_of_a_binary64(spelling: str) -> None:
    with pytest.raises(NotationError):
        binary64(spelling)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_long_spelling_of_a_double_comes_home(number: float) -> None:
    assert binary64(f"{number:.17e}") == binary64(f"{number:.25e}") == repr(number)
    assert canonical(f"{number:.17e}") == repr(number)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"\\/\\u0041\\u000A\\u00E9"', '"/A\\n\\u00e9"'),
        ('"\x7f"', '"\\u007f"'),
        ('"\\u0022"', '"\\""'),
        ('"\\\\/"', '"\\\\/"'),
        ('"\\\\u00E9"', '"\\\\u00E9"'),
        ('b"FF"', 'b"ff"'),
        ('u"00000061"', '"a"'),
        ('u"0001F600"', '"\\ud83d\\ude00"'),
        ('{X"\\u0061":1}', '{X"a":1}'),
    ],
)
def test_other_spellings_of_strings(text: str, expected: str) -> None:
    assert canonical(text) == expected


@given(st.text(st.characters(), max_size=8))
def test_strings_of_the_standard_library_are_canonical(text: str) -> None:
    spelled = json.dumps(text)
    assert is_canonical_json(spelled)
    assume(json.loads(spelled) == text)  # json.dumps joins two surrogates that stand side by side
    assert write(text) == spelled


@pytest.mark.parametrize(
    ("opener", "closer", "times"), [("[", "]", 1_000_000), ('{"a":', "}", 200_000), ('[{"a":', "}]", 100_000)]
)
def test_any_depth(opener: str, closer: str, times: int) -> None:
    text = opener * times + "D1" + closer * times
    assert canonical(text) == text
    with pytest.raises(NotationError):
        check(text[:-1])


def test_long_numbers_are_never_converted() -> None:
    digits = "7" * 1_000_000
    assert read(digits) == Integer(digits)
    assert canonical(f"[{digits},D{digits}e-{digits}]") == f"[{digits},D{digits}e-{digits}]"


def test_only_values_are_written() -> None:
    with pytest.raises(TypeError, match="float"):
        write(1.5)  # type: ignore[arg-type]


# The vectors that every kit must pass


def _input(vector: dict[str, Any]) -> bytes:
    assert ("json" in vector) != ("json_hex" in vector)
    return bytes.fromhex(vector["json_hex"]) if "json_hex" in vector else vector["json"].encode()


def test_there_are_enough_vectors_and_each_once() -> None:
    inputs = [_input(vector) for vector in VECTORS["vector"]]
    assert len(inputs) >= 60
    assert len(set(inputs)) == len(inputs)
    known = {"json", "json_hex", "integers", "doubles", "also", "why"}
    assert all(set(vector) <= known for vector in VECTORS["vector"])


@pytest.mark.parametrize("vector", VECTORS["vector"], ids=_input)
def test_vectors_are_canonical_and_right(vector: dict[str, Any]) -> None:
    for host in ("integers", "doubles"):
        assert canonical(vector[host]) == vector[host]
    for other in vector.get("also", []):
        assert other == "reject" or canonical(other) == other
    data = _input(vector)
    assert write(_host(json.loads(data, object_pairs_hook=_Pairs))) == vector["integers"]
    pairs = json.loads(data, object_pairs_hook=_Pairs, parse_int=float)
    assert write(_host(pairs)) == vector["doubles"]


class _Pairs(dict[str, Any]):
    """The last of repeated names wins, in the place of the first."""


def _host(value: Any) -> Value:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return Integer(str(value))
    if isinstance(value, float):
        return Binary64(repr(value).replace("inf", "Infinity"))
    if isinstance(value, list):
        return Array([_host(each) for each in value])
    return Object([(name, _host(each)) for name, each in value.items()])


@pytest.mark.parametrize("vector", VECTORS["text"], ids=lambda vector: str(vector["text"]))
def test_texts_for_readers(vector: dict[str, Any]) -> None:
    if vector.get("invalid"):
        assert "canonical" not in vector
        with pytest.raises(NotationError):
            check(vector["text"])
    else:
        assert canonical(vector["text"]) == vector["canonical"]
        assert canonical(vector["canonical"]) == vector["canonical"]


@given(plain_values(), st.sampled_from(["%r0", "%e", "%.17E", "%.20e"]))
def test_other_spellings_of_numbers_quickly_and_slowly(value: Value, form: str) -> None:
    text = re.sub(
        r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+\.[0-9]+(?![0-9e])',
        lambda found: found[0] if found[0][0] == '"' else form % float(found[0]),
        write(value),
    )
    slow = write(notation._read(text))
    quick = respelled(text)
    assert quick in (slow, None)
    assert canonical(text) == slow


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1e5,"a":2}',
        "[-0,1e5]",
        "[1e5, 1]",
        "1e400",
        "1e-400",
        "[1e5,é]",
        "[1e5]]",
        "",
        "D1.0",
        "9" * 5000,
    ],
)
def test_what_the_encoder_could_get_wrong_is_left_to_the_reader(text: str) -> None:
    assert respelled(text) is None
