"""docs/design.md: what it says of layers, notation, lenses, outcomes and layers of imports is so."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs.pages import DOCS, ROOT, read
from whichwins.analysis.lens import DIMENSIONS, LENSES
from whichwins.analysis.result import CAUSES, WINNERS
from whichwins.cli import VERBS
from whichwins.model import LAYERS, Outcome
from whichwins.notation import canonical
from whichwins.reference import read as reading
from whichwins.reference import verdicts

PAGE = read(DOCS / "design.md")


def section(title: str) -> str:
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[2]


def rows(title: str) -> list[list[str]]:
    """The rows of a section's first table, heads left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


TEXTS: dict[str, list[bytes]] = {
    "not in the grammar": [b"[1,]", b"", b" ", b"{}{}", b"[01]", b"[NaN]"],
    "not UTF-8": [b'["\xff"]', b'["\xed\xa0\x80"]', b'{"\xc0\xaf":1}'],
    "byte order mark": [b"\xef\xbb\xbf[1]"],
    "repeated names": [b'{"a":1,"a":1}', b'[{"a":1,"\\u0061":2}]'],
    "lone surrogates": [b'["\\ud800"]', b'{"\\udc00":1}'],
    "noncharacters": [b'["\\uffff"]', b'["\xef\xbf\xbf"]', b'{"\\ufdd0":1}'],
    "top level": [b"1", b'"a"', b"null"],
    "deeper than 64": [b"[" * 65 + b"]" * 65],
    "larger than 1 MiB": [b"[" + b" " * (1 << 20) + b"]"],
    "a number longer": [b"[1" + b".5" + b"0" * 400 + b"]"],
    "a number beyond": [b"[1e400]", b"[-1E309]", b"[1" + b"0" * 309 + b"]"],
    "an integer beyond": [b"[9007199254740992]", b"[-9007199254740992]"],
    "another number": [b"[1e-400]", b"[0.10000000000000000555]"],
}
PASSING = [
    b"[-0,1.0,100000000000000000000.0,0.1,0e+1,9007199254740991]",
    b"[" * 64 + b"]" * 64,
    b'{"a":{"A":1,"a":2}}',
]


@pytest.mark.parametrize("start", TEXTS)
def test_the_table_of_the_layers_is_what_the_reference_says(start: str) -> None:
    (row,) = (row for row in rows("Expectations") if row[0].startswith(start))
    for data in TEXTS[start]:
        said = verdicts(reading(data))
        assert [said[layer].expectation for layer in LAYERS] == row[1:], data[:40]


def test_every_row_of_the_table_is_checked() -> None:
    starts = [row[0] for row in rows("Expectations")]
    assert len(starts) == len(TEXTS)
    assert all(sum(row.startswith(start) for start in TEXTS) == 1 for row in starts)


@pytest.mark.parametrize("data", PASSING)
def test_what_passes_everywhere(data: bytes) -> None:
    assert {said.expectation for said in verdicts(reading(data)).values()} == {"accept"}


def test_every_notation_shown_is_canonical() -> None:
    shown = [text for row in rows("Values") for text in re.findall(r"`([^`]+)`", row[1])]
    values = [text for text in shown if not re.search("[v…k]|name|repr|json|^[.e]$|\\\\u", text)]
    assert len(values) > 12
    for text in values:
        assert canonical(text) == text


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Outcomes", [outcome.value for outcome in Outcome]),
        ("Lenses", list(LENSES)),
        ("Winners", list(WINNERS)),
    ],
)
def test_a_table_names_them_all(title: str, names: list[str]) -> None:
    assert sorted(name for row in rows(title) for name in re.findall(r"`([^`]+)`", row[0])) == sorted(names)


def test_dimensions_and_causes_are_named() -> None:
    assert {f"`{name}`" for name in DIMENSIONS} <= set(re.findall(r"`[^`]+`", section("Lenses")))
    assert {f"`{name}`" for name in CAUSES} == set(re.findall(r"`[a-z -]+`", section("Causes")))


def test_layers_are_those_that_are_held() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    held = [
        set(layer.split(" | "))
        for layer in config["tool"]["importlinter"]["contracts"][0]["layers"]
        if not layer.startswith(("(", "_"))
    ]
    table = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|.*\|.*\|$", section("The house"), re.MULTILINE)
    assert [set(re.findall(r"\w+", row)) for row in table] == held


def test_verbs_are_named_by_their_names() -> None:
    named = set(re.findall(r"`([a-z]+)`", section("Exit codes")))
    assert set(VERBS) - {"install"} <= named
