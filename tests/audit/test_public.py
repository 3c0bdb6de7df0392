"""What of a value stands in a case: by hand."""

from __future__ import annotations

import pytest

from whichwins.audit.public import Public


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"q":20}', True),
        ('{"q":2}', True),
        ("20", True),
        ("20.0", True),  # the same number
        ("D20", True),
        ('"q"', True),
        ('["q",[2,20],{}]', True),
        ("[]", True),
        ('{"q":21}', False),
        ('{"Q":20}', False),
        ('"20"', False),  # a text that is not there
        ("null", False),
        ("true", False),
        ('b"72"', False),
        ('X"int"', False),
        ("not a notation", False),
        ('{"q":20...', False),
        ("[" * 70_000 + "]" * 70_000, False),  # too long to be looked into
    ],
)
def test_scalars_and_names_of_the_text(text: str, says: bool) -> None:
    assert Public(b'{"q":2,"q":20}').says(text) is says


def test_what_a_parser_made_of_it_is_public_too() -> None:
    read = Public(b"[9007199254740993]", ["[9007199254740992.0,NaN]"])
    assert all(map(read.says, ("9007199254740993", "9007199254740992", "NaN", "[900719925474...")))
    assert not any(map(read.says, ("9007199254740991", "Infinity", "[800...")))
    assert Public(b"no JSON", ['"made"']).says('{"made":"made"}')
    assert not Public(b"no JSON").says('"no JSON"')


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (b'{"q":2,"q":20}', True),
        (b' { "\\u0071" : 2.0 } ', True),
        (b'{"q":3}', False),
        (b'{"q":2}x', False),
        (b"", False),
        (b"\xff", False),
    ],
)
def test_bytes(data: bytes, holds: bool) -> None:
    assert Public(b'{"q":2,"q":20}').holds(data) is holds


def test_escapes_surrogates_and_bytes_are_their_text() -> None:
    assert Public(b'["\\u0061"]').says('"a"')
    assert Public(b'["\\ud83d\\ude00"]').says('"\\ud83d\\ude00"')
    assert Public(b'["\xff"]').says('b"ff"')
    assert not Public(b'["\xff"]').says('"\\ufffd"')


def test_names_of_a_pointer() -> None:
    public = Public(b'{"a/b":{"~":1}}')
    assert public.names("/a~1b/~0")
    assert not public.names("/a~1b/0")  # an index, or a name
    assert public.names("")
