"""Lock files in TOML: uv.lock, poetry.lock, pdm.lock, pylock.toml (PEP 751).

All are arrays of tables with a name and a version; they differ in how they say that a package is from no
index.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.lockfiles.locked import Locked, Pinned, Unpinned, locked, source
from whichwins.lockfiles.versions import pypi_version
from whichwins.model import BadInput
from whichwins.text_files import Toml, read_toml

UV, POETRY, PDM, PYLOCK = "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"
_ELSEWHERE = {
    "git": "version control",
    "hg": "version control",
    "svn": "version control",
    "bzr": "version control",
    "vcs": "version control",
    "url": "a URL",
    "archive": "a URL",
    "path": "a file",
    "file": "a file",
    "directory": "a folder",
    "editable": "an editable install",
    "virtual": "the project itself",
}


def kind_of(items: Mapping[str, Any]) -> str | None:
    """What the file is, from what is in it; None for other TOML (Cargo.lock has packages too)."""
    metadata = items.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    if "lock-version" in items:
        return PYLOCK
    if "content-hash" in metadata:
        return POETRY
    if "lock_version" in metadata:
        return PDM
    return UV if "requires-python" in items else None


def read_toml_lock(text: str, file: str) -> Locked | None:
    """Read a lock file in TOML; None when it is another TOML file. Raises BadInput with the line."""
    toml = read_toml(text, file, depth=3)
    kind = kind_of(toml.items)
    if kind is None:
        return None
    array = "packages" if kind == PYLOCK else "package"
    pins: list[tuple[str, Pinned]] = []
    unpinned: list[Unpinned] = []
    for name, entry in _entries(toml, array):
        if isinstance(entry, Unpinned):
            unpinned.append(entry)
        else:
            pins.append((name, entry))
    return locked(kind, "pypi", file, pins, unpinned)


def _entries(toml: Toml, array: str) -> Iterator[tuple[str, Pinned | Unpinned]]:
    from packaging.utils import canonicalize_name

    packages = toml.items.get(array, [])
    if not isinstance(packages, list):
        raise BadInput(f"{toml.file}:{toml.lines.at(array)}: `{array}` must be [[{array}]] tables: lock anew")
    metadata = toml.items.get("metadata")
    apart = metadata.get("files") if isinstance(metadata, dict) else None
    files = apart if isinstance(apart, dict) else {}
    for number, package in enumerate(packages):
        written = package.get("name") if isinstance(package, dict) else None
        if not isinstance(written, str):
            line = toml.lines.at(array, number)
            raise BadInput(f"{toml.file}:{line}: [[{array}]] {number + 1} has no name: lock anew")
        name = canonicalize_name(written)
        version, place = package.get("version"), toml.place(array, number, "version")
        normal = pypi_version(version) if isinstance(version, str) else None
        why = _elsewhere(package)
        if why is None and normal is not None:
            sources = frozenset({source(_text(package.get("source")))})
            yield name, Pinned(normal, place, _slots(package), sources, _hashes(package, files, written))
        else:
            where = source(_text([package.get(key) for key in (*_ELSEWHERE, "source")])) if why else ""
            yield name, Unpinned(name, why or "its version is not understood", place, where)


def _text(items: Any) -> str:
    return json.dumps(items, sort_keys=True, default=str)


def _slots(package: Mapping[str, Any]) -> frozenset[str]:
    """For which environments this entry is meant, where a package has several."""
    given = [package.get(key) for key in ("resolution-markers", "marker", "markers")]
    return frozenset({" ".join(_text(each) for each in given if each)})


def _hashes(package: Mapping[str, Any], files: Mapping[str, Any], name: str) -> frozenset[str]:
    """The hashes of its files, as each format has them; older formats keep them apart, in `files`."""
    lists = [package.get(key) for key in ("wheels", "files", "sdist", "archive")]
    lists += [files.get(key) for key in (name, f"{name} {package.get('version')}")]
    found: set[str] = set()
    for given in lists:
        for each in given if isinstance(given, list) else [given]:
            if isinstance(each, dict):
                if isinstance(each.get("hash"), str):
                    found.add(each["hash"])
                if isinstance(each.get("hashes"), dict):
                    found.update(f"{key}:{value}" for key, value in each["hashes"].items())
    return frozenset(found)


def _elsewhere(package: Mapping[str, Any]) -> str | None:
    """Where a package is from, if that is no index."""
    source = package.get("source")
    source = source if isinstance(source, dict) else {}
    for key, said in _ELSEWHERE.items():
        if key in package or (key in source and "registry" not in source and "type" not in source):
            return said
    return _ELSEWHERE.get(str(source.get("type")))
