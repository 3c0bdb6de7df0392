"""SDKs and stores, really installed: the arguments of a tool, what was shown before, and who says no."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import frame, frames, run
from tests.adapters.frameworks import Row, pinned, provided, put, wrong
from tests.adapters.started import greeting
from tests.provision.asked import shared_cache
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

LAST = b'{"target":"report-A","\\u0074arget":"report-B"}'
NESTED = b'{"a":{"x":1,"x":2},"a":{"y":3,"y":4}}'
NUMBERS = b'{"a":[NaN,9007199254740993,1e400]}'
LONE = b'{"a":"\\ud800"}'
CUT, TRAILING, TWO = b'{"a":[1', b'{"a":1}x', b'{"a":1}{"a":2}'
COMMENT = b'{"a":1/*,"a":2*/}'
NOT_UTF8 = b'{"a":"\xff"}'
NO_STRING = "unsupported"  # text in a string is Unicode: the case cannot be put at all


def no(error: str, stage: str = "parse") -> tuple[str, str]:
    return f"reject {stage} {error}", f"rejected exception {error}"


# By hand: what Python's `json` reads and refuses (RFC 8259, and NaN), what jiter's partial mode and the other
# lenient readers are documented to close, drop or leave; `accepted` without a signal: the call came back.
JSON = no("JSONDecodeError")
STDLIB: list[Row] = [
    (LAST, '{"target":"report-B"}', "accepted"),
    (NESTED, '{"a":{"y":4}}', "accepted"),
    (NUMBERS, '{"a":[NaN,9007199254740993,Infinity]}', "accepted"),
    (LONE, '{"a":"\\ud800"}', "accepted"),
    (CUT, *JSON),
    (TRAILING, *JSON),
    (COMMENT, *JSON),
]
SAME = STDLIB[:3]
BROKEN = no("ValueError")
CLOSED: list[Row] = [  # what partial mode reads: the first document, whatever follows; what is open is closed
    *SAME,
    (LONE, *BROKEN),
    (CUT, '{"a":[1]}', "accepted"),
    (TRAILING, '{"a":1}', "accepted"),
    (TWO, '{"a":1}', "accepted"),
    (COMMENT, '{"a":1}', "accepted"),
    (b'{"a" 1}', *BROKEN),
]
UNPUT: Row = (NOT_UTF8, NO_STRING, "unsupported")
INVALID = ("reject parse invalid_tool_calls", "rejected invalid_tool_calls")
NO_RESULT = ("reject parse tool_result-is_error", "rejected tool_result is_error")
BAD = ("reject parse http-400", "rejected http 400")
OK, RESULT, SILENT = (
    "accepted http 200",
    "accepted jsonrpc result",
    ("reject parse no-reply", "rejected no reply"),
)
INNER = b'"{\\"mode\\":\\"dry\\",\\"mode\\":\\"wet\\"}"'


def signalled(rows: list[Row], ended: str) -> list[Row]:
    return [(data, parse, ended) for data, parse, _ in rows]


ROWS: dict[str, list[Row]] = {
    "openai-create": [*STDLIB, UNPUT, (b"[1]", "[1]", "accepted")],
    "openai-parse": [*STDLIB, UNPUT, (b"[1]", "[1]", "accepted")],
    "openai-parse-model": [
        *SAME,
        (LONE, *no("ValidationError")),
        (CUT, *no("ValidationError")),
        (TRAILING, *no("ValidationError")),
        (b"[1]", *no("ValidationError")),
    ],
    # What is shown while it streams is lenient, the end is strict; jiter refuses a lone surrogate on the way.
    "openai-stream": [*SAME, (LONE, *BROKEN), (CUT, *JSON), (TRAILING, *JSON), (COMMENT, *JSON)],
    "anthropic-create": [
        *STDLIB,
        (NOT_UTF8, *no("UnicodeDecodeError", "decode")),
        (b"[1]", "[1]", "accepted"),
    ],
    "anthropic-stream": [*CLOSED, UNPUT],
    "anthropic-runner": [*STDLIB, (b"[1]", *NO_RESULT)],
    "anthropic-runner-stream": [*CLOSED, UNPUT, (b"[1]", *NO_RESULT)],
    "mcp-http": [
        *signalled(SAME, OK),
        (LONE, *BAD),
        (CUT, *BAD),
        (TRAILING, *BAD),
        (NOT_UTF8, *BAD),
        (INNER, '{"mode":"wet"}', OK),
    ],
    "mcp-http-modern": [
        *signalled([*SAME, STDLIB[3]], OK),
        (CUT, *BAD),
        (TRAILING, *BAD),
        (NOT_UTF8, *BAD),
        (INNER, '{"mode":"wet"}', OK),
    ],
    "mcp-stdio": [
        *signalled(SAME, RESULT),
        (LONE, *SILENT),
        (CUT, *SILENT),
        (TRAILING, *SILENT),
        (NOT_UTF8, '{"a":"\\ufffd"}', RESULT),
        (INNER, '{"mode":"wet"}', RESULT),
        (b"[1,\n2]", "unsupported", "unsupported"),  # a message is one line
    ],
    "langchain-message": [
        *STDLIB[:4],
        (CUT, *INVALID),
        (TRAILING, *INVALID),
        (b"[1]", *no("ValidationError")),
        UNPUT,
    ],
    "langchain-chunk": [
        *STDLIB[:4],
        (CUT, '{"a":[1]}', "accepted"),
        (TRAILING, '{"a":1}', "accepted"),
        (b'{"a" 1}', *INVALID),
        (b"[1]", *INVALID),
    ],
    "langgraph-tool-node": [
        *STDLIB[:4],
        (CUT, *INVALID),
        (INNER, '"{\\"mode\\":\\"dry\\",\\"mode\\":\\"wet\\"}"', "accepted"),
        UNPUT,
    ],
    "sqlalchemy-json": [*STDLIB, UNPUT, (b"[1]", "[1]", "accepted")],
    "pyjwt": [
        *STDLIB[:4],
        (CUT, *no("DecodeError")),
        (TRAILING, *no("DecodeError")),
        (NOT_UTF8, *no("DecodeError")),
        (b"[1]", *no("DecodeError")),
    ],
    "json-repair": [
        *STDLIB[:4],
        (CUT, '{"a":[1]}', "accepted"),
        (TRAILING, '{"a":1}', "accepted"),
        (b"no", "reject parse NothingFound", "rejected exception NothingFound"),
        UNPUT,
    ],
    "jiter-partial": [*CLOSED, (NOT_UTF8, *BROKEN)],
    "jiter-unique": [
        (LAST, *BROKEN),
        (NESTED, *BROKEN),
        (b'[{"a":1},{"a":{"a":2}}]', '[{"a":1},{"a":{"a":2}}]', "accepted"),
        (NUMBERS, '{"a":[NaN,9007199254740993,Infinity]}', "accepted"),
        (CUT, *BROKEN),
        (TRAILING, *BROKEN),
    ],
    "partial-json-parser": [
        *STDLIB[:4],
        (CUT, '{"a":[1]}', "accepted"),
        (TRAILING, *JSON),
        (COMMENT, *JSON),
        UNPUT,
    ],
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


WATCH = """
import gc, os, sys
def watch(phase, info):
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    if phase == "start" and "put" in names:
        os.write(2, b"collected within a request\\n")
