"""Texts that want to be more than text, and how a Markdown renderer sees a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

ODD: list[str] = [
    *map(chr, range(0x100)),
    "\ud800",
    "\udc80",
    "\udcff",
    "\udfff",
    "\ud83d\ude00",
    "\U0001f600",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200e",
    "\ufeff",
    "\uffff",
    "\U000e0041",
    "\U0010ffff",
    "::error::boo",
    "::error file=a,line=1::boo",
    "  ::add-mask::x",
    "##[error]boo",
    "##vso[task.setvariable variable=x]y",
    "###[x]",
    "|",
    "a|b",
    "\\|",
    "\\\\|",
    "a\\|b|c",
    "`",
    "``",
    "```",
    "```\nx\n```",
    "`a",
    "a`",
    "`|`",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "<script>alert(1)</script>",
    "<!-- x",
    "<a@b.c>",
    "<http://x.y>",
    "&lt;",
    "&#60;script&#62;",
    "&amp;amp;",
    "[x](http://x.y)",
    "![x](http://x.y)",
    "[x]: http://x.y",
    "http://x.y",
    "www.x.y",
    "WWW.x.y",
    "@everyone",
    "a@b.c",
    "#1",
    "x/y#12",
    "$x$",
    "**b**",
    "_i_",
    "~~s~~",
    "# h",
    "- x",
    "+ x",
    "* x",
    "1. x",
    "1) x",
    "123456789. x",
    "> x",
    "---",
    "===",
    "***",
    "    code",
    "\tcode",
    " lead",
    "trail ",
    "  ",
    "two  spaces",
    "trailing\\",
    "line\nline",
    "line\r\nline",
    "para\n\n# h",
    "|:--|:--|\n| a | b |",
    "x" * 300,
    "word " * 60,
    ":smile:",
    "\\u{41}",
    "(empty)",
    "",
]

PACKED = ["".join(ODD[first : first + 32]) for first in range(0, 256, 32)] + ODD[256:]
"""The same with several single characters in a text."""

TEXTS = st.sampled_from(ODD) | st.text(max_size=20) | st.lists(st.sampled_from(ODD), max_size=4).map("".join)

_PARSER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
_FOLD = re.compile(r"<details>\n<summary>([A-Za-z0-9 ,.()]+)</summary>\n|</details>\n")
_INERT = frozenset({"text", "text_special", "code_inline"})


class Seen(NamedTuple):
    """A block as rendered: its kind (`h1`, `p`, `li`, `table`) and the text in it, by row and cell."""

    kind: str
    rows: tuple[tuple[str, ...], ...]


def seen(text: str, *, folds: bool = False) -> list[Seen]:
    """The blocks of a Markdown text. AssertionError for anything that is neither text nor code.

    With `folds` there may be folded parts of the report's own, each of which ends.
    """
    blocks = list(_blocks(_PARSER.parse(text)))
    ends = [block.kind for block in blocks if "fold" in block.kind]
    assert ends == ["fold", "end of fold"] * (len(ends) // 2)
    assert folds or not ends
    return blocks


def _blocks(tokens: list[Token]) -> Iterator[Seen]:
    rows: list[list[str]] = []
    kind = ""
    for token in tokens:
        match token.type:
            case "heading_open":
                kind = token.tag
            case "paragraph_open":
                kind = kind or "p"
            case "list_item_open":
                assert token.level == 1, "a list in a list"
                kind = "li"
            case "tr_open":
                rows.append([])
            case "inline" if rows:
                rows[-1].append(_text(token))
            case "inline":
                yield Seen(kind, ((_text(token),),))
            case "table_close":
                yield Seen("table", tuple(map(tuple, rows)))
                rows = []
            case "heading_close" | "paragraph_close" | "list_item_close":
                kind = ""
            case "html_block" if fold := _FOLD.fullmatch(token.content):
                assert token.level == 0
                yield Seen("fold" if fold[1] else "end of fold", ((fold[1] or "",),))
            case other:
                allowed = {"bullet_list_open", "bullet_list_close", "table_open", "tr_close"}
                allowed |= {
                    f"{tag}_{end}" for tag in ("thead", "tbody", "th", "td") for end in ("open", "close")
                }
                assert other in allowed, f"markup: {other}"


def _text(token: Token) -> str:
    for child in token.children or []:
        assert child.type in _INERT, f"markup: {child.type} {child.content!r}"
    return "".join(child.content for child in token.children or [])


def codes(text: str) -> list[str]:
    """The contents of all code spans."""
    found = (child for token in _PARSER.parse(text) for child in token.children or [])
    return [child.content for child in found if child.type == "code_inline"]
