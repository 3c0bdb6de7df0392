"""The notation writer of the Python kit: right by hand-written values, its two paths equal."""

from __future__ import annotations

import collections
import datetime
import decimal
import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.python_worker import FOLDER
from whichwins import notation


def _kit() -> Any:
    spec = importlib.util.spec_from_file_location("kit_render", FOLDER / "render.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kit = _kit()
VECTORS = tomllib.loads((FOLDER.parents[1] / "fixtures" / "notation.toml").read_text(encoding="utf-8"))[
    "vector"
]

BY_HAND = [
    (None, "null"),
    (True, "true"),
    (1, "1"),
    (-0, "0"),
    (1.0, "1.0"),
    (-0.0, "-0.0"),
    (1e16, "1e+16"),
    (1e-7, "1e-07"),
    (float("nan"), "NaN"),
    (float("inf"), "Infinity"),
    (float("-inf"), "-Infinity"),
    (2**64, "18446744073709551616"),
    ('\x7f\n"\\/é', '"\\u007f\\n\\"\\\\/\\u00e9"'),
    ("\U0001f600", '"\\ud83d\\ude00"'),
    ("\ud83d", '"\\ud83d"'),
    ("\ud83d\ude00", 'u"0000d83d0000de00"'),
    ("\ude00\ud83d", '"\\ude00\\ud83d"'),
    ("a\U0001f600\ud83d\ude00", 'u"000000610001f6000000d83d0000de00"'),
    ({"\ud83d\ude00": 1}, '{u"0000d83d0000de00":1}'),
    (["\U0001f600", "\\ud83d"], '["\\ud83d\\ude00","\\\\ud83d"]'),
    ({}, "{}"),
    ([], "[]"),
    ({"a": [{}, [], ""]}, '{"a":[{},[],""]}'),
    ((1, (2,)), "[1,[2]]"),
    (collections.OrderedDict(b=1, a=2), '{"b":1,"a":2}'),
]

EXACT_ONLY = [
    ({1: 2}, '{X"int:1":2}'),
    ({"1": 1, 1: 2, None: 3, 2.5: 5}, '{"1":1,X"int:1":2,X"NoneType:None":3,X"float:2.5":5}'),
    (decimal.Decimal("1.10"), "D1.10"),
    ([decimal.Decimal("1E+400")], "[D1E+400]"),
    (decimal.Decimal("NaN"), "X\"decimal.Decimal:Decimal('NaN')\""),
    (b"\xff", 'b"ff"'),
    (b"a", "X\"bytes:b'a'\""),
    (datetime.date(2026, 1, 2), 'X"datetime.date:datetime.date(2026, 1, 2)"'),
    (object(), 'X"object"'),
    (complex(1, 2), 'X"complex:(1+2j)"'),
    (kit.Missing(), 'X"missing"'),
    (kit.Pairs([("a", 1), ("a", [kit.Pairs([])])]), '{"a":1,"a":[{}]}'),
    (kit.Pairs([(b"\xff", 1), ("\ud83d\ude00", 2)]), '{b"ff":1,u"0000d83d0000de00":2}'),
]


@pytest.mark.parametrize(("value", "expected"), BY_HAND)
def test_both_paths_by_hand(value: object, expected: str) -> None:
    assert kit.render(value) == expected
    assert kit.exact(value) == expected


@pytest.mark.parametrize(("value", "expected"), EXACT_ONLY)
def test_the_exact_path_by_hand(value: object, expected: str) -> None:
    assert kit.exact(value) == expected


def test_the_plain_path_leaves_what_it_cannot_say_to_the_exact_one() -> None:
    # All of EXACT_ONLY but names that are not text, which `plain` shims promise not to have.
    for value, expected in EXACT_ONLY[2:-1]:
        assert kit.render(value) == expected
        assert kit.render([1, value]) == f"[1,{expected}]"


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: str(vector.get("json", vector.get("json_hex")))
)
def test_vectors(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["json_hex"]) if "json_hex" in vector else vector["json"].encode()
    value = json.loads(data)
    assert kit.render(value) == kit.exact(value) == vector["integers"]


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(st.characters(codec=None), max_size=8),
    st.text(
        st.sampled_from(["\ud83d", "\ude00", "\U0001f600", "\\", "u", "d", "8", "0", "\x7f", "a"]), max_size=6
    ),
)
NAMES = st.text(st.sampled_from(["a", "b", "\ud83d", "\ude00", "\U0001f600", '"', "é"]), max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(NAMES, inner, max_size=4),
        st.lists(st.tuples(NAMES, inner), max_size=4).map(kit.Pairs),
        st.decimals(),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(VALUES)
def test_the_paths_agree_and_the_harness_reads_them(value: object) -> None:
    text = kit.render(value)
    assert text == kit.exact(value)
    assert text.isascii()
    assert notation.write(notation.read(text)) == text


def test_depth_travels() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    assert kit.render(value) == "[" * 100_001 + "]" * 100_001
    value = {}
    for _ in range(100_000):
        value = {"a": value}
    assert kit.render(value) == '{"a":' * 100_000 + "{}" + "}" * 100_000
    while value:  # taken apart by hand: some interpreters free nested dicts recursively
        value = value["a"]


def test_digits_travel_and_the_limit_comes_back() -> None:
    limit = sys.get_int_max_str_digits()
    huge = 10**5000
    assert kit.render([huge]) == "[1" + "0" * 5000 + "]"
    assert sys.get_int_max_str_digits() == limit
    with pytest.raises(ValueError, match="Exceeds the limit"):
        str(huge)


def test_without_the_extension_the_exact_writer_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    bare = _kit()
    for value, expected in BY_HAND:
        assert bare.render(value) == expected


def test_a_renderer_that_drops_a_pair_is_caught() -> None:
    source = (FOLDER / "render.py").read_text(encoding="utf-8")
    damaged: dict[str, Any] = {"__name__": "damaged"}
    exec(
        compile(source.replace("iter(value.items())", "iter(list(value.items())[1:])"), "damaged", "exec"),
        damaged,
    )
    caught = [value for value, expected in BY_HAND if damaged["exact"](value) != expected]
    assert {"a": [{}, [], ""]} in caught


def test_it_is_python_3_8(tmp_path: Path) -> None:
    import ast

    for path in FOLDER.rglob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))
