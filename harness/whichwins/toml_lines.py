"""On which line of a TOML text each key stands: tomllib does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys, and positions (from 0) in arrays and arrays of tables: `("allow", 0, "reason")`."""

_BLANK = re.compile(r"[ \t\r]*")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_STRINGS = (
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}' + r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'"
)
_STRING = re.compile(_STRINGS, re.DOTALL)
_BRACKET = re.compile(rf"{_STRINGS}|#[^\n]*|[\[\]{{}}]", re.DOTALL)
_SCALAR = re.compile(r"[^,\]}#\n]+")


class Lines(NamedTuple):
    """Lines of a TOML text, from 1, by path."""

    known: dict[Path, int]

    def at(self, *path: str | int) -> int:
        """The line of `path`; of what it stands in where that is not known (1 in the end)."""
        while path:
            if (line := self.known.get(path)) is not None:
                return line
            path = path[:-1]
        return 1


def locate(text: str, depth: int = 8) -> Lines:
    """Find the lines of keys, tables and array elements, down to paths of `depth` parts.

    `text` must be a TOML document that tomllib reads; of another one some lines may be missing or wrong.
    A table that is never named but for its keys has the line of the first of them. Linear, not recursive.
    """
    return Lines(_Locator(text, depth).run())


class _Locator:
    """A walk over the text. `known` grows; `table` is the path of the table that the walk is in."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        self.pos = 0
        self.line = 1
        self.counted = 0
        self.known: dict[Path, int] = {}
        self.arrays: dict[Path, int] = {}  # arrays of tables, how many each has so far
        self.table: Path = ()

    def run(self) -> dict[Path, int]:
        while self.skip(_SPACE) < len(self.text):
            if self.text[self.pos] == "[":
                self.header()
            else:
                self.pair(self.table)
            self.next_line()
        return self.known

    def skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.pos)
        self.pos = found.end() if found else self.pos
        return self.pos

    def next_line(self) -> None:
        end = self.text.find("\n", self.pos)
        self.pos = len(self.text) if end < 0 else end + 1

    def note(self, path: Path) -> None:
        self.line += self.text.count("\n", self.counted, self.pos)
        self.counted = self.pos
        self.known.setdefault(path, self.line)

    def header(self) -> None:
        array = self.text.startswith("[[", self.pos)
        start, self.pos = self.pos, self.pos + (2 if array else 1)
        self.skip(_BLANK)
        parts = list(self.keys())
        self.pos = start
        path: Path = ()
        for number, part in enumerate(parts, 1):
            path += (part,)
            self.note(path)
            if array and number == len(parts):
                self.arrays[path] = self.arrays.get(path, 0) + 1
            if path in self.arrays:
                path += (self.arrays[path] - 1,)
                self.note(path)
        self.table = path

    def keys(self) -> Iterator[str]:
        """The parts of the key here; the position is behind each as it comes."""
        while found := _KEY.match(self.text, self.pos):
            self.pos = found.end()
            yield _unquoted(found[0])
            dot = _DOT.match(self.text, self.pos)
            if not dot:
                return
            self.pos = dot.end()

    def pair(self, table: Path) -> None:
        """A key and its value, whatever stands in it."""
        path = self.key(table)
        if path is None:
            return
        # Containers that are open: the path, the number of the next element (None: an inline table).
        open_: list[tuple[Path, int | None]] = []
        while True:
            before = self.pos
            opened = self.value(path)
            if opened:
                open_.append((path, 0 if opened == "[" else None))
            else:
                self.after(open_)
            inside = self.element(open_)
            if inside is None or self.pos == before:  # no progress: the text is no TOML
                return
            path = inside

    def key(self, table: Path) -> Path | None:
        start = self.pos
        parts = list(self.keys())
        end, self.pos = self.pos, start
        for number in range(1, len(parts) + 1):
            self.note(table + tuple(parts[:number]))
        self.pos = end
        self.skip(_BLANK)
        if not parts or not self.text.startswith("=", self.pos):
            return None
        self.pos += 1
        self.skip(_BLANK)
        return table + tuple(parts)

    def value(self, path: Path) -> str:
        """Step over a scalar, or into a container: then its bracket is returned."""
        if self.text.startswith(("[", "{"), self.pos):
            if len(path) >= self.depth:
                self.pass_over()
                return ""
            self.pos += 1
            return self.text[self.pos - 1]
        if self.skip(_STRING) == self.pos and not self.text.startswith(("'", '"'), self.pos):
            self.skip(_SCALAR)
        return ""

    def pass_over(self) -> None:
        """Step over a whole container."""
        depth = 0
        for found in _BRACKET.finditer(self.text, self.pos):
            depth += (found[0] in ("[", "{")) - (found[0] in ("]", "}"))
            if depth == 0:
                self.pos = found.end()
                return

    def after(self, open_: list[tuple[Path, int | None]]) -> None:
        """Behind a value: over a comma to the next one."""
        if open_:
            self.skip(_SPACE)
            if self.text.startswith(",", self.pos):
                self.pos += 1

    def element(self, open_: list[tuple[Path, int | None]]) -> Path | None:
        """The path of the next value in the innermost container that has one; None at the end."""
        while open_:
            self.skip(_SPACE)
            path, number = open_[-1]
            if self.text.startswith(("]", "}"), self.pos):
                self.pos += 1
                open_.pop()
                self.after(open_)
            elif self.pos >= len(self.text):
                return None
            elif number is None:
                return self.key(path)
            else:
                open_[-1] = (path, number + 1)
                self.note((*path, number))
                return (*path, number)
        return None


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    if not key.startswith('"'):
        return key
    if "\\" not in key:
        return key[1:-1]
    import tomllib

    try:
        return str(tomllib.loads(f"key = {key}")["key"])
    except ValueError:
        return key[1:-1]