gc.callbacks.append(watch)
gc.set_threshold(1)
"""


def test_garbage_is_collected_between_requests(place: Path, tmp_path: Path) -> None:
    """Before 3.12 CPython may die of it inside ContextVar.set (issue 148891)."""
    (tmp_path / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    found = there(place, "partial-json-parser")
    sent = greeting("frameworks/partial-json-parser") + frame("parse", 0, CUT) + frame("parse", 1, CUT)
    ended = run(found.argv, sent + frame("bye", 0), {**(found.env or {}), "PYTHONPATH": str(tmp_path)})
    assert len(frames(ended.out)) == 3
    within = b"collected within a request" in ended.err
    assert within == (sys.version_info >= (3, 12))


def test_the_streamed_runner_executes_what_the_other_rejects(place: Path) -> None:
    cases = (CUT, TRAILING, TWO, COMMENT)
    plain = put(there(place, "anthropic-runner"), "frameworks/anthropic-runner", *cases)
    streamed = put(there(place, "anthropic-runner-stream"), "frameworks/anthropic-runner-stream", *cases)
    assert [(each.ended, each.passage.executions) for each in plain] == [(JSON[1], ())] * 4
    assert [(each.ended, each.passage.executions) for each in streamed] == [
        ("accepted", ('{"a":[1]}',)),
        ("accepted", ('{"a":1}',)),
        ("accepted", ('{"a":1}',)),
        ("accepted", ('{"a":1}',)),
    ]


@pytest.mark.parametrize("key", ["mcp-http", "mcp-http-modern", "mcp-stdio"])
def test_a_string_is_decoded_once_more(place: Path, key: str) -> None:
    """What is JSON inside a string, NaN and repeats too, reaches a parameter that is no `str` as a value."""
    cases = (INNER, b'"[NaN]"', b'"null"', b'"1"', b'"[1"', b'["[1]"]')
    said = put(there(place, key), f"frameworks/{key}", *cases)
    assert [each.passage.executions for each in said] == [
        ('{"mode":"wet"}',),
        ("[NaN]",),
        ("null",),
        ('"1"',),
        ('"[1"',),
        ('["[1]"]',),  # only a parameter, not what is in it
    ]


def test_a_stream_shows_one_value_and_then_another(place: Path) -> None:
    """Nine characters at a time: `{"target"`, `:"report-`, `A","targe`, `t":"repor`, `t-B"}`."""
    case = b'{"target":"report-A","target":"report-B"}'
    a, b = '{"target":"report-A"}', '{"target":"report-B"}'
    for key, first in (("openai-stream", "null"), ("anthropic-stream", "{}")):
        (said,) = put(there(place, key), f"frameworks/{key}", case)
        assert [each.value for each in said.passage.previews] == [first, "{}", a, a, b]
        assert said.passage.executions == (b,)
    (said,) = put(there(place, "langchain-chunk"), "frameworks/langchain-chunk", case)
    # It closes a string that is not at its end.
    cut, short = '{"target":"report-"}', '{"target":"repor"}'
    assert [each.value for each in said.passage.previews] == ["{}", cut, a, short, b]


def test_what_would_leave_its_place_is_not_put(place: Path) -> None:
    """A case inside a larger text must not go on in it."""
    cases = (b'1},"id":2,"params":{"name":"x"', b"1,2", b'"a":1', b"\xef\xbb\xbf1")
    for key in ("anthropic-create", "mcp-http"):
        said = put(there(place, key), f"frameworks/{key}", *cases)
        assert [(each.parse, each.ended) for each in said] == [("unsupported", "unsupported")] * 4


def test_a_case_with_headers_is_not_put_where_nothing_carries_them(place: Path) -> None:
    (said,) = put(there(place, "openai-create"), "frameworks/openai-create", (b"{}", {"content-type": "a/b"}))
    assert said.ended == "unsupported"


def test_null_is_no_arguments_to_langchain(place: Path) -> None:
    said = put(there(place, "langchain-message"), "frameworks/langchain-message", b"null", b"0", b'""', b"[]")
    assert [each.passage.executions for each in said] == [("{}",)] * 4
