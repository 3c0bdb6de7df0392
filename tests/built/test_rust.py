"""The Rust adapter: values worked out by hand for every subject, the doctor, the identity."""

from __future__ import annotations

import pytest

from tests.adapters.client import ready
from tests.adapters.started import greeting, start
from tests.built.rows import HERE, Rows, ill, untested, wrong

pytestmark = pytest.mark.built

SERDE, SIMD, SONIC = (
    "reject parse serde_json::Error",
    "reject parse simd_json::Error",
    "reject parse sonic_rs::Error",
)
JSON5, UTF8 = "reject parse json5::Error", "reject decode Utf8Error"

TWO = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
NUMBERS, TYPED = b"[20,20.0,1e2,-1.5]", "[20,20.0,100.0,-1.5]"
WIDE = b"[9007199254740993,18446744073709551615]"
TEXT = (b'"\\ud83d\\ude00\\u0000\\/\xc3\xa9"', '"\\ud83d\\ude00\\u0000/\\u00e9"')
LONE, BAD, HUGE, MORE = b'"\\ud800"', b'"\xff"', b"[1e400]", b"[1] 2"
LAST, FIRST, ALL = '{"a":{"y":2},"b":0}', '{"a":{"x":1},"b":0}', '{"a":{"x":1},"b":0,"a":{"y":2}}'
ESCAPED = b'{"\\u0061":1,"a":2}'
MANY = b"{" + b",".join(b'"%d":0' % n for n in range(33)) + b',"1":1}'
# Beyond 32 members the same library has the last one win.
MANY_LAST = "{" + ",".join(f'"{n}":{int(n == "1")}' for n in sorted(map(str, range(33)))) + "}"


def strict(no: str) -> Rows:
    """What all but json5 do."""
    return [
        (NUMBERS, TYPED),
        (WIDE, WIDE.decode()),
        TEXT,
        *((data, no) for data in (LONE, BAD, HUGE, MORE, b"", b"[01]", b"[1,]", b"\xef\xbb\xbf1")),
    ]


TABLES: dict[str, Rows] = {
    "rust/serde-json": [
        (TWO, LAST),
        (b'{"b":1,"a":2}', '{"a":2,"b":1}'),
        (b"[-0,-0.0]", "[-0.0,-0.0]"),
        (b"[" * 128 + b"]" * 128, SERDE),
        *strict(SERDE),
    ],
    "rust/serde-json-order": [(TWO, LAST), (b'{"b":1,"a":2}', '{"b":1,"a":2}'), *strict(SERDE)],
    "rust/serde-json-arbitrary": [
        (TWO, '{"a":{"y":D2},"b":D0}'),
        (b"[20,20.0,1.10,-0]", "[D20,D20.0,D1.10,D-0]"),
        (b"[12345678901234567890123]", "[D12345678901234567890123]"),
        TEXT,
        (HUGE, "[D1e+400]"),
        (b"[01]", SERDE),
        (MORE, SERDE),
    ],
    "rust/simd-json": [
        (b'{"a":{"x":1},"a":{"y":2},"b":0}', '{"a":{"x":1},"a":{"y":2},"b":0}'),
        (MANY, MANY_LAST),
        *strict(SIMD),
    ],
    "rust/simd-json-get": [(TWO, FIRST), (ESCAPED, '{"a":1}'), (MANY, MANY_LAST), *strict(SIMD)],
    "rust/sonic": [(TWO, ALL), (b"[-0.0]", "[0.0]"), *strict(SONIC)],
    "rust/sonic-get": [(TWO, FIRST), (ESCAPED, '{"a":1}'), *strict(SONIC)],
    "rust/json5": [
        (TWO, LAST),
        (b"{a: 'b', c: 0x10, d: +1,}", '{"a":"b","c":16,"d":1}'),
        (b"[NaN]", "[null]"),  # serde_json's Value has no NaN
        (NUMBERS, TYPED),
        TEXT,
        (BAD, UTF8),
        (MORE, JSON5),
    ],
}


def test_every_subject_has_rows() -> None:
    assert untested("rust", TABLES) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


def test_the_doctor_finds_all_of_them_well() -> None:
    assert ill("rust/*") == {}


def test_the_identity_says_compiler_and_version() -> None:
    lines = ready(start("rust/serde-json", HERE).argv, greeting("rust/serde-json")).text.splitlines()
    assert lines[1].startswith("runtime Rust 1.")
    assert lines[2].startswith("library serde_json 1.0.")


def test_deep_values_travel() -> None:
    # Between 30,000 and 50,000 sonic-rs itself overflows a stack of 8 MiB: a crash, as it should be.
    deep = "[" * 20_000 + "]" * 20_000
    assert wrong("rust/sonic", [(deep.encode(), deep)]) == []
