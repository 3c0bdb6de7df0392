"""`request` of a boundary: how a case is sent."""

from __future__ import annotations

import json
import re
from types import MappingProxyType

from whichwins.audit.stack import SLOTS, Request, Slot
from whichwins.config.section import Section

PLACE = "{case}"
"""Stands in a template where the case goes."""
MAX_TEMPLATE = 64 * 1024
"""Characters of a template."""

_KEYS = ("method", "path", "headers", "slot", "template")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2
_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_PATH = re.compile(r"/[!-~]*")
_FRAMING = ("content-length", "transfer-encoding", "connection", "host", "expect")
"""Headers that follow from the body or the address, or belong to the connection."""


def read_request(section: Section) -> Request:
    """Read the `request` of a boundary; the default where there is none.

    Raises BadInput naming line and key of whatever is wrong.
    """
    table = section.table("request", "[boundary.request]")
    if table is None:
        return Request()
    table.only(_KEYS)
    method = table.text("method") or "POST"
    if not _TOKEN.fullmatch(method):
        raise table.fail('`method` must be a word, as "POST"', "method")
    path = table.text("path") or "/"
    if not _PATH.fullmatch(path):
        raise table.fail("`path` must begin with / and be ASCII without spaces: write others as %20", "path")
    slot: Slot = next(slot for slot in SLOTS if slot == table.choice("slot", SLOTS, "body"))
    headers = _headers(table)
    return Request(method, path, MappingProxyType(headers), slot, _template(table, slot, headers))


def _headers(table: Section) -> dict[str, str]:
    """The headers over the default ones, their names in lower case."""
    found = dict(Request().headers)
    section = table.table("headers", "[boundary.request.headers]")
    seen: set[str] = set()
    for name, value in section.items.items() if section else ():
        assert section is not None
        if not _TOKEN.fullmatch(name):
            raise section.fail("the name of a header must be a word, as content-type", name)
        if not isinstance(value, str) or not value.isprintable() or not value.isascii():
            raise section.fail(f"`{name}` must be a string of printable ASCII", name)
        lower = name.lower()
        if lower in _FRAMING:
            raise section.fail(f"`{name}` is not yours to set: leave it out", name)
        if lower in seen:
            raise section.fail(f"`{name}` is there already, in another case: leave it out", name)
        seen.add(lower)
        found[lower] = value
    return found


def _template(table: Section, slot: Slot, headers: dict[str, str]) -> str:
    value = table.items.get("template")
    if slot == "body":
        if value is not None:
            raise table.fail(
                '`template` is for slot = "value" or "string": add that, or leave it out', "template"
            )
        return ""
    if not isinstance(value, str):
        said = "is missing" if value is None else "must be a string"
        raise table.fail(f"`template` {said}: write the body, with {PLACE} where the case goes", "template")
    if len(value) > MAX_TEMPLATE:
        raise table.fail(f"`template` is over {MAX_TEMPLATE:,} characters: shorten it", "template")
    if value.count(PLACE) != 1:
        raise table.fail(f"`template` must hold {PLACE} once, where the case goes", "template")
    before = value.partition(PLACE)[0]
    quoted = sum(found[0] == '"' for found in _QUOTE.finditer(before)) % 2 == 1
    if slot == "string" and not quoted:
        raise table.fail(f'`template`: slot = "string" wants it in quotes: write "{PLACE}"', "template")
    if slot == "value" and quoted:
        raise table.fail(f'`template`: slot = "value" wants {PLACE} without quotes around it', "template")
    if "json" in headers["content-type"].lower():
        _is_json(table, value.replace(PLACE, "x" if slot == "string" else "0"))
    return value


def _is_json(table: Section, body: str) -> None:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        said = "`template` is no JSON: correct it, or give its content-type in `headers`"
        raise table.fail(said, "template") from None
