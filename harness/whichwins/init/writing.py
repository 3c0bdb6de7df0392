"""Several files, all of them or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from whichwins.model import BadInput
from whichwins.run import whole_file


def refuse_existing(paths: Iterable[Path], *, force: bool = False) -> None:
    """Raise BadInput naming the first of `paths` that is there, unless `force`. A link counts."""
    for path in () if force else paths:
        if os.path.lexists(path):
            raise BadInput(f"{path}: is there already: add --force to replace it, or take it away")


def write(files: Sequence[tuple[Path, str]], *, force: bool = False) -> None:
    """Write ASCII texts to files: all, or on any failure none, with everything as it was before.

    Raises BadInput for one that is there (without `force`) or cannot be written, MeasurementFailed when the
    disk is full.
    """
    refuse_existing((path for path, _ in files), force=force)
    before = [(path, _content(path)) for path, _ in files]
    folders = [folder for path, _ in files for folder in _missing(path.parent)]
    try:
        with contextlib.ExitStack() as stack:
            # Every place is opened before one is filled; each appears when its context ends.
            sinks = [(stack.enter_context(whole_file(path)), text) for path, text in files]
            for sink, text in sinks:
                sink.write(text)
    except BaseException:
        for path, content in before:
            with contextlib.suppress(OSError):
                _restore(path, content)
        for folder in folders:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}): take it away first") from None


def _restore(path: Path, content: bytes | None) -> None:
    if content is None:
        if path.is_file():
            path.unlink()
    elif path.read_bytes() != content:
        path.write_bytes(content)


def _missing(folder: Path) -> Iterator[Path]:
    """The folders that are to be made, the innermost first."""
    while not folder.exists():
        yield folder
        folder = folder.parent
