"""Perl, PHP, Lua and jq, as distributions package them: values worked out by hand, the doctor, messages."""

from __future__ import annotations

import pytest

from tests.adapters.client import ready
from tests.adapters.started import greeting, parse, start
from tests.built.rows import HERE, Rows, ill, untested, wrong

pytestmark = pytest.mark.built

ADAPTERS = ("perl", "php", "lua", "jq")
PERL, UTF8 = "reject parse DecodeError", "reject decode MalformedUTF8"
PHP, PHP_UTF8, PHP_CTRL = (
    "reject parse JSON_ERROR_SYNTAX",
    "reject decode JSON_ERROR_UTF8",
    "reject parse JSON_ERROR_CTRL_CHAR",
)
CJSON, DKJSON, JQ = "reject parse CjsonError", "reject parse DkjsonError", "reject parse JqParseError"

THRICE, ONCE = b'{"a":1,"\\u0061":2,"a":3}', '{"a":3}'
NESTED, LAST = b'{"a":{"x":1},"b":0,"a":{"y":2}}', '{"a":{"y":2},"b":0}'
NUMBERS, TYPED = b"[20,20.0,1.10,-0.0,1e400]", "[20,20.0,1.1,-0.0,Infinity]"
WIDE, BIG = b"[9007199254740993,18446744073709551615]", b"[18446744073709551616]"
TEXT = (b'"\\ud83d\\ude00\\u0000\x7f\\/"', '"\\ud83d\\ude00\\u0000\\u007f/"')
BOM, BAD, CESU, LONE = b"\xef\xbb\xbf[1]", b'"\xff"', b'"\xed\xa0\x80"', b'"\\ud800"'
DEEP, DEEPER = b"[" * 512 + b"]" * 512, b"[" * 513 + b"]" * 513
UTF16 = b"[\x001\x00]\x00"
EMOJI = b'{"\\ud83d\\ude00":1,"\xf0\x9f\x98\x80":2}'
BEYOND, FARTHER = b'"\xf4\x90\x80\x80"', b'"\xf8\x88\x80\x80\x80"'  # U+110000, U+200000
MORE = [(EMOJI, '{"\\ud83d\\ude00":2}'), (b"[-1e400]", "[-Infinity]")]
STRICT = (b"", b"[1", b"[1,]", b"[NaN]", b"/**/[1]", b"[1] 2", b"[01]", b"[+1]", b"{a:1}", b"tru")


def refused(no: str, *texts: bytes) -> list[tuple[bytes, str]]:
    return [(text, no) for text in texts]


LENIENT = [  # what the three modules of Perl have in common
    (NUMBERS, TYPED),
    (WIDE, WIDE.decode()),
    TEXT,
    (CESU, '"\\ud800"'),  # Perl's own UTF-8 has surrogates
    (BAD, UTF8),
    (b'{"\xff":1,"\xfe":2}', UTF8),
    (DEEP, DEEP.decode()),
    *refused(PERL, DEEPER, LONE, b'"\\udc00"', b"[1]\x00"),
]
XS = [*LENIENT, (BIG, '["18446744073709551616"]')]
XS_FLOATS = [  # its own conversion, which misses the nearest binary64
    (b"[1e23,5e-324,0.1234567890123456789012345]", "[1.0000000000000001e+23,0.0,0.12345678901234566]"),
]
BEYOND_UNICODE = [(BEYOND, 'X"text:U+110000"'), (b'{"\xf4\x90\x80\x80a":1}', '{X"text:U+110000 U+0061":1}')]
RELAXED = [
    *XS,
    (b"[1,# x\n2,]", "[1,2]"),
    (b'{"a":1,}', '{"a":1}'),
    *refused(PERL, b"[01]", b"[1] 2", b"[NaN]", b"/**/[1]"),
]
PLAIN = [*refused(PERL, *STRICT, b'"a\tb"')]

PHP_BOTH = [
    *MORE,
    (THRICE, ONCE),
    (NESTED, LAST),
    (NUMBERS, TYPED),
    TEXT,
    (b'{"":1,"_empty_":2}', '{"":1,"_empty_":2}'),
    *refused("reject parse JSON_ERROR_DEPTH", DEEP, b"[" * 10_000 + b"]" * 10_000),
    (b"[" * 511 + b"]" * 511, "[" * 511 + "]" * 511),
    *refused("reject parse JSON_ERROR_UTF16", LONE, b'"\\udc00"'),
    *refused(PHP, *STRICT, BOM),
    *refused(PHP_CTRL, b'"a\tb"', b"[1]\x00"),
]
PHP_BYTES = refused(PHP_UTF8, BAD, CESU, b'{"\xff":1,"\xfe":2}')
PHP_BIG = [(BIG, "[1.8446744073709552e+19]"), (b"[9223372036854775808]", "[9.223372036854776e+18]")]
NUL_NAME = b'{"\\u0000a":1}'

