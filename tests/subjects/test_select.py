"""Choosing subjects: keys, patterns, the default set, and what is said of a wrong key."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.model import Adapter, BadInput, Subject
from whichwins.subjects import select


def subject(key: str, default: bool = False) -> Subject:
    return Subject(key, key.split("/")[0], "f", "l", "e", "s", "library", ("E",), default=default)


ADAPTERS = (
    Adapter("py", Path("p"), 1, (subject("py/orjson", True), subject("py/json", True), subject("py/odd"))),
    Adapter("js", Path("j"), 1, (subject("js/json", True),)),
)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([], ["js/json", "py/json", "py/orjson"]),
        (["py/odd"], ["py/odd"]),
        (["py/orjson", "js/json"], ["js/json", "py/orjson"]),
        (["py/*"], ["py/json", "py/odd", "py/orjson"]),
        (["*/json", "py/json"], ["js/json", "py/json"]),
        (["py/o[dr]*"], ["py/odd", "py/orjson"]),
    ],
)
def test_choice(keys: list[str], chosen: list[str]) -> None:
    assert [each.key for each in select(ADAPTERS, keys)] == chosen


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("py/jsn", "no subject py/jsn: did you mean py/json"),
        ("zzz", "no subject zzz: `whichwins subjects` lists them"),
        ("rb/*", "no subject rb/*"),
        ("PY/JSON", "no subject PY/JSON"),
        ("\x1b[31m\n", "no subject '\\x1b[31m\\n'"),
        ("", "no subject : "),
    ],
)
def test_unknown_keys(key: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        select(ADAPTERS, ["py/json", key])
    assert str(caught.value).startswith(message)
