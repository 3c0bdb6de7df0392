"""Words of a file that may be paths: relative ones are relative to the file's folder."""

from __future__ import annotations

from pathlib import Path


def path_in(folder: Path, word: str) -> str:
    """A relative path with the folder; any other word, or one in the working directory, as it is."""
    return str(folder / word) if "/" in word and folder != Path() else word


def subject_in(folder: Path, key: str) -> str:
    """A subject's key; where its version is a relative path, with the folder."""
    base, mark, request = key.partition("@")
    return f"{base}@{path_in(folder, request)}" if mark else key


def is_file(word: str | Path) -> bool:
    """Whether there is such a file; not where no file can be called that (too long a name)."""
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False
