"""Recognising lock files: by name, else by what is in them."""

from __future__ import annotations

import re
from pathlib import Path

from whichwins.lockfiles.locked import Locked
from whichwins.lockfiles.npm import KIND, read_npm
from whichwins.lockfiles.requirements import read_requirements
from whichwins.lockfiles.toml_locks import PDM, POETRY, PYLOCK, UV, read_toml_lock
from whichwins.model import BadInput
from whichwins.text_files import read_text, shown

MAX_BYTES = 16 * 1024 * 1024
"""Of a lock file."""
UNDERSTOOD = f"pip requirements, {UV}, {POETRY}, {PDM}, {PYLOCK}, {KIND}, npm-shrinkwrap.json"

_CONFLICT = re.compile(r"^<{7}(?: |$)", re.MULTILINE)
_TOML = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:\[|[A-Za-z_-]+[ \t]*=[^=])")
_NAMED_REQUIREMENTS = re.compile(r"(?:.*requirements.*|constraints.*)\.(?:txt|in|pip)", re.IGNORECASE)
_NAMED_TOML = re.compile(r"(?:uv|poetry|pdm)\.lock|pylock(?:\.[^.]+)?\.toml")
_NAMED_JSON = (KIND, "npm-shrinkwrap.json", ".package-lock.json")
_OTHERS = frozenset(
    (
        *("Pipfile", "Pipfile.lock", "pyproject.toml", "package.json", "yarn.lock", "pnpm-lock.yaml"),
        *("bun.lock", "Gemfile", "Gemfile.lock", "Cargo.lock", "go.sum", "composer.lock"),
    )
)


def read(path: Path) -> Locked:
    """Read a lock file. `-` is stdin; a pipe or a file of any name is known by its content.

    Raises BadInput with the place for what is not understood, or not whole.
    """
    file, name = shown(path), path.name
    if name in _OTHERS:
        raise BadInput(f"{file}: {name} is not understood: give one of {UNDERSTOOD}")
    text = read_text(path, MAX_BYTES)
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise BadInput(f"{file}:{line}: an unresolved merge conflict: resolve it, or lock anew")
    if _NAMED_REQUIREMENTS.fullmatch(name):
        return read_requirements(text, path, MAX_BYTES)
    named = name in _NAMED_JSON or _NAMED_TOML.fullmatch(name) is not None
    found = _by_content(text, path, file, named)
    if found is None:
        raise BadInput(f"{file}: no lock file that is understood: give one of {UNDERSTOOD}")
    return found


def _by_content(text: str, path: Path, file: str, named: bool) -> Locked | None:
    if not text.strip():
        raise BadInput(f"{file}: is empty: give a lock file with its text")
    if text.lstrip().startswith("{") or file.endswith(".json"):
        return read_npm(text, file)
    if named or _TOML.match(text):
        return read_toml_lock(text, file)
    wrong = f"no requirement, and no other lock file that is understood: give one of {UNDERSTOOD}"
    return read_requirements(text, path, MAX_BYTES, wrong)
