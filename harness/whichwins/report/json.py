"""An analysis as JSON: ASCII, names in a fixed order, values as notation text, never as bare numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

MAX_INPUT = 64 * 1024
"""Bytes of an input that stand in a report; of a longer one only its digest and length."""


def render(result: object, name: str) -> str:
    """A result of `whichwins.analysis`, or a mapping, as one JSON document; `name` says which it is."""
    return dump({"report": name, "version": 1, **_plain(result)})


def dump(document: object) -> str:
    """A document as JSON text, in which no build service sees a command."""
    text = json.dumps(document, ensure_ascii=True, indent=2, allow_nan=False)
    # `##[error]` and its like are commands to build services, wherever they stand in a line.
    return re.sub("#(?=#)", r"\\u0023", text) + "\n"


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return {"hex": value.hex()} if len(value) <= MAX_INPUT else {"left_out": len(value)}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    return value
