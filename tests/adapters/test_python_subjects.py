"""Every Python subject: canaries, identity, claims, and answers checked by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.adapters.client import ask, hello, ready
from tests.adapters.python_worker import ARGV, greeting, kit_with, outcome, parse, subjects
from tests.built import python_rows, python_tables

PROVIDED = {**python_rows.ROWS, **python_tables.ROWS}
KEYS = sorted(subjects().keys() - PROVIDED.keys())
REQUIRED = "json json-lax json-pairs json-pure json-str json-unique guard orjson rapidjson rapidjson-native"
REQUIRED += " simplejson simplejson-decimal simplejson-nan simplejson-pure sqlite3-extract ujson"

TWICE = b'{"quantity":2,"quantity":20}'
JSON_NO, UTF8_NO = "reject parse JSONDecodeError", "reject decode UnicodeDecodeError"
GUARD_NO = "reject parse GuardRejected"

WIDE = "{" + ",".join(f'"k{n}":[{n}]' for n in range(250)) + "}"

# By hand: the grammar, the documentation of each library, IEEE 754.
ROWS: dict[str, list[tuple[bytes, str]]] = {
    "python/json": [
        (TWICE, '{"quantity":20}'),
        (b'{"quantity":20,"quantity":2}', '{"quantity":2}'),
        (b"\xef\xbb\xbf[1]", "[1]"),
        (b'["\xed\xa0\x80"]', '["\\ud800"]'),
        (b'"\xff"', UTF8_NO),
        (b"[NaN,-Infinity,1e400]", "[NaN,-Infinity,Infinity]"),
        (b'"a\tb"', JSON_NO),
        (b"18446744073709551616", "18446744073709551616"),
        (b'{"\\u0061":1,"a":2}', '{"a":2}'),
    ],
    "python/json-str": [
        (TWICE, '{"quantity":20}'),
        (b"\xef\xbb\xbf[1]", JSON_NO),
        (b'["\xed\xa0\x80"]', UTF8_NO),
        (b"[\x001\x00]\x00", JSON_NO),
        (b'"\\ud800"', '"\\ud800"'),
    ],
    "python/json-pure": [
        (TWICE, '{"quantity":20}'),
        (b"\xef\xbb\xbf[1]", "[1]"),
        (b'"\xff"', UTF8_NO),
        (b"[1,]", JSON_NO),
        (b'{"a":[1.5,true,{"b":null}]}', '{"a":[1.5,true,{"b":null}]}'),
        (b"[" * 1000 + b"]" * 1000, "fault RecursionError"),
    ],
    "python/json-lax": [
        (TWICE, '{"quantity":20}'),
        (b'"a\tb\x00"', '"a\\tb\\u0000"'),
        (b"[1,]", JSON_NO),
        (b"[01]", JSON_NO),
        (b'"\xff"', UTF8_NO),
    ],
    "python/json-unique": [
        (TWICE, "reject parse RepeatedName"),
        (b'{"a":1,"a":1}', "reject parse RepeatedName"),
        (b'[{"x":{"\\u0061":1,"a":2}}]', "reject parse RepeatedName"),
        (b'[{"a":1},{"a":1,"b":{"a":2}}]', '[{"a":1},{"a":1,"b":{"a":2}}]'),
        (b'{"a":1,"A":2}', '{"a":1,"A":2}'),
        (b"{", JSON_NO),
        (b'"\xff"', UTF8_NO),
    ],
    "python/json-pairs": [
        (TWICE, '{"quantity":2,"quantity":20}'),
        (b'{"a":{"b":1,"b":[{"c":1,"c":1}]},"a":2}', '{"a":{"b":1,"b":[{"c":1,"c":1}]},"a":2}'),
        (b'{"a":1,"b":{"a":1.5}}', '{"a":1,"b":{"a":1.5}}'),
        (b"{}", "{}"),
        (b'{"a":1,}', JSON_NO),
        (b'{"\\ud83d\\ude00":1,"\\ud83d\\ude00":2}', '{"\\ud83d\\ude00":1,"\\ud83d\\ude00":2}'),
    ],
    "python/guard": [
        (TWICE, GUARD_NO),
        (b'{"\\u0061":1,"a":1}', GUARD_NO),
        (b'{"a":{"b":1},"b":{"b":2}}', '{"a":{"b":1},"b":{"b":2}}'),
        (b"\xef\xbb\xbf1", GUARD_NO),
        (b"9007199254740991", "9007199254740991"),
        (b"9007199254740992", GUARD_NO),
        (b"[" * 65 + b"]" * 65, GUARD_NO),
        (b"[" * 64 + b"]" * 64, "[" * 64 + "]" * 64),
    ],
    "python/orjson": [
        (TWICE, '{"quantity":20}'),
        (b"18446744073709551615", "18446744073709551615"),
        (b"18446744073709551616", "1.8446744073709552e+19"),
        (b"1e400", JSON_NO),
        (b'"\xff"', JSON_NO),
        (b'"\\ud800"', JSON_NO),
        (b"NaN", JSON_NO),
        (b"\xef\xbb\xbf1", JSON_NO),
    ],
    "python/ujson": [
        (TWICE, '{"quantity":20}'),
        (b"18446744073709551616", "18446744073709551616"),
        (b"NaN", "NaN"),
        (b'"\\ud83d\\ude00\\ud800"', '"\\ud83d\\ude00\\ud800"'),
        (b"[1]]", JSON_NO),
        (b"1" * 4301, "fault ValueError"),
    ],
    "python/simplejson": [
        (TWICE, '{"quantity":20}'),
        (b"[1.10,1e16]", "[1.1,1e+16]"),
        (b'"\xff"', UTF8_NO),
        (b'["\xed\xa0\x80"]', UTF8_NO),
        (b"[1,]", JSON_NO),
    ],
    "python/simplejson-pure": [
        (TWICE, '{"quantity":20}'),
        (b"[1.10,1e16]", "[1.1,1e+16]"),
        (b'"\xff"', UTF8_NO),
        (b'"a\tb"', JSON_NO),
        (b"[1,]", JSON_NO),
    ],
    "python/simplejson-nan": [
        (TWICE, '{"quantity":20}'),
        (b"[NaN,-Infinity,Infinity]", "[NaN,-Infinity,Infinity]"),
        (b"[nan]", JSON_NO),
        (b'"\xff"', UTF8_NO),
        (b"[1,]", JSON_NO),
    ],
    "python/simplejson-decimal": [
        (TWICE, '{"quantity":20}'),
        (b"[1.10,1e400,-0.0,7]", "[D1.10,D1E+400,D-0.0,7]"),
        (b"0.10000000000000000555", "D0.10000000000000000555"),
        (b'{"a":1.0,"a":[2.50]}', '{"a":[D2.50]}'),
        (b"[1,]", JSON_NO),
    ],
    "python/rapidjson": [
        (TWICE, '{"quantity":20}'),
        (b"18446744073709551616", "18446744073709551616"),
        (b"NaN", "NaN"),
        (b'"\xff"', UTF8_NO),
        (b'{"a":1}\x00{"a":2}', '{"a":1}'),  # what it reads ends at a NUL
        (b"[1,]", JSON_NO),
    ],
    "python/rapidjson-native": [
        (TWICE, '{"quantity":20}'),
        (b"18446744073709551616", "1.8446744073709552e+19"),
        (b"NaN", JSON_NO),
        (b'"\xff"', UTF8_NO),
        (b"[1,]", JSON_NO),
    ],
    "python/sqlite3-extract": [
        (TWICE, '{"quantity":2}'),
        (b'{"a":{"b":1,"b":2},"a":{"c":3}}', '{"a":{"b":1}}'),
        (b'[{"a":1,"a":2},{"a":[{"b":"x","b":"y"}]}]', '[{"a":1},{"a":[{"b":"x"}]}]'),
        (b'{"a":[1,"1",1.5,true,false,null,{},[]],"":"e"}', '{"a":[1,"1",1.5,true,false,null,{},[]],"":"e"}'),
        (b'{"$.a":1,"[0]":2,"a.b":3,"#":4,"a]":5}', '{"$.a":1,"[0]":2,"a.b":3,"#":4,"a]":5}'),
        (b'"\xff"', 'b"ff"'),
        (b'{"\xff":1,"\xfe":2}', '{b"ff":1,b"fe":2}'),
        (b'"\\ud800"', 'b"eda080"'),
        (b"18446744073709551616", "1.8446744073709552e+19"),
        (b"[-0.0,1e400]", "[-0.0,Infinity]"),
        (b'{"a\\\\b":1}', '{"a\\\\b":1}'),
        (WIDE.encode(), WIDE),  # more names than one statement looks up
        (b"{", "reject parse MalformedJSON"),
        (b"", "reject parse MalformedJSON"),
        (b"[" * 100_000 + b"]" * 100_000, "reject parse MalformedJSON"),
    ],
}


def test_the_set_is_what_is_promised() -> None:
    assert {key.removeprefix("python/") for key in KEYS} == set(REQUIRED.split())
    assert all(subjects()[key].repeats and not subjects()[key].default for key in PROVIDED)
    assert all(len(rows) >= 5 for rows in PROVIDED.values())
    assert {key for key in KEYS if subjects()[key].required} == {
        *("python/json", "python/orjson", "python/ujson", "python/simplejson", "python/rapidjson")
    }
    assert set(ROWS) == set(KEYS)
    assert all(len(rows) >= 5 for rows in ROWS.values())


@pytest.mark.parametrize("key", KEYS)
def test_answers_by_hand(key: str) -> None:
    answers = parse(key, *(data for data, _ in ROWS[key]))
    said = [(data[:60], outcome(answer)) for (data, _), answer in zip(ROWS[key], answers, strict=True)]
    assert said == [(data[:60], expected) for data, expected in ROWS[key]]


@pytest.mark.parametrize("key", KEYS)
def test_canaries(key: str) -> None:
    canaries = subjects()[key].canaries
    answers = parse(key, *(canary.text.encode() for canary in canaries))
    for canary, answer in zip(canaries, answers, strict=True):
        assert (answer.text if answer.verb == "accept" else answer.verb) in canary.expect, canary


@pytest.mark.parametrize("key", KEYS)
def test_the_claim_on_repeated_names(key: str) -> None:
    claims = {"first": '{"a":1}', "last": '{"a":2}', "all": '{"a":1,"a":2}'}
    (answer,) = parse(key, b'{"a":1,"a":2}')
    claim = subjects()[key].repeats
    assert (answer.verb if claim == "reject" else answer.text) == claims.get(claim, "reject")


@pytest.mark.parametrize("key", KEYS)
def test_identity(key: str) -> None:
    said = ready(ARGV, greeting(key))
    assert said.verb == "ready"
    lines = [line.partition(" ")[::2] for line in said.text.splitlines()]
    assert lines[0] == ("protocol", "1")
    assert [value for name, value in lines if name == "runtime"]
    for name, value in lines:
        if name == "library":
            assert re.fullmatch(r"\S+ \d\S*", value)
        if name == "file":
            assert Path(value).is_file()
    if key != "python/guard":
        assert any(name == "file" for name, _ in lines)


@pytest.mark.parametrize("key", ["python/json-pure", "python/simplejson-pure"])
def test_pure_is_pure(key: str) -> None:
    pure = ready(ARGV, greeting(key)).text
    assert "detail scanner=python\n" in pure
    assert "detail strings=python\n" in pure
    plain = ready(ARGV, greeting(key.removesuffix("-pure"))).text
    assert "detail scanner=C\n" in plain
    assert "detail strings=C\n" in plain


def test_a_repeated_name_is_not_echoed() -> None:
    (answer,) = parse("python/json-unique", b'{"secret":1,"secret":2}')
    assert answer.verb == "reject"
    assert "secret" not in answer.text


def test_names_that_sqlite_cannot_look_up() -> None:
    details = ready(ARGV, greeting("python/sqlite3-extract")).text
    quoted, escaped = (
        outcome(answer) for answer in parse("python/sqlite3-extract", b'{"a\\"b":1}', b'{"\\u0061":1,"a":2}')
    )
    if "quote-in-name=unsupported" in details:
        assert quoted == "unsupported"
    else:
        assert quoted == '{"a\\"b":1}'
    # Before 3.45 the getter compares names without decoding them, and finds the second member.
    version = tuple(int(n) for n in re.findall(r"library sqlite (\d+)\.(\d+)", details)[0])
    assert escaped == ('{"a":1}' if version >= (3, 45) else '{"a":2}')
    (newline,) = parse("python/sqlite3-extract", b'{"\\n":1}')
    assert outcome(newline) == ('{"\\n":1}' if version >= (3, 45) else '{"\\n":X"missing"}')


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("python/json", '{"quantity": 20}'),
        ("python/orjson", '{"quantity":20}'),
        ("python/ujson", '{"quantity":20}'),
        ("python/simplejson", '{"quantity": 20}'),
        ("python/rapidjson", '{"quantity":20}'),
    ],
)
def test_emit_is_the_librarys_own_text(key: str, expected: str) -> None:
    assert "capability emit\n" in ready(ARGV, greeting(key)).text
    good, bad = parse(key, TWICE, b"{", verb="emit")
    assert (good.verb, good.text) == ("accept", expected)
    assert outcome(bad) == JSON_NO


def test_a_shim_that_does_not_do_what_it_claims_is_caught(tmp_path: Path) -> None:
    claims_first = """
def make(kit):
    import json
    return {"parse": json.loads, "libraries": [("json", "0")]}
"""
    argv = kit_with(tmp_path, planted=claims_first)
    answers = ask(argv, hello("python/planted", "planted.make", ["JSONDecodeError"]), [b'{"a":1,"a":2}'])
    canary = next(c for c in subjects()["python/sqlite3-extract"].canaries if "first" in c.reason)
    again = ask(argv, hello("python/planted", "planted.make", ["E"]), [canary.text.encode()])
    assert outcome(answers[0]) != '{"a":1}'
    assert outcome(again[0]) not in canary.expect