TABLES: dict[str, Rows] = {
    "perl/json-pp": [
        (THRICE, ONCE),
        (NESTED, LAST),
        *LENIENT,
        *MORE,
        *BEYOND_UNICODE,
        (FARTHER, UTF8),
        (UTF16, "[1]"),
        (BOM, PERL),
        *PLAIN,
    ],
    "perl/json-xs": [
        (THRICE, ONCE),
        (NESTED, LAST),
        *XS,
        *MORE,
        *XS_FLOATS,
        *BEYOND_UNICODE,
        (FARTHER, 'X"text:U+200000"'),
        *refused(PERL, BOM, UTF16),
        *PLAIN,
    ],
    "perl/json-xs-relaxed": [(THRICE, ONCE), (NESTED, LAST), *RELAXED, *XS_FLOATS, *BEYOND_UNICODE],
    "perl/cpanel": [
        *refused(PERL, THRICE, NESTED, b'[{"a":{"b":1,"b":1}}]'),
        (b'[{"a":1},{"a":{"a":2}}]', '[{"a":1},{"a":{"a":2}}]'),
        *refused(PERL, EMOJI, UTF16),
        *refused(UTF8, BEYOND, FARTHER),
        (b"\xff\xfe" + UTF16, "[1]"),
        (BOM, "[1]"),
        *XS,
        *PLAIN,
    ],
    "perl/cpanel-dupkeys": [(THRICE, ONCE), (NESTED, LAST), (BOM, "[1]"), *XS, *MORE, *PLAIN],
    "perl/cpanel-relaxed": [(THRICE, ONCE), (NESTED, LAST), *RELAXED, *MORE, *BEYOND_UNICODE],
    "php/json": [
        (b"[{},[]]", "[[],[]]"),
        (b'{"0":"x","1":"y"}', '["x","y"]'),
        (b'{"1":"x"}', '{"1":"x"}'),
        (NUL_NAME, '{"\\u0000a":1}'),
        *PHP_BOTH,
        *PHP_BYTES,
        *PHP_BIG,
    ],
    "php/json-objects": [
        (b"[{},[]]", "[{},[]]"),
        (b'{"0":"x","1":"y"}', '{"0":"x","1":"y"}'),
        (NUL_NAME, "reject parse JSON_ERROR_INVALID_PROPERTY_NAME"),
        *PHP_BOTH,
        *PHP_BYTES,
        *PHP_BIG,
    ],
    "php/json-bigint": [
        (BIG, '["18446744073709551616"]'),
        (b"[9223372036854775807,-9223372036854775809]", '[9223372036854775807,"-9223372036854775809"]'),
        *PHP_BOTH,
        *PHP_BYTES,
    ],
    "php/json-substitute": [
        (BAD, '"\\ufffd"'),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":2}'),
        *PHP_BOTH,
        *PHP_BIG,
    ],
    "lua/cjson": [
        (THRICE, '{"a":3.0}'),
        (NESTED, '{"a":{"y":2.0},"b":0.0}'),
        (b"[20,-0,1e400,0x10,01,NaN,+1]", "[20.0,-0.0,Infinity,16.0,1.0,NaN,1.0]"),
        (WIDE, "[9007199254740992.0,1.8446744073709552e+19]"),
        TEXT,
        (b'{"a":[],"b":null,"c":[null,1]}', '{"a":{},"b":null,"c":[null,1.0]}'),
        (BAD, 'b"ff"'),
        (b'{"\xff":1,"\xfe":2}', '{b"fe":2.0,b"ff":1.0}'),
        (b'"a\tb"', '"a\\tb"'),
        (b"[1]\x00[2]", "[1.0]"),  # what it reads ends at a NUL
        (b"[" * 1000 + b"]" * 1000, "[" * 999 + "{}" + "]" * 999),
        *refused("reject decode CjsonEncodingError", UTF16, b"\x00[1]"),
        (BEYOND, 'b"f4908080"'),
        *refused(CJSON, b"[" * 1001 + b"]" * 1001, BOM, LONE, b"", b"[1", b"[1,]", b"/**/[1]", b"[1] 2"),
    ],
    "lua/dkjson": [
        (THRICE, ONCE),
        (NESTED, LAST),
        (NUMBERS, TYPED),
        (WIDE, "[9007199254740993,1.8446744073709552e+19]"),
        TEXT,
        (b'{"a":[],"b":null,"c":[null,{}]}', '{"a":[],"b":null,"c":[null,{}]}'),
        (b'{"__jsontype":"array","1":2}', '{"1":2,"__jsontype":"array"}'),
        (LONE, 'b"eda080"'),
        (BAD, 'b"ff"'),
        (BOM, "[1]"),
        (b"[1,]", "[1]"),
        (b"/*x*/[1]", "[1]"),
        (b'{"a"}', '{X"number:1":"a"}'),  # without a colon it is an element
        (b'"a\x00b"', '"a\\u0000b"'),
        *MORE,
        (BEYOND, 'b"f4908080"'),
        (b"[1] 2", "[1]"),  # where it ended is a second result
        *refused(DKJSON, b"", b"[1", b"[NaN]", b"{a:1}"),
    ],
    "jq/jq": [
        (THRICE, '{"a":3.0}'),
        (NESTED, '{"a":{"y":2.0},"b":0.0}'),
        (b"[20,20.0,1.10,-0]", "[20.0,20.0,1.1,-0.0]"),
        (b"[1e400]", "[1.7976931348623157e+308]"),  # as it writes infinity
        (b"[nan]", "[null]"),
        TEXT,
        (BAD, '"\\ufffd"'),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":2.0}'),
        (BOM, "[1.0]"),
        (b"[01]", "[1.0]"),
        (b"[1] 2", 'X"stream:2 values"'),
        (b"", 'X"stream:0 values"'),
        *refused(JQ, b"[1", b"[1,]", b"[1] x", b"/**/[1]", b'"a\tb"', b"{a:1}", b"[" * 300 + b"]" * 300),
    ],
}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_subject_has_rows(adapter: str) -> None:
    own = {key: rows for key, rows in TABLES.items() if key.startswith(adapter + "/")}
    assert untested(adapter, own) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_doctor_finds_all_of_them_well(adapter: str) -> None:
    assert ill(f"{adapter}/*") == {}


