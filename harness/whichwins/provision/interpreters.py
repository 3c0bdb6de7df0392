"""The CPythons of this machine, newest first: found by place, counted once they have run.

A name is not trusted: version managers put scripts of every name on PATH that fail for most of them. What an
interpreter said is remembered in the cache by its path, size and time, so that a start runs none of them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from whichwins.model import BadInput
from whichwins.provision.environment import worker_environment
from whichwins.provision.memory import recall, remember
from whichwins.provision.runtimes import Runtimes

OLDEST = (3, 8)
PLACES = ("/usr/local/bin", "/usr/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin")
"""Folders that are looked at though they are not on PATH."""

_NAME = re.compile(r"python3(\.\d+t?)?")
_PROBE_SECONDS = 20
_FORGET_SECONDS = 24 * 3600
_KNOWN = "interpreters"
_LATE: dict[str, Any] = {"late": True}

# A virtual environment's own executable is no base for another: its base is asked for.
_ASK = """
import json, os, platform, sys, sysconfig
v = sys.version_info
path = os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)
if sys.prefix != sys.base_prefix and path.startswith(os.path.realpath(sys.prefix) + os.sep):
    path = os.path.realpath(os.path.join(sys.base_prefix, "bin", "python%d.%d" % v[:2]))
print(json.dumps({"name": platform.python_implementation(), "version": v[:3], "final": v[3] == "final",
    "release": platform.python_version(), "path": path,
    "threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED"))}))
