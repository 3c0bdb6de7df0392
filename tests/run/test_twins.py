"""Which cases get a twin: exactly those whose names repeat, by the reference's reading."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.run.ledgers import corpus
from whichwins.model import Case
from whichwins.reference import occurrences, read, twin
from whichwins.run import with_twins
from whichwins.run.twins import may_repeat, twin_of

NAMES = [
    "a",
    "b",
    "a~2",
    "",
    ":",
    ":a",
    ",",
    "\\u0061",
    '\\"',
    "\\\\",
    "é",
    "\u00e9",
    "e\u0301",
    "\\u00e9",
    "\\ud800",
    "{",
    "a b",
]
SPACES = st.sampled_from(["", "", "", " ", "\n", "\t\r\n "])
SCALARS = st.sampled_from(
    ["1", "-0.0", "1e400", "null", "true", '""', '":"', '",\\":"', '"a"', '"é"', '"\\""', "[]", "{}"]
)


@st.composite
def documents(draw: st.DrawFn, depth: int = 3) -> str:
    """JSON texts whose names often repeat, and whose strings look like names."""
    if depth == 0 or draw(st.booleans()):
        return draw(SCALARS)
    count = draw(st.integers(0, 4))
    inner = [draw(documents(depth - 1)) for _ in range(count)]
    space = draw(SPACES)
    if draw(st.booleans()):
        return f"[{space}{','.join(inner)}{space}]"
    members = (f'{space}"{draw(st.sampled_from(NAMES))}"{space}:{space}{value}' for value in inner)
    return "{" + f"{space},".join(members) + "}"


def brute(data: bytes) -> bool:
    """Whether the reference finds a repeat, without any shortcut."""
    return bool(occurrences(read(data)))


@given(documents())
@settings(max_examples=500, deadline=None)
@example('{"k":"v",":a":1,":a":2}')
@example('{"a":{"b":1},"a":{"b":1}}')
@example('[{"a":1},{"a":1}]')
@example('{"a":"{\\"a\\":1,\\"a\\":2}"}')
@example('{"a" :1,"a"\n:2}')
@example('{"é":1,"\\u00e9":2}')
def test_the_quick_look_never_misses_a_repeat(text: str) -> None:
    data = text.encode()
    assert may_repeat(data) or not brute(data)
    made = twin_of(corpus(("d/d", data)).cases[0])
    assert (made is not None) == brute(data)
    if made is not None:
        assert made.data == twin(read(data))
        assert not brute(made.data)


@given(
    st.lists(
        st.sampled_from(
            [b'{"a":1,"a":2}', b'"', b":", b"{", b"}", b",", b'"a"', b"\\", b"\xff", b" ", b"[", b"]", b"1"]
        ),
        max_size=12,
    )
)
@settings(max_examples=300, deadline=None)
def test_nor_in_texts_that_are_broken(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    assert may_repeat(data) or not brute(data)
    assert (twin_of(corpus(("d/d", data)).cases[0]) is not None) == brute(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b'{"a":1}', b'{"a":1,"b":2}', b'[{"a":1},{"a":2}]', b'{"a":{"a":1}}', b'{"a":":","b":":"}'],
)
def test_the_quick_look_is_quick_where_nothing_repeats(data: bytes) -> None:
    assert not may_repeat(data)


@pytest.mark.parametrize(
    "data", [b'{"a":1,"a":2', b'{"a":1,"a":2}}', b'{"a":1,"a":NaN}', b"\xef\xbb\xbf", b'{"a":1 "a":2}']
)
def test_no_twin_of_what_is_no_json(data: bytes) -> None:
    assert twin_of(corpus(("d/d", data)).cases[0]) is None


def test_what_a_twin_is() -> None:
    cases = corpus(("z/2", b'{"a":1,"a":2}'), ("z/1", b"[]"), ("z/3", b'{"a":1,"\\u0061":[1]}')).cases
    made = list(with_twins(cases))
    assert [case.id for case in made] == ["z/1", "z/2", "z/2~twin", "z/3", "z/3~twin"]
    first, second = made[2], made[4]
    assert first.data == b'{"a":1,"a~2":2}'
    assert second.data == b'{"a":1,"\\u0061~2":[1]}'
    assert (first.twin_of, first.family, first.why) == ("z/2", "z", "the repeated names of z/2 renamed apart")
    assert set(first.expect.values()) == {"accept"}
    assert first.clauses == {}  # nothing stands out in it


@given(st.lists(documents(), max_size=6))
@settings(max_examples=60, deadline=None)
def test_a_standard_library_check_of_the_twins(texts: list[str]) -> None:
    """What the standard library reads of a twin repeats no name, and holds every value of the case."""

    def pairs(found: list[tuple[str, object]]) -> object:
        names = [name for name, _ in found]
        assert len(set(names)) == len(names)
        return found

    cases: list[Case] = [
        *corpus(("x/x", b"[]"), *((f"d/{n}", t.encode()) for n, t in enumerate(texts))).cases
    ]
    for case in with_twins(cases):
        if case.twin_of is not None:
            text = case.data.decode()
            json.loads(text, object_pairs_hook=pairs)
            original = next(each for each in cases if each.id == case.twin_of).data.decode()
            assert count(text) == count(original)


def count(text: str) -> int:
    total = 0

    def pairs(found: list[tuple[str, object]]) -> None:
        nonlocal total
        total += len(found)

    json.loads(text, object_pairs_hook=pairs)
    return total


DEEP = 5_000


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, False),
        (b'[{"a":' * DEEP, False),
        (b"[" * DEEP + b'{"a":1,"b":2}' + b"]" * DEEP, False),
        (b"[" * DEEP + b'{"a":1,"a":2}' + b"]" * DEEP, True),
        (b'{"a":' * DEEP + b'{"[":1,"[":2}' + b"}" * DEEP, True),
        (b'{"a":1,"a":' * DEEP + b"1" + b"}" * DEEP, True),
    ],
)
def test_deep_texts(data: bytes, looks: bool) -> None:
    assert may_repeat(data) == looks
    assert (twin_of(corpus(("d/d", data)).cases[0]) is not None) == brute(data) == looks
