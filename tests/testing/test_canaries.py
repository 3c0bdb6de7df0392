"""A decoder that reads nothing fails, whatever cases are chosen; one that reads its own kind only passes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.testing.decoders import corpus, guarded, refuse, swallow
from whichwins.model import BadInput
from whichwins.testing import assert_decoder, cases
from whichwins.testing.judging import clause_of

# Each may be refused, or has no value that is agreed on.
REFUSABLE = {
    "i-json": ("repeated-conflicting/quantity-*", "invalid-utf8/name-surrogate"),
    "strict-tool-input": ("numbers-integers/*",),
    "rfc8259": ("repeated-conflicting/quantity-*",),
}


def wrong_arguments() -> None:
    """A function that cannot even be called: TypeError, every time."""


def echo(data: bytes) -> object:
    return data.decode("latin-1")


def validates(data: bytes) -> object:
    return json.loads(data) is not ...


def empty(data: bytes) -> object:
    guarded(data)
    return {}


def handed_on(data: bytes) -> object:
    """What it is to be called with is another thing than it takes."""
    return json.loads(data.no_such_method())  # type: ignore[attr-defined]


BROKEN = [refuse, swallow, wrong_arguments, echo, validates, empty, handed_on]


@pytest.mark.parametrize("layer", REFUSABLE)
@pytest.mark.parametrize("decode", BROKEN)
def test_a_broken_decoder_passes_nothing(decode: Callable[[bytes], object], layer: str) -> None:
    with pytest.raises(AssertionError):
        assert_decoder(decode, layer, cases=REFUSABLE[layer])


@pytest.mark.parametrize("decode", BROKEN)
@pytest.mark.parametrize("layer", REFUSABLE)
def test_nor_does_it_pass_a_case_alone(decode: Callable[[bytes], object], layer: str) -> None:
    for case in cases(layer, cases=REFUSABLE[layer]):
        with pytest.raises(AssertionError):
            case.check(decode)


@pytest.mark.parametrize("decode", [swallow, validates, empty])
def test_a_value_that_anybody_returns_is_no_sign_of_life(
    decode: Callable[[bytes], object], tmp_path: Path
) -> None:
    where = corpus(tmp_path, {"a": b"null", "b": b"true", "c": b"{}", "r": b'{"a":1,"a":2}'})
    alone = {"swallow": "a", "validates": "b", "empty": "c"}[decode.__name__]
    with pytest.raises(AssertionError, match="does not read what everybody reads"):
        assert_decoder(decode, "rfc8259", corpus=where, cases=[f"mine/{alone}", "mine/r"])


def test_what_is_wrong_is_said_with_the_remedy() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_decoder(refuse, "i-json", cases="repeated-conflicting/quantity-*")
    lines = str(caught.value).splitlines()
    assert lines[0].endswith(
        "refuse: the decoder does not read what everybody reads, so what it refuses says nothing"
    )
    assert lines[1].startswith('  {"a":1} gave ValueError: no (decoders.py:')
    assert lines[2] == "  If it takes texts of its own kind only, name one: canary=b'...'"


def orders(data: bytes) -> Any:
    """Takes one kind of text."""
    value = guarded(data)
    if not isinstance(value, dict) or value.keys() != {"quantity"}:
        raise ValueError("no order")
    return value


def test_whoever_takes_texts_of_its_own_kind_names_one(tmp_path: Path) -> None:
    chosen = "repeated-conflicting/quantity-*"
    with pytest.raises(AssertionError, match="name one: canary"):
        assert_decoder(orders, "i-json", cases=chosen)
    assert_decoder(orders, "i-json", cases=chosen, canary=b'{"quantity":3}')
    for case in cases("i-json", cases=chosen):
        case.check(orders, canary=[b'{"quantity":3}', b'{"quantity":4}'])
    with pytest.raises(AssertionError, match="does not read"):
        assert_decoder(orders, "i-json", cases=chosen, canary=[b'{"quantity":3}', b"[1]"])
    # A case of one's own that is read is sign enough.
    where = corpus(tmp_path, {"good": b'{"quantity":7}', "bad": b'{"quantity":7,"quantity":8}'})
    assert_decoder(orders, "i-json", corpus=where)


@pytest.mark.parametrize(
    "decode", [lambda data: {**guarded(data)}, lambda data: [*guarded(data)], lambda data: guarded(data) + 0]
)
def test_whoever_takes_one_type_only_is_alive(decode: Callable[[bytes], object]) -> None:
    def typed(data: bytes) -> object:
        value = guarded(data)
        if type(decode(data)) is not type(value):
            raise ValueError("of another type")
        return value

    assert_decoder(typed, "i-json", cases="repeated-conflicting/quantity-*")


@pytest.mark.parametrize("canary", [b"{", b'{"a":1,"a":2}', b"\xff", [], [b"[1]", "[1]"]])
def test_a_canary_is_a_text_that_all_accept(canary: Any) -> None:
    with pytest.raises(BadInput, match=r"^canary must be "):
        assert_decoder(guarded, families="controls", canary=canary)
    with pytest.raises(BadInput, match=r"^canary must be "):
        cases(families="controls")[0].check(guarded, canary=canary)


@pytest.mark.parametrize("layer", ["rfc8259", "i-json", "jcs-input", "strict-tool-input"])
def test_one_case_and_a_summary_name_the_same_clause(layer: str) -> None:
    """Of every case that a layer rejects; the summary's words are those of the documentation."""
    asked = [case for case in cases(layer) if case.expectation == "reject" and len(case.data) < 200]
    assert len(asked) > 800
    for case in asked:
        with pytest.raises(AssertionError) as alone:
            case.check(swallow)
        assert f"  expected  reject: {clause_of(case.data, case.layer, case.clause)}" in str(alone.value)
