"""Files that appear complete or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from whichwins.model import BadInput, MeasurementFailed


class Sink:
    """Text on its way into a file. Its own failures name the file; those of whoever writes pass through."""

    def __init__(self, path: Path, stream: IO[str]) -> None:
        self._path = path
        self._stream = stream

    def write(self, text: str, *, flush: bool = False) -> object:
        """Write `text`. Raises MeasurementFailed when the disk is full."""
        try:
            written = self._stream.write(text)
            if flush:
                self._stream.flush()
            return written
        except OSError as error:
            raise self._failed(error) from None

    def finish(self) -> None:
        """Everything is on the disk after this."""
        try:
            self._stream.flush()
            if self._path.is_file():
                os.fsync(self._stream.fileno())
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return error
        return MeasurementFailed(
            f"{self._path}: cannot be written to its end ({error.strerror}): make room, or name another place"
        )


@contextlib.contextmanager
def standard_output() -> Iterator[Sink]:
    """Standard output as such a file; at the end everything has been taken."""
    sink = Sink(Path("stdout"), sys.stdout)
    yield sink
    sink.write("", flush=True)


@contextlib.contextmanager
def whole_file(path: Path, *, private: bool = False) -> Iterator[Sink]:
    """Open `path` for writing so that it appears complete at the end, or not at all.

    `private`: for its owner alone. A link is followed. A device or a named pipe is written as it is. Raises
    BadInput when the place cannot be written, MeasurementFailed when that turns out on the way.
    """
    with _named(path):
        target = _target(path)
        if target.exists() and not target.is_file():
            stream, part = target.open("w", encoding="ascii", newline="\n"), None
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".whichwins-", suffix=".part", dir=target.parent)
            stream, part = os.fdopen(handle, "w", encoding="ascii", newline="\n"), Path(name)
    sink = Sink(path, stream)
    try:
        yield sink
        sink.finish()
        if part is not None:
            _settle(part, target, private=private)
    finally:
        with contextlib.suppress(OSError):
            stream.close()
        if part is not None:
            part.unlink(missing_ok=True)


def probe_file(path: Path) -> None:
    """Whether `whole_file` could begin here, found out without a trace. Raises BadInput if not."""
    with _named(path):
        target = _target(path)
        if target.exists() and not target.is_file():
            return
        folder = next(each for each in target.absolute().parents if each.exists())
        if not folder.is_dir():
            raise FileExistsError
        with tempfile.TemporaryFile(dir=folder):
            pass


def _target(path: Path) -> Path:
    target = path.resolve() if path.is_symlink() else path
    if target.is_dir():
        raise BadInput(f"{path}: is a folder: name a file in it")
    return target


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        said = "its folder is a file" if isinstance(error, FileExistsError) else error.strerror
        raise BadInput(f"{path}: cannot be written ({said}): choose another place") from None


def _settle(part: Path, target: Path, *, private: bool) -> None:
    # mkstemp makes it private. Else it becomes as readable as what it replaces, or as the umask says.
    mask = os.umask(0)
    os.umask(mask)
    try:
        if not private:
            part.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        part.replace(target)
    except OSError as error:
        raise BadInput(f"{target}: cannot be written ({error.strerror}): choose another place") from None
