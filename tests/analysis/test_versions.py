from __future__ import annotations

from typing import Any

import pytest

from whichwins.analysis.versions import reached, version_of

PAIRS = [
    ("3.13.0", "3.13", True),
    ("3.12.9", "3.13", False),
    ("3.9", "3.10", False),
    ("3.10", "3.9", True),
    ("5.8.0", "5.8.0", True),
    ("24.1.0", "24", True),
    ("11.3.244.8-node.38", "11.3.244.9", False),
    ("11.3.244.8-node.38", "11.3.244.8", True),
    ("wasm-3.4", "wasm-3.10", False),
    ("1.0rc1", "1.0.1", False),
    ("3.13.0rc1", "3.13.0", False),
    ("1.0.0-beta.2", "1.0.0-node.1", False),
]


@pytest.mark.parametrize(("version", "bound", "expected"), PAIRS)
def test_reached(version: str, bound: str, expected: bool) -> None:
    assert reached(version, bound) is expected


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        ({"library": "orjson", "libraries": {"orjson": "3.13.0"}, "runtime": "CPython 3.11.7"}, "3.13.0"),
        ({"library": "json", "libraries": {"json": "2.0.9"}, "runtime": "CPython 3.11.7"}, "3.11.7"),
        ({"library": "V8", "libraries": {"V8": "11.3-node.3"}, "runtime": "Node.js 20.20.2"}, "20.20.2"),
        ({"library": "json", "libraries": {"json": "2.6.3"}, "runtime": "CRuby 3.1.2"}, "2.6.3"),
        ({"library": "sqlite3", "libraries": {"sqlite": "3.40.1"}, "runtime": "CPython 3.11.7"}, "3.40.1"),
        ({"runtime": "odd 1.2"}, "1.2"),
        ({}, ""),
    ],
)
def test_the_version_is_the_librarys_or_the_runtimes(identity: dict[str, Any], expected: str) -> None:
    assert version_of(identity) == expected
