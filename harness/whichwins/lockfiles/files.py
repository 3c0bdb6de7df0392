"""Where a lock file stands, and what it includes: on the disk, or in a revision of version control."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from whichwins.text_files import read_text, shown


class Files(Protocol):
    """A tree of files. Paths are what `included` returned, or what the user wrote."""

    def shown(self, path: Path) -> str:
        """How messages call a file."""

    def text(self, path: Path, limit: int) -> str:
        """Its text. BadInput when it cannot be read, or is over `limit` bytes."""

    def included(self, word: str, path: Path) -> Path:
        """The file that `path` calls `word`. BadInput when it is outside."""

    def identity(self, path: Path) -> str:
        """Equal for two names of one file."""


class Disk:
    """The files of this machine."""

    def shown(self, path: Path) -> str:
        """As the user named it."""
        return shown(path)

    def text(self, path: Path, limit: int) -> str:
        """Read once: a pipe will do."""
        return read_text(path, limit)

    def included(self, word: str, path: Path) -> Path:
        """Relative to the including file.

        A pipe (stdin, /dev/fd/63) stands in no folder: what it names is looked for in the working directory.
        """
        piped = shown(path) == "stdin" or path.parts[:2] == ("/", "dev")
        return (Path() if piped else path.parent) / word

    def identity(self, path: Path) -> str:
        """The path without links."""
        return str(path.resolve())


DISK = Disk()
