"""package-lock.json in its three formats."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from whichwins.lockfiles import Locked, read
from whichwins.model import BadInput

FIRST = """\
{
  "name": "demo",
  "version": "1.0.0",
  "lockfileVersion": 1,
  "requires": true,
  "dependencies": {
    "bigint": {
      "version": "npm:json-bigint@1.0.0",
      "requires": {"bignumber.js": "^9.0.0"}
    },
    "a": {
      "dependencies": {
        "json5": {
          "integrity": "sha512-00",
          "version": "1.0.2"
        }
      },
      "version": "2.0.0-rc.1+build"
    },
    "json5": {
      "version": "2.2.3"
    },
    "mine": {
      "version": "file:../mine"
    },
    "from-git": {
      "version": "git+ssh://git@example.invalid/x.git#00"
    },
    "from-url": {
      "version": "https://user:secret@example.invalid/x.tgz"
    }
  }
}
"""
THIRD = """\
{
  "name": "demo",
  "lockfileVersion": 3,
  "packages": {
    "": {
      "name": "demo",
      "version": "1.0.0",
      "dependencies": {"json5": "^2.0.0"}
    },
    "node_modules/bigint": {
      "name": "json-bigint",
      "version": "1.0.0"
    },
    "node_modules/a/node_modules/json5": {
      "vers\\u0069on": "1.0.2"
    },
    "node_modules/json5": {
      "version": "2.2.3",
      "resolved": "https://example.invalid/json5/-/json5-2.2.3.tgz"
    },
    "node_modules/b/node_modules/json5": {
      "version": "2.2.3"
    },
    "node_modules/@scope/x": {
      "version": "0.1.0"
    },
    "node_modules/mine": {
      "resolved": "packages/mine",
      "link": true
    },
    "packages/mine": {
      "version": "1.0.0"
    },
    "node_modules/from-git": {
      "version": "3.0.0",
      "resolved": "git+ssh://git@example.invalid/x.git#00"
    },
    "node_modules/from-file": {
      "version": "3.0.0",
      "resolved": "file:../x.tgz"
    },
    "node_modules/odd": {
      "version": "latest; rm"
    }
  }
}
"""


def lock(folder: Path, text: str, name: str = "package-lock.json") -> Locked:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(path)


def shape(locked: Locked) -> tuple[dict[str, list[tuple[str, int]]], list[tuple[str, str, int]]]:
    pins = {name: [(pin.version, pin.place.line) for pin in pins] for name, pins in locked.packages.items()}
    return pins, [(each.name, each.why, each.place.line) for each in locked.unpinned]


@pytest.mark.parametrize("name", ["package-lock.json", "npm-shrinkwrap.json", "old", "old.json"])
def test_the_first_format(tmp_path: Path, name: str) -> None:
    locked = lock(tmp_path, FIRST, name)
    assert (locked.kind, locked.ecosystem) == ("package-lock.json", "npm")
    assert shape(locked) == (
        {
            "json-bigint": [("1.0.0", 8)],
            "a": [("2.0.0-rc.1+build", 18)],
            "json5": [("2.2.3", 21), ("1.0.2", 15)],
        },
        [
            ("mine", "a file", 24),
            ("from-git", "version control", 27),
            ("from-url", "a URL", 30),
        ],
    )
    assert "secret" not in repr(locked)


@pytest.mark.parametrize("form", [2, 3])
def test_the_later_formats(tmp_path: Path, form: int) -> None:
    text = THIRD.replace('"lockfileVersion": 3', f'"lockfileVersion": {form}')
    if form == 2:  # the older form stands beside it, for older programs; it is not read
        text = text.rstrip("} \n") + '}}, "dependencies": {"json5": {"version": "9.9.9"}}}'
    pins, unpinned = shape(lock(tmp_path, text))
    assert pins == {
        "json-bigint": [("1.0.0", 12)],
        "json5": [("1.0.2", 15), ("2.2.3", 18)],
        "@scope/x": [("0.1.0", 25)],
    }
    assert unpinned == [
        ("mine", "a link", 1),
        ("from-git", "version control", 35),
        ("from-file", "a file", 39),
        ("odd", "its version is not understood", 43),
    ]


def test_on_one_line_and_with_a_mark(tmp_path: Path) -> None:
    text = "\ufeff" + json.dumps(json.loads(THIRD))
    assert shape(lock(tmp_path, text))[0]["json5"] == [("1.0.2", 1), ("2.2.3", 1)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (THIRD[:200], ":11: not JSON: "),
        ('{\n"lockfileVersion": 3, "packages": {"a": 1, "a": 2}}', ": an object has a name twice: lock anew"),
        ('{"lockfileVersion": NaN}', ": NaN is not JSON: lock anew"),
        ('{"lockfileVersion": 4}', ": `lockfileVersion` must be 1, 2 or 3: lock anew"),
        ('{"lockfileVersion": ' + "3" * 5_000 + "}", ": a number is too long: lock anew"),
        ('{"lockfileVersion": 3, "packages": []}', ": `packages` must be an object: lock anew"),
        ('{"lockfileVersion": 3, "packages": {"node_modules/a": 1}}', ": a package is no object: lock anew"),
        (
            '{"lockfileVersion": 1, "dependencies": {"a": "1"}}',
            ": `dependencies` must hold an object for each",
        ),
        ('{"lockfileVersion": 1, "dependencies": []}', ": `dependencies` must hold an object"),
        ('{"a": ' * 50_000, ": nested too deeply: lock anew"),
        ("<<<<<<< HEAD\n" + THIRD, ":1: an unresolved merge conflict: resolve it"),
        (
            '{"dependencies": {"json5": "^2.0.0"}}',
            ": no lock file that is understood: give one of pip requir",
        ),
        ("[]", ": no lock file that is understood"),
        ("", ": is empty"),
    ],
    ids=range(14),
)
def test_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        lock(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path.as_posix()}/package-lock.json{said}")
    assert "\n" not in str(caught.value)


def test_a_large_one_is_read_soon(tmp_path: Path) -> None:
    entry = {"version": "1.0.0", "resolved": "https://example.invalid/x.tgz", "engines": {"node": ">=1"}}
    packages = {f"node_modules/p{number}": entry for number in range(20_000)}
    text = json.dumps({"lockfileVersion": 3, "packages": packages}, indent=2)
    start = time.process_time()
    locked = lock(tmp_path, text)
    assert time.process_time() - start < 5
    assert len(locked.packages) == 20_000
    line = locked.packages["p19999"][0].place.line
    assert text.split("\n")[line - 3 : line] == [
        "    },",
        '    "node_modules/p19999": {',
        '      "version": "1.0.0",',
    ]
