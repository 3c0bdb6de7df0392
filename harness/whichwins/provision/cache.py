"""Environments in the cache: found whole or built whole, each under a lock of its own.

found = environment(env, "python-orjson-3.9.15", parts, build, progress)   # found.folder, found.holds

`parts` is all that decides what is in it; `build` fills the empty folder that it is given and returns
what it holds. One that is there whole costs no process, no network and no write. One that is damaged is
built again. A build that fails or is interrupted leaves nothing behind, one that was killed until the
next build.

A process holds what it uses (a shared lock on the record), so that `prune` can tell.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision.environment import cache_folder
from whichwins.provision.record import RECORD, content, is_whole, opened, read_record, write_record

FORMAT = "2"
"""Part of every key: another number leaves what is there aside."""

_UNFINISHED = ".building-"
_LOCK = ".lock-"
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_MAX_NAME = 80

_held: dict[Path, tuple[int, int, int]] = {}  # by folder: the record's device and inode, its descriptor


class Environment(NamedTuple):
    """One that is there: its name in the cache, its folder, what the record says it holds."""

    name: str
    folder: Path
    holds: Mapping[str, str]


def name_of(name: str, parts: Mapping[str, str]) -> str:
    """Return what an environment is called in the cache: `name` and 16 digits of a digest of `parts`."""
    content = json.dumps({**parts, "format": FORMAT}, sort_keys=True)
    short = _UNSAFE.sub("_", name)[:_MAX_NAME].strip(".-") or "environment"
    return f"{short}-{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def find(env: Mapping[str, str], name: str, parts: Mapping[str, str]) -> Environment | None:
    """Return the environment if it is there and whole; nothing is built. It is held from now on."""
    return _use(cache_folder(env) / name_of(name, parts))


def environment(
    env: Mapping[str, str],
    name: str,
    parts: Mapping[str, str],
    build: Callable[[Path], Mapping[str, str]],
    progress: Callable[[str], None],
) -> Environment:
    """Return the environment, built by `build` when it is not there whole. It is held from now on.

    BadInput when it has to be built and the cache cannot be written, MeasurementFailed when its disk is
    full. What `build` raises goes through.
    """
    cache = cache_folder(env)
    home = cache / name_of(name, parts)
    if (found := _use(home)) is not None:
        return found
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with locked(cache, home.name, lambda: progress(f"waiting for another build of {name}")):
            found = _use(home)  # somebody else may have built it meanwhile
            return found or _build(home, build)
    except OSError as error:
        raise not_writable(cache, error) from None


def not_writable(cache: Path, error: OSError) -> BadInput | MeasurementFailed:
    """Return the error of a cache that cannot be written, to be raised."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return MeasurementFailed(full(cache))
    said = error.strerror or error
    return BadInput(f"{cache}: cannot be written ({said}); set WHICHWINS_CACHE to a folder of yours")


def full(cache: Path) -> str:
    """The line on a disk that is full."""
    return (
        f"{cache}: no space left on its disk; make room (`whichwins env prune`), or set WHICHWINS_CACHE to a "
        "folder on another"
    )


@contextlib.contextmanager
def locked(cache: Path, name: str, waiting: Callable[[], object] | None = None) -> Iterator[None]:
    """Hold the lock under which the environment `name` is built and removed; it goes with the process.

    Where somebody else holds it: `waiting` is called, then waited; BlockingIOError without `waiting`.
    """
    path = cache / f"{_LOCK}{name}"
    lock = _locked(path, waiting)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()  # before it is let go: whoever gets it then sees that it is no longer the file
        os.close(lock)


def _locked(path: Path, waiting: Callable[[], object] | None) -> int:
    while True:
        lock = open_to_lock(path, os.O_CREAT)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if waiting is None:
                    raise
                waiting()
                fcntl.flock(lock, fcntl.LOCK_EX)
            if _is(path, lock):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)  # the one who held it has removed it: another file is the lock now


def open_to_lock(path: Path, more: int = 0) -> int:
    """Open a file to lock it alone: for writing, which NFS demands for that, else as it can be opened."""
    try:
        return os.open(path, os.O_RDWR | more, 0o666)
    except PermissionError as refused:
        try:
            return os.open(path, os.O_RDONLY)  # somebody else's, in a shared cache
        except FileNotFoundError:
            raise refused from None


def _is(path: Path, descriptor: int) -> bool:
    """Whether `descriptor` is the file that stands at `path`."""
    try:
        there, mine = path.stat(), os.fstat(descriptor)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _use(home: Path) -> Environment | None:
    """The environment at `home` when it is whole: held, and marked as used now."""
    path = home / RECORD
    record_file = opened(path)
    if record_file is None:
        return None
    keep = False
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(record_file, fcntl.LOCK_SH)
        record = read_record(_content(record_file))
        if record is None or not _is(path, record_file) or not is_whole(home, record):
            return None
        with contextlib.suppress(OSError):  # a cache that is only read
            os.utime(path)
        state = os.fstat(record_file)
        identity = (state.st_dev, state.st_ino)
        if _held.get(home, (0, 0, -1))[:2] != identity:
            keep = True
            _held[home] = (*identity, record_file)
        return Environment(home.name, home, record.holds)
    finally:
        if not keep:
            os.close(record_file)


def _content(descriptor: int) -> bytes:
    try:
        return content(descriptor)
    except OSError:
        return b""


def _build(home: Path, build: Callable[[Path], Mapping[str, str]]) -> Environment:
    sweep(home.parent, home.name)
    place = unfinished(home)
    try:
        place.mkdir()
        write_record(place, build(place))
        if home.exists():  # damaged, or it would have been used
            home.rename(unfinished(home))
        place.rename(home)
    finally:
        sweep(home.parent, home.name)
    found = _use(home)
    if found is None:
        raise BadInput(f"{home}: changes while it is built; leave the cache to whichwins")
    return found


def unfinished(home: Path) -> Path:
    """Return a new place beside `home` where it is built, or set aside to be removed."""
    return home.parent / f"{_UNFINISHED}{home.name}-{secrets.token_hex(4)}"


def sweep(cache: Path, mine: str | None = None) -> None:
    """Remove what killed builders left: places and locks that nobody holds. The caller holds `mine`."""
    for path in sorted(cache.glob(f"{_UNFINISHED}*")):
        name = path.name.removeprefix(_UNFINISHED).rpartition("-")[0]
        if name == mine:
            _remove(path)
        else:
            with contextlib.suppress(OSError), locked(cache, name):
                _remove(path)
    for path in sorted(cache.glob(f"{_LOCK}*")):
        name = path.name.removeprefix(_LOCK)
        if name != mine:
            with contextlib.suppress(OSError), locked(cache, name):
                pass


def _remove(folder: Path) -> None:
    if not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():  # folders that may not be written
        for place, _, _ in os.walk(folder):
            with contextlib.suppress(OSError):
                Path(place).chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)
