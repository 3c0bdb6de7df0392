"""Hostile text made harmless: inputs, library answers, ids and paths in terminals and Markdown.

Everything that leaves these functions is printable ASCII on one line. `\\u{E9}` stands for a character,
`\\x{FF}` for a byte that is not UTF-8; neither spelling exists in JSON, so escapes stay apart.
"""

from __future__ import annotations

import re

_ODD = re.compile(r"[^\x20-\x7e]")
_MARKDOWN = re.compile(r"[^A-Za-z0-9 ,.;/%=()\-]")


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
    return text if text.isascii() and text.isprintable() else _ODD.sub(_escape, text)


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


def markdown(text: str, limit: int | None = None) -> str:
    """Plain text in Markdown: whatever could mean something there is a character reference."""
    return _MARKDOWN.sub(_entity, plain(text, limit))


def markdown_code(text: str, limit: int | None = None) -> str:
    """Text as code in Markdown, also inside a table: no back-tick, bar or tag can end it."""
    shown = plain(text, limit)
    if shown and "`" not in shown and "|" not in shown and shown == shown.strip():
        return f"`{shown}`"
    return f"<code>{_MARKDOWN.sub(_entity, shown)}</code>" if shown else "(empty)"
