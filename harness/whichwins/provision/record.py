"""What an environment must hold to be whole: the size, time and digest of every file in it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

RECORD = "environment.json"
"""The file that makes a folder an environment. Its own time is when the environment was last used."""

_COMPILED = "__pycache__"  # written by whoever imports from it


class Record(NamedTuple):
    """`holds` says what is in an environment; `files` are (size, time in ns, SHA-256); `links` targets."""

    holds: dict[str, str]
    files: dict[str, tuple[int, int, str]]
    links: dict[str, str]


def write_record(folder: Path, holds: Mapping[str, str]) -> None:
    """Declare an environment whole, as it stands there now. OSError when it cannot be written."""
    files, links = {}, {}
    for path in _inside(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            links[name] = os.readlink(path)  # noqa: PTH115 -- as it is written, not as a path
        else:
            state = path.stat()
            files[name] = (state.st_size, state.st_mtime_ns, digest(path))
    body = {"holds": dict(holds), "files": files, "links": links}
    text = json.dumps({**body, "sha256": _seal(body)}, indent=0, sort_keys=True)
    (folder / RECORD).write_text(text + "\n", encoding="ascii")


def read_record(data: bytes) -> Record | None:
    """Return the record that `data` is, None when it is none, or not as it was written."""
    try:
        body = json.loads(data)
        if body.pop("sha256") != _seal(body):
            return None
        return Record(body["holds"], body["files"], body["links"])
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return None


def is_whole(folder: Path, record: Record) -> bool:
    """Whether every recorded file is there and unchanged; what else is there does not matter.

    A file of the recorded size and time is believed; with another time its content decides, and the time is
    put back where that may be done (a restored copy of a cache is read through once, not each time).
    """
    try:
        return all(_same(folder / name, *known) for name, known in record.files.items()) and all(
            os.readlink(folder / name) == target and (folder / name).exists()  # noqa: PTH115
            for name, target in record.links.items()
        )
    except (OSError, ValueError, TypeError):
        return False


def digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same(path: Path, size: int, time: int, content: str) -> bool:
    state = os.lstat(path)  # a third of the cost of a Path's, and there are thousands
    if state.st_size != size:
        return False
    if state.st_mtime_ns != time:
        if digest(path) != content:
            return False
        with contextlib.suppress(OSError):  # a cache that is only read
            os.utime(path, ns=(state.st_atime_ns, time))
    return True


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
