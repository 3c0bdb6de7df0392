"""Which version a subject has, and whether one version has reached another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_PART_OF_THE_RUNTIME = frozenset({("json", "CPython"), ("json", "PyPy"), ("V8", "Node.js")})
"""Libraries whose own number names nothing that anybody installs: CPython's json says 2.0.9 for ever."""

_PIECE = re.compile(r"[0-9]+|[A-Za-z]+")


def version_of(identity: Mapping[str, Any]) -> str:
    """The library's version, the runtime's where the library is part of it; empty where none is known."""
    libraries: Mapping[str, str] = identity.get("libraries", {})
    library = identity.get("library", "")
    name, _, runtime = str(identity.get("runtime", "")).rpartition(" ")
    if libraries and (library, name) not in _PART_OF_THE_RUNTIME:
        return libraries.get(library) or next(iter(libraries.values()))
    return runtime


def reached(version: str, bound: str) -> bool:
    """Whether `version` is `bound` or newer: by PEP 440 if both are such versions, else piece by piece."""
    from packaging.version import InvalidVersion, Version

    try:
        return Version(version) >= Version(bound)
    except InvalidVersion:
        return _pieces(version) >= _pieces(bound)


def _pieces(version: str) -> list[tuple[bool, int, str]]:
    """Numbers by their value, and above words: 1.0.rc1 comes before 1.0.1."""
    return [
        (True, int(piece), "") if piece.isdigit() else (False, 0, piece.lower())
        for piece in _PIECE.findall(version)
    ]
