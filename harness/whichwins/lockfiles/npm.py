"""npm's `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3 of the format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.lockfiles.locked import Locked, Pinned, Unpinned, locked, source
from whichwins.lockfiles.versions import npm_version
from whichwins.model import BadInput, Place

KIND = "package-lock.json"
FORMATS = (1, 2, 3)

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(:)?')
_ALIAS = re.compile(r"npm:((?:@[^/@]+/)?[^/@]+)@(.+)")
_REGISTRY = re.compile(r"https?://")
_GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_NO_VERSION = "its version is not understood"


def read_npm(text: str, file: str) -> Locked | None:
    """Read npm's lock file; None when it is other JSON. Raises BadInput with the line."""
    document = _parsed(text, file)
    if not isinstance(document, dict) or "lockfileVersion" not in document:
        return None
    if document["lockfileVersion"] not in FORMATS:
        raise BadInput(f"{file}: `lockfileVersion` must be 1, 2 or 3: lock anew with a present npm")
    lines = _version_lines(document, text)
    found = _flat(document["packages"], file) if "packages" in document else _nested(document, file)
    pins: list[tuple[str, Pinned]] = []
    unpinned: list[Unpinned] = []
    direct = _direct(document)
    for slot, name, entry, version in found:
        place = Place(file, lines.get(id(entry), 1))
        exact = npm_version(version) if isinstance(version, str) else None
        resolved = entry.get("resolved")
        given = resolved if isinstance(resolved, str) else ""
        if why := _elsewhere(entry, exact, direct):
            where = "" if why == _NO_VERSION else source(f"{given or version} {entry.get('integrity')}")
            unpinned.append(Unpinned(name, why, place, where))
        elif exact is not None:
            sources = frozenset({source(given)} if given else ())
            pins.append((name, Pinned(exact, place, frozenset({slot}), sources, _hashes(entry))))
    return locked(KIND, "npm", file, pins, unpinned)


def _hashes(entry: Mapping[str, Any]) -> frozenset[str]:
    """What `integrity` says (Subresource Integrity): one or several, each with its algorithm."""
    given = entry.get("integrity")
    words = given.split() if isinstance(given, str) else []
    return frozenset(word.partition("?")[0].replace("-", ":", 1) for word in words if "-" in word)


def _direct(document: Mapping[str, Any]) -> frozenset[str]:
    """The URLs that packages are asked for by: what is fetched from one is no version of a registry."""
    packages = document.get("packages")
    found: set[str] = set()
    for entry in packages.values() if isinstance(packages, dict) else ():
        for group in _GROUPS if isinstance(entry, dict) else ():
            asked = entry.get(group)
            for spec in asked.values() if isinstance(asked, dict) else ():
                if isinstance(spec, str) and _REGISTRY.match(spec):
                    found.add(spec.partition("#")[0])
    return frozenset(found)


def _flat(packages: Any, file: str) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """Formats 2 and 3: by folder. Folders that are no `node_modules/...` are the project's own."""
    if not isinstance(packages, dict):
        raise BadInput(f"{file}: `packages` must be an object: lock anew")
    for folder, entry in packages.items():
        where, mark, name = folder.rpartition("node_modules/")
        if not mark or (where and not where.endswith("/")) or not name:
            continue
        if not isinstance(entry, dict):
            raise BadInput(f"{file}: a package is no object: lock anew")
        given = entry.get("name")  # it is there where the folder is called otherwise: an alias
        yield folder, (given if isinstance(given, str) else name), entry, entry.get("version")


def _nested(document: dict[str, Any], file: str) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """Format 1: by name, with those of a package's own inside it."""
    waiting = [("", document)]
    while waiting:
        folder, owner = waiting.pop()
        dependencies = owner.get("dependencies", {})
        if not isinstance(dependencies, dict) or not all(isinstance(e, dict) for e in dependencies.values()):
            raise BadInput(f"{file}: `dependencies` must hold an object for each package: lock anew")
        for name, entry in dependencies.items():
            version = entry.get("version")
            alias = _ALIAS.fullmatch(version) if isinstance(version, str) else None
            slot = f"{folder}node_modules/{name}"
            yield (slot, alias[1], entry, alias[2]) if alias else (slot, name, entry, version)
        inside = ((f"{folder}node_modules/{name}/", entry) for name, entry in dependencies.items())
        waiting.extend(reversed([*inside]))


def _elsewhere(entry: Mapping[str, Any], version: str | None, direct: frozenset[str]) -> str | None:
    """Why an entry is no version of a registry."""
    if entry.get("link"):
        return "a link"
    resolved = entry.get("resolved")
    given = resolved if isinstance(resolved, str) else str(entry.get("version"))
    if given.startswith("git"):
        return "version control"
    if given.startswith("file:"):
        return "a file"
    if given.partition("#")[0] in direct:
        return "a URL"
    if version is not None:
        return None
    return "a URL" if _REGISTRY.match(given) else _NO_VERSION


def _parsed(text: str, file: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadInput(f"{file}:{error.lineno}: not JSON: {error.msg}: is the file whole?") from None
    except RecursionError:
        raise BadInput(f"{file}: nested too deeply: lock anew") from None
    except _Wrong as error:
        raise BadInput(f"{file}: {error}: lock anew") from None
    except ValueError:
        raise BadInput(f"{file}: a number is too long: lock anew") from None


class _Wrong(Exception):
    """JSON that two readers read differently, or none."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("an object has a name twice")
    return found


def _constant(name: str) -> Any:
    raise _Wrong(f"{name} is not JSON")


def _version_lines(document: dict[str, Any], text: str) -> dict[int, int]:
    """Lines of the members called `version`, by the identity of their object.

    Members come in the order of the text, and no name is there twice: the n-th in the text is the n-th in a
    walk.
    """
    spelled = _keys_called("version", text)
    lines: dict[int, int] = {}
    walk: list[tuple[Any, Iterator[tuple[str | None, Any]]]] = [(document, iter(document.items()))]
    while walk:
        owner, rest = walk[-1]
        for key, value in rest:
            if key == "version":
                lines[id(owner)] = next(spelled, 1)
            if isinstance(value, dict):
                walk.append((value, iter(value.items())))
                break
            if isinstance(value, list):
                walk.append((value, iter([(None, each) for each in value])))
                break
        else:
            walk.pop()
    return lines


def _keys_called(name: str, text: str) -> Iterator[int]:
    line, counted = 1, 0
    for found in _STRING.finditer(text):
        if found[2] and (found[1] == name or ("\\" in found[1] and json.loads(f'"{found[1]}"') == name)):
            line += text.count("\n", counted, found.start())
            counted = found.start()
            yield line
