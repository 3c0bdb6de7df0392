"""What a lock file holds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from whichwins.lockfiles.versions import order
from whichwins.model import Place

Ecosystem: TypeAlias = Literal["pypi", "npm"]

_USER = re.compile(r"://[^/@\s]*@")


@dataclass(frozen=True, slots=True)
class Pinned:
    """A version, spelled as its ecosystem spells it, and where it is written.

    `slots` are those that the version counts for: a marker (empty: everywhere), a folder of node_modules.
    `sources` say where its files are from, `hashes` (`sha256:...`) which they are; empty where the file does
    not say.
    """

    version: str
    place: Place
    slots: frozenset[str] = frozenset({""})
    sources: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A package that the file names without a version of a registry. `why` says what stands there instead.

    `name` is empty where the file gives none (a URL). `source` is set where it comes from somewhere else than
    a registry, and equal where it is the same place.
    """

    name: str
    why: str
    place: Place
    source: str = field(default="", compare=False)
    slot: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Locked:
    """A lock file: versions by package, each once, in the order of the file.

    `kind` is what the file is (`uv.lock`, `requirements`, ...), `file` how the user named it. Names from PyPI
    are normalised (PEP 503), those from npm are as they are. `files`: every file that was read, by identity,
    with the line that includes it.
    """

    kind: str
    ecosystem: Ecosystem
    file: str
    packages: Mapping[str, tuple[Pinned, ...]]
    unpinned: tuple[Unpinned, ...]
    files: Mapping[str, Place] = field(default_factory=dict)


def locked(
    kind: str,
    ecosystem: Ecosystem,
    file: str,
    pins: Iterable[tuple[str, Pinned]],
    unpinned: Iterable[Unpinned],
    files: Mapping[str, Place] | None = None,
) -> Locked:
    """Gather what was read; of one version that stands in several places the first is kept."""
    packages: dict[str, dict[object, Pinned]] = {}
    for name, pin in pins:
        known = packages.setdefault(name, {})
        version = order(ecosystem, pin.version)
        first = known.get(version)
        known[version] = pin if first is None else _joined(first, pin)
    held = {name: tuple(each.values()) for name, each in packages.items()}
    return Locked(kind, ecosystem, file, MappingProxyType(held), tuple(unpinned), files or {})


def _joined(first: Pinned, again: Pinned) -> Pinned:
    return replace(
        first,
        slots=first.slots | again.slots,
        sources=first.sources | again.sources,
        hashes=first.hashes | again.hashes,
    )


def source(text: str) -> str:
    """Return what tells a source from another: a digest, of an address without its credentials.

    A digest, since addresses hold secrets in more places than one.
    """
    return hashlib.sha256(_USER.sub("://", text).encode("utf-8", "surrogateescape")).hexdigest()[:16]
