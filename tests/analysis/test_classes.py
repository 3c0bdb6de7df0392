from __future__ import annotations

import pytest

from tests.analysis.views import answer
from whichwins.analysis.classes import FAILED, REJECTED, SILENT, classify, groups
from whichwins.analysis.lens import lens
from whichwins.model import Observation, Outcome

VALUE = lens("value/1")


@pytest.mark.parametrize(
    ("answers", "signature", "verdict", "value"),
    [
        (["1", "1"], (0, 0), False, False),
        (["1", "1.0", "D1.00"], (0, 0, 0), False, False),
        (["1", "2", "1"], (0, 1, 0), False, True),
        (["2", "1", "1.0"], (0, 1, 1), False, True),
        (["1", "-"], (0, REJECTED), True, False),
        (["1", "-", "2"], (0, REJECTED, 1), True, True),
        (["1", "!fault"], (0, FAILED), True, False),
        (["1", "!crash", "!timeout", "!garbled"], (0, FAILED, FAILED, FAILED), True, False),
        (["-", "!fault"], (REJECTED, FAILED), False, False),
        (["1", "!unsupported", "!absent"], (0, SILENT, SILENT), False, False),
        (["-", "!unsupported"], (REJECTED, SILENT), False, False),
        (['{"a":1,"b":2}', '{"b":2,"a":1.0}'], (0, 0), False, False),
    ],
)
def test_signatures_and_splits(
    answers: list[str], signature: tuple[int, ...], verdict: bool, value: bool
) -> None:
    classes = classify([answer(text) for text in answers], VALUE)
    assert classes.signature == signature
    assert (classes.verdict, classes.value) == (verdict, value)
    assert classes.split is (verdict or value)


def test_only_distinct_texts_are_normalised() -> None:
    asked: list[str] = []

    def counting(text: str) -> str:
        asked.append(text)
        return VALUE(text)

    classify([answer("[1]")] * 12, counting)
    assert asked == []
    classify([answer("[1]"), answer("[1.0]"), answer("-")] * 4, counting)
    assert sorted(asked) == ["[1.0]", "[1]"]


def test_dimensions_are_counted_within_a_class_only() -> None:
    assert classify([answer("1"), answer("1.0")], VALUE).dimensions() == {"type"}
    assert classify([answer("0.0"), answer("-0.0")], VALUE).dimensions() == {"zero-sign"}
    assert classify([answer("1"), answer("2.0")], VALUE).dimensions() == frozenset()
    assert classify([answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}')], VALUE).dimensions() == {"order"}


def test_groups_name_every_member_once_and_say_what_belongs_to_it() -> None:
    keys = ["a", "b", "c", "d", "e"]
    row = [
        answer("1"),
        Observation(Outcome.CRASH, signal="SIGSEGV", unstable=True),
        answer("1.0"),
        Observation(Outcome.REJECT, stage="decode", error="UnicodeDecodeError"),
        answer("2"),
    ]
    found = groups(keys, row, classify(row, VALUE))
    assert [(group.outcome, group.members, group.value, group.spellings) for group in found] == [
        (Outcome.ACCEPT, ("a", "c"), "1", 2),
        (Outcome.ACCEPT, ("e",), "2", 1),
        (Outcome.REJECT, ("d",), None, 0),
        (Outcome.CRASH, ("b",), None, 0),
    ]
    assert found[2].notes == {"d": "decode UnicodeDecodeError"}
    assert found[3].notes == {"b": "SIGSEGV (unstable)"}
