"""What an environment must hold to be whole: the size and digest of every file in it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

RECORD = "environment.json"
"""The file that makes a folder an environment. Its own time is when the environment was last used."""

_COMPILED = "__pycache__"  # written by whoever imports from it
_MAX_BYTES = 64 * 1024 * 1024
_DIGEST = re.compile(r"[0-9a-f]{64}")

_seen: dict[Path, tuple[str, tuple[object, ...]]] = {}  # by folder: the record's seal, the state of its files


class Record(NamedTuple):
    """`holds` says what is in an environment; `files` are (size, SHA-256); `links` targets."""

    holds: dict[str, str]
    files: dict[str, tuple[int, str]]
    links: dict[str, str]
    seal: str


def write_record(folder: Path, holds: Mapping[str, str]) -> None:
    """Declare an environment whole, as it stands there now. OSError when it cannot be written."""
    files, links = {}, {}
    for path in _inside(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            links[name] = os.readlink(path)  # noqa: PTH115 -- as it is written, not as a path
        else:
            files[name] = (path.stat().st_size, digest(path))
    body = {"holds": dict(holds), "files": files, "links": links}
    text = json.dumps({**body, "sha256": _seal(body)}, indent=0, sort_keys=True)
    (folder / RECORD).write_text(text + "\n", encoding="ascii")


def read_record(data: bytes) -> Record | None:
    """Return the record that `data` is, None when it is none, or not as it was written.

    Whoever can write to the cache can seal what they like: every field is looked at.
    """
    try:
        body = json.loads(data)
        seal = body.pop("sha256")
        if seal != _seal(body):
            return None
        holds, links = (_texts(body[key]) for key in ("holds", "links"))
        files = {_inner(name): _file(*known) for name, known in body["files"].items()}
        return Record(holds, files, {_inner(name): target for name, target in links.items()}, seal)
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return None


def _texts(items: Any) -> dict[str, str]:
    if not isinstance(items, dict) or not all(isinstance(text, str) for text in items.values()):
        raise ValueError
    return items


def _file(size: Any, content: Any) -> tuple[int, str]:
    if type(size) is not int or not 0 <= size < 1 << 62 or not _DIGEST.fullmatch(content):
        raise ValueError
    return size, content


def _inner(name: str) -> str:
    """The name of something inside a folder."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise ValueError
    return name


def opened(path: Path) -> int | None:
    """Return a descriptor of a regular file, not too large to be read whole; None when it is none.

    Nothing is waited for: in its place there may be a pipe.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except (OSError, ValueError):
        return None
    state = os.fstat(descriptor)
    if stat.S_ISREG(state.st_mode) and state.st_size <= _MAX_BYTES:
        return descriptor
    os.close(descriptor)
    return None


def content(descriptor: int) -> bytes:
    """What is in a file that was opened; it stays open. OSError when it cannot be read."""
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read(_MAX_BYTES)


def is_whole(folder: Path, record: Record) -> bool:
    """Whether every recorded file is there and unchanged, and nothing else but compiled code.

    A file that was added may be imported in place of the one that is recorded.
    Every file is read once by each process, whatever its size and time say: both can be kept by who changes
    it. (It takes a few milliseconds for a package, a tenth of a second for a Node.js.) Then the state of the
    files tells, with the time of change, which nobody sets.
    """
    try:
        there = {path.relative_to(folder).as_posix() for path in _inside(folder)}
        if there != record.files.keys() | record.links.keys():
            return False
        states = tuple(os.lstat(folder / name) for name in record.files)
        if not all(
            stat.S_ISREG(state.st_mode) and state.st_size == size
            for state, (size, _) in zip(states, record.files.values(), strict=True)
        ):
            return False
        if not all(
            os.readlink(folder / name) == target and (folder / name).exists()  # noqa: PTH115
            for name, target in record.links.items()
        ):
            return False
        now = tuple((state.st_ino, state.st_mtime_ns, state.st_ctime_ns) for state in states)
        if _seen.get(folder) == (record.seal, now):
            return True
        if not all(digest(folder / name) == known for name, (_, known) in record.files.items()):
            return False
        _seen[folder] = (record.seal, now)
        return True
    except (OSError, ValueError, TypeError):
        return False


def digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _inside(folder: Path) -> Iterator[Path]:
    """Every file and link of an environment, sorted, but the record and compiled code."""
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = sorted(name for name in folders if name != _COMPILED)
        for name in sorted((*names, *links)):
            path = Path(place, name)
            if path != folder / RECORD:
                yield path


def _seal(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
