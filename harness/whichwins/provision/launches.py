"""How a subject is started here: the first of its launch specs whose runtime is there."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins._bundled_path import bundled
from whichwins.model import Adapter, LaunchSpec, Subject
from whichwins.provision.compiled import COMPILED
from whichwins.provision.environment import worker_environment
from whichwins.provision.missing import Missing
from whichwins.provision.runtimes import Runtimes
from whichwins.workers import Launch

_PLACEHOLDER = re.compile(r"\{([a-z-]+)\}")


class Absent(NamedTuple):
    """A subject that cannot be started here: why, and the command that would change it."""

    reason: str
    install: str


def launch(
    subject: Subject, adapters: Sequence[Adapter], runtimes: Runtimes, memory_mb: int = 2048
) -> Launch | Absent:
    """How to start `subject`, one of `adapters`; `memory_mb` is the limit of a worker in MiB."""
    folder = next(adapter.folder for adapter in adapters if adapter.name == subject.adapter)
    reasons, install = [], subject.install
    for spec in subject.launch:
        argv = _argv(spec, folder, runtimes, memory_mb)
        if isinstance(argv, Missing):
            reasons.append(argv.reason)
            install = argv.install or install
        else:
            return Launch(argv, worker_environment(runtimes.env), memory_mb, spec.memory)
    return Absent(", ".join(reasons), install)


def launch_boundary(runtimes: Runtimes, memory_mb: int = 2048) -> Launch | Absent:
    """How the worker is started that runs a user's own code, in the user's interpreter (`--python`).

    It is no adapter: what it runs comes with `hello`. BadInput when the interpreter that was named does not
    work.
    """
    python = runtimes.get("python")
    if python is None:
        missing = runtimes.missing("python")
        return Absent(missing.reason if missing else "no python", missing.install if missing else "")
    worker = bundled("adapters") / "boundary" / "worker.py"
    return Launch((python, str(worker)), worker_environment(runtimes.env), memory_mb)


def launch_command(command: Sequence[str], runtimes: Runtimes, folder: Path, memory_mb: int = 2048) -> Launch:
    """How a program of the user's that speaks the worker protocol is started: in the stack's folder."""
    env = worker_environment(runtimes.env)
    return Launch(tuple(command), env, memory_mb, folder=str(folder.resolve()))


def _argv(spec: LaunchSpec, folder: Path, runtimes: Runtimes, memory_mb: int) -> tuple[str, ...] | Missing:
    values = {"folder": str(folder), "memory-mb": str(memory_mb)}
    named = [name for part in spec.command for name in _PLACEHOLDER.findall(part)]
    for name in (spec.needs, *named):
        if name is None or name in values:
            continue
        path = runtimes.get(name)
        if path is None:
            return runtimes.missing(name) or Missing(f"no {name}", "")
        values[name] = path
    # One pass: a brace in a path is not a placeholder.
    argv = tuple(_PLACEHOLDER.sub(lambda match: values[match[1]], part) for part in spec.command)
    if spec.needs in COMPILED and argv[0].startswith("/") and not os.access(argv[0], os.X_OK):
        return Missing(f"{Path(argv[0]).name} was left out when the {spec.needs} adapter was built", "")
    if spec.needs is not None:
        return argv
    program = _program(argv[0], folder, runtimes)
    return (program, *argv[1:]) if program else Missing(f"no program {spec.command[0]}", "")


def _program(name: str, folder: Path, runtimes: Runtimes) -> str | None:
    """A program by its path, relative to the adapter's folder, or on PATH."""
    if "/" not in name:
        return shutil.which(name, path=runtimes.env.get("PATH"))
    path = folder / name
    return str(path) if path.is_file() and os.access(path, os.X_OK) else None
