"""Web frameworks, really installed: what their handlers get, and what their clients are told."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.adapters.frameworks import Row, pinned, provided, put, wrong
from tests.provision.asked import shared_cache
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

OK = "accepted http 200"
DEEP = b"[" * 100_000 + b"]" * 100_000  # beyond what any CPython recurses
LAST = b'{"target":"report-A","\\u0074arget":"report-B"}'
NESTED = b'{"a":{"x":1,"x":2},"a":{"y":3,"y":4}}'

# The values by hand, from RFC 8259 and the documentation of `json` (the last of a repeated name, NaN as it is
# written, integers of any size); the status lines from each framework's own source.
STDLIB: list[Row] = [
    (LAST, '{"target":"report-B"}', OK),
    (NESTED, '{"a":{"y":4}}', OK),
    (b"[NaN,-0,9007199254740993,1e400]", "[NaN,0,9007199254740993,Infinity]", OK),
    (b'"\\ud800"', '"\\ud800"', OK),
]
NO_JSON = "reject parse JSONDecodeError"
NO_UTF8 = "reject decode UnicodeDecodeError"
BAD = ("reject parse http-400", "rejected http 400")
LOUD = "rejected http 500"
MADE, NO_VALUE = "accepted http 201", "reject parse SerializationException"
NOT_CAUGHT: list[Row] = [  # the handler does not catch what `json.loads` raises
    (b'{"a":1}x', NO_JSON, LOUD),
    (b'{"a":', NO_JSON, LOUD),
    (b'"\xff"', NO_UTF8, LOUD),
    (DEEP, "fault RecursionError", LOUD),
    (b"\xef\xbb\xbf[1]", "[1]", OK),
    (b"null", "null", OK),
]
ROWS: dict[str, list[Row]] = {
    "starlette": [*STDLIB, *NOT_CAUGHT],
    "fastapi-raw": [*STDLIB, *NOT_CAUGHT],
    "fastapi-body": [
        *STDLIB,
        (b'{"a":1}x', "reject parse http-422", "rejected http 422"),
        (b'"\xff"', *BAD),
        (DEEP, *BAD),
        (b"\xef\xbb\xbf[1]", "[1]", OK),
    ],
    "fastapi-model": [
        *STDLIB[:2],
        (b"[1]", "reject parse http-422", "rejected http 422"),
        (b'{"a":', "reject parse http-422", "rejected http 422"),
        (b'{"a":[NaN,9007199254740993]}', '{"a":[NaN,9007199254740993]}', OK),
        (b'"\xff"', *BAD),
        # The 422 quotes the input, and NaN cannot be written as JSON: the refusal ends as a server's error.
        (b"NaN", "fault http-500", LOUD),
    ],
    "django": [*STDLIB, *NOT_CAUGHT],
    "drf": [
        *STDLIB[:2],
        (b"[NaN]", *BAD),  # it is strict unless told otherwise; a number that only becomes infinite passes
        (b"[-0,9007199254740993,1e400]", "[0,9007199254740993,Infinity]", OK),
        (b'{"a":1}x', *BAD),
        (b'"\xff"', *BAD),
        (b"\xef\xbb\xbf[1]", *BAD),
        (DEEP, "fault RecursionError", LOUD),
    ],
    "aiohttp": [
        *STDLIB,
        (b'{"a":1}x', NO_JSON, LOUD),
        (b'"\xff"', NO_UTF8, LOUD),
        (b"\xef\xbb\xbf[1]", NO_JSON, LOUD),
        (DEEP, "fault RecursionError", LOUD),
        (b'"%b"' % (b"a" * 1024 * 1024), "reject parse http-413", "rejected http 413"),  # over 1 MiB
    ],
    # msgspec: NaN is no JSON, a lone surrogate no text, 1e400 no number; what is made answers 201.
    "litestar-raw": [
        (LAST, '{"target":"report-B"}', MADE),
        (NESTED, '{"a":{"y":4}}', MADE),
        (b"[-0,9007199254740993]", "[0,9007199254740993]", MADE),
        (b"NaN", NO_VALUE, LOUD),
        (b"1e400", NO_VALUE, LOUD),
        (b'"\\ud800"', NO_VALUE, LOUD),
        (b'"\xff"', NO_VALUE, LOUD),
        (b'{"a":1}x', NO_VALUE, LOUD),
        (DEEP, "fault RecursionError", LOUD),
    ],
    "litestar-body": [
        (LAST, '{"target":"report-B"}', MADE),
        (NESTED, '{"a":{"y":4}}', MADE),
        (b"NaN", *BAD),
        (b"1e400", *BAD),
        (b'"\\ud800"', *BAD),
        (b'"\xff"', *BAD),
        (b'{"a":1}x', *BAD),
        (DEEP, "fault http-500", LOUD),
    ],
    "falcon": [
        *STDLIB,
        (b'{"a":1}x', *BAD),
        (b'"\xff"', *BAD),
        (b"\xef\xbb\xbf[1]", *BAD),
        (DEEP, "fault RecursionError", LOUD),
    ],
    "flask": [
        *STDLIB,
        (b'{"a":1}x', *BAD),
        (b'"\xff"', *BAD),
        (b"\xef\xbb\xbf[1]", "[1]", OK),
        (DEEP, "fault RecursionError", LOUD),
    ],
}
UTF7 = (
    b'{"target":"report-A","+AHQ-arget":"report-B"}',
    {"content-type": "application/json; charset=utf-7"},
)
AS_UTF8 = '{"target":"report-A","+AHQ-arget":"report-B"}'
CHARSET = {
    **dict.fromkeys(("starlette", "fastapi-raw", "fastapi-body", "fastapi-model", "flask"), AS_UTF8),
    **dict.fromkeys(("django", "litestar-body", "falcon"), AS_UTF8),
    **dict.fromkeys(("aiohttp", "drf"), '{"target":"report-B"}'),  # they decode by the header
}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def column(key: str) -> str:
    (subject,) = select(load_adapters(), [f"frameworks/{key}"])
    return f"{subject.key}@{pinned(subject.packages[0])}"


def there(place: Path, key: str) -> Launch:
    (found,) = provided(place, column(key))
    return found


@pytest.mark.parametrize("key", ROWS)
def test_values_and_signals_worked_out_by_hand(place: Path, key: str) -> None:
    rows = ROWS[key]
    assert wrong(put(there(place, key), f"frameworks/{key}", *(row[0] for row in rows)), rows) == []


@pytest.mark.parametrize("key", CHARSET)
def test_a_charset_header_is_part_of_the_input(place: Path, key: str) -> None:
    (said,) = put(there(place, key), f"frameworks/{key}", UTF7)
    assert said.ended == (MADE if key.startswith("litestar") else OK)
    assert said.passage.executions == (CHARSET[key],)
