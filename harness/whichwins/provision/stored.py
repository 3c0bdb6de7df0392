"""What is in the cache: listed, found by name or request, removed when it is no longer used."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins.model import Adapter, BadInput
from whichwins.provision import memory
from whichwins.provision.cache import locked, not_writable, open_to_lock, sweep, unfinished
from whichwins.provision.environment import cache_folder
from whichwins.provision.provide import requested, toolchain_of
from whichwins.provision.record import RECORD, content, is_whole, opened, read_record
from whichwins.subjects import select

_NAME = re.compile(r".+-[0-9a-f]{16}")
_DAY = 24 * 3600


class Stored(NamedTuple):
    """An environment in the cache.

    `holds` is what its record says (`request`, `toolchain`, `packages`, ...), empty when the record is
    damaged; `size` the bytes of all its files; `used` when it was last used, in seconds since 1970.
    """

    name: str
    folder: Path
    holds: Mapping[str, str]
    size: int
    whole: bool
    used: float


class Pruned(NamedTuple):
    """What became of an environment: removed (with `dry_run`: would be), or kept and why."""

    stored: Stored
    kept: str = ""

    @property
    def removed(self) -> bool:
        """Whether it went."""
        return not self.kept


def list_environments(env: Mapping[str, str]) -> tuple[Stored, ...]:
    """Return the environments in the cache, sorted by name; none when there is no cache."""
    return tuple(_stored(path) for path in _folders(cache_folder(env)))


def locate(env: Mapping[str, str], what: str, adapters: Sequence[Adapter] = ()) -> Stored:
    """Return the environment called `what`, or the one last used of those built for it.

    `what` is a name, a request as records have it (`orjson@3.9.15`), or a subject with a
    version of one of `adapters` (`python/orjson@3.9.15`). BadInput when there is none.
    """
    every = list_environments(env)
    requests = {what, *_requests(what, adapters)}
    named = [each for each in every if each.name == what]
    asked = [each for each in every if each.whole and each.holds.get("request") in requests]
    if found := named or sorted(asked, key=lambda each: each.used):
        return found[-1]
    from difflib import get_close_matches

    known = sorted(
        {*(each.name for each in every), *(each.holds.get("request", "") for each in every)} - {""}
    )
    close = get_close_matches(what, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(close)}?" if close else "`whichwins env list` lists what there is"
    raise BadInput(f"no environment {what[:100]!a} in the cache; {hint}")


def _requests(what: str, adapters: Sequence[Adapter]) -> Iterator[str]:
    if adapters and "/" in what.partition("@")[0] and "@" in what:
        by_name = {adapter.name: adapter for adapter in adapters}
        for subject in select(adapters, [what]):
            yield requested(subject, toolchain_of(subject, by_name[subject.adapter]))


def prune(
    env: Mapping[str, str], older_than_days: float | None = None, *, dry_run: bool = False
) -> tuple[Pruned, ...]:
    """Remove environments not used for so many days (None: all), and damaged ones; say what became of each.

    One that is being built, or that a running whichwins uses, is kept. What killed builders left goes too,
    and without a number of days what is remembered of interpreters and choices. BadInput when the cache
    cannot be written.
    """
    cache = cache_folder(env)
    done = [_prune(cache, each, older_than_days, dry_run) for each in list_environments(env)]
    if not dry_run and cache.is_dir():
        sweep(cache)
        if older_than_days is None:
            shutil.rmtree(memory.folder(env), ignore_errors=True)
    return tuple(done)


def _prune(cache: Path, stored: Stored, days: float | None, dry_run: bool) -> Pruned:
    idle = time.time() - stored.used
    if stored.whole and days is not None and idle < days * _DAY:
        return Pruned(stored, f"used {max(0, int(idle // _DAY))} days ago")
    try:
        if dry_run:
            with _unused(stored.folder):
                return Pruned(stored)
        with locked(cache, stored.name), _unused(stored.folder):
            aside = unfinished(stored.folder)
            stored.folder.rename(aside)
            shutil.rmtree(aside, ignore_errors=True)
    except BlockingIOError:
        return Pruned(stored, "in use")
    except FileNotFoundError:
        pass  # another has removed it
    except OSError as error:
        raise not_writable(cache, error) from None
    return Pruned(stored)


@contextlib.contextmanager
def _unused(folder: Path) -> Iterator[None]:
    """Keep the environment from being taken into use; BlockingIOError when it is in use."""
    there = opened(folder / RECORD)
    if there is None:  # no record that could be held
        yield
        return
    os.close(there)
    record = open_to_lock(folder / RECORD)
    try:
        try:
            fcntl.flock(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            pass  # a file system without locks: it cannot be told
        yield
    finally:
        os.close(record)


def _folders(cache: Path) -> Iterator[Path]:
    """What is ours in the cache: folders of our names with a record. Anything else there is left alone."""
    try:
        names = sorted(name for name in os.listdir(cache) if _NAME.fullmatch(name))  # noqa: PTH208
    except OSError:
        return
    for name in names:
        path = cache / name
        if not name.startswith(".") and not path.is_symlink() and os.path.lexists(path / RECORD):
            yield path


def _stored(folder: Path) -> Stored:
    data, used = b"", 0.0
    if (descriptor := opened(folder / RECORD)) is not None:
        try:
            data, used = content(descriptor), os.fstat(descriptor).st_mtime
        except OSError:
            pass
        finally:
            os.close(descriptor)
    record = read_record(data)
    holds = record.holds if record is not None else {}
    return Stored(
        folder.name, folder, holds, _size(folder), record is not None and is_whole(folder, record), used
    )


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(place, name).lstat().st_size
    return total
