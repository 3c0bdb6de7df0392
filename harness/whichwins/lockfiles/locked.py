"""What a lock file holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from whichwins.lockfiles.versions import order
from whichwins.model import Place

Ecosystem: TypeAlias = Literal["pypi", "npm"]


@dataclass(frozen=True, slots=True)
class Pinned:
    """A version, spelled as its ecosystem spells it, and where it is written."""

    version: str
    place: Place


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A package that the file names without a version of a registry. `why` says what stands there instead.

    `name` is empty where the file gives none (a URL).
    """

    name: str
    why: str
    place: Place


@dataclass(frozen=True, slots=True)
class Locked:
    """A lock file: versions by package, each once, in the order of the file.

    `kind` is what the file is (`uv.lock`, `requirements`, ...), `file` how the user named it. Names from PyPI
    are normalised (PEP 503), those from npm are as they are.
    """

    kind: str
    ecosystem: Ecosystem
    file: str
    packages: Mapping[str, tuple[Pinned, ...]]
    unpinned: tuple[Unpinned, ...]


def locked(
    kind: str,
    ecosystem: Ecosystem,
    file: str,
    pins: Iterable[tuple[str, Pinned]],
    unpinned: Iterable[Unpinned],
) -> Locked:
    """Gather what was read; of one version that stands in several places the first is kept."""
    packages: dict[str, dict[object, Pinned]] = {}
    for name, pin in pins:
        packages.setdefault(name, {}).setdefault(order(ecosystem, pin.version), pin)
    held = {name: tuple(each.values()) for name, each in packages.items()}
    rest = tuple(each for each in unpinned if each.name not in held)
    return Locked(kind, ecosystem, file, MappingProxyType(held), rest)
