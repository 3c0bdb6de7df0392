"""Recognising lock files: by name, else by what is in them."""

from __future__ import annotations

import re
from pathlib import Path

from whichwins.lockfiles.files import DISK, Files
from whichwins.lockfiles.locked import Locked
from whichwins.lockfiles.npm import KIND, read_npm
from whichwins.lockfiles.requirements import read_requirements
from whichwins.lockfiles.toml_locks import PDM, POETRY, PYLOCK, UV, read_toml_lock
from whichwins.model import BadInput

MAX_BYTES = 16 * 1024 * 1024
"""Of a lock file, and of all that it includes."""
MAX_PARTS = 1_000_000
"""Values of a JSON or TOML file, about: what takes memory is not the bytes but the number of values."""
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


def read(path: Path, where: Files = DISK) -> Locked:
    """Read a lock file. `-` is stdin; a pipe or a file of any name is known by its content.

    Raises BadInput with the place for what is not understood, or not whole.
    """
    file, name = where.shown(path), path.name
    if name in _OTHERS:
        raise BadInput(f"{file}: {name} is not understood: give one of {UNDERSTOOD}")
    text = where.text(path, MAX_BYTES)
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise BadInput(f"{file}:{line}: an unresolved merge conflict: resolve it, or lock anew")
    if _NAMED_REQUIREMENTS.fullmatch(name):
        return read_requirements(text, path, MAX_BYTES - len(text), where=where)
    named = name in _NAMED_JSON or _NAMED_TOML.fullmatch(name) is not None
    found = _by_content(text, path, file, named, where)
    if found is None:
        raise BadInput(f"{file}: no lock file that is understood: give one of {UNDERSTOOD}")
    return found


def _by_content(text: str, path: Path, file: str, named: bool, where: Files) -> Locked | None:
    if not text.strip():
        raise BadInput(f"{file}: is empty: give a lock file with its text")
    if text.lstrip().startswith("{") or file.endswith(".json"):
        _bounded(text, file, ",[{")
        return read_npm(text, file)
    if named or _TOML.match(text):
        _bounded(text, file, ",[{=")
        return read_toml_lock(text, file)
    wrong = f"no requirement, and no other lock file that is understood: give one of {UNDERSTOOD}"
    return read_requirements(text, path, MAX_BYTES - len(text), wrong, where)


def _bounded(text: str, file: str, signs: str) -> None:
    """Refuse what would take far more memory than its bytes: signs in strings count too, which are few."""
    if sum(map(text.count, signs)) > MAX_PARTS:
        raise BadInput(f"{file}: holds more than {MAX_PARTS:,} values: give a smaller file")
