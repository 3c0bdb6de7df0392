"""Digests of source trees: every file counts that could get into what is built from it.

Left out is only what says of itself that it holds none of the project: folders with a `CACHEDIR.TAG` (caches
of tools, what Cargo builds) or a `pyvenv.cfg` (virtual environments), `__pycache__`, version control's own
folder. Of git what names a version counts: the commit, branches and tags. What a build takes from outside of
the folder is not seen.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from whichwins.model import BadInput
from whichwins.provision.memory import recall, remember
from whichwins.provision.record import digest

MAX_FILES = 100_000

_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"
"""How a CACHEDIR.TAG starts (the Cache Directory Tagging Specification)."""
_VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".bzr"))
_MADE = re.compile(r"(?:build|dist|target)/|(?:.*/)?[^/]+\.egg-info/|.*\.(?:so|o|pyd|dylib)")
"""Where the usual backends put what they build in a tree."""
_KIND = "trees"


def tree_state(folder: Path, leave: frozenset[str] = frozenset(), *, revision: bool = True) -> dict[str, str]:
    """Return a state of each file by its name; with `revision`, of the git commit. `leave`: names of folders.

    OSError when one cannot be read, BadInput when there are too many.
    """
    found: dict[str, str] = {}
    for path in _files(folder, leave):
        link = os.readlink(path) if path.is_symlink() else ""  # noqa: PTH115 -- as it is written
        content = digest(path) if path.is_file() else ""
        found[path.relative_to(folder).as_posix()] = f"{path.lstat().st_mode & 0o111} {link}\0{content}"
        if len(found) > MAX_FILES:
            raise BadInput(f"{folder.name}: more than {MAX_FILES:,} files; name a smaller tree, or a package")
    if revision:
        found[""] = _commit(folder)
    return found


def tree_digest(folder: Path, leave: frozenset[str] = frozenset(), *, revision: bool = True) -> str:
    """Return a digest of all that."""
    return state_digest(tree_state(folder, leave, revision=revision))


def state_digest(state: Mapping[str, str]) -> str:
    """Return the digest of a state."""
    whole = hashlib.sha256()
    for name, content in sorted(state.items()):
        whole.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def built_from(env: Mapping[str, str], content: str) -> str:
    """Return the digest of what a tree was before a build wrote into it; `content` where none did."""
    known = recall(env, _KIND).get(content)
    return known if isinstance(known, str) else content


def remember_build(
    env: Mapping[str, str], content: str, before: Mapping[str, str], after: Mapping[str, str]
) -> None:
    """Note that a tree with digest `content` became `after` by its own build, if it can only be that.

    Where anything else changed, it is another tree, and is built again.
    """
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if changed and all(_MADE.match(name) for name in changed):
        remember(env, _KIND, {state_digest(after): content})


def _files(folder: Path, leave: frozenset[str]) -> Iterator[Path]:
    """Every file and link that counts. Folders behind links are looked into, each once."""
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(
            name for name in folders if name not in leave and not _left_out(Path(place, name))
        )
        for name in sorted(names):
            path = Path(place, name)
            if name not in _VERSION_CONTROL and (path.is_symlink() or path.is_file()):
                yield path


def _left_out(folder: Path) -> bool:
    if folder.name == "__pycache__" or folder.name in _VERSION_CONTROL or (folder / "pyvenv.cfg").is_file():
        return True
    try:
        with (folder / "CACHEDIR.TAG").open("rb") as file:
            return file.read(len(_CACHE_TAG)) == _CACHE_TAG
    except OSError:
        return False


def _commit(folder: Path) -> str:
    """A digest of what git knows of versions, from the nearest repository; empty without one."""
    top = next((each / ".git" for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    if top is None:
        return ""
    own = top
    if top.is_file():  # a worktree or submodule: its own folder is elsewhere
        own = top.parent / _text(top).removeprefix("gitdir:").strip()
    common = own / _text(own / "commondir").strip()
    refs = (path for kind in ("heads", "tags") for path in sorted((common / "refs" / kind).rglob("*")))
    files = (own / "HEAD", common / "packed-refs", *refs)
    said = "\0".join(f"{path.name} {_text(path)}" for path in files if path.is_file())
    return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest() if said else ""


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
