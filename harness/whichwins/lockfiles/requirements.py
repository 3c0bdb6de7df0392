"""pip's requirements files.

The grammar of a requirement is `packaging`'s. What is around it (continued lines, comments, options, included
files) follows pip's documentation here: the parsers that know it read files only by name, follow an include
that includes itself until the stack ends, or stop at the first comment in a list of hashes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from whichwins.lockfiles.locked import Locked, Pinned, Unpinned, locked
from whichwins.lockfiles.versions import pypi_version
from whichwins.model import BadInput, Place
from whichwins.text_files import read_text, shown

MAX_FILES = 100
"""Files that one may include, each time counted."""
WRONG = "no requirement: correct it, or take it out"

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--?[A-Za-z].*$")
_INCLUDE = re.compile(r"(-r|-c|--requirement|--constraint)(?:[\s=]+|(?<=-[rc]))(.*)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]*(.*)")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9._-]+)")
_NAME = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?(?:$|[=<>!~;@(])")
_FILES = (".whl", ".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


class _Found(NamedTuple):
    pins: list[tuple[str, Pinned]]
    constraints: list[tuple[str, Pinned]]
    unpinned: list[Unpinned]
    files: list[str]
    wrong: str


def read_requirements(text: str, path: Path, limit: int, wrong: str = WRONG) -> Locked:
    """Read a requirements file and those that it includes, each up to `limit` bytes.

    A constraint counts where no requirement pins the package. Markers are not evaluated: a package may have
    several versions. Raises BadInput for lines that are no requirement, naming the place and never the text;
    `wrong` is what it says.
    """
    found = _Found([], [], [], [], wrong)
    _read(text, path, found, found.pins, (path,), limit)
    pinned = {name for name, _ in found.pins}
    pins = found.pins + [(name, pin) for name, pin in found.constraints if name not in pinned]
    return locked("requirements", "pypi", shown(path), pins, found.unpinned)


def _read(
    text: str,
    path: Path,
    found: _Found,
    pins: list[tuple[str, Pinned]],
    chain: tuple[Path, ...],
    limit: int,
) -> None:
    for number, line in _logical(text):
        place = Place(shown(path), number)
        if include := _INCLUDE.fullmatch(line):
            found.files.append(include[2])
            inside = _included(include[2], path, place, chain)
            if len(found.files) > MAX_FILES:
                raise _bad(place, f"includes more than {MAX_FILES} files: make it one")
            try:
                more = read_text(inside, limit)
            except BadInput as error:
                raise _bad(place, f"includes a file that cannot be: {error}") from None
            of_constraints = include[1] in ("-c", "--constraint")
            _read(more, inside, found, found.constraints if of_constraints else pins, (*chain, inside), limit)
        elif editable := _EDITABLE.fullmatch(line):
            found.unpinned.append(Unpinned(_egg(editable[1]), "an editable install", place))
        elif not line.startswith("-"):
            entry = _requirement(_OPTIONS.sub("", line), place, found.wrong)
            if isinstance(entry, Unpinned):
                found.unpinned.append(entry)
            else:
                pins.append(entry)


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their number: continued ones joined, without comments and empty ones."""
    pending: list[str] = []
    start = 0
    for number, physical in enumerate(text.split("\n"), 1):
        for line in physical.splitlines():
            start = start if pending else number
            comment = line.lstrip().startswith("#")
            if line.endswith("\\") and not comment:
                pending.append(line[:-1])
                continue
            # A comment ends what it stands in the middle of, as in pip.
            joined = "".join([*pending, "" if comment else line])
            pending = []
            if said := _COMMENT.sub("", joined).strip():
                yield start, said
    if said := _COMMENT.sub("", "".join(pending)).strip():
        yield start, said


def _included(word: str, path: Path, place: Place, chain: tuple[Path, ...]) -> Path:
    try:
        words = shlex.split(word)
    except ValueError:
        words = []
    if len(words) != 1:
        raise _bad(place, "includes no file: name one after -r or -c")
    if "://" in words[0]:
        raise _bad(place, "includes a file from the network: fetch it, and name it here")
    # A pipe (stdin, /dev/fd/63) stands in no folder: what it names is looked for in the working directory.
    piped = shown(path) == "stdin" or path.parts[:2] == ("/", "dev")
    inside = (Path() if piped else path.parent) / words[0]
    if any(inside.resolve() == each.resolve() for each in chain):
        raise _bad(place, "includes a file that includes it: take one of the two out")
    return inside


def _requirement(text: str, place: Place, wrong: str) -> tuple[str, Pinned] | Unpinned:
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    try:
        given = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return _unusual(text, place, wrong)
    name = canonicalize_name(given.name)
    if given.url:
        return Unpinned(name, "a URL", place)
    specifiers = list(given.specifier)
    for each in specifiers:
        if each.operator in ("==", "===") and (version := pypi_version(each.version)):
            return name, Pinned(version, place)
    if not specifiers:
        return Unpinned(name, "no version is given", place)
    return Unpinned(name, f"{str(given.specifier)[:80]} leaves a choice", place)


def _unusual(text: str, place: Place, wrong: str) -> Unpinned:
    """Paths and URLs, which pip takes too; versions that PEP 440 does not know."""
    from packaging.utils import canonicalize_name

    file = re.split(r"[?#;]|\s", text, maxsplit=1)[0]
    if "://" in file or file.startswith((".", "/", "~")) or file.endswith(_FILES):
        name = _egg(text) or file.rpartition("/")[2].partition("-")[0] * file.endswith(".whl")
        return Unpinned(canonicalize_name(name), "a URL" if "://" in file else "a file", place)
    if found := _NAME.match(text):
        return Unpinned(canonicalize_name(found[1]), "its version is not understood", place)
    raise _bad(place, wrong)


def _egg(text: str) -> str:
    from packaging.utils import canonicalize_name

    found = _EGG.search(text)
    return canonicalize_name(found[1]) if found else ""


def _bad(place: Place, said: str) -> BadInput:
    return BadInput(f"{place.file}:{place.line}: {said}")
