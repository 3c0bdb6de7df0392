"""As much of a build service as fits here: a project under git, a runner's folders, its way to run steps."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.cli import fleet

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INPUTS: dict[str, str] = {name: str(each["default"]) for name, each in ACTION["inputs"].items()}

CASES = """
about = "a small family"
[expect]
rfc8259 = "accept: section 6"
i-json = "free: RFC 7493 section 2.2"
jcs-input = "accept: RFC 8785 section 3.1"
strict-tool-input = "reject: beyond 2^53-1"
[[case]]
id = "two-to-64"
text = '[18446744073709551616]'
why = "one beyond 64 bits"
"""
CONFIG = """
subjects = ["python/orjson"]
builtin = false
corpus = ["cases.toml"]
"""


class Done(NamedTuple):
    """How a step ended: its code, what it printed, the outputs it set, the summary it wrote."""

    code: int
    out: str
    err: str
    outputs: Mapping[str, str]
    summary: str


def program(path: Path, text: str) -> None:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/usr/bin/env bash\nset -eu\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def whichwins(path: Path) -> None:
    """The command, as if it were installed there."""
    environment = f"PYTHONPATH={shlex.quote(str(ROOT / 'harness'))}"
    program(path, f'{environment} exec {shlex.quote(sys.executable)} -m whichwins "$@"')


def git(project: Path, *words: str) -> str:
    """Run git in the project, with a name and nothing of the user's."""
    name = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"]
    return subprocess.run(
        ["git", *name, *words], cwd=project, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit(project: Path, **files: str) -> str:
    """Write files (`whichwins_toml` is whichwins.toml), commit all; the revision."""
    for name, text in files.items():
        (project / name.replace("_", ".")).write_text(text, encoding="utf-8")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "state")
    return git(project, "rev-parse", "HEAD")


def project(folder: Path, **files: str) -> Path:
    """A project with a configuration and a case of its own, in a folder with a space."""
    made = folder / "my project"
    made.mkdir()
    git(made, "init", "-q")
    commit(made, whichwins_toml=CONFIG, cases_toml=CASES, **files)
    return made


def environment(runner: Path, **more: str) -> dict[str, str]:
    """What a step sees."""
    runner.mkdir(exist_ok=True)
    given = {
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
        "GITHUB_ACTION_PATH": str(ROOT),
    }
    return fleet.environment(**given, **more)


def shell(script: str, cwd: Path, env: Mapping[str, str]) -> Done:
    """Run a step's script as the services do: bash, stop at the first failure."""
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    outputs, summary = (Path(env[name]) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"))
    lines = outputs.read_text().splitlines() if outputs.exists() else []
    pairs = dict(line.partition("=")[::2] for line in lines)
    told = summary.read_text() if summary.exists() else ""
    return Done(done.returncode, done.stdout, done.stderr, pairs, told)


def action(cwd: Path, runner: Path, inputs: Mapping[str, str], *, base: str = "", fork: bool = False) -> Done:
    """The action's step, its expressions worked out by hand, whichwins already in its place."""
    whichwins(runner / "whichwins" / "bin" / "whichwins")
    (step,) = ACTION["runs"]["steps"]
    given = {**INPUTS, "python": sys.executable, **inputs}
    values = {}
    for name, expression in step["env"].items():
        plain = re.fullmatch(r"\$\{\{ inputs\.([a-z]+) \}\}", expression)
        values[name] = (
            given[plain[1]] if plain else {"BASE": given["base"] or base, "FORK": str(fork).lower()}[name]
        )
    return shell(step["run"], cwd, environment(runner, **values))


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in `docs/`."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def path_of(*folders: Path) -> str:
    """A PATH with these in front."""
    return os.pathsep.join([*map(str, folders), os.environ["PATH"]])
