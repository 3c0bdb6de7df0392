"""Text files of people: read whole within a limit, wrong ones told in a line with the place."""

from __future__ import annotations

import codecs
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from whichwins.model import BadInput, Place
from whichwins.toml_lines import Lines, locate

_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")
_LONG = re.compile(r"[0-9_]{4300}")
_DOTTED = re.compile(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Toml(NamedTuple):
    """A TOML file: what tomllib says, and where it stands."""

    file: str
    items: dict[str, Any]
    lines: Lines

    def place(self, *path: str | int) -> Place:
        """Where the key or element of `path` stands."""
        return Place(self.file, self.lines.at(*path))


def shown(path: Path) -> str:
    """How messages call a file: as the user named it, with forward slashes; `-` is stdin."""
    name = path.as_posix()
    return "stdin" if name in ("-", "/dev/stdin") else name


def read_text(path: Path, limit: int) -> str:
    """Return the text of a file, `-` of stdin, without a byte order mark. It is read once: a pipe will do.

    Raises BadInput when it cannot be read, is over `limit` bytes, or not UTF-8 (UTF-16 with its mark is
    understood).
    """
    file = shown(path)
    try:
        if file == "stdin":
            if sys.stdin is None:
                raise BadInput("stdin: cannot be read (it is closed): name a file")
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with path.open("rb") as stream:
                data = stream.read(limit + 1)
    except FileNotFoundError:
        raise BadInput(f"{file}: there is no such file: name one that is there") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        said = error.strerror if isinstance(error, OSError) else "no file can be called that"
        raise BadInput(f"{file}: cannot be read ({said})") from None
    if len(data) > limit:
        raise BadInput(f"{file}: is over {limit:,} bytes: give a smaller file")
    return decoded(data, file)


def decoded(data: bytes, file: str) -> str:
    """Return the text of a file's bytes, without a byte order mark. BadInput when it is not UTF-8."""
    try:
        return data.decode("utf-16" if data.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{file}:{line}: not UTF-8 (byte {error.start}): save it as UTF-8") from None


def read_toml(text: str, file: str, depth: int = 8) -> Toml:
    """Read TOML; lines are known down to paths of `depth`. Raises BadInput with the line of what is wrong."""
    if dotted := _DOTTED.search(text):  # tomllib takes minutes for a key of 100,000 parts
        line = text.count("\n", 0, dotted.start()) + 1
        raise BadInput(f"{file}:{line}: a name of more than 64 parts: shorten it")
    try:
        items = tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"{file}:{_deepest(text)}: nested too deeply: make it flatter") from None
    except ValueError as error:
        said = " ".join(str(error).split())
        if found := _AT.search(said):
            raise BadInput(
                f"{file}:{found[1]}: not TOML: {said[: found.start()]}, column {found[2]}"
            ) from None
        if not isinstance(error, tomllib.TOMLDecodeError) and (long := _LONG.search(text)):
            line = text.count("\n", 0, long.start()) + 1
            raise BadInput(f"{file}:{line}: a number is too long: shorten it") from None
        raise BadInput(f"{file}:{text.count(chr(10)) + 1}: not TOML: {said}") from None
    return Toml(file, items, locate(text, depth))


def _deepest(text: str) -> int:
    """The line on which most brackets are open: a guess for a message, strings are not looked at."""
    depth = deepest = line = 0
    for number, each in enumerate(text.split("\n"), 1):
        for character in each:
            depth += (character in "[{") - (character in "]}")
            if depth > deepest:
                deepest, line = depth, number
    return line
