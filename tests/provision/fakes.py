"""A machine made of small scripts: `node`, `npm`, `ruby` that say what a test wants."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from whichwins.provision.cache import name_of
from whichwins.provision.environment import ruby_wasm
from whichwins.provision.record import write_record

MODULE = "node_modules/@ruby/4.0-wasm-wasi/dist/ruby+stdlib.wasm"

# Stands in for both uses of node: its version, and the snapshot of an environment.
NODE = """
[ "$1" = --version ] && { echo v20.1.0; exit 0; }
eval "home=\\${$#}"
echo snapshot >> "$LOG"
[ -n "$SNAPSHOT_FAILS" ] && { echo "Error: no Ruby in here"; exit 1; }
echo booted > "$home/booted.snapshot"
"""
NPM = """
echo "npm $*" >> "$LOG"
[ -n "$NODE_OPTIONS" ] && echo "NODE_OPTIONS came through" >> "$LOG"
sleep "${NPM_SLEEPS:-0}"
if [ -n "$NPM_FAILS" ]; then
  echo "npm error code ENOTFOUND"
  echo "npm error network \\033[31mno registry"
  exit 1
fi
mkdir -p node_modules/@ruby/4.0-wasm-wasi/dist
for one in ruby+stdlib ruby ruby.debug+stdlib; do
  echo "$one" > "node_modules/@ruby/4.0-wasm-wasi/dist/$one.wasm"
done
"""


class Machine:
    """A folder of programs, a cache and a log; `env` is what provisioning is given."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.cache = folder / "cache"
        self.log = folder / "log"
        self.env = {"PATH": str(self.bin), "WHICHWINS_CACHE": str(self.cache), "LOG": str(self.log)}
        for tool in ("sleep", "mkdir"):
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)

    def add(self, name: str, script: str) -> str:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def logged(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def left(self) -> list[str]:
        """What stands in the cache."""
        return sorted(os.listdir(self.cache)) if self.cache.exists() else []  # noqa: PTH208


def ruby_home(machine: Machine) -> Path:
    """Where CRuby as WebAssembly stands, built or not."""
    return machine.cache / name_of(*ruby_wasm())


def planted_ruby(machine: Machine) -> Path:
    """An environment that passes for CRuby as WebAssembly, built by nobody."""
    home = ruby_home(machine)
    (home / MODULE).parent.mkdir(parents=True)
    (home / MODULE).write_text("module")
    (home / "booted.snapshot").write_text("booted")
    write_record(home, {"request": "ruby"})
    return home


def no_wheel() -> None:
    """In the place of `wheel_node`: no wheel is installed."""
