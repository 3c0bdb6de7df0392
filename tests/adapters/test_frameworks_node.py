"""Frameworks and SDKs of Node.js, really installed: what handlers and tools get, and who says no."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.adapters.frameworks import Row, provided, put, wrong
from tests.provision.asked import shared_cache
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

NEWEST = {
    "express": "5.3.0",
    "fastify": "5.12.8",
    "hono": "4.13.19",
    "@modelcontextprotocol/sdk": "1.32.2",
    "ai": "6.0.326",
    "partial-json": "0.1.7",
}
OK, LOUD = "accepted http 200", "rejected http 500"
BAD = ("reject parse http-400", "rejected http 400")
NO_JSON = ("reject parse SyntaxError", LOUD)
TOOL_ERROR = ("reject parse tool-error", "rejected tool-error")
UNPUT = ("unsupported", "unsupported")
PROTO, MAKER = b'{"__proto__":{"x":1}}', b'{"constructor":{"prototype":{"x":1}}}'
REPLACED = 'X"Object:prototype replaced"'
NOT_UTF8, CUT, TRAILING = b'{"a":"\xff"}', b'{"a":[1', b'{"a":1}x'
NOT_JSON = b'{"a" 1}'

# By hand, from RFC 8259, binary64 (2^53+1 is no double) and JSON.parse: the last of a repeated name.
SAME: list[Row] = [
    (b'{"target":"report-A","\\u0074arget":"report-B"}', '{"target":"report-B"}', OK),
    (b'{"a":{"x":1,"x":2},"a":{"y":3,"y":4}}', '{"a":{"y":4.0}}', OK),
    (b'{"a":[-0,9007199254740993,1e400]}', '{"a":[-0.0,9007199254740992.0,Infinity]}', OK),
    (b'{"a":"\\ud800"}', '{"a":"\\ud800"}', OK),
]
OWN: list[Row] = [
    (PROTO, '{"__proto__":{"x":1.0}}', OK),
    (MAKER, '{"constructor":{"prototype":{"x":1.0}}}', OK),
]
LOSSY: list[Row] = [(NOT_UTF8, '{"a":"\\ufffd"}', OK)]


def called(rows: list[Row]) -> list[Row]:
    """The same where no HTTP answer says it."""
    return [(data, parse, "accepted") for data, parse, _ in rows]


ROWS: dict[str, list[Row]] = {
    "express": [
        *SAME,
        *OWN,
        *LOSSY,
        (CUT, *BAD),
        (TRAILING, *BAD),
        (b"null", *BAD),  # strict: objects and arrays only
        (b"\xef\xbb\xbf[1]", "[1.0]", OK),
        (b'["%b"]' % (b"a" * 100 * 1024), "reject parse http-413", "rejected http 413"),  # over 100 KiB
    ],
    "fastify": [
        *SAME,
        *LOSSY,
        (PROTO, *BAD),
        (MAKER, *BAD),
        (CUT, *BAD),
        (TRAILING, *BAD),
        (b"null", "null", OK),
        (b"\xef\xbb\xbf[1]", "[1.0]", OK),
    ],
    "fastify-ignore": [*SAME, *OWN, *LOSSY, (CUT, *BAD), (TRAILING, *BAD)],
    "hono": [*SAME, *OWN, *LOSSY, (CUT, *NO_JSON), (TRAILING, *NO_JSON), (b"null", "null", OK)],
    "mcp-http": [
        *SAME,
        *OWN,
        *LOSSY,
        (CUT, *BAD),
        (TRAILING, *BAD),
        (b'"{\\"a\\":1}"', '"{\\"a\\":1}"', OK),  # once: the Python SDK decodes it twice
        (b"1,2", *UNPUT),
    ],
    "ai": [
        *called(SAME),
        (PROTO, *TOOL_ERROR),
        (MAKER, *TOOL_ERROR),
        (CUT, *TOOL_ERROR),
        (TRAILING, *TOOL_ERROR),
        (NOT_UTF8, *UNPUT),
    ],
    "partial-json": [
        *called(SAME),
        (PROTO, REPLACED, "accepted"),
        (CUT, '{"a":[1.0]}', "accepted"),
        (TRAILING, '{"a":1.0}', "accepted"),
        (NOT_JSON, "{}", "accepted"),
        (NOT_UTF8, *UNPUT),
    ],
}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def column(key: str) -> str:
    (subject,) = select(load_adapters(), [f"node-frameworks/{key}"])
    return f"{subject.key}@{NEWEST[subject.packages[0]]}"


def there(place: Path, key: str) -> Launch:
    (found,) = provided(place, column(key))
    return found


@pytest.mark.parametrize("key", ROWS)
def test_values_and_signals_worked_out_by_hand(place: Path, key: str) -> None:
    rows = ROWS[key]
    assert wrong(put(there(place, key), f"node-frameworks/{key}", *(row[0] for row in rows)), rows) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("express", '{"target":"report-B"}'),  # it decodes by the header
        ("fastify", '{"target":"report-A","+AHQ-arget":"report-B"}'),
        ("hono", '{"target":"report-A","+AHQ-arget":"report-B"}'),
    ],
)
def test_a_charset_header_is_part_of_the_input(place: Path, key: str, value: str) -> None:
    case = b'{"target":"report-A","+AHQ-arget":"report-B"}'
    utf7 = case, {"content-type": "application/json; charset=utf-7"}
    (said,) = put(there(place, key), f"node-frameworks/{key}", utf7)
    assert (said.ended, said.passage.executions) == (OK, (value,))


def test_express_refuses_a_charset_that_is_no_unicode(place: Path) -> None:
    latin = b"[]", {"content-type": "application/json; charset=iso-8859-1"}
    (said,) = put(there(place, "express"), "node-frameworks/express", latin)
    assert (said.ended, said.passage.executions) == ("rejected http 415", ())


def test_a_tool_ran_and_then_the_sdk_threw(place: Path) -> None:
    case = b"[" * 100_000 + b"]" * 100_000
    (said,) = put(there(place, "ai"), "node-frameworks/ai", case)
    assert said.ended == "failed exception RangeError"
    assert said.passage.executions == (case.decode(),)
    assert said.parse == case.decode()
