"""The subjects from npm, really installed: values by hand, what changed in their history, the doctor."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import ask, ready
from tests.adapters.started import greeting, outcome
from tests.provision.asked import really, shared_cache
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits

NO = "reject parse SyntaxError"
NO_UTF8 = "reject decode ERR_ENCODING_INVALID_ENCODED_DATA"
REPLACED = 'X"Object:prototype replaced"'
NEWEST = {
    "json5": "2.2.3",
    "lossless-json": "4.3.3",
    "json-bigint": "1.0.0",
    "secure-json-parse": "4.1.1",
    "jsonc-parser": "3.3.1",
    "@hapi/bourne": "3.0.0",
    "destr": "2.0.5",
    "stream-json": "3.8.0",
}

# By hand, from the documentation of each library, RFC 8259 and binary64.
ROWS: dict[str, list[tuple[bytes, str]]] = {
    "node/json5": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b"{a:'b',c:0x10,d:+1,e:.5,f:[NaN]}// x", '{"a":"b","c":16.0,"d":1.0,"e":0.5,"f":[NaN]}'),
        (b'{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}'),
        (b"\xef\xbb\xbf[1]", "[1.0]"),  # a byte order mark is white space in JSON5
        (b'"\xff"', NO_UTF8),
        (b"[1", NO),
        (b"01", NO),
    ],
    "node/lossless-json": [
        (b'{"a":1,"a":2}', NO),
        (b'{"a":1.0,"a":1}', NO),  # other digits are another value to it
        (b'{"a":1,"a":1}', '{"a":D1}'),
        (
            b"[1.0,1.10,1e2,-0,12345678901234567890,1e400]",
            "[D1.0,D1.10,D1e2,D-0,D12345678901234567890,D1e400]",
        ),
        (b'{"__proto__":5,"constructor":1}', '{"__proto__":D5,"constructor":D1}'),
        (b"\xef\xbb\xbf[1]", NO),
        (b'"\xff"', NO_UTF8),
    ],
    "node/lossless-json-first": [
        (b'{"a":1,"b":0,"a":2,"\\u0061":3}', '{"a":D1,"b":D0}'),
        (b'{"a":{"x":1},"a":{"y":2}}', '{"a":{"x":D1}}'),
    ],
    "node/lossless-json-last": [(b'{"a":1,"b":0,"a":2,"\\u0061":3}', '{"a":D3,"b":D0}')],
    "node/json-bigint": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b"[123456789012345,1234567890123456]", "[123456789012345.0,D1234567890123456]"),
        (b"[0.12345678901234567,-0.00000000000000]", "[D0.12345678901234567,D-0]"),
        (b'{"__proto__":1}', NO),
        (b'{"constructor":1}', NO),
        (b"1e400", NO),
        (b'"a\tb"', '"a\\tb"'),
        (b"[01]\x00", "[1.0]"),  # NUL is white space to it
        (b"\xef\xbb\xbf[1]", NO),
        (b'"\xff"', NO_UTF8),
    ],
    "node/json-bigint-native": [
        (b"[123456789012345,1234567890123456]", "[123456789012345.0,1234567890123456]"),
        (b"0.12345678901234567", NO),  # BigInt throws what cannot be told from its own SyntaxError
    ],
    "node/json-bigint-strict": [(b'{"a":1,"a":1}', NO), (b'[{"a":1},{"a":1}]', '[{"a":1.0},{"a":1.0}]')],
    "node/secure-json-parse": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"__proto__":1}', NO),
        (b'{"\\u005f_proto__":1}', NO),
        (b'{"constructor":1}', '{"constructor":1.0}'),
        (b'{"constructor":{"prototype":1}}', NO),
        (b'"__proto__"', '"__proto__"'),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":2.0}'),
        (b"\xef\xbb\xbf[1]", "[1.0]"),
        (b"[01]", NO),
    ],
    "node/jsonc-parser": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b"/* a */[1]// b", "[1.0]"),
        (b"[1,]", "reject parse ParseError"),
        (b'{"__proto__":{"x":1}}', REPLACED),
        (b'{"a":{"__proto__":[1]},"b":{"__proto__":5}}', f'{{"a":{REPLACED},"b":{{}}}}'),
        (b"", "reject parse ParseError"),
        (b'"\xff"', NO_UTF8),
    ],
    "node/jsonc-parser-json": [(b"/* a */[1]", "reject parse ParseError"), (b"[1]", "[1.0]")],
    "node/jsonc-parser-find": [
        (b'{"a":1,"\\u0061":2,"a":3}', '{"a":1.0}'),
        (b'{"a":{"x":1},"b":0,"a":{"y":2}}', '{"a":{"x":1.0},"b":0.0}'),
        (b'[{"b":0,"1":[],"b":1},[[2]]]', '[{"b":0.0,"1":[]},[[2.0]]]'),  # the order of the text
        (b'{"__proto__":{"x":1},"constructor":2}', '{"__proto__":{"x":1.0},"constructor":2.0}'),
        (b"/* a */[-0,1e400]// b", "[-0.0,Infinity]"),
        (b'{"a":1,}', "reject parse ParseError"),
        (b'{"a"}', "reject parse ParseError"),
        (b"", "reject parse ParseError"),
        (b"\xef\xbb\xbf[1]", "reject parse ParseError"),
        (b'"\xff"', NO_UTF8),
    ],
    "node/secure-json-parse-remove": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"__proto__":1,"b":[{"\\u005f_proto__":1}]}', '{"b":[{}]}'),
        (b'{"constructor":{"prototype":1},"c":{"constructor":1}}', '{"c":{"constructor":1.0}}'),
        (b"\xef\xbb\xbf[1]", "[1.0]"),
        (b"[01]", NO),
    ],
    "node/bourne": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"a":[{"__proto__":1}]}', NO),
        (b'{"\\u005f_proto__" :1}', NO),
        (b'{"constructor":{"prototype":1}}', '{"constructor":{"prototype":1.0}}'),
        (b'"__proto__"', '"__proto__"'),
        (b"\xef\xbb\xbf[1]", NO),
        (b'"\xff"', NO_UTF8),
        (b"[01]", NO),
    ],
    "node/bourne-remove": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"a":[{"__proto__":1,"b":2}]}', '{"a":[{"b":2.0}]}'),
        (b'{"__proto__":1,"__proto__":2}', "{}"),
        (b'"\xff"', NO_UTF8),
        (b"[1,]", NO),
    ],
    "node/destr": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"__proto__":1,"b":{"constructor":{"prototype":1}}}', '{"b":{}}'),
        (b" TRUE ", "true"),
        (b"undefined", 'X"undefined"'),
        (b"-INFINITY", "-Infinity"),
        (b'"a"b"', '"a\\"b"'),  # between two quotes, without a backslash, all is the string
        (b'"a\tb"', '"a\\tb"'),
        (b"12345678901234567890", "reject parse NotParsed"),  # a number of more than 16 digits
        (b"[12345678901234567890]", "[1.2345678901234567e+19]"),
        (b"[1,]", "reject parse NotParsed"),
        (b"", "reject parse NotParsed"),
        (b"\xef\xbb\xbf[1]", "reject parse NotParsed"),
        (b'"\xff"', NO_UTF8),
    ],
    "node/destr-safe": [
        (b'{"a":1,"a":2}', '{"a":2.0}'),
        (b'{"__proto__":1}', "reject parse Error"),
        (b'{"constructor":1}', "reject parse Error"),
        (b"NaN", "NaN"),
        (b"12345678901234567890", NO),
        (b"[1,]", NO),
        (b'"\xff"', NO_UTF8),
    ],
    "node/stream-json": [
        (b'{"a":1,"\\u0061":2,"a":3}', '{"a":3.0}'),
        (b'{"a":{"x":1},"b":0,"a":{"y":2}}', '{"a":{"y":2.0},"b":0.0}'),
        (b'{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}'),
        (b"[-0,1e400,12345678901234567890]", "[-0.0,Infinity,1.2345678901234567e+19]"),
        (b'["\\ud83d\\ude00\\ud800","\xff"]', '["\\ud83d\\ude00\\ud800","\\ufffd"]'),
        (b"20", "20.0"),
        (b"\xef\xbb\xbf[1]", "[1.0]"),
        (b"[1,]", "reject parse ParserError"),
        (b"[01]", "reject parse ParserError"),
        (b"[1] 2", "reject parse ParserError"),
        (b"[1", "reject parse ParserError"),
        (b"", "reject parse ParserError"),
    ],
}
# (subject, the version before, the version that changed it, input, before, after)
HISTORY = [
    ("node/lossless-json", "1.0.5", "2.0.11", b'{"a":1,"a":2}', '{"a":D2}', NO),
    ("node/lossless-json", "4.3.0", "4.3.3", b'{"__proto__":{"x":1}}', REPLACED, '{"__proto__":{"x":D1}}'),
    ("node/json5", "2.2.1", "2.2.2", b'{"__proto__":{"x":1}}', REPLACED, '{"__proto__":{"x":1.0}}'),
    ("node/json-bigint", "0.4.0", "1.0.0", b'{"__proto__":{"x":1}}', REPLACED, NO),
    ("node/json-bigint", "0.4.0", "1.0.0", b'{"constructor":1}', '{"constructor":1.0}', NO),
]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def package(key: str) -> str:
    (subject,) = select(load_adapters(), [key])
    return subject.packages[0]


def newest(place: Path, key: str) -> Launch:
    (found,) = really(place, f"{key}@{NEWEST[package(key)]}")
    return found


def said(found: Launch, key: str, *inputs: bytes) -> list[str]:
    return [outcome(one) for one in ask(found.argv, greeting(key), inputs, env=found.env)]


@pytest.mark.parametrize("key", ROWS)
def test_values_worked_out_by_hand(place: Path, key: str) -> None:
    found = newest(place, key)
    assert said(found, key, *(data for data, _ in ROWS[key])) == [want for _, want in ROWS[key]]


@pytest.mark.parametrize("key", ROWS)
def test_identity(place: Path, key: str) -> None:
    found = newest(place, key)
    lines = ready(found.argv, greeting(key), found.env).text.splitlines()
    assert f"library {package(key)} {NEWEST[package(key)]}" in lines
    home = Path((found.env or {})["WHICHWINS_NODE_MODULES"]).resolve()
    files = [Path(line[5:]) for line in lines if line.startswith("file ")]
    assert files
    assert all(home in path.parents and path.is_file() for path in files)
    assert any(line.startswith("library bignumber.js 9.") for line in lines) == ("bigint" in key)
    writes = package(key) in ("json5", "lossless-json", "json-bigint")
    assert ("capability emit" in lines) == writes


@pytest.mark.parametrize(
    ("key", "data", "written"),
    [
        ("node/json5", b'{"a":[1.50,NaN]}', b"{a:[1.5,NaN]}"),
        ("node/lossless-json", b'{"a":[1.50,1e400]}', b'{"a":[1.50,1e400]}'),
        ("node/json-bigint", b"[12345678901234567890,1.50]", b"[12345678901234567890,1.5]"),
        ("node/json-bigint-native", b"[12345678901234567890]", b"[12345678901234567890]"),
    ],
)
def test_emit(place: Path, key: str, data: bytes, written: bytes) -> None:
    found = newest(place, key)
    (answer,) = ask(found.argv, greeting(key), [data], "emit", env=found.env)
    assert (answer.verb, answer.body) == ("accept", written)


@pytest.mark.parametrize(("key", "before", "after", "data", "old", "new"), HISTORY)
def test_history(place: Path, key: str, before: str, after: str, data: bytes, old: str, new: str) -> None:
    first, second = really(place, f"{key}@{before}", f"{key}@{after}")
    assert (said(first, key, data), said(second, key, data)) == ([old], [new])


def test_what_the_manifest_says_keeps_the_old_ways_does(place: Path) -> None:
    before, after = really(place, "node/lossless-json@1.0.5", "node/lossless-json-last@4.3.3")
    inputs = [b'{"a":1,"a":2}', b'{"a":{"b":1,"b":2.50},"a":[{"c":null,"c":true}]}']
    kept = said(after, "node/lossless-json-last", *inputs)
    assert said(before, "node/lossless-json", *inputs) == kept == ['{"a":D2}', '{"a":[{"c":true}]}']


def test_the_option_is_absent_where_the_library_does_not_have_it(place: Path) -> None:
    (found,) = really(place, "node/lossless-json-first@4.2.0")
    (subject,) = select(load_adapters(), ["node/lossless-json-first@4.2.0"])
    (checkup,) = examine([subject], {subject.key: found}, Limits(case_seconds=10))
    assert "needs lossless-json >= 4.3" in (checkup.absent or "")


def test_source_text_access(place: Path) -> None:
    key = "node/json-source@24.19.0"
    (found,) = really(place, key)
    rows = [
        (b'{"a":1,"\\u0061":2.50}', '{"a":D2.50}'),
        (b"[-0,1e400,20,20.0,12345678901234567890]", "[D-0,D1e400,D20,D20.0,D12345678901234567890]"),
        (b'{"__proto__":{"text":1},"text":"1"}', '{"__proto__":{"text":D1},"text":"1"}'),
        (b"1.10", "D1.10"),
        (b"[01]", NO),
        (b'"\xff"', NO_UTF8),
    ]
    assert said(found, "node/json-source", *(data for data, _ in rows)) == [want for _, want in rows]
    (subject,) = select(load_adapters(), [key])
    (checkup,) = examine([subject], {key: found}, Limits(case_seconds=20))
    assert checkup.absent is None
    assert [each.findings for each in checkup.checks if each.findings] == []
    (old,) = really(place, "node/json-source@20")
    (checkup,) = examine([subject], {key: old}, Limits(case_seconds=20))
    assert "needs node >= 22" in (checkup.absent or "")


def test_the_doctor_finds_all_of_them_well(place: Path) -> None:
    keys = [f"{key}@{NEWEST[package(key)]}" for key in ROWS]
    launches = dict(zip(keys, really(place, *keys), strict=True))
    subjects = select(load_adapters(), keys)
    checkups = examine(subjects, launches, Limits(case_seconds=20), jobs=2)
    findings = {one.subject: [c.findings for c in one.checks if c.findings] for one in checkups}
    assert findings == {key: [] for key in sorted(keys)}
    assert [one.absent for one in checkups] == [None] * len(keys)
