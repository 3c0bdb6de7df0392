"""The Go adapter: values worked out by hand for every subject, the doctor, the identity."""

from __future__ import annotations

import pytest

from tests.adapters.client import ready
from tests.adapters.started import greeting, start
from tests.built.rows import HERE, Rows, ill, untested, wrong

pytestmark = pytest.mark.built

SYNTAX, TYPE = "reject parse json.SyntaxError", "reject parse json.UnmarshalTypeError"
V2, V2_TYPE = "reject parse jsontext.SyntacticError", "reject parse json.SemanticError"
ERROR, GJSON = "reject parse error", "reject parse main.invalid"
GOCCY, GOCCY_TYPE = "reject parse errors.SyntaxError", "reject parse errors.UnmarshalTypeError"
SONIC = "reject parse errors.SyntaxError"

# What a parser does with a repeated name whose values are objects, and with what is no UTF-8.
TWO = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
NUMBERS = b"[20,20.0,1e2,-1.5]"
DOUBLES = "[20.0,20.0,100.0,-1.5]"
KEPT = "[D20,D20.0,D1e2,D-1.5]"
BIG = b"[9007199254740993]"
ROUNDED, WHOLE = "[9007199254740992.0]", "[D9007199254740993]"
TEXT = (b'"\\ud83d\\ude00\\u0000\\/\xc3\xa9"', '"\\ud83d\\ude00\\u0000/\\u00e9"')
LONE = b'"\\ud800"'
BAD = b'"\xff"'
HUGE = b"[1e400]"
LAST, FIRST = '{"a":{"y":2.0},"b":0.0}', '{"a":{"x":1.0},"b":0.0}'
ALL = '{"a":{"x":D1},"b":D0,"a":{"y":D2}}'
KEPT_FIRST = '{"a":{"x":D1},"b":D0}'
ESCAPED = b'{"\\u0061":1,"a":2}'
DEEP = b"[" * 10_001 + b"]" * 10_001

PLAIN = [(NUMBERS, DOUBLES), (BIG, ROUNDED), TEXT]
STD = [(TWO, LAST), *PLAIN, (LONE, '"\\ufffd"'), (BAD, '"\\ufffd"'), (HUGE, TYPE), (b"[01]", SYNTAX)]
STRICT = [
    *PLAIN,
    (LONE, V2),
    (BAD, V2),
    (HUGE, V2_TYPE),
    (b"[01]", V2),
    (b"[1] 2", V2),
    (DEEP, V2),
    (b"", V2),
]

