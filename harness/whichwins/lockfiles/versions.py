"""Versions of PyPI and npm: which texts are some, and which is the newer one."""

from __future__ import annotations

import re
from typing import Any

_NUMBER = r"(0|[1-9][0-9]{0,15})"
_SEMVER = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_MAX = 200


def pypi_version(text: str) -> str | None:
    """The version in normal form (PEP 440), None where the text is none."""
    from packaging.version import InvalidVersion, Version

    if len(text) > _MAX:
        return None
    try:
        return str(Version(text))
    except (InvalidVersion, ValueError):
        return None


def npm_version(text: str) -> str | None:
    """The version (Semantic Versioning 2.0.0), None where the text is none: a URL, a path, an alias."""
    return text if len(text) <= _MAX and _SEMVER.fullmatch(text) else None


def order(ecosystem: str, version: str) -> Any:
    """A key to sort versions of one ecosystem by; equal for spellings of one version."""
    if ecosystem == "pypi":
        from packaging.version import Version

        return Version(version)
    found = _SEMVER.fullmatch(version)
    assert found is not None
    before = found[4].split(".") if found[4] else []
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in before)
    return (*map(int, found.group(1, 2, 3)), not before, parts)
