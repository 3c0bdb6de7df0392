"""Python libraries outside the default set, really installed: values by hand, identity, the doctor."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import ask, ready, run
from tests.adapters.started import greeting, outcome
from tests.provision.asked import given, shared_cache
from whichwins.provision import Absent
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits

PINNED = {
    "msgspec": "0.23.0",
    "pysimdjson": "7.0.2",
    "jiter": "0.19.0",
    "pydantic-core": "2.50.5",
    "ijson": "3.6.0",
    "json5": "0.17.3",
    "jsonyx": "2.4.0",
    "demjson3": "3.0.6",
    "hjson": "3.1.0",
    "PyYAML": "6.0.4",
    "duckdb": "2.0.1",
}
FROM_SOURCE = ("jsonyx", "demjson3")
"""Their authors publish no wheels for every interpreter."""

UTF8 = "reject decode UnicodeDecodeError"
MSGSPEC, SIMD, VALUE = "reject parse DecodeError", "reject parse SimdjsonError", "reject parse ValueError"
IJSON, JSON5, DUCK = (
    "reject parse IncompleteJSONError",
    "reject parse Json5Error",
    "reject parse MalformedJSON",
)
JSONYX, DEM, HJSON = (
    "reject parse JSONSyntaxError",
    "reject parse JSONDecodeError",
    "reject parse HjsonDecodeError",
)

THRICE = b'{"a":1,"\\u0061":2,"a":3}'
NESTED = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
LAST, FIRST = '{"a":{"y":2},"b":0}', '{"a":{"x":1},"b":0}'
INNER, INNER_FIRST = b'[{"a":{"b":1,"b":2},"a":{"c":3,"c":4}}]', '[{"a":{"b":1}}]'
BIG = b"[18446744073709551616]"
PAIR = (b'"\\ud83d\\ude00\\u0000"', '"\\ud83d\\ude00\\u0000"')
BOM, BAD, LONE = b"\xef\xbb\xbf[1]", b'"\xff"', b'"\\ud800"'
STRICT = (b"", b"[1", b"[1,]", b"/**/[1]", b"[1] 2", b"[1]\x00", b'"a\tb"', b"[01]", b"{a:1}")


def strict(no: str) -> list[tuple[bytes, str]]:
    """What everyone refuses who reads JSON only."""
    return [(data, no) for data in STRICT]


JITER = [
    (b"[-0.0,-0,1e400,NaN]", "[-0.0,0,Infinity,NaN]"),
    (BIG, "[18446744073709551616]"),
    PAIR,
    *((data, VALUE) for data in (BOM, BAD, LONE, b'"\xed\xa0\x80"', b"[" * 256 + b"]" * 256)),
    *strict(VALUE),
]
YAML = [
    (THRICE, '{"a":3}'),
    (NESTED, LAST),
    (b"[1e3,1.5e+3,-0.0,010,1_0,yes,~]", '["1e3",1500.0,-0.0,8,10,true,null]'),
    (b"[1e400,NaN,.inf]", '["1e400","NaN",Infinity]'),
    (b'{"a":1,}', '{"a":1}'),
    (b"", "null"),
    (b"[1] #x", "[1]"),
    (b'{"<<":{"b":1}}', '{"<<":{"b":1}}'),
    (b'{<<: {"b":1}, "a":2}', '{"b":1,"a":2}'),
    (b"{1: 2, null: 3}", '{X"int:1":2,X"NoneType:None":3}'),
    (BOM, "[1]"),
    (BAD, "reject decode ReaderError"),
    (b"[1]\x00", "reject parse ReaderError"),
    (b"1" * 5000, "fault ValueError"),
]
JSON5_ROWS = [
    (
        b"{a:'b',c:0x10,d:+1,e:.5,f:[NaN,-Infinity,],}//x",
        '{"a":"b","c":16,"d":1,"e":0.5,"f":[NaN,-Infinity]}',
    ),
    (b"[-0.0,-0,1e400]", "[-0.0,0,Infinity]"),
    (BIG, "[18446744073709551616]"),
    (LONE, '"\\ud800"'),
    (b'"\\ud83d\\ude00"', 'u"0000d83d0000de00"'),
    (BOM, "[1]"),
    (BAD, UTF8),
    (b"[" * 1000 + b"]" * 1000, "fault RecursionError"),
    (b"1" * 5000, "fault ValueError"),
    (b'"' + b"x" * 300_000 + b'"', "unsupported"),
    *((data, JSON5) for data in (b"", b"[1", b"[1] 2", b"[1]\x00", b"[01]")),
]
DUCK_ROWS = [
    *((data, DUCK) for data in STRICT if data != b"[1,]"),
    (BOM, DUCK),
    (LONE, DUCK),
    (BAD, UTF8),
    PAIR,
]

# By hand: the grammar, the documentation of each library, IEEE 754.
ROWS: dict[str, list[tuple[bytes, str]]] = {
    "python/msgspec": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[-0.0,-0]", "[-0.0,0]"),
        (BIG, "[18446744073709551616]"),
        (b"[1e400]", "reject parse ValidationError"),
        (b"1" * 5000, "reject parse ValidationError"),
        PAIR,
        *((data, MSGSPEC) for data in (BOM, BAD, LONE, b"[NaN]")),
        (b"[" * 10_000 + b"]" * 10_000, "fault RecursionError"),
        *strict(MSGSPEC),
    ],
    "python/simdjson": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[-0.0,-0]", "[-0.0,0]"),
        (b"[18446744073709551615]", "[18446744073709551615]"),
        PAIR,
        (BOM, "[1]"),
        (BAD, UTF8),
        *((data, SIMD) for data in (BIG, LONE, b"[1e400]", b"[NaN]", b"[" * 10_000 + b"]" * 10_000)),
        *strict(SIMD),
    ],
    "python/simdjson-lookup": [
        (THRICE, '{"a":1}'),
        (NESTED, FIRST),
        (INNER, INNER_FIRST),
        (b'{"a":[],"b":{},"c":[{"d":null}]}', '{"a":[],"b":{},"c":[{"d":null}]}'),
        (b'{"a\\u0000b":1}', '{"a\\u0000b":X"missing"}'),  # a name is handed on as a C string
        (b"20", "20"),
        (BOM, "[1]"),
        (BAD, UTF8),
        *strict(SIMD),
    ],
    "python/jiter": [(THRICE, '{"a":3}'), (NESTED, LAST), (b"[1.50]", "[1.5]"), *JITER],
    "python/jiter-unique": [
        (THRICE, VALUE),
        (NESTED, VALUE),
        (INNER, VALUE),
        (b'[{"a":1},{"a":{"a":2}}]', '[{"a":1},{"a":{"a":2}}]'),
        *JITER,
    ],
    "python/jiter-lossless": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[1.10,20.0,20,-0.0,1e400]", "[D1.10,D20.0,20,D-0.0,D1e400]"),
        (b"[NaN,-Infinity]", "[NaN,-Infinity]"),
        (b"0.1234567890123456789012", "D0.1234567890123456789012"),
        *strict(VALUE),
    ],
    "python/pydantic-core": [(THRICE, '{"a":3}'), (NESTED, LAST), (b"[1.50]", "[1.5]"), *JITER],
    "python/ijson": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[20,20.0,1.10,-0.0,-0,1e400]", "[20,D20.0,D1.10,D-0.0,0,D1E+400]"),
        (LONE, '"\\ud800"'),
        PAIR,
        (BAD, IJSON),
        (b"[1,]", "reject parse UnexpectedSymbol"),
        (BOM, "reject parse UnexpectedSymbol"),
        (b"[1] 2", "reject parse JSONError"),
        (b"[01]", "reject parse JSONError"),
        (b'"a\tb"', "reject parse JSONDecodeError"),
        (b"[1", IJSON),
        (b"", IJSON),
    ],
    "python/ijson-yajl": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[20,20.0,1.10,-0.0,-0,1e400]", "[20,D20.0,D1.10,D-0.0,0,D1E+400]"),
        (LONE, '"?"'),  # YAJL's own answer to half a pair
        PAIR,
        (BAD, IJSON),
        (b'"\xed\xa0\x80"', UTF8),
        (BOM, IJSON),
        *strict(IJSON),
    ],
    "python/json5": [(THRICE, '{"a":3}'), (NESTED, LAST), *JSON5_ROWS],
    "python/json5-unique": [
        (THRICE, JSON5),
        (NESTED, JSON5),
        (INNER, JSON5),
        (b'[{"a":1},{a:{"a":2}}]', '[{"a":1},{"a":{"a":2}}]'),
        *JSON5_ROWS,
    ],
    "python/jsonyx": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[-0.0,-0,1e400]", "[-0.0,0,Infinity]"),
        (BIG, "[18446744073709551616]"),
        PAIR,
        (BOM, "[1]"),
        (BAD, "reject decode TruncatedSyntaxError"),
        (LONE, JSONYX),
        (b"[NaN]", JSONYX),
        (b"1" * 5000, "fault ValueError"),
        *strict(JSONYX),
    ],
    "python/demjson3": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[-0.0,-0,1e2,1.5]", "[-0.0,-0.0,100,1.5]"),
        (b"[1e400]", "[1" + "0" * 400 + "]"),
        (b"[0.1234567890123456789012]", "[D0.1234567890123456789012]"),
        (b"{a:'b',}//x", '{"a":"b"}'),
        (b"[01,NaN]", "[1,NaN]"),
        (BOM, "[1]"),
        (BAD, "reject decode JSONDecodeError"),
        (LONE, DEM),
        (b"[1] 2", DEM),
        (b"", DEM),
        (b"[" * 5000 + b"]" * 5000, "fault Failure"),
    ],
    "python/demjson3-strict": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[1.5]", "[1.5]"),
        (BAD, "reject decode JSONDecodeError"),
        (b"[NaN]", DEM),
        (LONE, DEM),
        *strict(DEM),
    ],
    "python/hjson": [
        (THRICE, '{"a":3}'),
        (NESTED, LAST),
        (b"[20.0,-0.0,1.10,10000000000.0]", "[20,0,1.1,10000000000.0]"),  # below 1e10 it makes integers
        (b"{a: b c\n# x\nd: [1,]}", '{"a":"b c","d":[1]}'),
        (b"a: 1\nb: true", '{"a":1,"b":true}'),
        (b"", "{}"),
        (b"[1e400]", "fault OverflowError"),
        (LONE, '"\\ud800"'),
        (BOM, "[1]"),
        (BAD, UTF8),
        (b"[1] 2", HJSON),
        (b"[1", HJSON),
    ],
    "python/yaml": [*YAML, (b'"\\ud83d\\ude00"', 'u"0000d83d0000de00"')],
    "python/yaml-c": [*YAML, (b'"\\ud83d\\ude00"', "reject parse ScannerError")],
    "python/duckdb-extract": [
        (THRICE, '{"a":1}'),
        (NESTED, FIRST),
        (INNER, INNER_FIRST),
        (b'{"a/b":1,"~":"x","\\"":true,"":null,"0":[]}', '{"a/b":1,"~":"x","\\"":true,"":null,"0":[]}'),
        (b"[20,20.0,1.10,-0.0,-0]", "[20,20.0,1.1,-0.0,0]"),
        (b"[18446744073709551616,1e400,1.5e2]", "[D18446744073709551616,D1e400,150.0]"),
        (b"[1,]", "[1]"),
        (b"[NaN,-Infinity]", "[NaN,-Infinity]"),
        (b"[" * 502 + b"]" * 502, "unsupported"),
        *DUCK_ROWS,
    ],
    "python/duckdb-json": [
        (THRICE, '{"a":D1,"a":D2,"a":D3}'),
        (NESTED, '{"a":{"x":D1},"b":D0,"a":{"y":D2}}'),
        (b"[20,20.0,1.10,-0]", "[D20,D20.0,D1.1,D0]"),
        (b"[18446744073709551616]", "[D18446744073709551616]"),
        (b"[1,]", "[D1]"),
        *DUCK_ROWS,
    ],
}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def column(key: str) -> str:
    (subject,) = select(load_adapters(), [key])
    return f"{key}@{PINNED[subject.packages[0]]}"


def installed(place: Path, key: str) -> Launch:
    env = {**os.environ, "WHICHWINS_CACHE": str(place)}
    (subject,) = select(load_adapters(), [key])
    (found,) = given(env, column(key), allow_build=subject.packages[0] in FROM_SOURCE)
    if isinstance(found, Absent):
        pytest.skip(f"{key}: {found.reason}: {found.install}")
    return found


@pytest.mark.parametrize("key", ROWS)
def test_values_worked_out_by_hand(place: Path, key: str) -> None:
    found = installed(place, key)
    answers = ask(found.argv, greeting(key), [data for data, _ in ROWS[key]], env=found.env)
    said = [(data[:60], outcome(one)) for (data, _), one in zip(ROWS[key], answers, strict=True)]
    assert said == [(data[:60], want) for data, want in ROWS[key]]


@pytest.mark.parametrize("key", ROWS)
def test_identity(place: Path, key: str) -> None:
    found = installed(place, key)
    lines = ready(found.argv, greeting(key), found.env).text.splitlines()
    (subject,) = select(load_adapters(), [key])
    assert f"library {subject.packages[0]} {PINNED[subject.packages[0]]}" in lines
    files = [Path(line[5:]) for line in lines if line.startswith("file ")]
    assert files
    assert all(path.is_file() for path in files)
    assert subject.install == f"pip install {subject.packages[0]}"


@pytest.mark.parametrize("key", ROWS)
def test_the_doctor_finds_it_well(place: Path, key: str) -> None:
    found = installed(place, key)
    (subject,) = select(load_adapters(), [column(key)])
    (checkup,) = examine([subject], {subject.key: found}, Limits(case_seconds=60))
    assert checkup.absent is None
    assert [one.findings for one in checkup.checks if one.findings] == []


@pytest.mark.parametrize("key", ["python/duckdb-json", "python/simdjson", "python/yaml-c"])
def test_it_is_absent_where_it_is_not_installed(place: Path, key: str) -> None:
    """The library of another one: `import` fails, and the subject says so before any case."""
    found = installed(place, "python/msgspec")
    said = ready(found.argv, greeting(key), found.env)
    assert (said.verb, said.text.split()[0]) == ("fault", "ModuleNotFoundError")


def test_what_the_library_crashes_on_is_a_crash(place: Path) -> None:
    """yajl2_c hands an integer beyond Python's digit limit on as NULL."""
    found = installed(place, "python/ijson-yajl")
    sent = greeting("python/ijson-yajl") + b"parse 1 4301\n" + b"1" * 4301 + b"\nbye 2 0\n\n"
    assert run(found.argv, sent, found.env).status == -11


def test_duckdb_does_not_echo_the_input(place: Path) -> None:
    found = installed(place, "python/duckdb-json")
    (answer,) = ask(found.argv, greeting("python/duckdb-json"), [b'{"secret":'], env=found.env)
    assert answer.verb == "reject"
    assert "secret" not in answer.text
