"""Python's readers of tables, put to one record: the version that is tested, inputs and answers by hand."""

from __future__ import annotations

PINNED = {"polars": "2.1.0", "pandas": "3.1.1", "pyarrow": "26.0.1"}

POLARS, FRAME = "reject parse ComputeError", "reject bind ComputeError"
UJSON, ARROW, TYPES = "reject parse UjsonError", "reject parse ArrowInvalid", "reject bind ArrowInvalid"

THRICE = b'{"a":1,"\\u0061":2,"b":0,"a":3}'
NESTED = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
INNER = b'{"a":{"b":1,"b":2}}'
MIXED = b'{"a":[1,"x"]}'
WIDE, BIG = b'{"n":9007199254740993}', b'{"n":18446744073709551616}'
HUGE, ZEROS = b'{"n":1e400}', b'{"n":-0,"m":-0.0}'
LONE, PAIR = b'{"s":"a\\ud800b"}', (b'{"s":"\\ud83d\\ude00\\u0000"}', '{"s":"\\ud83d\\ude00\\u0000"}')
BAD, BOM, NAN = b'{"s":"\xff"}', b'\xef\xbb\xbf{"a":1}', b'{"a":NaN}'
GAPS = b'{"a":[{"x":1},{"y":2}]}'
NO_RECORD = [(text, "unsupported") for text in (b"", b"[]", b"1", b'"x"', b'[{"a":1}]', b"null", b"\xff")]
ONE_LINE = [(text, "unsupported") for text in (b'{"a":\n1}', b'{"a":1}\n{"a":2}')]
BROKEN = (b'{"a":1', b'{"a":1}x', b"{'a':1}", b'{"a":1}\x00', b"{a:1}", b"{1:1}")

POLARS_BOTH = [
    (THRICE, '{"a":1,"b":0}'),
    (INNER, "reject parse DuplicateError"),
    (b'{"a":null,"a":1}', '{"a":null}'),
    (b'{"a":[1,2.5]}', '{"a":[1.0,2.5]}'),
    (MIXED, '{"a":["1","x"]}'),  # one type for all, and it is text
    (WIDE, '{"n":9007199254740993}'),
    (BIG, '{"n":18446744073709551616}'),
    (ZEROS, '{"n":0,"m":-0.0}'),
    (LONE, '{"s":"a\\u0000b"}'),
    PAIR,
    (GAPS, '{"a":[{"x":1,"y":null},{"x":null,"y":2}]}'),
    (b'{"":1,"a":{},"b":[]}', '{"":1,"a":{},"b":[]}'),
    (BAD, "reject decode ComputeError"),
    *((text, POLARS) for text in (*BROKEN, HUGE, NAN, b'{"a":1,}', b'{"a":01}')),
    (b'{"v":' + b"[" * 1024 + b"]" * 1024 + b"}", POLARS),
    (b'{"v":' + b'{"a":' * 250 + b"[]" + b"}" * 251, "unsupported"),
    (b'{"v":' * 1025 + b"1" + b"}" * 1025, POLARS),
    *NO_RECORD,
]
ROWS: dict[str, list[tuple[bytes, str]]] = {
    "python/polars-ndjson": [
        *POLARS_BOTH,
        *ONE_LINE,
        (NESTED, '{"a":{"y":null},"b":0}'),  # the last one's type, and the first one's value
        (b'{"a":[1,[2]]}', "reject bind SchemaError"),
        (BOM, POLARS),
        (b"{}", "{}"),
    ],
    "python/polars-json": [
        *POLARS_BOTH,
        (NESTED, FRAME),
        (b'{"a":[1,[2]]}', '{"a":[[1],[2]]}'),
        (BOM, '{"a":1}'),
        (b'{"a":\n1}', '{"a":1}'),
        (b"{}", 'X"table:0 rows"'),
    ],
    "python/pandas-lines": [
        (THRICE, '{"a":3,"b":0}'),
        (NESTED, '{"a":{"y":2},"b":0}'),
        (INNER, '{"a":{"b":2}}'),
        (MIXED, '{"a":[1,"x"]}'),
        (WIDE, '{"n":9007199254740993}'),
        (HUGE, '{"n":Infinity}'),
        (ZEROS, '{"n":0,"m":-0.0}'),
        (b'{"a":null,"b":[null]}', '{"a":NaN,"b":[null]}'),
        (LONE, '{"s":"ab"}'),  # it leaves the half pair out
        PAIR,
        (b'{"date":1577836800,"x_at":"2020-01-01"}', '{"date":1577836800,"x_at":"2020-01-01"}'),
        (NAN, '{"a":NaN}'),
        (b'{"a":1,}', '{"a":1}'),
        (b'{"a":01}', '{"a":1}'),
        (b'{"a":1},{"b":2}', 'X"table:2 rows"'),
        (BAD, "reject decode UnicodeDecodeError"),
        *((text, UJSON) for text in (*BROKEN, BIG, BOM, b'{"a":"\\x41"}', b'{"a":nul}', b'{"a" 1}')),
        (b'{["a"]:1}', "fault TypeError"),
        (b'{"v":' + b"[" * 1024 + b"]" * 1024 + b"}", UJSON),
        *NO_RECORD,
        *ONE_LINE,
    ],
    "python/pyarrow": [
        *((text, ARROW) for text in (THRICE, NESTED, INNER, b'{"a":null,"a":1}')),
        (MIXED, TYPES),
        (b'{"a":[1,[2]]}', TYPES),
        (b'{"a":[1,2.5]}', '{"a":[1.0,2.5]}'),
        (WIDE, '{"n":9007199254740993}'),
        (BIG, '{"n":1.8446744073709552e+19}'),
        (ZEROS, '{"n":0,"m":-0.0}'),
        PAIR,
        (GAPS, '{"a":[{"x":1,"y":null},{"x":null,"y":2}]}'),
        (BAD, '{"s":b"ff"}'),
        (b'{"s":["\xff","a"],"t":{"u":"\xfe","v":1}}', '{"s":[b"ff","a"],"t":{"u":b"fe","v":1}}'),
        (NAN, '{"a":NaN}'),
        (BOM, '{"a":1}'),
        (b'{"a":\n1}', '{"a":1}'),
        (b'{"a":1} {"b":2}', 'X"table:2 rows"'),
        (b"{}", "{}"),
        (b'{"d":"2020-01-01"}', '{"d":X"datetime.datetime:datetime.datetime(2020, 1, 1, 0, 0)"}'),
        *((text, ARROW) for text in (*BROKEN, HUGE, LONE, b'{"a":1,}', b'{"a":01}')),
        (b'{"v":' + b"[" * 2000 + b"]" * 2000 + b"}", "unsupported"),
        *NO_RECORD,
    ],
}
