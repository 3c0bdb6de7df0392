"""Deep texts made shallow, beside what they are."""

import pytest

from whichwins.nesting import unwrapped, wrapping
from whichwins.notation import NotationError, canonical
from whichwins.scanner import is_canonical_json

DEEP = 20_000


def nested(*openers: str) -> tuple[str, str]:
    closers = "".join("]" if opener == "[" else "}" for opener in reversed(openers))
    return "".join(openers), closers


@pytest.mark.parametrize(
    "openers", [["["] * DEEP, ['{"a":'] * DEEP, ["[", '{"a b":'] * DEEP, ['{"[":', "["] * DEEP]
)
@pytest.mark.parametrize("inner", ["", "1", "[]", '[1,{"x":[2]}]', "1,2", "[1,[2]]"])
def test_a_deep_value_becomes_shallow_and_stays_one(openers: list[str], inner: str) -> None:
    start, end = nested(*openers)
    if not inner and openers[-1] != "[":
        inner = "{}"
    if inner == "1,2" and openers[-1] != "[":
        inner = '1,"b":2'
    text = start + inner + end
    left = unwrapped(text)
    assert "".join(wrapping(text)) == text
    assert len(left) < 2_000
    assert inner in left
    assert is_canonical_json(left)
    assert is_canonical_json(text)
    assert canonical(text) is text


@pytest.mark.parametrize("inner", ["1.50", "01", "1 ", "]", "-0", "[1", "1}", '"', ","])
def test_what_is_wrong_inside_stays_wrong(inner: str) -> None:
    text = "[" * DEEP + inner + "]" * DEEP
    assert not is_canonical_json(text)


def test_a_wrong_closer_is_seen() -> None:
    start, end = nested(*["[", '{"a":'] * DEEP)
    for at in (len(end) // 2, 0, len(end) - 1):
        other = "]" if end[at] == "}" else "}"
        text = start + "1" + end[:at] + other + end[at + 1 :]
        with pytest.raises(NotationError):
            canonical(text)
    for text in (start + "1" + end[1:], start + "1" + end + "]", start[1:] + "1" + end):
        with pytest.raises(NotationError):
            canonical(text)


@pytest.mark.parametrize("text", ["", "1", "[1]", "[[1],[2]]", "]", "[" * 300, "]" * 300, '{"a":' * 300])
def test_what_is_not_deep_or_does_not_close_comes_back(text: str) -> None:
    assert unwrapped(text) == text
