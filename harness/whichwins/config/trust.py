"""A configuration that a stranger wrote: it may say what to compare, not what to run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whichwins.config.settings import Config
from whichwins.model import BadInput, Place

_VERSION = re.compile(r"[0-9A-Za-z.,<>=!~^*+_ -]*")
_ENDINGS = (".whl", ".gz", ".zip", ".tgz", ".bz2", ".xz", ".tar")


def refuse_code(config: Config) -> None:
    """Refuse a configuration that names code, or files outside its folder.

    Code is `adapters`, `python`, `index`, `constraints`, `allow-build`, and a subject whose version is not
    a plain version or specifier. Raises BadInput naming the first of them, with its line.
    """
    found = sorted(_refused(config), key=lambda each: each[0].line)
    if found:
        place, said = found[0]
        raise BadInput(f"{place.file}:{place.line}: {said}: leave it out, or trust the file (no --untrusted)")


def names_code(subject: str) -> bool:
    """Whether a subject's version is anything but a plain version or specifier: a place to take code from."""
    version = subject.partition("@")[2]
    return not _VERSION.fullmatch(version) or version.endswith(_ENDINGS)


def _refused(config: Config) -> Iterator[tuple[Place, str]]:
    code = {
        "adapters": config.adapters,
        "python": config.python,
        "index": config.index,
        "constraints": config.constraints,
        "allow-build": config.allow_build,
    }
    for key, value in code.items():
        if value:
            yield config.places[key], f"`{key}` says what code to run, and the file is not trusted"
    for subject, place in config.subjects:
        if names_code(subject):
            yield place, "`subjects` names a package by its place, and the file is not trusted"
    inside = config.folder.resolve()
    files = {"corpus": [config.folder / each for each in config.corpus], "baseline": [config.baseline]}
    for key, paths in files.items():
        if not all(path.resolve().is_relative_to(inside) for path in paths):
            place = config.places.get(key, Place(config.place, 1))
            yield place, f"`{key}` leads out of the file's folder, and the file is not trusted"
