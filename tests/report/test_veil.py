"""Hidden values: what is told of them, and what is not."""

from __future__ import annotations

import pytest

from whichwins.report.document import Code, Input
from whichwins.report.veil import Veil


def hidden() -> Veil:
    return Veil(False)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('{"a":1}', "value 1 (object, 7 characters)"),
        ("[]", "value 1 (array, 2 characters)"),
        ('"x"', "value 1 (text, 3 characters)"),
        ('u"0000d83d0000de00"', "value 1 (text, 19 characters)"),
        ('b"ff"', "value 1 (bytes, 5 characters)"),
        ("20", "value 1 (number, 2 characters)"),
        ("-0.0", "value 1 (number, 4 characters)"),
        ("D1.10", "value 1 (number, 5 characters)"),
        ("NaN", "value 1 (number, 3 characters)"),
        ("Infinity", "value 1 (number, 8 characters)"),
        ('X"set"', "value 1 (another value, 6 characters)"),
        ("true", "value 1 (a word)"),
        ("false", "value 1 (a word)"),
        ("null", "value 1 (a word)"),
        ("?", "value 1 (value, 1 character)"),
        ("[" + "1," * 50 + "...", "value 1 (array, over 101 characters)"),
        ("", ""),
    ],
)
def test_what_is_told(value: str, said: str) -> None:
    assert hidden().said(value) == said


def test_equal_values_have_one_number() -> None:
    veil = hidden()
    told = [veil.said(value) for value in ('"a"', '"b"', '"a"', '"c"')]
    assert [each.split(" ")[1] for each in told] == ["1", "2", "1", "3"]


def test_nothing_is_nothing() -> None:
    assert hidden().value("") == Veil(True).value("") == "(nothing)"


@pytest.mark.parametrize(
    ("pointer", "data", "said"),
    [
        ("", b"[1]", "the whole document"),
        ("/a", b'{"b":1,"a":2}', "#1"),
        ("/a", b'{"b":1,"a":2,"a":3}', "#1"),
        ("/b/1/c", b'{"a":0,"b":[1,{"x":0,"y":0,"c":1}]}', "#1/#1/#2"),
        ("/a~1b/~0", b'{"a/b":{"~":1}}', "#0/#0"),
        ("/\u00e9", b'{"\\u00e9":1}', "#0"),
        ("/secret", b'{"a":1}', "1 level down"),
        ("/a/b", b'{"a":1}', "2 levels down"),
        ("/1", b"[1]", "1 level down"),
        ("/-1", b"[1]", "1 level down"),
        ("/\u0661", b"[1,2]", "1 level down"),
        ("/a", b'{"a":', "1 level down"),
        ("/a", b"\xff", "1 level down"),
        ("/a/b", None, "2 levels down"),
        ("/0", b"[" + b" " * 65536 + b"1]", "1 level down"),
    ],
)
def test_places_are_told_without_names(pointer: str, data: bytes | None, said: str) -> None:
    cell = hidden().place(pointer, data)
    assert (cell.text if isinstance(cell, Code) else cell) == said


def test_deep_places_take_no_stack() -> None:
    deep = b"[" * 20_000 + b"1" + b"]" * 20_000
    cell = hidden().place("/0" * 20_000, deep)
    assert isinstance(cell, Code)
    assert cell.text.count("#0") == 20_000


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rejected", True),
        ("executed 2 times, then failed, exception OSError", True),
        ("2 executions", True),
        ("1 execution, then failed, exception OSError", True),
        ('1 execution, then failed, exception "x"', False),
        ("executed once, behind it at gateway", True),
        ("20", False),
        ("-1.5e3", False),
        ("D1.10", False),
        ("null", False),
        ("Infinity", False),
        ('"rejected"', False),
        ('got {"a":1}', False),
        ("[1]", False),
        ("\u00e9", False),
    ],
)
def test_words_are_told_and_values_are_not(text: str, told: bool) -> None:
    assert (hidden().outcome(text) == text) is told
    assert Veil(True).outcome(text) == text


def test_inputs_and_words() -> None:
    assert hidden().input(None, 7) == Veil(True).input(None, 7) == "7 bytes, left out"
    assert hidden().input(b"abc", 3) == "bytes 1 (3 bytes)"
    assert Veil(True).input(b"abc", 3) == Input(b"abc", 200)
    assert hidden().words("no quantity 7") == "(13 characters of text)"
    assert Veil(True).words("no") == "no"
