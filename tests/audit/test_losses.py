"""Losses, each from a text and the value that a reader of the real kind makes of it."""

from __future__ import annotations

import pytest

from whichwins.audit.losses import Original, loss_of
from whichwins.reference import read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"q":2}', '{"q":2}'),
        (' { "b" : 1.50, "a" : [ ] } ', '{"a":[],"b":1.5}'),
        ('{"q":2,"q":20}', '{"q":2,"q":20}'),
        ('{"q":2}', '{"q":2,"added":null}'),
        ("9007199254740993", "9007199254740993"),
        ("20", "20.0"),
        ("-0", "0"),
        ("1e2", "100"),
        ('"\\ud800"', '"\\ud800"'),
        ('"\\ud83d\\ude00"', 'u"0000d83d0000de00"'),
        (b'"\xff"', 'b"ff"'),
        ("[1]", "[1,2]"),
        ('{"1":true}', '{X"int:1":true}'),
        (b'\xef\xbb\xbf{"q":2}', '{"q":2}'),
    ],
)
def test_nothing_is_lost(text: str | bytes, value: str) -> None:
    assert loss_of(read(text if isinstance(text, bytes) else text.encode()), value) is None


@pytest.mark.parametrize(
    ("text", "value", "loss"),
    [
        ('{"q":2,"q":20}', '{"q":20}', "occurrence"),
        ('{"q":2,"q":20}', '{"q":2}', "occurrence"),
        ('{"q":2,"\\u0071":2}', '{"q":2}', "occurrence"),
        ('[{"a":{"q":1,"q":2}}]', '[{"a":{"q":2}}]', "occurrence"),
        ('{"q":{"a":1},"q":{"b":2}}', '{"q":{"a":1,"b":2}}', "occurrence"),
        ('{"q":2,"q":20}', '{"q":[2,20]}', "occurrence"),
        ('{"q":2,"q":20}', "{}", "occurrence"),
        ("9007199254740993", "9007199254740992.0", "number"),
        ("9007199254740993", "9007199254740992", "number"),
        # The same decimal, but the policy rejects it for what a binary64 makes of its neighbours.
        ("9007199254740992", "9007199254740992.0", "number"),
        ("1e400", "Infinity", "number"),
        ("0.10000000000000000555", "0.1", "number"),
        ("1.5", "1", "number"),
        (b'"a\xff"', '"a\\ufffd"', "bytes"),
        (b'"a\xff"', '"a\\u00ff"', "bytes"),
        ('"\\ud800"', '"\\ufffd"', "bytes"),
        ('"\\ud800"', '"?"', "bytes"),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":2}', "bytes"),
        ('{"\\ud800":1}', '{"\\ufffd":1}', "bytes"),
        ('"a\\u0000b"', '"a"', "truncation"),
        ('{"a\\u0000b":1}', '{"a":1}', "truncation"),
        ("[1,2]", "[1]", "truncation"),
        ('{"q":2}', "{}", "other"),
        ('{"q":2}', '{"q":"2"}', "other"),
        ("true", "1", "other"),
        ('{"a":1}', "[]", "other"),
        (b'{"quantity":2}\0{"quantity":20}', '{"quantity":2}', "truncation"),
        ('{"quantity":2}{"quantity":20}', '{"quantity":2}', "truncation"),
        ('{"quantity":2}{"quantity":20}', '{"quantity":20}', "other"),
        ('{"quantity":2}/* 20 */', '{"quantity":2}', "other"),
        (b"[1,\xff]", '[1,"\\ufffd"]', "bytes"),
        ("[1,]", "[1]", "other"),
        ("NaN", "NaN", "other"),
        ("[NaN]", "[NaN]", "other"),
        ('b"ff"', 'b"ff"', "other"),
        ("0x10", "0", "truncation"),
        ("[1 2]", "[1,2]", "other"),
        (b"1\0", "1", "other"),  # UTF-16, read as such
    ],
)
def test_what_is_lost(text: str | bytes, value: str, loss: str) -> None:
    assert loss_of(read(text if isinstance(text, bytes) else text.encode()), value) == loss


def test_the_gravest_loss_is_named() -> None:
    assert loss_of(read(b'{"n":1e400,"t":"\xff","q":1,"q":2}'), '{"n":Infinity,"t":"\\ufffd","q":2}') == (
        "occurrence"
    )


def test_a_layer_that_lets_large_integers_pass_loses_none_of_the_same_value() -> None:
    reading = read(b"9007199254740992")
    assert loss_of(reading, "9007199254740992.0", "rfc8259/1") is None
    assert loss_of(reading, "9007199254740994.0", "rfc8259/1") == "number"


def test_an_answer_looked_up_by_name_is_no_misread_number() -> None:
    reading = read(b'{"a":1,"b":2}')
    assert loss_of(reading, '{"a":1,"b":1}', lookup=True) == "other"
    assert loss_of(reading, '{"a":1,"b":1}') == "number"
    # Listed twice, valued by name: one of the two is gone.
    assert loss_of(read(b'{"a":1,"a":2}'), '{"a":1,"a":1}', lookup=True) == "occurrence"


@pytest.mark.parametrize(
    ("text", "emitted", "value", "loss"),
    [
        (b'{"q":2,"q":20}', b'{"q":2,"q":20}', '{"q":20}', None),
        (b'{"q":2,"q":20}', b'{"q": 2, "q": 20}', None, None),
        (b'{"q":2,"q":20}', b'{"q": 20}', None, "occurrence"),
        (b"9007199254740993", b"9007199254740992", None, "number"),
        (b"1e400", b"Infinity", "Infinity", "number"),
        (b"1e400", b"null", "Infinity", "other"),
        (b'"\xff"', b'"\xef\xbf\xbd"', None, "bytes"),
        (b'\xef\xbb\xbf{"q":2}', b'{"q":2}', '{"q":2}', "other"),
        (b"[1,]", b"[1]", "[1]", "other"),
        (b"[1]", b"[1", None, "other"),
    ],
)
def test_emitted_bytes(text: bytes, emitted: bytes, value: str | None, loss: str | None) -> None:
    assert Original(text).loss_emitted(emitted, value) == loss


def test_a_conversion_hides_no_repeat_and_no_replaced_byte() -> None:
    assert Original(b'{"q":2,"q":20}').loss_converted('{"cents":2000}') == "occurrence"
    assert Original(b'{"q":2}').loss_converted('{"cents":200}') is None
    assert Original(b'"\xff"').loss_converted('"\\ufffd!"') == "bytes"


def test_deep_texts_cost_little() -> None:
    text = "[" * 30_000 + "]" * 30_000
    original = Original(text.encode())
    assert original.loss(text) is None
    assert original.loss("[" * 29_999 + "]" * 29_999) == "truncation"
