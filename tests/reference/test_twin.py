"""Repeats, collisions and twins by hand."""

from __future__ import annotations

import time

import pytest

from whichwins.reference import Group, occurrences, read, twin


def groups(data: bytes) -> list[tuple[str, tuple[Group, ...]]]:
    return [(occurrence.pointer, occurrence.groups) for occurrence in occurrences(read(data))]


def test_groups_in_document_order() -> None:
    assert groups(b'{"b":1,"a":[{"x":1,"y":2,"\\u0078":3}],"a":2,"b":3,"c":4,"a":5}') == [
        ("", (Group("b", (0, 3)), Group("a", (1, 2, 5)))),
        ("/a/0", (Group("x", (0, 2)),)),
    ]


def test_no_groups() -> None:
    assert groups(b'{"a":{"a":1},"A":2,"a\\u0000":3}') == []
    assert groups(b'{"a":1,"a":2') == []
    assert groups(b'{"\\ud800":1}') == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"\\ud800":1,"\\ud801":2}', Group("\ufffd", (0, 1), collision=True)),
        (b'{"\xff":1,"b":0,"\xfe":2}', Group("\ufffd", (0, 2), collision=True)),
        (b'{"\xef\xbf\xbd":1,"\\udead":2}', Group("\ufffd", (0, 1), collision=True)),
        (b'{"\xed\xa0\x80":1,"\\ud800":2}', Group("\ud800", (0, 1), collision=True)),
        (b'{"\xe2\x82":1,"\xff":2}', Group("\ufffd", (0, 1), collision=True)),
        (b'{"\xff":1,"\xff":2}', Group(b"\xff", (0, 1))),
    ],
)
def test_collisions(data: bytes, expected: Group) -> None:
    assert groups(data) == [("", (expected,))]


def test_names_that_do_not_collide() -> None:
    assert groups(b'{"\xff\xff":1,"\xff":2,"\\ud800\\ud800\\ud800":3}') == []
    assert groups(b'{"\\ud83d\\ude00":1,"\\ud83d":2}') == []


def test_exact_repeats_and_collisions_together() -> None:
    assert groups(b'{"\\ud800":1,"\\ud800":2,"\\ud801":3}') == [
        ("", (Group("\ud800", (0, 1)), Group("\ufffd", (0, 1, 2), collision=True)))
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"quantity":2,"quantity":20}', b'{"quantity":2,"quantity~2":20}'),
        (b' { "a" : 1 , "a":2,"a":3 } ', b' { "a" : 1 , "a~2":2,"a~3":3 } '),
        (b'{"a":1,"a":2,"a~2":3}', b'{"a":1,"a~3":2,"a~2":3}'),
        (b'{"a":1,"\\u0061":2}', b'{"a":1,"\\u0061~2":2}'),
        (b'{"":1,"":2}', b'{"":1,"~2":2}'),
        (b'{"a":{"b":1,"b":2},"a":[{"b":1}]}', b'{"a":{"b":1,"b~2":2},"a~2":[{"b":1}]}'),
        (b'{"a":1,"b":1,"a":2,"b":2}', b'{"a":1,"b":1,"a~2":2,"b~2":2}'),
        (
            b'{"a":1,"a":2,"\\u0061\\u007e2":3,"a\\u007e3":4}',
            b'{"a":1,"a~4":2,"\\u0061\\u007e2":3,"a\\u007e3":4}',
        ),
        (b'{"\\ud800":1,"\\ud801":2}', b'{"\\ud800":1,"\\ud801~2":2}'),
        (b'{"\xff":1,"\xfe":2}', b'{"\xff":1,"\xfe~2":2}'),
        (b'\xef\xbb\xbf{"a":1,"a":1e999}', b'\xef\xbb\xbf{"a":1,"a~2":1e999}'),
        (b'{"a":1,"b":2}', None),
        (b'{"a":1,"a":2', None),
        (b'{"a":1,"a":2}x', None),
        (b"", None),
    ],
)
def test_twins(data: bytes, expected: bytes | None) -> None:
    assert twin(read(data)) == expected


def test_many_repeats_cost_no_square() -> None:
    data = b"{" + b",".join([b'"a":1'] * 20_000 + [b'"\\ud8%02x":1' % (k % 256) for k in range(5_000)]) + b"}"
    began = time.process_time()
    changed = twin(read(data))
    assert changed is not None
    assert occurrences(read(changed)) == []
    assert time.process_time() - began < 5
