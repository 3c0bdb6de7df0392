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


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (["py/orjson@3.9.15"], [("py/orjson@3.9.15", "3.9.15")]),
        (["py/orjson@3.9", "py/orjson"], [("py/orjson", ""), ("py/orjson@3.9", "3.9")]),
        (["py/o*@1"], [("py/odd@1", "1"), ("py/orjson@1", "1")]),
        (["py/orjson@< 5.8, >5"], [("py/orjson@<5.8,>5", "< 5.8, >5")]),
        (["py/orjson@./my dist/o-1.whl"], [("py/orjson@o-1.whl", "./my dist/o-1.whl")]),
        (["py/orjson@/home/me/orjson/"], [("py/orjson@orjson", "/home/me/orjson/")]),
        (["py/orjson@o-1.whl"], [("py/orjson@o-1.whl", "o-1.whl")]),
        (["js/json@wasm-3.4"], [("js/json@wasm-3.4", "wasm-3.4")]),
    ],
)
def test_versions(keys: list[str], chosen: list[tuple[str, str]]) -> None:
    """The column carries the request, of a path only the name; the base does not."""
    found = select(ADAPTERS, keys)
    assert [(each.key, each.version) for each in found] == chosen
    assert {each.base for each in found} <= {"py/orjson", "py/odd", "js/json"}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["py/orjson@"], "version '': write a version"),
        (["py/orjson@1\n2\x1b"], "version '1\\n2\\x1b': write a version"),
        (["py/orjson@" + "9" * 300], "version '999"),
        (["py/orjsn@1"], "no subject py/orjsn: did you mean py/orjson"),
        (["py/orjson@a/o.whl", "py/orjson@b/o.whl"], "py/orjson@o.whl: two files of one name"),
    ],
)
def test_wrong_versions(keys: list[str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        select(ADAPTERS, keys)
    assert str(caught.value).startswith(message)
