"""The Java adapter: values worked out by hand for every subject, the doctor, the identity, the lock."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.adapters.client import ready
from tests.adapters.started import ADAPTERS, greeting, start
from tests.built.rows import HERE, Rows, ill, untested, wrong

pytestmark = pytest.mark.built

JACKSON = "com.fasterxml.jackson"
SYNTAX, END = (
    f"reject parse {JACKSON}.core.JsonParseException",
    f"reject parse {JACKSON}.core.io.JsonEOFException",
)
LIMIT = f"reject parse {JACKSON}.core.exc.StreamConstraintsException"
MISFIT = f"{JACKSON}.databind.exc.MismatchedInputException"
UNKNOWN = f"reject bind {JACKSON}.databind.exc.UnrecognizedPropertyException"
FORMAT = f"reject bind {JACKSON}.databind.exc.InvalidFormatException"
WRAPPED = f"{JACKSON}.databind.JsonMappingException"
GSON, GSON_BIND = (f"reject {stage} com.google.gson.JsonSyntaxException" for stage in ("parse", "bind"))
MALFORMED, EOF = (
    "reject parse com.google.gson.stream.MalformedJsonException",
    "reject parse java.io.EOFException",
)
ORG, FAST = "reject parse org.json.JSONException", "reject parse com.alibaba.fastjson2.JSONException"
FAST_BIND = "reject bind com.alibaba.fastjson2.JSONException"
SMART = "reject parse net.minidev.json.parser.ParseException"
MOSHI, MOSHI_DATA = (f"reject parse com.squareup.moshi.Json{kind}Exception" for kind in ("Encoding", "Data"))
MOSHI_BIND = "reject bind com.squareup.moshi.JsonDataException"
OVERFLOW = "fault java.lang.StackOverflowError"

TWO = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
ESCAPED, NESTED = b'{"\\u0061":1,"a":2}', b'{"o":{"a":1,"a":2}}'
NUMBERS, WIDE = b"[20,20.0,1e2,-1.5]", b"[9007199254740993,18446744073709551616]"
TEXT = (b'["\\ud83d\\ude00\\u0000\\/\xc3\xa9"]', '["\\ud83d\\ude00\\u0000/\\u00e9"]')
LONE = (b'["\\ud800"]', '["\\ud800"]')
BAD, HUGE, MORE = b'["\xff"]', b"[1e400]", b"[1] 2"
MARK = b"\xef\xbb\xbf[1]"
LAST, LAST_DOUBLE, LAST_KEPT = (
    '{"a":{"y":2},"b":0}',
    '{"a":{"y":2.0},"b":0.0}',
    '{"a":{"y":D2},"b":D0}',
)


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def jackson(last: bool = True, more: str | None = None) -> Rows:
    """What all of Jackson's untyped readers do."""
    return [
        *([(TWO, LAST), (ESCAPED, '{"a":2}'), (NESTED, '{"o":{"a":2}}')] if last else []),
        (WIDE, WIDE.decode()),
        TEXT,
        LONE,
        (MARK, "[1]"),
        (b"\xff\xfe[\x001\x00]\x00", "[1]"),  # UTF-16 is detected
        (MORE, more or "[1]"),
        *((data, SYNTAX) for data in (BAD, b"[01]", b"[1,]", b"[NaN]", b'["\x00"]', b"/*c*/[1]", b"['a']")),
        (b"[1", END),
        (deep(1000), "[" * 1000 + "]" * 1000),
        (deep(10_000), LIMIT),
    ]


TYPED = [(NUMBERS, "[20,20.0,100.0,-1.5]"), (HUGE, "[Infinity]"), (b"[-0,-0.0]", "[0,-0.0]")]
MISSING = (b" ", 'X"MissingNode"')
NO_CONTENT = (b" ", f"reject parse {MISFIT}")
REPEATED = [(data, SYNTAX) for data in (TWO, ESCAPED, NESTED)]
REPEATED_KEYS = [(data, f"reject parse {MISFIT}") for data in (TWO, ESCAPED, NESTED)]

