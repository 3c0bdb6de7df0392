"""The pages of the documentation, taken apart: fenced blocks, links, paths, commands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^( *)(`{3,})([a-z]*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language (may be empty), its text, the heading it stands under."""

    language: str
    text: str
    heading: str


def pages() -> list[Path]:
    """Every page for people that the repository has."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [
        page
        for page in (*top, ROOT / "adapters" / "PROTOCOL.md", *sorted(DOCS.glob("*.md")))
        if page.is_file()
    ]


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found = []
    for match in _FENCE.finditer(text):
        heading = ""
        for title in _HEADING.finditer(without_blocks(text[: match.start()])):
            heading = title[1]
        body = re.sub(rf"^{match[1]}", "", match[4], flags=re.MULTILINE) if match[1] else match[4]
        found.append(Block(match[3], body, heading))
    return found


def without_blocks(text: str) -> str:
    """A page's prose."""
    return _FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    titles = (re.sub(r"[`*]", "", title[1]).lower() for title in _HEADING.finditer(without_blocks(text)))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def commands(text: str, program: str) -> Iterator[list[str]]:
    """The arguments of each call of `program` in the `sh` blocks of a page."""
    for block in blocks(text):
        if block.language != "sh":
            continue
        for line in block.text.replace("\\\n", " ").splitlines():
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            words: list[str] = []
            for word in [*lexer, ";"]:
                if word and set(word) <= set("();<>|&"):
                    while words and re.match(r"[A-Z_]+=", words[0]):
                        del words[0]
                    if words and words[0] == program:
                        yield words[1:]
                    words = []
                else:
                    words.append(word)


def records(text: str) -> list[Any]:
    """The JSON values of a block, laid out as it likes; names in their order, each once."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    decoder, found, at = json.JSONDecoder(object_pairs_hook=once), [], 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found
