"""Versions of npm packages: each in a folder of its own, installed by npm without running any script.

The user's npm configuration holds (registry, credentials); that of a project in the working directory does
not: a checkout does not decide where code comes from.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from whichwins.model import Adapter, BadInput, MeasurementFailed, Subject
from whichwins.provision.archives import check_npm_archive
from whichwins.provision.build import NPM_OPTIONS
from whichwins.provision.cache import Environment, environment, find
from whichwins.provision.environment import worker_environment
from whichwins.provision.launches import Absent
from whichwins.provision.provide import Order, requested
from whichwins.provision.record import digest
from whichwins.provision.runtimes import Runtimes
from whichwins.provision.steps import npm, step
from whichwins.provision.trees import tree_digest
from whichwins.subjects.select import is_path

PLACE = "WHICHWINS_NODE_MODULES"
"""The variable that names the folder in which the Node.js adapter looks for packages."""

# Versions and ranges of them. No tags, whose meaning changes; nothing that names a place.
_PART = r"(?:[~^]|[<>]=?|=)?\s*\d+(?:\.(?:\d+|[xX*]))*(?:[-+][0-9A-Za-z.+-]+)?"
_RANGE = re.compile(rf"{_PART}(?:(?:\s*\|\|\s*|\s+-\s+|\s+){_PART})*")
_NOT_SOURCE = frozenset(("node_modules",))
_SHOWN = 4
_NO_VERSION = re.compile(r"\b(ETARGET|EINVALIDTAGNAME)\b")
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?")


def provide_package(subject: Subject, adapter: Adapter, order: Order) -> Runtimes | Absent:
    """Return the runtimes with the subject's first package in the version that is asked for."""
    runtimes, package = order.runtimes, subject.packages[0]
    spec, parts = _request(subject, order.sources.allow_build)
    name = f"node-{package}-{subject.key.partition('@')[2]}"
    key = {
        "toolchain": f"npm {sys.platform} {platform.machine()}",  # a package may bring others for a platform
        "packages": " ".join(subject.packages),
        "adapter": _tree(adapter.folder),
        **parts,
    }
    if (missing := runtimes.missing("node")) is not None:
        return Absent(f"{package} needs Node.js, {missing.reason}", missing.install)
    try:
        found = find(runtimes.env, name, key) or _install(subject, spec, name, key, order)
    except MeasurementFailed as error:
        return Absent(str(error), "")
    return runtimes.overlaid({}, {PLACE: str(found.folder)})


def _request(subject: Subject, allow_build: bool) -> tuple[str, dict[str, str]]:
    """What npm is given, and what of it is part of the environment's key."""
    package, version = subject.packages[0], subject.version
    if not is_path(version):
        if not _RANGE.fullmatch(version):
            raise BadInput(
                f"{subject.key}: write a version (2.2.3), a range of npm's (^2.0.0) or a path after the @"
            )
        return f"{package}@{version}", {"request": " ".join(version.split())}
    path = Path(version).resolve()
    if path.is_file():
        return str(path), {"tarball": digest(path)}
    if not path.is_dir():
        raise BadInput(f"{subject.key}: no such file or folder; name a tarball that `npm pack` makes")
    if not (path / "package.json").is_file():
        raise BadInput(f"{subject.key}: the folder has no package.json; name the folder of {package}")
    if not allow_build:
        raise BadInput(f"{subject.key}: is a source tree; allow it with --allow-build, or pack it (npm pack)")
    return str(path), {"folder": _tree(path)}


def _tree(folder: Path) -> str:
    """Digest of a package's folder. Its node_modules are no part of it, unless it bundles some."""
    try:
        manifest = json.loads((folder / "package.json").read_bytes())
        bundles = any(manifest.get(key) for key in ("bundleDependencies", "bundledDependencies"))
    except (OSError, ValueError, AttributeError, RecursionError):
        bundles = False
    return tree_digest(folder, frozenset() if bundles else _NOT_SOURCE, revision=False)


def _install(subject: Subject, spec: str, name: str, key: Mapping[str, str], order: Order) -> Environment:
    package, shown = subject.packages[0], requested(subject, "node")
    env, node = worker_environment(order.runtimes.env), order.runtimes.get("node") or "node"

    def build(place: Path) -> dict[str, str]:
        if (path := Path(spec)).is_absolute() and path.is_file():
            check_npm_archive(subject.key, path, package)
        order.progress(f"installing {shown} (npm)")
        (place / "package.json").write_text('{"name":"whichwins-environment","private":true}\n')
        # --prefix: whatever started us. --install-links: a folder is packed and put there, not linked to.
        options = (
            *NPM_OPTIONS,
            "--save",
            "--save-exact",
            "--install-links",
            "--no-global",
            "--prefix",
            str(place),
        )
        command = [*npm(node, env), "install", *options, spec, *subject.packages[1:]]
        try:
            step(f"npm install {shown}", command, place, env)
        except MeasurementFailed as error:
            if _NO_VERSION.search(str(error)):
                raise BadInput(_no_such_version(subject, npm(node, env), place, env)) from None
            raise
        version = _version(place, package, local=Path(spec).is_absolute())
        if version is None:
            raise BadInput(f"{subject.key}: is not the package {package}; name one of {package}")
        return {"request": shown, "toolchain": "npm", package: version}

    return environment(order.runtimes.env, name, key, build, order.progress)


def _version(place: Path, package: str, *, local: bool) -> str | None:
    """The version of the package that was installed, None when it is another.

    One of that name may be there because a package of another name, which was asked for, depends on it.
    """
    try:
        installed = json.loads((place / "node_modules" / package / "package.json").read_bytes())
        asked = json.loads((place / "package.json").read_bytes())["dependencies"].get(package, "")
        of_the_file = str(asked).startswith("file:")
        right = installed["name"] == package and of_the_file == local
        return str(installed["version"]) if right and asked else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _no_such_version(subject: Subject, npm: Sequence[str], place: Path, env: Mapping[str, str]) -> str:
    package = subject.packages[0]
    start = f"{subject.key}: npm has no such version of {package}"
    try:
        view = [*npm, "view", package, "versions", "--json", "--loglevel=silent"]
        said = json.loads(step("npm view", view, place, env))
    except (MeasurementFailed, ValueError):
        said = []
    every = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    known = [text for text in every if isinstance(text, str) and _VERSION.fullmatch(text)]
    return f"{start}; {nearest(subject.version, known)}" if known else start


def nearest(wanted: str, known: Sequence[str]) -> str:
    """The versions nearest to the one that is wanted, and the newest, in one line."""
    ordered = sorted(known, key=_order)
    newest = [text for text in ordered if "-" not in text][-_SHOWN:] or ordered[-_SHOWN:]
    said = f"the newest are {', '.join(reversed(newest))}"
    found = _VERSION.match(wanted)
    if found is None or _order(wanted) > _order(newest[-1]):
        return said
    at = sum(_order(text) < _order(wanted) for text in ordered)
    return f"near it are {', '.join(ordered[max(0, at - 2) : at + 2])}; {said}"


def _order(version: str) -> tuple[int, int, int, bool, str]:
    """Semantic versions in their order, as far as a message needs it."""
    found = _VERSION.match(version)
    assert found is not None
    major, minor, patch, early = found.groups()
    return int(major), int(minor), int(patch), early is None, early or ""
