"""What stands after the @ of a Python subject with a package: a version, a specifier, a file or a tree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from whichwins.model import BadInput, Subject
from whichwins.provision.provide import requested
from whichwins.provision.record import digest
from whichwins.provision.trees import tree_digest
from whichwins.subjects.select import is_path

_VERSION = re.compile(r"v?[0-9][A-Za-z0-9.!+_-]*")
_SPECIFIER = re.compile(r"\s*(===|==|!=|<=|>=|~=|<|>)[A-Za-z0-9.*!+_<>=~,\s-]+")


class Request(NamedTuple):
    """What is to be installed: the lines for the resolver, and all of it that decides what comes of them.

    `version` is the one version it can only be, else empty. `content` is a digest of a local file or tree.
    `source`: it has to be built; from `tree`, where that is a folder. `file`: the wheel or archive.
    """

    key: str
    package: str
    lines: tuple[str, ...]
    recorded: str
    version: str = ""
    content: str = ""
    source: bool = False
    tree: Path | None = None
    file: Path | None = None

    @property
    def name(self) -> str:
        """The name of its environments."""
        return f"python-{self.recorded.replace('@', '-')}"

    @property
    def identity(self) -> str:
        """What it is, without the places of files: part of the key of its environments."""
        return "\n".join((self.package, self.version or self.content or self.lines[0], *self.lines[1:]))


def read_request(subject: Subject, toolchain: str) -> Request:
    """Return what the subject's version asks for. BadInput when it is none, or names a file that is not."""
    package, *others = subject.packages
    asked = subject.version
    recorded = requested(subject, toolchain)
    if is_path(asked):
        return _local(subject, package, tuple(others), recorded)
    if _VERSION.fullmatch(asked):
        lines = (f"{package}=={asked}", *others)
        return Request(subject.key, package, lines, recorded, version=asked)
    if _SPECIFIER.fullmatch(asked):
        return Request(subject.key, package, (package + "".join(asked.split()), *others), recorded)
    raise BadInput(f"{subject.key}: write a version (3.9.15), a specifier (<5.8) or a path after the @")


def _local(subject: Subject, package: str, others: tuple[str, ...], recorded: str) -> Request:
    path = Path(subject.version).expanduser().resolve()
    try:
        if path.is_dir():
            if not any((path / name).is_file() for name in ("pyproject.toml", "setup.py")):
                raise BadInput(
                    f"{subject.key}: the folder has neither pyproject.toml nor setup.py; name a source tree"
                )
            content, source = tree_digest(path), True
        elif path.is_file():
            content, source = digest(path), path.suffix != ".whl"
        else:
            raise BadInput(f"{subject.key}: no such file or folder; a version is written without a slash")
    except OSError as error:
        raise BadInput(f"{subject.key}: cannot be read ({error.strerror})") from None
    if path.suffix == ".whl":
        held = path.name.partition("-")[0]
        if plain_name(held) != plain_name(package):
            raise BadInput(f"{subject.key}: is a wheel of {held}, not of {package}")
    lines = (f"{package} @ {path.as_uri()}", *others)
    tree, file = (path, None) if path.is_dir() else (None, path)
    return Request(
        subject.key, package, lines, recorded, content=content, source=source, tree=tree, file=file
    )


def plain_name(package: str) -> str:
    """A package's name in the spelling in which names are compared."""
    return re.sub(r"[-_.]+", "-", package).lower()


def adapter_digest(folder: Path) -> str:
    """Return a digest of an adapter's sources, part of the key of environments that are built for it."""
    return tree_digest(folder, revision=False)
