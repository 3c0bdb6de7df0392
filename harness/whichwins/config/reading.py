"""Finding a configuration and reading it, strictly: what is not understood is refused, with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from whichwins.config.allow import read_allow
from whichwins.config.paths import path_in, subject_in
from whichwins.config.section import Section
from whichwins.config.settings import BASELINE, Config
from whichwins.model import BadInput
from whichwins.text_files import Toml, read_text, read_toml, shown

MAX_BYTES = 1024 * 1024
"""Of a configuration file."""
FILE, SHARED, TABLE = "whichwins.toml", "pyproject.toml", "[tool.whichwins]"

_KEYS = (
    *("subjects", "corpus", "builtin", "filter", "baseline", "lens", "timeout", "memory"),
    *("adapters", "python", "index", "constraints", "allow-build", "allow"),
)
_LENS = re.compile(r"[a-z][a-z0-9-]*/[0-9]+")
_MAX_SECONDS = 1_000_000
_MAX_MEBIBYTES = 1 << 30


def read(
    path: Path | None = None, folder: Path = Path(), *, kinds: Sequence[str] = (), causes: Sequence[str] = ()
) -> Config:
    """Read the configuration at `path`; without one, that of `folder`, or an empty one.

    In a folder it is `whichwins.toml`, or `[tool.whichwins]` of `pyproject.toml`; both are one too many. A
    file that is named may be of either kind. `kinds` and `causes` are what `[[allow]]` may name; without
    them anything. Raises BadInput with file, line, key and remedy for whatever is wrong.
    """
    if path is not None:
        toml = read_toml(read_text(path, MAX_BYTES), shown(path))
        table = _shared(toml)
        if table is None and path.name == SHARED:
            raise BadInput(f"{toml.file}: has no {TABLE}: add it, or name another file")
        # What comes out of a pipe stands nowhere: it is of the working directory.
        at = folder if path.exists() and not path.is_file() else path.parent
        return _config(table or Section(toml, (), "", toml.items), at, kinds, causes)
    own = folder / FILE
    table = _in_project(folder / SHARED)
    if not own.exists():
        if table is None:
            return Config(folder=folder, baseline=folder / BASELINE)
        return _config(table, folder, kinds, causes)
    if not own.is_file() and not own.is_dir():
        raise BadInput(f"{shown(own)}: is no plain file: write one, or name it with --config")
    if table:
        place = table.place()
        raise BadInput(f"{place.file}:{place.line}: {TABLE}, and {shown(own)} is there too: keep one")
    toml = read_toml(read_text(own, MAX_BYTES), shown(own))
    return _config(Section(toml, (), "", toml.items), folder, kinds, causes)


def _in_project(path: Path) -> Section | None:
    """`[tool.whichwins]` of a project's file. One without it is no business of ours, and may be broken."""
    if not path.is_file():
        return None
    text = read_text(path, MAX_BYTES)
    return _shared(read_toml(text, shown(path))) if "whichwins" in text else None


def _shared(toml: Toml) -> Section | None:
    tool = toml.items.get("tool")
    if not isinstance(tool, dict) or "whichwins" not in tool:
        return None
    items = tool["whichwins"]
    if not isinstance(items, dict):
        place = toml.place("tool", "whichwins")
        raise BadInput(f"{place.file}:{place.line}: `tool.whichwins` must be a table: write {TABLE}")
    return Section(toml, ("tool", "whichwins"), TABLE, items)


def _config(section: Section, folder: Path, kinds: Sequence[str], causes: Sequence[str]) -> Config:
    section.only(_KEYS)
    header = "[[tool.whichwins.allow]]" if section.path else "[[allow]]"
    lens = section.text("lens")
    if lens is not None and not _LENS.fullmatch(lens):
        raise section.fail('`lens` must be a lens and its version, as "value/1"', "lens")
    memory = section.number("memory", "MiB", _MAX_MEBIBYTES, whole=True)
    constraints, python = section.text("constraints"), section.text("python")
    return Config(
        place=section.toml.file,
        folder=folder,
        subjects=tuple(
            (subject_in(folder, key), section.place("subjects", number))
            for number, key in enumerate(section.texts("subjects"))
        ),
        corpus=section.texts("corpus"),
        builtin=section.flag("builtin", True),
        filter=section.texts("filter"),
        baseline=folder / (section.text("baseline") or BASELINE),
        lens=lens,
        timeout=section.number("timeout", "seconds", _MAX_SECONDS),
        memory=None if memory is None else int(memory),
        adapters=tuple(folder / each for each in section.texts("adapters")),
        python=path_in(folder, python) if python else None,
        index=section.text("index"),
        constraints=folder / constraints if constraints else None,
        allow_build=section.flag("allow-build", False),
        allow=tuple(read_allow(each, kinds, causes) for each in section.tables("allow", header)),
        places=MappingProxyType({key: section.place(key) for key in section.items}),
    )