GSON_TREE: Rows = [
    (TWO, LAST_KEPT),
    (ESCAPED, '{"a":D2}'),
    (NUMBERS, "[D20,D20.0,D1e2,D-1.5]"),
    (HUGE, "[D1e400]"),
    (b"[-0,-0.0,1E+2]", "[D-0,D-0.0,D1E+2]"),
    TEXT,
    (BAD, '["\\ufffd"]'),
    (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":D2}'),  # decoding makes them one name
    (MARK, "[D1]"),
    (deep(255), "[" * 255 + "]" * 255),
]
GSON_LENIENT: Rows = [
    LONE,
    (b"[NaN,nul]", '["NaN","nul"]'),
    (b"", "null"),
    (MORE, GSON),
    (b'{"a":1,}', GSON),
    (deep(10_000), GSON),
]
ORG_TREE: Rows = [
    (NUMBERS, "[20,D20.0,D1E+2,D-1.5]"),
    (WIDE, WIDE.decode()),
    (b"[-0,-0.0,1e400]", "[-0.0,-0.0,D1E+400]"),
    TEXT,
    LONE,
    (BAD, '["\\ufffd"]'),
    (MORE, "[1]"),
    (b"[1,,2,]", "[1,null,2]"),
    (b"[01,nul,'a']", '["01","nul","a"]'),
    (b'["\x00"]', ORG),
    (b"", ORG),
    (deep(10_000), OVERFLOW),
]
FAST_BYTES: Rows = [
    (NUMBERS, "[20,D20.0,100.0,D-1.5]"),
    (WIDE, WIDE.decode()),
    (b"[-0,-0.0,1e400]", "[0,D0.0,Infinity]"),
    TEXT,
    LONE,
    (BAD, FAST),
    (MARK, FAST),
    (MORE, FAST),
    (b"[01,+1,]", "[1,1]"),
    (b"{a:1,'b':2,}", '{"a":1,"b":2}'),
    (b"/*c*/[NaN]", "[NaN]"),
    (b"", "null"),
    (b"{1:2}", '{X"java.lang.Integer:1":2}'),
    (b"[Set[1]]", '[X"java.util.HashSet:[1]"]'),
    (deep(10_000), FAST),
]
SMART_ALL: Rows = [
    (TWO, LAST),
    (ESCAPED, '{"a":2}'),
    (NUMBERS, "[20,20.0,100.0,-1.5]"),
    (WIDE, WIDE.decode()),
    (b"[-0,-0.0,1e400]", "[0,-0.0,Infinity]"),
    (b"[3.141592653589793238]", "[D3.141592653589793238]"),
    LONE,
    (BAD, '["\\ufffd"]'),
    (b"[1", SMART),
    (deep(10_000), SMART),
]
SMART_STRICT: Rows = [(data, SMART) for data in (b"[01]", b"['a']", b"[NaN]", b"", b'["\x00"]')]
MOSHI_ALL: Rows = [
    (TWO, MOSHI_DATA),
    (ESCAPED, MOSHI_DATA),
    (NESTED, MOSHI_DATA),
    (b'[{"a":1},{"a":1}]', '[{"a":1.0},{"a":1.0}]'),
    (NUMBERS, "[20.0,20.0,100.0,-1.5]"),
    (WIDE, "[9007199254740992.0,1.8446744073709552e+19]"),
    TEXT,
    LONE,
    (BAD, '["\\ufffd"]'),
    (b"", EOF),
    (deep(10_000), MOSHI_DATA),
]
MOSHI_STRICT: Rows = [(data, MOSHI) for data in (b"[01]", b"['a']", b"[NaN]", HUGE, MARK, b"[1,]")]

# The declared target `order`.
BOTH = (b'{"target":"a","quantity":2,"qty":20}', '{"target":"a","quantity":20}')
TURNED = (b'{"target":"a","qty":20,"quantity":2}', '{"target":"a","quantity":2}')
AGAIN = (b'{"target":"a","target":"b"}', '{"target":"b"}')
OTHER, CASE = b'{"target":"a","other":[1]}', b'{"target":"a","Quantity":2}'
NULL = (b'{"target":null,"options":null}', '{"target":null,"options":null}')
REPLACED = (b'{"options":{"mode":"m"},"options":{"limit":1}}', '{"options":{"limit":1}}')
COERCED = (b'{"target":5,"quantity":"3"}', '{"target":"5","quantity":3}')
FRACTION, OUT = b'{"quantity":2.5}', b'{"quantity":99999999999}'
BROKEN = b'{"options":{"limit":nope}}'
KEPT = '{"target":"kept","quantity":1,"options":{"mode":"kept","limit":9}}'
ORDER: Rows = [NULL, AGAIN, REPLACED, COERCED, (b"{}", "{}")]
JACKSON_ORDER: Rows = [
    *ORDER,
    BOTH,
    TURNED,
    (FRACTION, '{"quantity":2}'),
    (OUT, f"reject bind {WRAPPED}"),
    (BROKEN, f"reject parse {WRAPPED}"),
    (b'{"options":{"limit":"many"}}', FORMAT),
    (b"[]", f"reject bind {MISFIT}"),
    NO_CONTENT,
]

TABLES: dict[str, Rows] = {
    "java/jackson-tree": [*jackson(), *TYPED, MISSING],
    "java/jackson-map": [
        (TWO, LAST),
        (ESCAPED, '{"a":2}'),
        (NESTED, '{"o":{"a":2}}'),
        (b'{"n":[20,1e2,1e400]}', '{"n":[20,100.0,Infinity]}'),
        (b'{"a":1}x', '{"a":1}'),
        (b"[1]", f"reject bind {MISFIT}"),
        (b'""', FORMAT),
        (b'{"a":1,}', SYNTAX),
        NO_CONTENT,
    ],
    "java/jackson-object": [*jackson(), *TYPED, NO_CONTENT],
    "java/jackson-duplicates": [*jackson(last=False), *TYPED, *REPEATED, MISSING],
    "java/jackson-tree-keys": [*jackson(last=False), *TYPED, *REPEATED_KEYS, MISSING],
    "java/jackson-trailing": [*jackson(more=f"reject parse {MISFIT}"), *TYPED, MISSING, (b"[1]x", SYNTAX)],
    "java/jackson-decimal": [
        *jackson(),
        (NUMBERS, "[20,D2E+1,D1E+2,D-1.5]"),  # the tree takes zeros off
        (HUGE, "[D1E+400]"),
        (b"[-0,-0.0]", "[0,D0]"),
    ],
    "java/jackson-pojo": [*JACKSON_ORDER, (OTHER, UNKNOWN), (CASE, UNKNOWN)],
    "java/jackson-pojo-ignore": [*JACKSON_ORDER, (OTHER, '{"target":"a"}'), (CASE, '{"target":"a"}')],
    "java/jackson-pojo-case": [
        *JACKSON_ORDER,
        (OTHER, UNKNOWN),
        (CASE, '{"target":"a","quantity":2}'),
        (b'{"QTY":1,"quantity":2,"qTy":3}', '{"quantity":3}'),
    ],
    "java/jackson-update": [
        (b"{}", KEPT),
        (b"[]", KEPT),  # what is no object changes nothing
        (b'{"qty":2,"quantity":3}', KEPT.replace(":1,", ":3,")),
        (b'{"options":{"mode":"m"}}', '{"target":"kept","quantity":1,"options":{"mode":"m"}}'),
        (b'{"target":null}', KEPT.replace('"kept","q', 'null,"q')),
        (b'{"other":1}', UNKNOWN),
    ],
    "java/gson-tree": [*GSON_TREE, *GSON_LENIENT, (b"[1,,]", "[D1,null,null]")],
    "java/gson-map": [
        (TWO, GSON),
        (ESCAPED, GSON),
        (NESTED, '{"o":{"a":2.0}}'),
        (b'{"a":1,"b":[1,]}', '{"a":1.0,"b":[1.0,null]}'),
        (b"[1]", GSON_BIND),
        (b"", "null"),
        (b'{"a":', GSON),
    ],
    "java/gson-object": [
        (TWO, LAST_DOUBLE),
        (NUMBERS, "[20.0,20.0,100.0,-1.5]"),
        (WIDE, "[9007199254740992.0,1.8446744073709552e+19]"),
        (HUGE, "[Infinity]"),
        (b"[-0]", "[-0.0]"),
        *GSON_LENIENT,
    ],
    "java/gson-strict": [
        *GSON_TREE,
        (b"", "null"),
        *((data, GSON) for data in (LONE[0], b"[NaN]", b"[1,]", b"['a']", MORE, b'["\t"]', deep(10_000))),
    ],
    "java/gson-adapter": [
        *GSON_TREE,
        LONE,
        (MORE, "[D1]"),
        (b'["\t"]', '["\\t"]'),
        *((data, MALFORMED) for data in (b"[NaN]", b"[1,]", b"['a']", deep(10_000))),
        (b"", EOF),
    ],
    "java/gson-pojo": [
        *ORDER,
        BOTH,
        TURNED,
        (OTHER, '{"target":"a"}'),
        (CASE, '{"target":"a"}'),
        *((data, GSON_BIND) for data in (FRACTION, OUT, BROKEN, b"[]")),  # `nope` is text where it is lenient
        (b'{"target":"a"} x', GSON),
        (b"", "null"),
    ],
    "java/org-json-tokener": [*ORG_TREE, (TWO, ORG), (ESCAPED, ORG), (NESTED, ORG)],
    "java/org-json-object": [
        (TWO, ORG),
        (NESTED, ORG),
        (b'{"b":1,a:[1.10,]} x', '{"a":[D1.10],"b":1}'),
        (b"[1]", ORG),
        (b'{"\xff":1,"\xfe":2}', ORG),
        (b'{"a"=1;"b"=>2}', ORG),
    ],
    "java/org-json-overwrite": [*ORG_TREE, (TWO, LAST), (ESCAPED, '{"a":2}'), (NESTED, '{"o":{"a":2}}')],
    "java/org-json-strict": [
        (b'{"b":1,"a":[1.10,null]}', '{"a":[D1.10,null],"b":1}'),
        *((data, ORG) for data in (TWO, NESTED, b'{"a":1} x', b'{"a":1,}', b"{a:1}", b"{'a':1}", b"[1]")),
    ],
    "java/fastjson2": [*FAST_BYTES, (TWO, LAST), (ESCAPED, '{"a":2}'), (b'{"a":{"$ref":"$"}}', '{"a":null}')],
    "java/fastjson2-text": [
        (TWO, LAST),
        (NUMBERS, "[20,D20.0,100.0,D-1.5]"),
        TEXT,
        (BAD, '["\\ufffd"]'),
        (MARK, "[1]"),
        (b"[NaN]", FAST),
        (b"[1,,2,.5]", "[1,2,D0.5]"),
        (b"[new Date(5)]", '[X"java.util.Date:5"]'),
        (b"{a:1}", FAST),
        (b'{"a":{"$ref":"$"}}', '{"a":X"cycle"}'),
        (deep(10_000), FAST),
    ],
    "java/fastjson2-object": [
        (TWO, LAST),
        (ESCAPED, '{"a":2}'),
        (b'{"a":1}x', FAST),
        (b"[1]", FAST),
        (b"", "null"),
        (b"{'a':1,}", '{"a":1}'),
    ],
    "java/fastjson2-duplicates": [*FAST_BYTES, (TWO, FAST), (ESCAPED, FAST), (NESTED, FAST)],
    "java/fastjson2-collect": [
        *FAST_BYTES,
        (TWO, '{"a":[{"x":1},{"y":2}],"b":0}'),
        (ESCAPED, '{"a":[1,2]}'),
        (b'{"a":1,"a":2,"a":3}', '{"a":[1,2,3]}'),
    ],
    "java/fastjson2-pojo": [
        *ORDER,
        BOTH,
        TURNED,
        (OTHER, '{"target":"a"}'),
        (FRACTION, '{"quantity":2}'),
        (OUT, FAST_BIND),
        (b"[]", FAST_BIND),
        (b'{"target":', FAST),
        (b'{"target":{"a":1}}', '{"target":"{\\"a\\":1}"}'),
    ],
    "java/fastjson2-pojo-unknown": [*ORDER, BOTH, TURNED, (OTHER, FAST_BIND), (CASE, FAST_BIND)],
    "java/json-smart": [
        *SMART_ALL,
        TEXT,
        (b"[01,+1,nul,]", '[1,"+1","nul"]'),
        (b"{a:'b'}x", '{"a":"b"}'),
        (MARK, '"\\ufeff[1]"'),
        (b"[NaN]", "[NaN]"),
        (b"", '""'),
    ],
    "java/json-smart-bytes": [
        *SMART_ALL,
        (b'["\xc3\xa9"]', '["\\u00e9"]'),
        # Beside an escape it takes each byte for a character, with its sign.
        (b'["\\n\xc3\xa9"]', '["\\n\\uffc3\\uffa9"]'),
        (MARK, '"[1]"'),  # bytes below zero are white space
        (MORE, "[1]"),
        (b"[NaN]", "[NaN]"),
    ],
    "java/json-smart-strictest": [
        *SMART_ALL,
        TEXT,
        *SMART_STRICT,
        (b"[1] ", SMART),
        (MORE, SMART),
        (b"[1,]", SMART),
    ],
    "java/json-smart-rfc4627": [
        *SMART_ALL,
        TEXT,
        *SMART_STRICT,
        (b"[1] ", "[1]"),
        (MORE, SMART),
        (b"[1,]", SMART),
    ],
    "java/json-smart-simple": [*SMART_ALL, TEXT, *SMART_STRICT, (MORE, "[1]"), (b"[1,]", "[1]")],
    "java/moshi": [*MOSHI_ALL, *MOSHI_STRICT, (MORE, MOSHI)],
    "java/moshi-source": [*MOSHI_ALL, *MOSHI_STRICT, (MORE, "[1.0]")],
    "java/moshi-lenient": [
        *MOSHI_ALL,
        (b"[01,NaN,'a',]", '["01","NaN","a",null]'),
        (HUGE, "[Infinity]"),
        (MARK, '"\\ufeff"'),
        (MORE, "[1.0]"),
    ],
    "java/moshi-pojo": [
        *ORDER[:3],
        (COERCED[0], '{"target":"5"}'),
        (BOTH[0], BOTH[1]),
        (TURNED[0], BOTH[1]),  # it knows the alias only
        (OTHER, '{"target":"a"}'),
        (b'{"qty":2.5}', MOSHI_BIND),
        (b"[]", MOSHI_BIND),
        (b'{"target":', EOF),
        (BROKEN, MOSHI),
    ],
    "java/moshi-pojo-unknown": [
        *ORDER[:3],
        (OTHER, MOSHI_BIND),
        (BOTH[0], MOSHI_BIND),
        (b'{"qty":"3"}', '{"quantity":3}'),
    ],
}


def test_every_subject_has_rows() -> None:
    assert untested("java", TABLES) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


def test_the_doctor_finds_all_of_them_well() -> None:
    assert ill("java/*") == {}


def test_the_identity_says_machine_stack_flags_and_versions() -> None:
    lines = ready(start("java/jackson-tree", HERE).argv, greeting("java/jackson-tree")).text.splitlines()
    assert lines[1].startswith("runtime Java ")
    assert "library jackson-databind 2.23.0" in lines
    assert "library jackson-core 2.23.0" in lines
    assert (
        "library org.json 20260814"
        in ready(start("java/org-json-strict", HERE).argv, greeting("java/org-json-strict")).text
    )
    assert "detail stack=2048 KiB" in lines
    assert "detail charset=UTF-8" in lines
    (flags,) = (line for line in lines if line.startswith("detail flags="))
    assert "-Xbatch" in flags.split("=", 1)[1].split()


def test_the_sources_compile_without_a_warning(tmp_path: Path) -> None:
    home = Path(start("java/gson-tree", HERE).argv[0]).parent
    command = ["javac", "--release", "17", "-encoding", "UTF-8", "-Xlint:all,-classfile", "-Werror"]
    sources = sorted(map(str, (ADAPTERS / "java" / "src").glob("*.java")))
    subprocess.run([*command, "-d", str(tmp_path), "-cp", str(home / "lib" / "*"), *sources], check=True)


def test_an_overflow_of_the_stack_is_the_same_in_every_process() -> None:
    for levels in (1_000, 1_500, 3_000):
        said = {str(wrong("java/org-json-tokener", [(deep(levels), "")])) for _ in range(2)}
        assert len(said) == 1
