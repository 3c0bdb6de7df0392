"""Finding adapters: those that travel with the package, the user's folders, installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from whichwins._bundled_path import bundled
from whichwins.model import Adapter, BadInput
from whichwins.subjects.manifest import MANIFEST, read_manifest

GROUP = "whichwins.adapters"
"""The entry-point group in which a package names its adapter folders."""


def load_adapters(extra: Sequence[Path] = ()) -> tuple[Adapter, ...]:
    """Return all adapters, sorted by name: bundled ones, those in `extra`, those of installed packages.

    A folder of `extra` is an adapter (it holds `adapter.toml`) or a folder of adapters. Manifests
    name programs that will be run: trust them as you trust a Makefile. Two adapters or two
    subjects of one name are BadInput.
    """
    adapters: dict[str, Adapter] = {}
    places: dict[str, str] = {}
    for folder, place in _folders(extra):
        adapter = read_manifest(folder, place)
        if adapter.name in adapters:
            raise BadInput(
                f"{place}: an adapter named {adapter.name} is there already ({places[adapter.name]})"
            )
        adapters[adapter.name] = adapter
        places[adapter.name] = place
    return tuple(adapters[name] for name in sorted(adapters))


def _folders(extra: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    own = bundled("adapters")
    for folder in _inside(own):
        yield folder, f"adapters/{folder.name}/{MANIFEST}"
    for given in extra:
        found = [given] if (given / MANIFEST).is_file() else _inside(given)
        if not found:
            why = "it has no " + MANIFEST if given.is_dir() else "no such folder"
            raise BadInput(f"--adapters {given}: {why}; name an adapter or a folder of adapters")
        for folder in found:
            yield folder.resolve(), str(folder / MANIFEST)
    yield from _installed()


def _inside(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}")) if folder.is_dir() else []


def _installed() -> Iterator[tuple[Path, str]]:
    """Yield the folders that installed packages name in the entry-point group."""
    if not _any_installed():
        return
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        place = f"entry point {GROUP}:{point.name}"
        try:
            target = point.load()
        except Exception as error:
            raise BadInput(f"{place}: {point.value} cannot be loaded ({type(error).__name__})") from None
        yield _folder_of(target, place), f"{place} ({MANIFEST})"


def _any_installed() -> bool:
    """Whether any installed package has the group: a look at the files is cheaper than importlib.metadata."""
    wanted = f"[{GROUP}]".encode()
    return any(
        wanted in found.read_bytes()
        for entry in dict.fromkeys(sys.path)
        if entry and Path(entry).is_dir()
        for found in Path(entry).glob("*-info/entry_points.txt")
    )


def _folder_of(target: object, place: str) -> Path:
    if isinstance(target, (str, Path)):
        folder = Path(target)
    elif isinstance(target, ModuleType) and target.__spec__ and target.__spec__.submodule_search_locations:
        folder = Path(next(iter(target.__spec__.submodule_search_locations)))
    else:
        raise BadInput(f"{place}: it must name a package that holds {MANIFEST}, or a path")
    if not folder.is_absolute():
        raise BadInput(f"{place}: the path {folder} is relative; make it absolute")
    return folder
