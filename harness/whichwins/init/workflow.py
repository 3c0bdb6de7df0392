"""The GitHub workflow that `init` proposes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins import __version__
from whichwins.init.survey import Survey
from whichwins.model import BadInput


class Toolchains(NamedTuple):
    """The versions that the workflow sets up. A baseline is of these: they are fixed."""

    python: str = "3.13"
    node: str = "22"
    ruby: str = "3.4"


def toolchains(runtimes: Mapping[str, str]) -> Toolchains:
    """The versions of the runtimes here, by subject (`CPython 3.11.7`): what the baseline is made on."""
    found = Toolchains()
    for field, key, parts in (
        ("python", "python/json", 2),
        ("node", "node/json", 1),
        ("ruby", "ruby/json", 2),
    ):
        if version := re.search(r"[0-9]+(?:\.[0-9]+)*", runtimes.get(key, "")):
            found = found._replace(**{field: ".".join(version[0].split(".")[:parts])})
    return found


class WorkflowPlace(NamedTuple):
    """Where the workflow goes; the project's folder from the repository's root (empty: it is the root)."""

    path: Path
    folder: str


def workflow_place(folder: Path) -> WorkflowPlace:
    """Services look for workflows at the root of a repository only, wherever the project is in it."""
    here = folder.resolve()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    inside = here.relative_to(root).as_posix() if root != here else ""
    if "${{" in inside or not inside.isprintable():
        raise BadInput(f"{folder}: a workflow cannot name this folder: rename it, or run init elsewhere")
    name = "-".join(["whichwins", *re.findall("[A-Za-z0-9_.]+", inside)])
    path = Path(os.path.relpath(root, here)) if inside else Path()
    return WorkflowPlace(folder / path / ".github" / "workflows" / f"{name}.yml", inside)


class _Install(NamedTuple):
    """How a project's Python packages get there, and where its interpreter is then."""

    steps: tuple[str, ...]
    python: str


def workflow(
    found: Survey,
    subjects: Sequence[str],
    versions: Toolchains,
    packages: Sequence[str] = (),
    folder: str = "",
) -> str:
    """The workflow's text: the project's packages are installed, whichwins beside them, not among them.

    Actions are pinned by tag; the token may read and nothing else; nothing of a pull request gets into a
    command. `packages` are requirements to install where no file of the project says which; `folder` is the
    project's, from the root of the repository.
    """
    lines = [*_head(folder)]
    lines += _step("actions/setup-python@v5", "python-version", versions.python)
    if any(subject.startswith("node/") for subject in subjects):
        lines += _step("actions/setup-node@v4", "node-version", versions.node)
        if "package-lock.json" in found.files or "npm-shrinkwrap.json" in found.files:
            lines.append("      - run: npm ci --ignore-scripts")
        elif any(subject.startswith("node/") and subject != "node/json" for subject in subjects):
            lines.append("      - run: npm install --ignore-scripts")
    if any(subject.startswith("ruby/") for subject in subjects):
        lines += _step("ruby/setup-ruby@v1", "ruby-version", versions.ruby)
    install = _install(found)
    lines += [f"      - run: {step}" for step in install.steps]
    if packages:
        lines.append(f"      - run: python -m pip install {' '.join(packages)}")
    lines.append(f"      - run: pipx install whichwins=={__version__}")
    lines.append(f'      - run: whichwins check --format github --python "{install.python}"')
    return "\n".join(lines) + "\n"


def _head(folder: str) -> Iterator[str]:
    if not folder:
        yield from _HEAD
        return
    for line in _HEAD:
        if line == "name: whichwins":
            line = f"name: {_quoted(f'whichwins ({folder})')}"
        if line == "    steps:":
            yield from ("    defaults:", "      run:", f"        working-directory: {_quoted(folder)}")
        yield line


def _quoted(text: str) -> str:
    """A YAML string in printable ASCII."""
    plain = (c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in text)
    return f'"{"".join(plain)}"'


_HEAD = (
    "# Fails when a JSON library reads something else than whichwins.lock says.",
    "name: whichwins",
    "on:",
    "  pull_request:",
    "  push:",
    "    branches: [main, master]",
    "permissions:",
    "  contents: read",
    "jobs:",
    "  check:",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "        with:",
    "          persist-credentials: false",
)


def _step(action: str, key: str, version: str) -> tuple[str, ...]:
    return (f"      - uses: {action}", "        with:", f'          {key}: "{version}"')


def _install(found: Survey) -> _Install:
    here = "$(command -v python)"
    requirements = [name for name in found.files if name.startswith("requirements")]
    if "uv.lock" in found.files:
        return _Install(("pipx install uv", "uv sync --locked"), ".venv/bin/python")
    if "poetry.lock" in found.files:
        steps = ("pipx install poetry", "poetry install --no-interaction")
        return _Install(steps, "$(poetry env info --executable)")
    if "pdm.lock" in found.files:
        return _Install(("pipx install pdm", "pdm sync"), ".venv/bin/python")
    if requirements:
        name = "requirements.txt" if "requirements.txt" in requirements else requirements[0]
        return _Install((f"python -m pip install -r {name}",), here)
    if "pyproject.toml" in found.files:
        return _Install(("python -m pip install .",), here)
    return _Install((), here)
