"""The cache, what stands in it, and the environment variables a worker gets."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from whichwins._bundled_path import bundled

INSTALL_RUBY = "whichwins install ruby"

RECORD = "environment.json"
"""The file that makes an environment whole: sizes and digests of the files it must have."""

SNAPSHOT = "booted.snapshot"
PACKAGES = Path("node_modules", "@ruby")
MODULE = PACKAGES / "4.0-wasm-wasi" / "dist" / "ruby+stdlib.wasm"

# What the environment is made from; a change of any makes another environment.
_SOURCES = ("wasm/package.json", "wasm/package-lock.json", "wasm/vm.mjs", "wasm/snapshot.mjs", "shim.rb")

# These change what a runtime prints or runs before a worker's own first line. What a deployment
# sets for its libraries (PYTHONPATH, PYTHONHASHSEED, GEM_HOME, locale, ...) stays.
REMOVED = (
    "NODE_OPTIONS",
    "NODE_V8_COVERAGE",
    "NODE_DEBUG",
    "NODE_DEBUG_NATIVE",
    "NODE_PENDING_DEPRECATION",
    "RUBYOPT",
    "PYTHONINSPECT",
    "PYTHONVERBOSE",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONDEBUG",
)


def worker_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The variables a worker gets: all but those of `REMOVED`."""
    return {name: value for name, value in env.items() if name not in REMOVED}


def cache_folder(env: Mapping[str, str]) -> Path:
    """`WHICHWINS_CACHE`, else the platform's cache folder for whichwins."""
    if named := env.get("WHICHWINS_CACHE"):
        return Path(named).absolute()
    home = Path(env.get("HOME") or Path.home())
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "whichwins"
    shared = env.get("XDG_CACHE_HOME", "")
    # The XDG specification: a relative path is invalid and ignored.
    return (Path(shared) if Path(shared).is_absolute() else home / ".cache") / "whichwins"


def ruby_adapter() -> Path:
    """The folder of the Ruby adapter."""
    return bundled("adapters") / "ruby"


def ruby_wasm_home(env: Mapping[str, str]) -> Path:
    """Where CRuby as WebAssembly stands once it is built, keyed by what it is made from."""
    digest = hashlib.sha256()
    for name in _SOURCES:
        content = (ruby_adapter() / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return cache_folder(env) / f"ruby-wasm-{digest.hexdigest()[:16]}"


def write_record(home: Path) -> None:
    """Declare an environment whole."""
    files = [home / SNAPSHOT, home / "package.json", *sorted((home / "node_modules").rglob("*"))]
    record = {
        file.relative_to(home).as_posix(): [file.stat().st_size, _digest(file)]
        for file in files
        if file.is_file() and file.suffix in (".wasm", ".js", ".json", ".snapshot")
    }
    (home / RECORD).write_text(json.dumps(record, indent=0, sort_keys=True), encoding="ascii")


def is_whole(home: Path, *, thorough: bool = False) -> bool:
    """Whether an environment has all its files in their sizes; `thorough`: and in their contents."""
    try:
        record: dict[str, tuple[int, str]] = json.loads((home / RECORD).read_bytes())
        return {SNAPSHOT, MODULE.as_posix()} <= record.keys() and all(
            (home / name).stat().st_size == size and (not thorough or _digest(home / name) == digest)
            for name, (size, digest) in record.items()
        )
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
