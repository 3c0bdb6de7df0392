"""Building CRuby as WebAssembly: locked npm packages, scripts off, and a snapshot of the booted Ruby."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from whichwins.model import MeasurementFailed
from whichwins.provision.cache import Environment, environment
from whichwins.provision.environment import PACKAGES, RUBY, ruby_adapter, ruby_wasm, worker_environment
from whichwins.provision.runtimes import Runtimes, probe
from whichwins.provision.steps import npm, step

NPM_OPTIONS = (
    *("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"),
    # Where there is no network that is said within seconds; as it comes, npm tries for more than a minute.
    *("--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=5000"),
)
"""How npm is called: no script of a package is ever run."""

_NOT_NEEDED = ("ruby.debug+stdlib.wasm", "ruby.wasm")


def build_ruby_wasm(progress: Callable[[str], None], env: Mapping[str, str] | None = None) -> Path:
    """Build CRuby as WebAssembly in the cache, or find it built; return its folder.

    Needs the npm registry the first time, nothing after. It appears whole or not at all; builders at
    the same time wait for one another. `progress` gets a line a step. BadInput when the cache cannot
    be written, MeasurementFailed when a step fails.
    """
    env = dict(os.environ if env is None else env)
    return ruby_environment(RUBY, probe(env=env), progress).folder


def ruby_environment(version: str, runtimes: Runtimes, progress: Callable[[str], None]) -> Environment:
    """The same for one of the versions that there are locks for (`RUBIES`)."""

    def build(place: Path) -> dict[str, str]:
        _build(version, place, runtimes, progress)
        return {"request": f"ruby@wasm-{version}", "toolchain": "CRuby as WebAssembly"}

    return environment(runtimes.env, *ruby_wasm(version), build, progress)


def _build(version: str, place: Path, runtimes: Runtimes, progress: Callable[[str], None]) -> None:
    node = runtimes.get("node")
    if node is None:
        raise MeasurementFailed(f"CRuby as WebAssembly needs Node.js, {runtimes.why('node')}")
    env = worker_environment(runtimes.env)
    sources = ruby_adapter() / "wasm"
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(sources / version / name, place / name)
    progress(f"installing CRuby {version} as WebAssembly (npm, 27 MB)")
    step("npm ci", [*npm(node, env), "ci", *NPM_OPTIONS], place, env)
    for name in _NOT_NEEDED:
        for file in (place / PACKAGES).glob(f"*/dist/{name}"):
            file.unlink()
    progress("keeping a snapshot of the booted Ruby")
    step("the snapshot", [node, "--no-warnings", str(sources / "snapshot.mjs"), str(place)], place, env)