@pytest.mark.parametrize(
    ("key", "runtime", "library"),
    [
        ("perl/json-pp", "Perl 5.", "JSON::PP 4."),
        ("perl/json-xs", "Perl 5.", "JSON::XS "),
        ("perl/cpanel", "Perl 5.", "Cpanel::JSON::XS 4."),
        ("php/json", "PHP ", "json "),
        ("lua/cjson", "Lua 5.4", "cjson 2."),
        ("lua/dkjson", "Lua 5.4", "dkjson 2."),
        ("jq/jq", "jq 1.", "jq 1."),
    ],
)
def test_the_identity_says_runtime_and_library(key: str, runtime: str, library: str) -> None:
    lines = ready(start(key, HERE).argv, greeting(key)).text.splitlines()
    assert lines[1].startswith(f"runtime {runtime}")
    assert lines[2].startswith(f"library {library}")
    assert any(line.startswith("file /") for line in lines)


@pytest.mark.parametrize("key", TABLES)
def test_messages_hold_neither_the_input_nor_a_path(key: str) -> None:
    for answer in parse(key, HERE, [b'{"secret": secret}', b'["secret', b'{"secret":1,"secret":2 x']):
        assert answer.verb == "reject"
        assert "secret" not in answer.text
        assert "worker" not in answer.text


@pytest.mark.parametrize("key", ["perl/json-xs", "php/json", "lua/dkjson", "jq/jq"])
def test_emit_is_the_librarys_own_text(key: str) -> None:
    (answer,) = parse(key, HERE, [b'{"a" : [1, null, "\\u00e9", 1]}'], "emit")
    assert answer.verb == "accept"
    assert answer.body.decode().rstrip("\n") in {
        '{"a":[1,null,"\u00e9",1]}',
        '{"a":[1,null,"\\u00e9",1]}',
    }


def test_without_jq_the_subject_is_absent() -> None:
    found = start("jq/jq", HERE)
    said = ready(found.argv, greeting("jq/jq"), {"PATH": "/nowhere"})
    assert (said.verb, said.text) == ("fault", "ProgramNotFound jq is not on the PATH")
