"""The C and C++ adapter: values worked out by hand for every subject, the doctor, the identity."""

from __future__ import annotations

import re

import pytest

from tests.adapters.client import ready
from tests.adapters.started import greeting, start
from tests.built.rows import HERE, Rows, ill, untested, wrong

pytestmark = pytest.mark.built

NULL, ERROR_T, TOKENER = "reject parse NULL", "reject parse json_error_t", "reject parse json_tokener_error"
YAJL, RAPID, CODE = "reject parse yajl_status_error", "reject parse ParseError", "reject parse error_code"
NLOHMANN, RANGE, JSONCPP = "reject parse parse_error", "reject parse out_of_range", "reject parse parse"

TWO = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
NUMBERS = b"[20,20.0,1e2,-1.5]"
DOUBLES, TYPED, KEPT = "[20.0,20.0,100.0,-1.5]", "[20,20.0,100.0,-1.5]", "[D20,D20.0,D1e2,D-1.5]"
WIDE = b"[9007199254740993,18446744073709551615]"
TEXT = (b'"\\ud83d\\ude00\\/\xc3\xa9"', '"\\ud83d\\ude00/\\u00e9"')
NUL = b'"a\\u0000b"'
LONE = b'"\\ud800"'
BAD = b'"\xff"'
HUGE = b"[1e400]"
MORE = b"[1] 2"
LAST, FIRST, ALL = '{"a":{"y":2},"b":0}', '{"a":{"x":1},"b":0}', '{"a":{"x":1},"b":0,"a":{"y":2}}'
ESCAPED = b'{"\\u0061":1,"a":2}'

CJSON = [
    (NUMBERS, DOUBLES),
    TEXT,
    (NUL, '"a"'),
    (LONE, NULL),
    (BAD, 'b"ff"'),
    (HUGE, "[Infinity]"),
    (b"", NULL),
]
RAPIDJSON = [
    (NUMBERS, TYPED),
    (WIDE, WIDE.decode()),
    TEXT,
    (NUL, '"a\\u0000b"'),
    (LONE, RAPID),
    (HUGE, RAPID),
    (MORE, RAPID),
]
SIMDJSON = [
    (NUMBERS, TYPED),
    (WIDE, WIDE.decode()),
    (b"18446744073709551616", CODE),
    TEXT,
    (NUL, '"a\\u0000b"'),
    (LONE, CODE),
    (BAD, CODE),
    (HUGE, CODE),
    (MORE, CODE),
    (b"[[],{},[{}]]", "[[],{},[{}]]"),
]
JANSSON = [
    (NUMBERS, TYPED),
    (WIDE, ERROR_T),  # beyond 64 bits with a sign
    TEXT,
    (LONE, ERROR_T),
    (BAD, ERROR_T),
    (HUGE, ERROR_T),
    (MORE, ERROR_T),
]
MODERN = [
    (NUMBERS, TYPED),
    (WIDE, WIDE.decode()),
    TEXT,
    (NUL, '"a\\u0000b"'),
    (LONE, NLOHMANN),
    (BAD, NLOHMANN),
    (HUGE, RANGE),
    (MORE, NLOHMANN),
    (b"[1]//x", NLOHMANN),
]

