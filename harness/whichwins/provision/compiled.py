"""Adapters in compiled languages: each is built once into the cache, with the toolchain of this machine.

find_built("go", env)                 # the folder of what was built, or why there is none
build_compiled("go", env, progress)   # the same, built when it is not there

What decides what comes out is the key: the toolchain's version, the platform, the adapter's sources and
its pins. Another of any is another build; the old one stays until it is pruned.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from whichwins._bundled_path import bundled
from whichwins.model import MeasurementFailed
from whichwins.provision.cache import environment, find, name_of
from whichwins.provision.environment import cache_folder, worker_environment
from whichwins.provision.missing import Missing
from whichwins.provision.record import digest
from whichwins.provision.steps import call

COMPILED = ("go", "c", "rust", "java")
"""The adapters that are built, each by a module of this package: `NAME_build`."""

_MANIFEST = "adapter.toml"  # read anew at each start: nothing of it is built


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What builds an adapter here.

    `programs` are paths by name, `parts` is all of it that decides what comes out, `shown` how it is called.
    """

    programs: Mapping[str, str]
    parts: Mapping[str, str]
    shown: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an adapter is built.

    `find` looks for the toolchain; `build` gets it, the adapter's folder, the empty folder to fill, the
    environment variables and `progress`. `cost` says beforehand what it takes.
    """

    cost: str
    find: Callable[[Mapping[str, str]], Toolchain | Missing]
    build: Callable[[Order], None]


@dataclass(frozen=True, slots=True)
class Order:
    """One build: with what, from where, to where."""

    toolchain: Toolchain
    sources: Path
    place: Path
    env: Mapping[str, str]
    progress: Callable[[str], None] = field(compare=False)


def find_built(name: str, env: Mapping[str, str]) -> str | Missing:
    """Return the folder of a built adapter; Missing where it is not built, or its toolchain is not here."""
    toolchain = _recipe(name).find(worker_environment(env))
    if isinstance(toolchain, Missing):
        return toolchain
    key = _key(name, toolchain)
    found = find(env, *key)
    if found is not None:
        return str(found.folder)
    damaged = (cache_folder(env) / name_of(*key)).exists()
    said = "is damaged in the cache" if damaged else "is not built"
    return Missing(f"the {name} adapter {said}", f"whichwins install {name}")


def build_compiled(name: str, env: Mapping[str, str], progress: Callable[[str], None]) -> Path:
    """Build an adapter into the cache, or find it built; return its folder.

    It appears whole or not at all; what failed or was interrupted is begun anew. `progress` gets what it will
    take, then a line a step. MeasurementFailed when there is no toolchain or a step fails, BadInput when the
    cache cannot be written.
    """
    recipe, sources = _recipe(name), _sources(name)
    toolchain = recipe.find(worker_environment(env))
    if isinstance(toolchain, Missing):
        raise MeasurementFailed(f"{toolchain.reason}: {toolchain.install}")

    def build(place: Path) -> dict[str, str]:
        progress(f"building the {name} adapter with {toolchain.shown}: {recipe.cost}")
        recipe.build(Order(toolchain, sources, place, worker_environment(env), progress))
        return {"request": name, "toolchain": toolchain.shown}

    return environment(env, *_key(name, toolchain), build, progress).folder


def program(
    env: Mapping[str, str], variable: str, name: str, version: tuple[str, str], remedy: str
) -> tuple[str, str] | Missing:
    """Find a program of a toolchain: that of `variable`, else `name` on PATH, else beside this interpreter.

    Return its path and its version: what `version` (the argument that asks for it, and a pattern with a
    group) finds in what it prints.
    """
    ask, pattern = version
    named = env.get(variable)
    beside = os.path.dirname(sys.executable)  # noqa: PTH120 -- where wheels put their programs
    found = (
        shutil.which(named, path=env.get("PATH"))
        if named
        else shutil.which(name, path=env.get("PATH")) or shutil.which(name, path=beside)
    )
    if found is None:
        return Missing(f"{variable}={named} is no program" if named else f"no {name} on PATH", remedy)
    try:
        done = call(f"{name} {ask}", [found, *ask.split()], Path("/"), env)
    except MeasurementFailed as error:
        return Missing(str(error), remedy)
    said = re.search(pattern, (done.printed + done.said).decode("utf-8", "replace"))
    if done.returncode or said is None:
        return Missing(f"{name} does not run", remedy)
    return found, said[1]


def platform_parts() -> dict[str, str]:
    """The part of a key that says for which machine it is built."""
    return {"platform": f"{sys.platform} {platform.machine()} {' '.join(platform.libc_ver())}"}


def _recipe(name: str) -> Recipe:
    recipe = import_module(f"whichwins.provision.{name}_build").RECIPE
    assert isinstance(recipe, Recipe)
    return recipe


def _sources(name: str) -> Path:
    return bundled("adapters") / name


def _key(name: str, toolchain: Toolchain) -> tuple[str, dict[str, str]]:
    parts = {**toolchain.parts, **platform_parts(), "sources": _digest(_sources(name))}
    return f"{name}-adapter", parts


def _digest(folder: Path) -> str:
    """Digest of an adapter's sources and pins, by name and content."""
    whole = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders.sort()
        for path in (Path(place, name) for name in sorted(names)):
            name = path.relative_to(folder).as_posix()
            if name != _MANIFEST and not name.startswith("target/"):
                whole.update(f"{name}\0{digest(path)}\n".encode(errors="replace"))
    return whole.hexdigest()
