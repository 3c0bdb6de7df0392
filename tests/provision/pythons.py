"""A machine with pretended interpreters and a pretended uv that knows a small index."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from whichwins.provision import Absent, Runtimes, Sources, interpreters, probe, provide, python_packages
from whichwins.subjects import load_adapters, select

INDEX: dict[str, dict[str, list[str]]] = {
    "orjson": {"3.9.15": ["3.12", "3.10"], "3.13.0": ["3.13", "3.12"], "3.4.2": []},
    "ujson": {"5.2.0": ["3.10"], "5.7.0": ["3.10", "3.12"], "6.1.0": ["3.13", "3.12", "3.10"]},
    "simplejson": {"4.3.0": ["3.13"]},
}
"""By package and version, the interpreters that it has a wheel for."""

# Answers as uv 0.13 does, from the index in $WORLD, and logs how it was called.
UV = r"""
import json, os, re, sys
from pathlib import Path
world = json.loads(Path(os.environ["WORLD"]).read_text())
args = sys.argv[1:]
lines = sys.stdin.read().splitlines() if args[0] == "pip" else []
with open(world["log"], "a") as log:
    log.write(" ".join([*args[:2], *lines]) + "\n")
Path(world["environment"]).write_text(json.dumps(dict(os.environ)))
python = args[args.index("--python") + 1]
def minor():
    folder = Path(python).parent.parent
    if (folder / "pyvenv.cfg").exists():
        return (folder / "pyvenv.cfg").read_text()
    return re.search(r"3\.\d+", Path(python).name)[0]
def fail(cause, hint=""):
    print("error: No solution found when resolving dependencies\n  cause: " + cause + hint, file=sys.stderr)
    sys.exit(1)
def key(version):
    return tuple(map(int, version.split(".")))
if world.get("says"):
    print(world["says"], file=sys.stderr)
    sys.exit(world.get("status", 1))
if args[0] == "venv":
    place = Path(args[-1])
    (place / "bin").mkdir()
    (place / "bin" / "python").symlink_to(python)
    (place / "pyvenv.cfg").write_text(minor())
elif args[:2] == ["pip", "install"]:
    for line in lines:
        name, version = line.split("==")
        packages = Path(python).parent.parent / "lib" / "python3" / "site-packages"
        info = packages / f"{name}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(line)
else:
    name, operator, version = re.match(r"([\w-]+)(<|>|==)(.*)", lines[0]).groups()
    have = world["index"].get(name)
    if have is None:
        fail(f"Because {name} was not found in the package registry and you require {lines[0]}")
    if "--no-binary" in args:
        below = operator == "<"
        named = [v for v in have if version != "0a0" and (key(v) < key(version)) == below]
        if not named:
            last = sorted(have, key=key)[0 if below else -1]
            fail(f"Because only {name}{'>=' if below else '<='}{last} is available and you require it")
        end = f"{name}<={max(named, key=key)}" if below else f"{name}>={min(named, key=key)}"
        fail(f"Because {end} has no usable wheels and only the following versions of {name} are available:")
    fits = [v for v in have if (key(v) == key(version) if operator == "==" else key(v) < key(version))]
    if not fits:
        fail(f"Because there is no version of {lines[0]} and you require {lines[0]}, we can conclude")
    fits = [v for v in fits if minor() in have[v]]
    if not fits:
        fail(f"Because {lines[0]} has no usable wheels and you require {lines[0]}, we can conclude that your",
             "\n\nhint: Wheels are required for it because building from source is disabled")
    print(f"{name}=={max(fits, key=key)}")
"""

ANSWER = {"name": "CPython", "version": [3, 12, 1], "release": "3.12.1", "final": True, "threaded": False}


class Pythons:
    """Interpreters on PATH, uv, a cache; `provide` as a verb calls it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.bin = folder / "the bin"
        self.bin.mkdir()
        self.cache = folder / "the cache"
        self.log = folder / "log"
        self.world: dict[str, Any] = {
            "index": INDEX,
            "log": str(self.log),
            "environment": str(folder / "environment.json"),
        }
        self.env = {
            "PATH": f"{self.bin}:/bin:/usr/bin",
            "HOME": str(folder / "home"),
            "WHICHWINS_CACHE": str(self.cache),
            "WORLD": str(folder / "world.json"),
            "RUNS": str(folder / "runs"),
        }
        self.said: list[str] = []
        self.running = str(folder / "none of these")
        uv = folder / "uv"
        uv.write_text(f"#!{sys.executable}\n{UV}")
        uv.chmod(0o755)
        monkeypatch.setattr(python_packages, "find_uv", lambda: str(uv))
        monkeypatch.setattr(interpreters, "running", lambda: self.running)
        monkeypatch.setattr(interpreters, "PLACES", ())
        monkeypatch.setattr(interpreters, "_on_path", lambda env: [self.bin])
        self.know()
        for version in ("3.10.13", "3.12.1", "3.13.0"):
            self.add(version)

    def know(self, **more: Any) -> None:
        self.world.update(more)
        Path(self.env["WORLD"]).write_text(json.dumps(self.world))

    def add(self, release: str, folder: Path | None = None, name: str = "", **more: Any) -> Path:
        """An interpreter that says what it is, and notes that it ran."""
        version = [int(part) for part in release.split("rc")[0].split(".")]
        name = name or f"python{version[0]}.{version[1]}"
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        answer = {**ANSWER, "version": version, "release": release, "path": str(path), **more}
        return self.script(path, f"echo {name} >> \"$RUNS\"\ncat <<'EOF'\n{json.dumps(answer)}\nEOF\n")

    def script(self, path: Path, text: str) -> Path:
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)
        return path

    def provide(
        self,
        *keys: str,
        together: bool = False,
        sources: Sources | None = None,
        python: str | None = None,
        **env: str,
    ) -> dict[str, Runtimes | Absent]:
        adapters = load_adapters()
        runtimes = probe(python, {**self.env, **env})
        subjects = select(adapters, keys)
        return provide(
            subjects, adapters, runtimes, sources or Sources(), self.said.append, together=together
        )

    def bases(
        self, *keys: str, together: bool = False, sources: Sources | None = None, **env: str
    ) -> list[str]:
        """The interpreters that the subjects stand on, or why there is none, in the order asked for."""
        given = self.provide(*keys, together=together, sources=sources, **env)
        return [self.base(given[key]) for key in keys]

    def base(self, found: Runtimes | Absent) -> str:
        if isinstance(found, Absent):
            return f"{found.reason}: {found.install}"
        python = found.get("python")
        assert python is not None
        return Path(python).resolve().name

    def calls(self) -> list[str]:
        """How uv was called since this was last asked."""
        said = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return said

    def runs(self) -> list[str]:
        """The interpreters that were run since this was last asked."""
        path = Path(self.env["RUNS"])
        said = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return said

    def left(self) -> list[str]:
        """What stands in the cache, without what is remembered."""
        there = self.cache.iterdir() if self.cache.is_dir() else ()
        return sorted(path.name.rpartition("-")[0] for path in there if path.name != ".known")
