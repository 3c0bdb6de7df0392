"""How deep subjects read and what of a number survives, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analysis.views import view
from whichwins.analysis import compare
from whichwins.analysis.limits import depth_of
from whichwins.analysis.limits_result import Depth, Limits
from whichwins.model import Outcome

SUBJECTS = ("a", "b", "c")


def limits(*rows: tuple[Any, ...]) -> Limits:
    return compare(view(SUBJECTS, *rows)).limits


@pytest.mark.parametrize(
    ("data", "nest"),
    [
        (b"[]", ("arrays", 1)),
        (b"[[[]]]", ("arrays", 3)),
        (b'{"a":{"a":1}}', ("objects", 2)),
        (b'{"a":{}}', None),  # the innermost has no member
        (b'{"a":{"b":}}', None),  # no JSON
        (b"[[[]]", None),
        (b"[[]]]", None),
        (b"[[1]]", None),
        (b"[[],[]]", None),
        (b'[{"a":1}]', None),
        (b'{"a":1}}', None),
        (b"", None),
        (b"1", None),
        (b'{"a\\"":1}', None),
        # Refused for their names, not for their depth.
        (b'{"\xff":1}', None),
        (b'{"\n":{"a":1}}', None),
        (b'{"\x7f":1}', None),
    ],
)
def test_a_nest_is_nothing_but_containers_in_each_other(data: bytes, nest: tuple[str, int] | None) -> None:
    assert depth_of(data) == nest


def test_where_reading_stops() -> None:
    found = limits(
        ("depth/1", "[]", ["[]", "[]", "-"]),
        ("depth/2", "[[]]", ["[[]]", "-", "-"]),
        ("depth/4", "[[[[]]]]", ["[[[[]]]]", "[[[[]]]]", "!fault"]),
        ("other/x", "[1]", ["-", "-", "[1]"]),  # no nest: what becomes of it counts for nothing
    ).depths
    assert found == {
        "arrays": (
            Depth(4, None, None, 0, 4),  # reads all
            Depth(1, 2, Outcome.REJECT, 1, 4),  # and yet the fourth level
            Depth(0, 1, Outcome.REJECT, 0, 4),
        )
    }


def test_what_could_not_be_put_to_it_is_not_what_it_refuses() -> None:
    found = limits(
        ("depth/1", '{"a":1}', ["1", "!unsupported", "!crash"]),
        ("depth/2", '{"a":{"a":1}}', ["!unsupported", "!unsupported", "2"]),
    ).depths
    assert found == {
        "objects": (
            Depth(1, None, None, 0, 1),
            Depth(0, None, None, 0, 0),
            Depth(0, 1, Outcome.CRASH, 1, 2),
        )
    }


@pytest.mark.parametrize(
    ("data", "answer", "became"),
    [
        ("[9007199254740993]", "[9007199254740993]", "exact"),
        ("[9007199254740993]", "[D9007199254740993]", "exact"),
        ("[9007199254740993]", "[9007199254740992.0]", "rounded"),
        ("[9007199254740993]", "[9007199254740994]", "other"),
        ("[0.1]", "[0.1]", "exact"),
        ("[0.10000000000000000555]", "[0.1]", "rounded"),
        ("[1e400]", "[Infinity]", "other"),  # no number any more
        ("[1e400]", "[D1e400]", "exact"),
        ("[1e400]", "-", "refused"),
        ("[1e400]", "!fault", "failed"),
    ],
)
def test_what_of_a_number_survives(data: str, answer: str, became: str) -> None:
    counts = limits(("numbers-x/one", data, [answer, "!unsupported", "7"])).numbers
    assert {name for name, count in counts[0].items() if count} == {became}
    assert not any(counts[1].values())
    assert counts[2]["other"] == 1


def test_other_families_and_other_texts_are_not_counted() -> None:
    counts = limits(("strings/x", "1", ["1", "2", "-"]), ("numbers-x/bad", "[01]", ["[1]", "-", "-"])).numbers
    assert not any(any(each.values()) for each in counts)
