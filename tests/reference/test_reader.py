"""The reader by hand: verdict table, structure, offsets, paths, and what it must survive."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest

from tests.reference import checks
from tests.reference.clauses import rows
from whichwins.reference import Limits, Node, Problem, read
from whichwins.reference.tape import ordinal_path


def root(data: bytes) -> Node:
    found = read(data).root
    assert found is not None
    return found


def kinds(data: bytes) -> list[tuple[str, int]]:
    return [(problem.kind, problem.offset) for problem in read(data).problems]


def test_the_clause_table() -> None:
    assert len(rows()) > 250
    assert list(checks.clauses()) == []


def test_all_pairs_in_order_with_names_and_lexemes() -> None:
    members = root(b'{"b": 1.50, "\\u0061":"x\\n", "b":-0}').members
    assert [(member.name.text, member.value.kind) for member in members] == [
        ("b", "number"),
        ("a", "string"),
        ("b", "number"),
    ]
    assert [member.name.raw for member in members] == [b"b", b"\\u0061", b"b"]
    assert (members[0].value.number, members[1].value.text, members[2].value.number) == ("1.50", "x\n", "-0")


def test_offsets_of_every_token() -> None:
    data = b' [ {"a" : true} , [ ], 12 ] '
    outer = root(data)
    assert (outer.start, outer.end) == (1, 27)
    assert [item.lexeme for item in outer.items] == [b'{"a" : true}', b"[ ]", b"12"]
    name, value = outer.items[0].members[0]
    assert (name.start, name.end, value.start, value.end) == (4, 7, 10, 14)


def test_pointers_and_ordinal_paths() -> None:
    document = root(b'{"a/b":[0,{"~":1}],"":{"\\u00e9":[[],2]}}')
    deep = document.members[1].value.members[0].value.items[1]
    assert (deep.number, deep.pointer, deep.path) == ("2", "//é/1", "#1/#0/#1")
    tilde = document.members[0].value.items[1].members[0]
    assert (tilde.value.pointer, tilde.name.pointer, tilde.value.path) == (
        "/a~1b/1/~0",
        "/a~1b/1/~0",
        "#0/#1/#0",
    )
    assert (document.pointer, document.path) == ("", "")


def test_a_path_is_not_fooled_by_strings() -> None:
    data = b'["],[{\\",", {"a,b":[1,":}"]}, 7]'
    assert ordinal_path(data, data.index(b"7")) == "#2"
    assert ordinal_path(data, data.index(b":}")) == "#1/#0/#1"


def test_a_path_in_a_text_that_breaks_off() -> None:
    fatal = read(b'[0,{"a":[1,2,').fatal
    assert fatal is not None
    assert (fatal.kind, fatal.offset, fatal.path) == ("structure", 13, "#1/#0/#2")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", [("empty", 0)]),
        (b"  ", [("empty", 2)]),
        (b"[1] x", [("trailing-data", 4)]),
        (b"[1,]", [("structure", 3)]),
        (b"[tru]", [("literal", 1)]),
        (b"[012]", [("number", 1)]),
        (b'["a\tb"]', [("control-character", 3)]),
        (b'["a\\q"]', [("escape", 3)]),
        (b'["abc', [("string", 1)]),
        (b"[\xff]", [("utf-8", 1)]),
        (b'["ab\xc3("]', [("utf-8", 4)]),
        (b"\xef\xbb\xbf[]", [("bom", 0)]),
        (b'{"a":1,"b":2,"a":3,"a":4}', [("repeated-name", 13), ("repeated-name", 19)]),
        (b'["x\\ud800y"]', [("surrogate", 3)]),
        (b'["\\ud83d\\ude00 \\udead"]', [("surrogate", 15)]),
        (b'["\xef\xbf\xbf"]', [("noncharacter", 2)]),
        (b"[" * 66 + b"]" * 66, [("depth", 64)]),
        (b"7", [("top-level", 0)]),
        (b"[9007199254740993]", [("integer-range", 1), ("number-precision", 1)]),
        (b"[1e400]", [("number-overflow", 1)]),
        (b'{"\xff":1,"\xff":2}', [("utf-8", 2), ("repeated-name", 7), ("utf-8", 8)]),
        (b'{"a":1,"a":', [("repeated-name", 7), ("structure", 11)]),
    ],
)
def test_what_is_found_and_where(data: bytes, expected: list[tuple[str, int]]) -> None:
    assert kinds(data) == expected


def test_only_grammar_errors_are_fatal() -> None:
    assert read(b'{"a":"\xff\\ud800","a":1e999}').root is not None
    broken = read(b"[01]")
    assert broken.root is None
    assert broken.fatal == Problem("number", 1, True, b"")


def test_bytes_that_are_not_utf8_keep_every_reading() -> None:
    name = root(b'{"a\xff\\n":0}').members[0].name
    assert (name.text, name.key, name.replaced, name.raw) == (None, b"a\xff\n", "a\ufffd\n", b"a\xff\\n")


def test_surrogates_stay_apart_only_when_they_were_no_pair() -> None:
    texts = [item.text for item in root(b'["\\ud834\\udd1e","\\udd1e\\ud834","\\ud834"]').items]
    assert texts == ["\U0001d11e", "\udd1e\ud834", "\ud834"]


def test_limits_are_the_callers() -> None:
    limits = Limits(max_bytes=3, max_depth=1, max_number=1)
    assert [problem.kind for problem in read(b"[[12]]", limits).problems] == [
        "size",
        "depth",
        "number-length",
    ]


def test_reading_ends_at_a_problem_to_stop_at() -> None:
    data = b'["\\ud800",{"a":1,"a":2},"\xff"]'
    stopped = read(data, stop={"repeated-name"})
    assert stopped.root is None
    assert [problem.kind for problem in stopped.problems] == ["surrogate", "repeated-name"]


def test_memory_a_level_is_flat() -> None:
    data = b"[" * 50_000 + b"]" * 50_000
    tracemalloc.start()
    reading = read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reading.depth == 50_000
    assert peak / 50_000 < 60, "bytes a level"


def test_a_million_levels() -> None:
    began = time.process_time()
    reading = read(b"[" * 1_000_000 + b"]" * 1_000_000)
    assert reading.root is not None
    assert reading.depth == 1_000_000
    assert time.process_time() - began < 10  # some 2 s on an idle machine


@pytest.mark.parametrize("depth", [100_000, 1_000_000])
def test_depth_without_an_end(depth: int) -> None:
    fatal = read(b"[" * depth).fatal
    assert fatal is not None
    assert (fatal.kind, fatal.offset) == ("structure", depth)


def test_deep_objects_with_repeats_cost_no_square() -> None:
    data = b'{"a":1,"a":' * 50_000 + b"0" + b"}" * 50_000
    began = time.process_time()
    reading = read(data)
    assert len(reading.suspects) == 50_000
    assert time.process_time() - began < 5


def test_a_megabyte_of_ordinary_text() -> None:
    row = {"id": 7, "name": "user 7", "mail": "é@example.com", "score": 1.37, "tags": ["a", "b"], "ok": True}
    data = json.dumps([row] * 9_000, ensure_ascii=False).encode()
    began = time.process_time()
    reading = read(data)
    assert reading.root is not None
    assert time.process_time() - began < 3


@pytest.mark.parametrize("byte", range(256))
def test_no_byte_makes_it_raise(byte: int) -> None:
    for data in (
        bytes([byte]),
        b'["' + bytes([byte]),
        b"[" + bytes([byte]) + b"]",
        b'{"a' + bytes([byte]) + b'":1}',
    ):
        reading = read(data)
        assert reading.root is not None or reading.fatal is not None
