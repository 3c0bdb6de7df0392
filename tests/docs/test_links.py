"""Links, paths and commands of the documentation lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.pages import ROOT, anchors, commands, pages, read, without_blocks
from whichwins.cli import VERBS, _parser

PAGES = {str(page.relative_to(ROOT)): page for page in pages()}

_LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)\)")
_CODE = re.compile(r"`([^`\n]+)`")
_TOPS = "adapters|benchmarks|docs|fixtures|harness|reports|requirements|tests|\\.ci|\\.github"
_PATH = re.compile(rf"(?:{_TOPS})/[\w./*-]*")
_FILE = re.compile(r"[A-Z][A-Z]+\.md|Makefile|LICENSE|pyproject\.toml")
_MADE = ("reports/local",)
"""What only a run makes."""


def broken_links(text: str, page: Path) -> Iterator[str]:
    """Relative links that lead to no file, or to no heading."""
    for target in _LINK.findall(without_blocks(text)):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = unquote(target).partition("#")
        file = (page.parent / place).resolve() if place else page
        if (place and not file.exists()) or (
            anchor and anchor not in anchors(text if file == page else read(file))
        ):
            yield target


def missing_paths(text: str, page: Path) -> Iterator[str]:
    """Paths of the repository, named as code, that are not there."""
    for code in _CODE.findall(without_blocks(text)):
        if _PATH.fullmatch(code) and not code.startswith(_MADE):
            there = any(ROOT.glob(code.rstrip("/"))) if "*" in code else (ROOT / code).exists()
        elif _FILE.fullmatch(code):
            there = (ROOT / code).exists() or (page.parent / code).exists()
        else:
            continue
        if not there:
            yield code


def wrong_commands(text: str) -> Iterator[str]:
    """Calls of whichwins that its command line does not take, in `sh` blocks; unknown verbs anywhere."""
    for program in ("whichwins", ".venv/bin/whichwins"):
        for words in commands(text, program):
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                try:
                    _parser(words).parse_args(words)
                except SystemExit as end:
                    if end.code:
                        yield f"{' '.join(words)}: {said.getvalue()}"
    for code in _CODE.findall(without_blocks(text)):
        called = re.match(r"whichwins ([a-z]\S*)", code)
        if called and called[1] not in VERBS:
            yield code


def wrong_targets(text: str) -> Iterator[str]:
    """Calls of make with a target that the Makefile does not have."""
    rules = re.findall(r"^([a-z][a-z -]*):", read(ROOT / "Makefile"), re.MULTILINE)
    known = {target for rule in rules for target in rule.split()}
    for words in commands(text, "make"):
        yield from (word for word in words if "=" not in word and word not in known)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    assert list(broken_links(read(PAGES[name]), PAGES[name])) == []


@pytest.mark.parametrize("name", PAGES)
def test_paths_are_there(name: str) -> None:
    assert list(missing_paths(read(PAGES[name]), PAGES[name])) == []


@pytest.mark.parametrize("name", PAGES)
def test_commands_are_taken(name: str) -> None:
    assert list(wrong_commands(read(PAGES[name]))) == []
    assert list(wrong_targets(read(PAGES[name]))) == []


def test_commands_are_found() -> None:
    assert {
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/design.md",
        "docs/findings.md",
    } <= PAGES.keys()
    found = [words for page in PAGES.values() for words in commands(read(page), "whichwins")]
    assert len(found) > 30
    assert ["pair", "python/json", "python/json-str", "-f", "encodings-bom/*"] in found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[a](nowhere.md)", ["nowhere.md"]),
        ("[a](design.md#no-such-heading)", ["design.md#no-such-heading"]),
        ("# One\n[a](#one) [b](#two)", ["#two"]),
        ("[a](../README.md) [b](design.md#words) [c](https://example.com/x.md)", []),
    ],
)
def test_a_broken_link_is_noticed(text: str, wrong: list[str]) -> None:
    assert list(broken_links(text, ROOT / "docs" / "x.md")) == wrong


def test_a_path_that_is_not_there_is_noticed() -> None:
    text = (
        "`tests/nowhere/test_x.py` `docs/design.md` `fixtures/*.toml` `fixtures/*.json` `PROTOCOL.md` `a/b`"
    )
    found = list(missing_paths(text, ROOT / "docs" / "x.md"))
    assert found == ["tests/nowhere/test_x.py", "fixtures/*.json", "PROTOCOL.md"]


@pytest.mark.parametrize(
    "command",
    ["fly", "run --fast", "try", "compare", "report l --format pdf", "corpus", "pair a", "explain ledger"],
)
def test_a_wrong_command_is_noticed(command: str) -> None:
    text = f"```sh\nX=1 whichwins {command}   # why\n```\n"
    assert len(list(wrong_commands(text))) == 1
    assert list(wrong_commands("```sh\nwhichwins compare l | head; whichwins try '{}'\n```\n")) == []


def test_an_unknown_verb_and_target_are_noticed() -> None:
    assert list(wrong_commands("`whichwins fly` `whichwins run` `whichwins --version`")) == ["whichwins fly"]
    assert list(wrong_targets("```sh\nmake fly\nmake test PYTHON=x\n```\n")) == ["fly"]