TABLES: dict[str, Rows] = {
    "c/cjson": [(TWO, '{"a":{"x":1.0},"b":0.0,"a":{"y":2.0}}'), *CJSON, (MORE, "[1.0]")],
    "c/cjson-whole": [(TWO, '{"a":{"x":1.0},"b":0.0,"a":{"y":2.0}}'), *CJSON, (MORE, NULL)],
    "c/cjson-get": [
        (TWO, '{"a":{"x":1.0},"b":0.0}'),
        (b'{"a":1,"A":2,"a":3}', '{"a":1.0,"A":2.0}'),
        (b'{"a\\u0000x":1,"a":2}', '{"a":1.0}'),
        *CJSON,
    ],
    "c/cjson-get-nocase": [(b'{"a":1,"A":2,"a":3}', '{"a":1.0,"A":1.0}'), *CJSON],
    "c/jansson": [(TWO, LAST), (NUL, ERROR_T), *JANSSON],
    "c/jansson-unique": [(TWO, ERROR_T), (ESCAPED, ERROR_T), (NUL, ERROR_T), *JANSSON],
    "c/jansson-nul": [(TWO, LAST), (NUL, '"a\\u0000b"'), (b'{"a\\u0000":1}', ERROR_T), *JANSSON],
    "c/json-c": [
        (TWO, LAST),
        (NUMBERS, TYPED),
        (WIDE, WIDE.decode()),
        TEXT,
        (NUL, '"a\\u0000b"'),
        (BAD, 'b"ff"'),
        (MORE, "[1]"),
        (b"[" * 33 + b"]" * 33, TOKENER),
    ],
    "c/json-c-strict": [
        (TWO, LAST),
        (NUMBERS, TYPED),
        TEXT,
        (BAD, TOKENER),
        (MORE, TOKENER),
        (b"[1,]", TOKENER),
        (b"['a']", TOKENER),
    ],
    "c/yajl": [
        (TWO, '{"a":{"x":D1},"b":D0,"a":{"y":D2}}'),
        (NUMBERS, KEPT),
        TEXT,
        (NUL, '"a\\u0000b"'),
        (LONE, '"?"'),
        (BAD, YAJL),
        (HUGE, "[D1e400]"),
        (MORE, YAJL),
        (b"[[],{},[{}],1]", "[[],{},[{}],D1]"),
    ],
    "c/yajl-tree": [
        (TWO, '{"a":{"x":D1},"b":D0}'),
        (NUMBERS, KEPT),
        TEXT,
        (NUL, '"a"'),
        (BAD, NULL),
        (b"[1]//x", "[D1]"),
        (b"[1]\x00", "unsupported"),
    ],
    "c/rapidjson": [(TWO, ALL), *RAPIDJSON, (BAD, 'b"ff"')],
    "c/rapidjson-get": [(TWO, FIRST), (ESCAPED, '{"a":1}'), *RAPIDJSON],
    "c/rapidjson-exact": [(TWO, ALL), *RAPIDJSON, (BAD, RAPID)],
    "c/nlohmann": [(b'{"b":0,"a":1,"a":2}', '{"a":2,"b":0}'), *MODERN],
    "c/nlohmann-ordered": [(b'{"b":0,"a":1,"a":2}', '{"b":0,"a":2}'), *MODERN],
    "c/jsoncpp": [
        (TWO, LAST),
        (NUMBERS, TYPED),
        (WIDE, WIDE.decode()),
        TEXT,
        (NUL, '"a\\u0000b"'),
        (BAD, 'b"ff"'),
        (MORE, "[1]"),
        (b"[1]//x", "[1]"),
        (b"[" * 1001 + b"]" * 1001, "reject parse Json::Exception"),
    ],
    "c/jsoncpp-strict": [
        (TWO, JSONCPP),
        (NUMBERS, TYPED),
        (b"1", JSONCPP),
        (b'["\\u0000"]', '["\\u0000"]'),
        (MORE, JSONCPP),
        (b"[1]//x", JSONCPP),
    ],
    "c/simdjson": [(TWO, ALL), *SIMDJSON],
    "c/simdjson-get": [(TWO, FIRST), (ESCAPED, '{"a":1}'), *SIMDJSON],
    "c/boost-json": [
        (TWO, LAST),
        (NUMBERS, TYPED),
        (WIDE, WIDE.decode()),
        TEXT,
        (LONE, CODE),
        (BAD, CODE),
        (HUGE, "[Infinity]"),
        (MORE, CODE),
        (b"[" * 33 + b"]" * 33, CODE),
    ],
}


def test_every_subject_has_rows() -> None:
    assert untested("c", TABLES) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


def test_the_doctor_finds_all_of_them_well() -> None:
    assert ill("c/*") == {}


def test_the_identity_says_compiler_version_and_file() -> None:
    lines = ready(start("c/cjson", HERE).argv, greeting("c/cjson")).text.splitlines()
    assert any(re.fullmatch(r"library cJSON \d+\.\d+\.\d+", line) for line in lines)
    assert any(re.fullmatch(r"file /.*libcjson\..*", line) for line in lines)
    assert any((line.startswith("runtime ") and "++" in line) or "clang" in line for line in lines)


def test_deep_values_travel() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert wrong("c/rapidjson-exact", [(deep.encode(), deep)]) == []
    assert wrong("c/yajl", [(deep.encode(), deep)]) == []
