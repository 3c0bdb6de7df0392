"""pip's requirements files.

The grammar of a requirement is `packaging`'s. What is around it (continued lines, comments, options, included
files) follows pip's documentation here: the parsers that know it read files only by name, follow an include
that includes itself until the stack ends, or stop at the first comment in a list of hashes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from whichwins.lockfiles.files import DISK, Files
from whichwins.lockfiles.locked import Locked, Pinned, Unpinned, locked, source
from whichwins.lockfiles.versions import pypi_version
from whichwins.model import BadInput, Place

MAX_FILES = 100
"""Files that one may include, each time counted."""
MAX_ENTRIES = 100_000
"""Packages that a file and those it includes may name, each time counted."""
WRONG = "no requirement: correct it, or take it out"

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--?[A-Za-z].*$")
_INCLUDE = re.compile(r"(-r|-c|--requirement|--constraint)(?:[\s=]+|(?<=-[rc]))(.*)")
_EDITABLE = re.compile(r"(?:-e|--editable)[\s=]*(.*)")
_HASH = re.compile(r"--hash[=\s]+([A-Za-z0-9]+:[^\s]+)")
_INDEX = re.compile(r"(?:-i|-f|--index-url|--extra-index-url|--find-links|--no-index|--pre)(?:[\s=]|$)")
_VCS = re.compile(r"(?:git|hg|svn|bzr)\+")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9._-]+)")
_NAME = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?(?:$|[=<>!~;@(])")
_FILES = (".whl", ".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


@dataclass(slots=True)
class _Found:
    """What was read so far; `left` is how many bytes may still be."""

    where: Files
    left: int
    wrong: str
    pins: list[tuple[str, Pinned]] = field(default_factory=list)
    constraints: list[tuple[str, Pinned]] = field(default_factory=list)
    unpinned: list[Unpinned] = field(default_factory=list)
    indexes: set[str] = field(default_factory=set)
    includes: int = 0
    files: dict[str, Place] = field(default_factory=dict)

    @property
    def entries(self) -> int:
        return len(self.pins) + len(self.constraints) + len(self.unpinned)


def read_requirements(text: str, path: Path, limit: int, wrong: str = WRONG, where: Files = DISK) -> Locked:
    """Read a requirements file and those that it includes, `limit` bytes in all.

    A constraint counts where no requirement pins the package. Markers are not evaluated: a package may have
    several versions, each for its marker. Raises BadInput for lines that are no requirement, naming the place
    and never the text; `wrong` is what it says.
    """
    found = _Found(where, limit, wrong)
    found.files[where.identity(path)] = Place(where.shown(path), 0)
    _read(text, path, found, found.pins, (path,))
    pins, unpinned = _settled(found)
    # Where packages come from is said once for all.
    origin = frozenset({source("\n".join(sorted(found.indexes)))})
    pins = [(name, replace(pin, sources=origin)) for name, pin in pins]
    return locked("requirements", "pypi", where.shown(path), pins, unpinned, found.files)


def _settled(found: _Found) -> tuple[list[tuple[str, Pinned]], list[Unpinned]]:
    """What is pinned, by its line, by one for the same or for all environments, or by a constraint."""
    pins = list(found.pins)
    pinned = _slots(found.pins)
    constrained: dict[str, dict[str, Pinned]] = {}
    for name, pin in found.constraints:
        if name not in pinned:
            pins.append((name, pin))
        for slot in pin.slots:
            constrained.setdefault(name, {}).setdefault(slot, pin)
    left = []
    for each in found.unpinned:
        if each.source or not {"", each.slot} & pinned.get(each.name, set()):
            of_name = constrained.get(each.name, {})
            by = None if each.source else of_name.get(each.slot) or of_name.get("")
            if by is None:
                left.append(each)
            elif each.name in pinned:
                pins.append((each.name, replace(by, slots=frozenset({each.slot}))))
    return pins, left


def _slots(pins: list[tuple[str, Pinned]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, pin in pins:
        found.setdefault(name, set()).update(pin.slots)
    return found


def _read(
    text: str, path: Path, found: _Found, pins: list[tuple[str, Pinned]], chain: tuple[Path, ...]
) -> None:
    shown = found.where.shown(path)
    for number, line in _logical(text):
        place = Place(shown, number)
        if include := _INCLUDE.fullmatch(line):
            found.includes += 1
            if found.includes > MAX_FILES:
                raise _bad(place, f"includes more than {MAX_FILES} files: make it one")
            inside = _included(include[2], path, place, chain, found.where)
            try:
                more = found.where.text(inside, found.left)
            except BadInput as error:
                raise _bad(place, f"includes a file that cannot be: {error}") from None
            found.left -= len(more)
            found.files.setdefault(found.where.identity(inside), place)
            of_constraints = include[1] in ("-c", "--constraint")
            _read(more, inside, found, found.constraints if of_constraints else pins, (*chain, inside))
        elif editable := _EDITABLE.fullmatch(line):
            name = _named(editable[1], re.split(r"[?#;]|\s", editable[1], maxsplit=1)[0])
            found.unpinned.append(Unpinned(name, "an editable install", place, source(editable[1])))
        elif not line.startswith("-"):
            options = _OPTIONS.search(line)
            entry = _requirement(line[: options.start()] if options else line, place, found.wrong)
            if isinstance(entry, Unpinned):
                found.unpinned.append(entry)
            else:
                hashes = frozenset(_HASH.findall(options[0])) if options else frozenset()
                pins.append((entry[0], replace(entry[1], hashes=hashes)))
        elif _INDEX.match(line):
            found.indexes.add(" ".join(line.replace("=", " ", 1).split()))
        if found.entries > MAX_ENTRIES:
            raise _bad(place, f"more than {MAX_ENTRIES:,} packages: give a smaller file")


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


def _included(word: str, path: Path, place: Place, chain: tuple[Path, ...], where: Files) -> Path:
    try:
        words = shlex.split(word)
    except ValueError:
        words = []
    if len(words) != 1:
        raise _bad(place, "includes no file: name one after -r or -c")
    if "://" in words[0]:
        raise _bad(place, "includes a file from the network: fetch it, and name it here")
    try:
        inside = where.included(words[0], path)
    except BadInput as error:
        raise _bad(place, f"includes a file that cannot be: {error}") from None
    if where.identity(inside) in map(where.identity, chain):
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
    slot = str(given.marker or "")
    if given.url:
        why = "version control" if _VCS.match(given.url) else "a URL"
        return Unpinned(name, why, place, source(given.url), slot)
    specifiers = list(given.specifier)
    for each in specifiers:
        if each.operator in ("==", "===") and (version := pypi_version(each.version)):
            return name, Pinned(version, place, frozenset({slot}))
    if not specifiers:
        return Unpinned(name, "no version is given", place, slot=slot)
    return Unpinned(name, f"{str(given.specifier)[:80]} leaves a choice", place, slot=slot)


def _unusual(text: str, place: Place, wrong: str) -> Unpinned:
    """Paths and URLs, which pip takes too; versions that PEP 440 does not know."""
    from packaging.utils import canonicalize_name

    file = re.split(r"[?#;]|\s", text, maxsplit=1)[0]
    if "://" in file or file.startswith((".", "/", "~")) or file.endswith(_FILES):
        why = "version control" if _VCS.match(file) else "a URL" if "://" in file else "a file"
        return Unpinned(_named(text, file), why, place, source(text))
    if found := _NAME.match(text):
        return Unpinned(canonicalize_name(found[1]), "its version is not understood", place)
    raise _bad(place, wrong)


def _named(text: str, file: str) -> str:
    """The package of an archive or a tree: as it says, as its file is named, or else as its folder."""
    from packaging.utils import InvalidSdistFilename, canonicalize_name, parse_sdist_filename

    if said := _egg(text):
        return said
    last = file.rstrip("/").rpartition("/")[2]
    if last.endswith(".whl"):
        return canonicalize_name(last.partition("-")[0])
    try:
        return parse_sdist_filename(last)[0]
    except InvalidSdistFilename:
        return canonicalize_name(re.sub(r"(?:\.git)?(?:@.*)?$", "", last))


def _egg(text: str) -> str:
    from packaging.utils import canonicalize_name

    found = _EGG.search(text)
    return canonicalize_name(found[1]) if found else ""


def _bad(place: Place, said: str) -> BadInput:
    return BadInput(f"{place.file}:{place.line}: {said}")