"""


class Interpreter(NamedTuple):
    """A CPython: its program, version, and the identity (path, size, time) that environments are keyed by."""

    path: str
    version: tuple[int, int, int]
    release: str
    final: bool
    threaded: bool
    identity: str

    @property
    def shown(self) -> str:
        """The version in words: `3.13.0`, `3.13.0t` for a free-threaded build."""
        return f"{self.release}t" if self.threaded else self.release

    @property
    def kind(self) -> tuple[int, int, bool]:
        """What decides which wheels fit: minor version and free-threading."""
        return (*self.version[:2], self.threaded)


def interpreters(runtimes: Runtimes) -> tuple[Interpreter, ...]:
    """Return the CPythons of 3.8 and newer, newest first; pre-releases and free-threaded builds come last.

    The one of `--python` alone where it was given; else the running one, those on PATH, of pyenv, uv and in
    the usual places, and `WHICHWINS_PYTHONS` (programs or folders). BadInput when one of these does not run.
    """
    env = runtimes.env
    if runtimes.python_named:
        own = runtimes.get("python") or sys.executable
        found = _asked(env, [own], resolve=False)
        if not found:
            raise BadInput(f"--python {own}: is no CPython of version {_oldest()} or newer")
        return found
    named = list(_named(env))
    places = [*named, *_places(env)]
    found = _asked(env, places, resolve=True)
    for path in named:
        if not _asked(env, [path], resolve=True):
            raise BadInput(f"WHICHWINS_PYTHONS: {path} is no CPython of version {_oldest()} or newer")
    order = sorted(found, key=lambda one: (one.final and not one.threaded, one.version, one.release))
    return tuple(reversed(order))


def own_first(runtimes: Runtimes, found: tuple[Interpreter, ...]) -> tuple[Interpreter, ...]:
    """Return them with the one that runs whichwins before the others: where several fit, it is as good."""
    own = {one.path for one in _asked(runtimes.env, [running()], resolve=True)} if running() else set()
    return tuple(sorted(found, key=lambda one: one.path not in own))


def one_of_each_kind(found: tuple[Interpreter, ...]) -> tuple[Interpreter, ...]:
    """Return the first of each minor version: what fits one fits the other."""
    kinds: dict[tuple[int, int, bool], Interpreter] = {}
    for one in found:
        kinds.setdefault(one.kind, one)
    return tuple(kinds.values())


def _oldest() -> str:
    return ".".join(map(str, OLDEST))


def _named(env: Mapping[str, str]) -> Iterator[str]:
    for given in env.get("WHICHWINS_PYTHONS", "").split(os.pathsep):
        if not given:
            continue
        path = Path(given).absolute()
        if not path.is_dir():
            yield str(path)
            continue
        inside = [*_in(path), *_in(path / "bin")]
        if not inside:
            raise BadInput(f"WHICHWINS_PYTHONS: {given} has no python3 in it; name a program or its folder")
        yield from inside


def running() -> str:
    """The interpreter that runs this; empty where it does not know its path."""
    return sys.executable or ""


def _places(env: Mapping[str, str]) -> Iterator[str]:
    yield running()
    home = Path(env.get("HOME") or "/nonexistent")
    data = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share")
    tools = env.get("RUNNER_TOOL_CACHE") or env.get("AGENT_TOOLSDIRECTORY")
    managers = _managers(env, home, data)
    # A version manager's scripts take long to say which of its interpreters they stand for: those are asked.
    shims = {str(root / "shims") for root, _ in managers}
    folders = [folder for folder in _on_path(env) if str(folder) not in shims]
    for root, inside in managers:
        folders += sorted(root.glob(inside))
    folders += sorted(Path(env.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python").glob("*/bin"))
    folders += sorted(Path(tools).glob("Python/*/*/bin")) if tools else []
    folders += [*map(Path, PLACES), home / ".local" / "bin"]
    for folder in dict.fromkeys(folders):
        yield from _in(folder)


def _managers(env: Mapping[str, str], home: Path, data: Path) -> list[tuple[Path, str]]:
    """Where pyenv, asdf and mise have their scripts, and the interpreters behind these."""
    return [
        (Path(env.get("PYENV_ROOT") or home / ".pyenv"), "versions/*/bin"),
        (Path(env.get("ASDF_DATA_DIR") or home / ".asdf"), "installs/python/*/bin"),
        (Path(env.get("MISE_DATA_DIR") or data / "mise"), "installs/python/*/bin"),
    ]


def _on_path(env: Mapping[str, str]) -> list[Path]:
    return [Path(place) for place in env.get("PATH", "").split(os.pathsep) if place.startswith("/")]


def _in(folder: Path) -> Iterator[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if _NAME.fullmatch(name))  # noqa: PTH208
    except OSError:
        return
    for name in names:
        path = folder / name
        if path.is_file() and os.access(path, os.X_OK):
            yield str(path)


def _asked(env: Mapping[str, str], paths: list[str], *, resolve: bool) -> tuple[Interpreter, ...]:
    """What those programs are, each interpreter once; those that fail are left out."""
    known = recall(env, _KNOWN)
    programs = map(_program, paths) if resolve else paths
    states = {path: state for path in programs if (state := _state(path))}
    unknown = [path for path, state in states.items() if not _remembered(known.get(path), state)]
    if unknown:
        with ThreadPoolExecutor(4) as pool:
            answers = dict(zip(unknown, pool.map(lambda path: _ask(env, path), unknown), strict=True))
        facts = {
            path: {"state": states[path], "asked": time.time(), "answer": answer}
            for path, answer in answers.items()
        }
        known.update(facts)
        # What did not end in time may do so when less is going on.
        remember(env, _KNOWN, {path: fact for path, fact in facts.items() if fact["answer"] != _LATE})
    found: dict[str, Interpreter] = {}
    for path in states:
        one = _interpreter(known[path]["answer"], None if resolve else path)
        if one is not None:
            found.setdefault(one.path, one)
    return tuple(found.values())


def _program(path: str) -> str:
    """The program behind links, if it is named like one: a version manager may act by the link's name.

    It is also what makes a virtual environment's link its base.
    """
    real = os.path.realpath(path)
    return real if _NAME.fullmatch(Path(real).name) else path


def _state(path: str) -> str:
    """What tells whether a program is still the same; empty when there is none."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):  # ValueError: a NUL
        return ""
    return f"{os.path.realpath(path)} {state.st_size} {state.st_mtime_ns}"


def _remembered(fact: Any, state: str) -> bool:
    """A failure is believed for a day: a script fails or not by the settings of others."""
    try:
        fresh = isinstance(fact["answer"], dict) or 0 <= time.time() - fact["asked"] < _FORGET_SECONDS
        return bool(fact["state"] == state and fresh)
    except (TypeError, KeyError):
        return False


def _ask(env: Mapping[str, str], path: str) -> dict[str, Any] | None:
    try:
        done = subprocess.run(
            [path, "-I", "-c", _ASK],
            cwd="/",  # a version manager looks for a project's settings where it is called
            env=worker_environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
        answer = json.loads(done.stdout) if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return _LATE
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def _interpreter(answer: Any, path: str | None) -> Interpreter | None:
    """What an answer says, if it is a CPython that is new enough and still there."""
    try:
        if answer["name"] != "CPython" or tuple(answer["version"]) < OLDEST:
            return None
        program = path or str(answer["path"])
        state = _state(program)
        version = tuple(map(int, answer["version"]))
        return (
            Interpreter(
                path=program,
                version=(version[0], version[1], version[2]),
                release=str(answer["release"]),
                final=bool(answer["final"]),
                threaded=bool(answer["threaded"]),
                identity=f"{answer['release']} {state}",
            )
            if state
            else None
        )
    except (TypeError, KeyError, ValueError, IndexError, OverflowError):
        return None