TABLES: dict[str, Rows] = {
    "go/json": [*STD, (b"[1] 2", SYNTAX), (DEEP, SYNTAX), (b"", SYNTAX), (b"\xef\xbb\xbf1", SYNTAX)],
    "go/json-decoder": [
        *STD,
        (b"[1] 2", "[1.0]"),
        (b"", "reject parse io.EOF"),
        (b"[", "reject parse io.ErrUnexpectedEOF"),
    ],
    "go/json-number": [
        (TWO, '{"a":{"y":D2},"b":D0}'),
        (NUMBERS, KEPT),
        (BIG, WHOLE),
        (HUGE, "[D1e400]"),
        (b"[-0,-0.0,1E+2]", "[D-0,D-0.0,D1E+2]"),
        (b"[1] 2", "[D1]"),
        (b"[.5]", SYNTAX),
    ],
    "go/json-on-v2": [*STD, (b"[1] 2", SYNTAX), (DEEP, SYNTAX), (b"", SYNTAX)],
    "go/json-v2": [(TWO, V2), (ESCAPED, V2), (b'[{"a":1},{"a":1}]', '[{"a":1.0},{"a":1.0}]'), *STRICT],
    "go/json-v2-duplicates": [
        (TWO, '{"a":{"x":1.0,"y":2.0},"b":0.0}'),  # merged
        (b'{"a":[1,2],"a":[3]}', '{"a":[3.0]}'),
        (ESCAPED, '{"a":2.0}'),
        (b'{"a":1,"a":{"x":1}}', V2_TYPE),  # into the number that is there
        *STRICT,
    ],
    "go/json-v2-invalid-utf8": [
        (TWO, V2),
        *PLAIN,
        (LONE, '"\\ufffd"'),
        (BAD, '"\\ufffd"'),
        (b'{"\xff":1,"\xfe":2}', V2),
    ],
    "go/jsontext": [
        (TWO, ALL),
        (NUMBERS, KEPT),
        (HUGE, "[D1e400]"),
        TEXT,
        (BAD, V2),
        (b"[1] 2", "[D1]"),
        (b"", "reject parse io.EOF"),
    ],
    "go/gojq": [  # as the command does, and what it writes
        (TWO, '{"a":{"y":D2},"b":D0}'),
        (ESCAPED, '{"a":D2}'),
        (NUMBERS, KEPT),
        (b"[9007199254740993,18446744073709551616]", "[D9007199254740993,D18446744073709551616]"),
        (b"[1e400,-0,-0.0,1E+2]", "[D1e400,D-0,D-0.0,D1E+2]"),
        TEXT,
        (LONE, '"\\ufffd"'),
        (BAD, '"\\ufffd"'),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":D2}'),
        (b"[1] 2", 'X"stream:2 values"'),
        (b"", 'X"stream:0 values"'),
        (b"[", "reject parse io.ErrUnexpectedEOF"),
        *((text, SYNTAX) for text in (b"[1] x", b"[01]", b"\xef\xbb\xbf[1]", b"NaN", b"[1]\x00", DEEP)),
    ],
    "go/jsoniter": [
        (TWO, LAST),
        *PLAIN,
        (LONE, '"\\ufffd"'),
        (BAD, 'b"ff"'),
        (HUGE, "reject parse strconv.NumError"),
        (b"[01]", ERROR),
        (b"[1] 2", ERROR),
    ],
    "go/goccy": [
        (TWO, LAST),
        *PLAIN,
        (BAD, '"\\ufffd"'),
        (HUGE, GOCCY_TYPE),
        (b"[01]", GOCCY),
        (b"[1] 2", GOCCY),
    ],
    "go/sonic": [
        (TWO, LAST),
        *PLAIN,
        (BAD, 'b"ff"'),
        (HUGE, SONIC),
        (b"[01]", SONIC),
        (b"[1] 2", SONIC),
        (b"[-0]", "[0.0]"),
    ],
    "go/sonic-std": [(TWO, LAST), *PLAIN, (BAD, '"\\ufffd"'), (HUGE, SONIC), (b"[01]", SONIC)],
    "go/fastjson": [
        (TWO, ALL),
        (NUMBERS, KEPT),
        TEXT,
        (BAD, 'b"ff"'),
        (b"[01,NaN]", "[D01,NaN]"),
        (b"[1] 2", ERROR),
    ],
    "go/fastjson-get": [
        (TWO, KEPT_FIRST),
        (ESCAPED, '{"a":D2}'),  # Get compares names as they are spelled before it decodes any
        (b'{"\\u0061":1,"\\u0061":2}', '{"a":D1}'),
        (b'{"a":{"b":1,"b":2},"a":3}', '{"a":{"b":D1}}'),
        (b'[{"a":[{"b":1,"b":2}]}]', '[{"a":[{"b":D1}]}]'),
        (NUMBERS, KEPT),
        (b"[" * 301 + b"]" * 301, ERROR),
    ],
    "go/gjson": [
        (TWO, FIRST),
        (ESCAPED, '{"a":1.0}'),
        *PLAIN,
        (BAD, 'b"ff"'),
        (HUGE, "[Infinity]"),
        (b"[01]", GJSON),
        (b"[" * 10_001 + b"]" * 10_001, "unsupported"),
        (b"[" * 10_001, GJSON),
    ],
    "go/gjson-get": [
        (TWO, FIRST),
        (ESCAPED, '{"a":1.0}'),
        *PLAIN,
        (b'{"a.b":1,"*":2,"#":3,"":4,"@x":5}', '{"a.b":1.0,"*":2.0,"#":3.0,"":4.0,"@x":5.0}'),
        (b"[1,]", GJSON),
        (b"[" * 10_001 + b"]" * 10_001, "unsupported"),
    ],
    "go/jsonparser": [
        (TWO, KEPT_FIRST),
        (ESCAPED, '{"a":D1}'),
        (NUMBERS, KEPT),
        TEXT,
        (BAD, 'b"ff"'),
        (b"[1] 2", "[D1]"),
        (b"[1", ERROR),
        (b"[" * 10_001 + b"]" * 10_001, "unsupported"),
    ],
}


def test_every_subject_has_rows() -> None:
    assert untested("go", TABLES) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


def test_the_doctor_finds_all_of_them_well() -> None:
    assert ill("go/*") == {}


def test_the_identity_says_toolchain_experiment_and_engine() -> None:
    for key, engine in (("go/json", "v1"), ("go/json-on-v2", "v2")):
        lines = ready(start(key, HERE).argv, greeting(key)).text.splitlines()
        (runtime,) = (line.removeprefix("runtime Go ") for line in lines if line.startswith("runtime "))
        assert f"library encoding/json {runtime}" in lines
        assert f"detail engine=encoding/json {engine}" in lines
        assert ("detail experiment=jsonv2" in lines) == (
            engine == "v2" and tuple(map(int, runtime.split(".")[:2])) < (1, 27)
        )


def test_what_a_library_prints_does_not_meet_the_frames_and_deep_values_travel() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert wrong("go/gjson-get", [(b"[" * 10_000 + b"]" * 10_000, "[" * 10_000 + "]" * 10_000)]) == []
    assert wrong("go/json-v2", [(deep, V2)]) == []
