"""Hostile text made harmless: inputs, library answers, ids and paths in terminals and Markdown.

Everything that leaves these functions is printable ASCII on one line. `\\u{E9}` stands for a character,
`\\x{FF}` for a byte that is not UTF-8; neither spelling exists in JSON, so escapes stay apart.
"""

from __future__ import annotations

import re

# Besides what is no printable ASCII: `##[error]` and its like, which build services obey anywhere in a line.
_ODD = re.compile(r"[^\x20-\x7e]|#(?=#[\[A-Za-z])")
# A colon inside a word makes addresses and emoji.
_PROSE = re.compile(r"""[^A-Za-z0-9 ,.;:/%=()'"?\-]|(?<=[wW]{3})\.|:(?=[^ ])""")
# `@name` and `#1` become code: in prose GitHub makes mentions and references of them, escaped or not.
_CALL = re.compile(r"@|#[0-9]")
_OPENS_BLOCK = re.compile(r"[ =-]|[0-9]+[.)]")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    # surrogateescape: a byte that was not UTF-8.
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{{{code - 0xDC00:02X}}}"
    return f"\\u{{{code:X}}}"


def plain(text: str, limit: int | None = None) -> str:
    """`text` in printable ASCII; longer than `limit` characters, its middle is left out and counted."""
    if limit is not None and len(text) > limit:
        head, tail = text[: limit - limit // 3], text[-(limit // 3) :] if limit >= 3 else ""
        left_out = len(text) - len(head) - len(tail)
        return f"{plain(head)} ...({left_out} more)... {plain(tail)}"
    return _ODD.sub(_escape, text)


def plain_bytes(data: bytes, limit: int | None = None) -> str:
    """Bytes as text where they are UTF-8, each other byte as `\\x{..}`; `limit` counts bytes."""
    if limit is not None and len(data) > limit:
        head, tail = data[: limit - limit // 3], data[-(limit // 3) :]
        left_out = len(data) - len(head) - len(tail)
        return f"{plain_bytes(head)} ...({left_out} bytes more)... {plain_bytes(tail)}"
    return plain(data.decode("utf-8", "surrogateescape"))


def hex_bytes(data: bytes, limit: int) -> str:
    """Hex with spaces; more than `limit` bytes are left out in the middle."""
    if len(data) > limit:
        head, tail = data[: limit - limit // 3], data[-(limit // 3) :]
        left_out = len(data) - len(head) - len(tail)
        return f"{head.hex(' ')} ...({left_out} bytes more)... {tail.hex(' ')}"
    return data.hex(" ")


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def markdown(text: str, *, cell: bool = False) -> str:
    """Plain text in Markdown, within a line: whatever could mean something there becomes inert."""
    words = plain(text).split(" ")
    return " ".join(_code(word, cell) if _CALL.search(word) else _PROSE.sub(_entity, word) for word in words)


def markdown_block(text: str) -> str:
    """Markdown that starts a paragraph, heading or item: its beginning opens no list, rule or code block."""
    opening = _OPENS_BLOCK.match(text)
    if opening is None:
        return text
    last = opening.end() - 1
    return f"{text[:last]}&#{ord(text[last])};{text[last + 1 :]}"


def markdown_code(text: str, limit: int | None = None, *, cell: bool = False) -> str:
    """Text as code in Markdown; `cell`: inside a table. No back-tick, bar or tag can end it."""
    return _code(plain(text, limit), cell) if text else "(empty)"


def _code(shown: str, cell: bool) -> str:
    if cell and "|" in shown:
        # Renderers do not agree on a bar behind two backslashes.
        shown = shown.replace("\\|", "\\\\u{7C}").replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = (
        " " if shown[0] == "`" or shown[-1] == "`" or (shown[0] == " " == shown[-1] and shown.strip()) else ""
    )
    return f"{fence}{pad}{shown}{pad}{fence}"
