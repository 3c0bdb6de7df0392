"""Python libraries outside the default set: the version that is tested, inputs and answers by hand."""

from __future__ import annotations

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
