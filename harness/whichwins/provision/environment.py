"""Where the cache is, what CRuby in it is made from, and the environment variables a worker gets."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from whichwins._bundled_path import bundled
from whichwins.provision.record import digest

INSTALL_RUBY = "whichwins install ruby"

PACKAGES = Path("node_modules", "@ruby")

RUBIES = {"3.2": "json 2.6.3", "3.3": "json 2.7.1", "3.4": "json 2.9.1", "4.0": "json 2.18.0"}
"""The versions of CRuby as WebAssembly that there are locks for, and the json gem that comes with each."""

RUBY = "4.0"
"""The one that is used where no version is asked for."""

# What such an environment is made from; a change of any makes another environment.
_SOURCES = (
    "wasm/{}/package.json",
    "wasm/{}/package-lock.json",
    "wasm/vm.mjs",
    "wasm/snapshot.mjs",
    "shim.rb",
)

# These change what a runtime prints or runs before a worker's own first line. What a deployment
# sets for its libraries (PYTHONPATH, PYTHONHASHSEED, GEM_HOME, locale, ...) stays.
REMOVED = (
    "NODE_OPTIONS",
    "NODE_V8_COVERAGE",
    "NODE_DEBUG",
    "NODE_DEBUG_NATIVE",
    "NODE_PENDING_DEPRECATION",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
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


def ruby_wasm(version: str = RUBY) -> tuple[str, dict[str, str]]:
    """The name of the environment that holds CRuby as WebAssembly, and the parts that are its key."""
    names = [name.format(version) for name in _SOURCES]
    return f"ruby-wasm-{version}", {name: digest(ruby_adapter() / name) for name in names}
