"""Looking at a project: which JSON libraries it names, and where."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from whichwins import lockfiles
from whichwins.model import BadInput, Place
from whichwins.text_files import Toml, read_text, read_toml

MAX_BYTES = 1024 * 1024
"""Of pyproject.toml and package.json."""

_REQUIREMENTS = re.compile(r"requirements[A-Za-z0-9._-]*\.txt")
_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
_NPM_LOCKS = ("package-lock.json", "npm-shrinkwrap.json")
_FILES = ("pyproject.toml", "package.json", "Gemfile", "Gemfile.lock")

_PYTHON = (*_LOCKS, "pyproject.toml", "setup.cfg", "Pipfile")


class Named(NamedTuple):
    """A package that the project names: where, and in which versions it is locked (none: only declared)."""

    place: Place
    versions: tuple[str, ...]


class Survey(NamedTuple):
    """A project's files of those that matter here, and its packages by ecosystem and name.

    `configured` is where `[tool.whichwins]` stands; `python` says whether there is any Python in the folder.
    """

    files: tuple[str, ...]
    packages: dict[tuple[str, str], Named]
    configured: Place | None
    python: bool


def survey(folder: Path) -> Survey:
    """Look at the lock files and manifests of `folder`; locked versions go before declared names.

    Files are called by their name alone. Raises BadInput for those that cannot be read.
    """
    try:
        there = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise BadInput(f"{folder}: cannot be looked at ({error.strerror}): name a project's folder") from None
    requirements = [name for name in there if _REQUIREMENTS.fullmatch(name)]
    locks = [name for name in (*_LOCKS, *requirements, *_NPM_LOCKS) if name in there]
    packages: dict[tuple[str, str], Named] = {}
    for name in locks:
        held = lockfiles.read(folder / name)
        for package, pins in held.packages.items():
            place = _inside(folder, pins[0].place)
            packages.setdefault((held.ecosystem, package), Named(place, tuple(pin.version for pin in pins)))
        for loose in held.unpinned:
            packages.setdefault((held.ecosystem, loose.name), Named(_inside(folder, loose.place), ()))
    configured: Place | None = None
    if "pyproject.toml" in there:
        toml = read_toml(read_text(folder / "pyproject.toml", MAX_BYTES), "pyproject.toml")
        for package, place in _python(toml):
            packages.setdefault(("pypi", package), Named(place, ()))
        if "whichwins" in _table(toml.items, "tool"):
            configured = toml.place("tool", "whichwins")
    if "package.json" in there:
        for package, place in _node(read_text(folder / "package.json", MAX_BYTES)):
            packages.setdefault(("npm", package), Named(place, ()))
    files = (*locks, *(name for name in _FILES if name in there))
    python = any(name.endswith(".py") or name in _PYTHON or _REQUIREMENTS.fullmatch(name) for name in there)
    return Survey(files, packages, configured, python)


def _inside(folder: Path, place: Place) -> Place:
    """The place, its file as seen from the folder (requirements may include files from elsewhere)."""
    return Place(Path(os.path.relpath(place.file, folder)).as_posix(), place.line)


def _python(toml: Toml) -> Iterator[tuple[str, Place]]:
    """What pyproject.toml declares; entries that are no requirement are others' business."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    project = _table(toml.items, "project")
    lists: list[tuple[tuple[str, ...], Any]] = [(("project", "dependencies"), project.get("dependencies"))]
    for path in (("project", "optional-dependencies"), ("dependency-groups",)):
        groups = _table(project if len(path) == 2 else toml.items, path[-1])
        lists += [((*path, name), group) for name, group in groups.items()]
    for where, listed in lists:
        for number, entry in enumerate(listed if isinstance(listed, list) else []):
            try:
                yield canonicalize_name(Requirement(entry).name), toml.place(*where, number)
            except (InvalidRequirement, TypeError, RecursionError):
                continue
    poetry = _table(_table(toml.items, "tool"), "poetry")
    for name in _table(poetry, "dependencies"):
        yield canonicalize_name(name), toml.place("tool", "poetry", "dependencies", name)


def _node(text: str) -> Iterator[tuple[str, Place]]:
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadInput(f"package.json{line}: not JSON: correct it first") from None
    for key in ("dependencies", "devDependencies"):
        for name in _table(manifest, key):
            # json tells no lines: the first one that has the name quoted, as npm writes it.
            at = text.find(json.dumps(name) + ":")
            yield name, Place("package.json", text.count("\n", 0, max(at, 0)) + 1)


def _table(items: Any, key: str) -> dict[str, Any]:
    value = items.get(key) if isinstance(items, dict) else None
    return value if isinstance(value, dict) else {}
