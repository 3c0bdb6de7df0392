"""Whether what is asked here is what the project runs on: its environment, its locked versions."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whichwins import lockfiles
from whichwins.init.survey import Survey, survey
from whichwins.model import Adapter, BadInput


def other_environment(folder: Path, environ: Mapping[str, str], prefix: str = sys.prefix) -> str | None:
    """A line on the virtual environment of a project that is not the one whichwins runs in; None for none.

    The one that is active goes before the one in the folder. `prefix` is whichwins' own.
    """
    active = environ.get("VIRTUAL_ENV")
    for place, name in ((Path(active) if active else None, "VIRTUAL_ENV"), (folder / ".venv", ".venv")):
        if place is None or not (place / "bin" / "python").exists():
            continue
        if os.path.realpath(place) == os.path.realpath(prefix):
            return None
        python = ".venv/bin/python" if name == ".venv" else '"$VIRTUAL_ENV/bin/python"'
        return (
            f"there is an environment here ({name}), and the libraries are those of whichwins' own Python: "
            f"--python {python} asks the project's"
        )
    return None


def other_versions(
    folder: Path, adapters: Sequence[Adapter], identities: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """A line for each package that is read with in another version than the project has locked.

    `identities` are those of subjects, by key; of those with a version in their key nothing is said. A lock
    file that cannot be read says nothing here.
    """
    try:
        found = survey(folder)
    except BadInput:
        return
    yield from unlocked(found, adapters, identities)


def unlocked(
    found: Survey, adapters: Sequence[Adapter], identities: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """`other_versions` of a project that has been looked at."""
    said: dict[str, None] = {}
    for adapter in adapters:
        ecosystem = lockfiles.ECOSYSTEMS.get(adapter.toolchain, "")
        for subject in adapter.subjects:
            libraries = identities.get(subject.key, {}).get("libraries", {})
            for package in subject.packages[:1]:
                named = found.packages.get((ecosystem, lockfiles.package_name(adapter.toolchain, package)))
                has = libraries.get(package) if isinstance(libraries, Mapping) else None
                if named is not None and named.versions and has and has not in named.versions:
                    where = f"{named.place.file}:{named.place.line} has {', '.join(named.versions[:3])}"
                    said[f"{package} {has} is installed here, and {where}: install that first"] = None
    yield from said
