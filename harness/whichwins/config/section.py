"""Taking values out of a table, with errors that name file, line and key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from whichwins.model import BadInput, Place
from whichwins.text_files import Toml


class Section(NamedTuple):
    """A table of a configuration: where it stands, and what it is called in messages (may be empty)."""

    toml: Toml
    path: tuple[str | int, ...]
    label: str
    items: Mapping[str, Any]

    def place(self, *path: str | int) -> Place:
        """Where a key, or an element of its array, stands."""
        return self.toml.place(*self.path, *path)

    def fail(self, problem: str, *path: str | int) -> BadInput:
        """Return the error for a key of this table, or for the table, to be raised."""
        place = self.place(*path)
        label = f"{self.label}: " if self.label else ""
        return BadInput(f"{place.file}:{place.line}: {label}{problem}")

    def only(self, known: Iterable[str]) -> None:
        """Refuse keys that are not `known`."""
        names = sorted(known)
        for key in self.items:
            if key not in names:
                raise self.fail(f"unknown key {_quoted(key)}: {suggestion(key, names, 'the keys are')}", key)

    def text(self, key: str, needed: str = "") -> str | None:
        """Return a string on one line that says something; None when it is not there.

        With `needed`, a word on what to write, it must be there.
        """
        value = self.items.get(key)
        if value is None and not needed:
            return None
        if value is None:
            raise self.fail(f"`{key}` is missing: {needed}")
        if not isinstance(value, str):
            raise self.fail(f"`{key}` must be a string: put it in quotes", key)
        if not value.strip():
            raise self.fail(f"`{key}` is empty: {needed or 'say something, or leave it out'}", key)
        if not value.isprintable():
            raise self.fail(f"`{key}` must be one line of printable text", key)
        return value

    def choice(self, key: str, known: Sequence[str], default: str | None = None) -> str:
        """Return one of the words `known`; without a default it must be there."""
        value = self.text(key, "" if default is not None else f"write one of {', '.join(known)}")
        if value is None:
            assert default is not None
            return default
        if value not in known:
            raise self.fail(f"`{key}`: {suggestion(value, known, 'write one of')}", key)
        return value

    def table(self, key: str, header: str) -> Section | None:
        """Return a table, knowing its place; None when it is not there."""
        value = self.items.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fail(f"`{key}` must be a table: head it with {header}", key)
        label = f"{self.label} {key}" if self.label else header
        return Section(self.toml, (*self.path, key), label, value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings, none of them empty; () when it is not there."""
        value = self.items.get(key, [])
        if isinstance(value, str):
            raise self.fail(f"`{key}` must be a list of strings: put it in brackets", key)
        if not isinstance(value, list):
            raise self.fail(f"`{key}` must be a list of strings", key)
        for number, each in enumerate(value):
            if not isinstance(each, str) or not each.strip() or not each.isprintable():
                said = f"`{key}`: element {number + 1} must be a string on one line that is not empty"
                raise self.fail(said, key, number)
        return tuple(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return a boolean."""
        value = self.items.get(key, default)
        if not isinstance(value, bool):
            raise self.fail(f"`{key}` must be true or false, without quotes", key)
        return value

    def number(self, key: str, unit: str, most: int, *, whole: bool = False) -> float | None:
        """Return a number above 0 and up to `most`; None when it is not there."""
        value = self.items.get(key)
        if value is None:
            return None
        wanted = "a whole number" if whole else "a number"
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise self.fail(f"`{key}` must be {wanted} of {unit}, without quotes", key)
        if not 0 < value <= most:
            raise self.fail(f"`{key}` must be {wanted} of {unit} above 0, at most {most:,}", key)
        return value

    def day(self, key: str) -> date | None:
        """Return a day; None when it is not there."""
        value = self.items.get(key)
        if value is not None and (not isinstance(value, date) or isinstance(value, datetime)):
            raise self.fail(f"`{key}` must be a date: write {key} = 2030-12-31, without quotes or time", key)
        return value

    def tables(self, key: str, header: str) -> list[Section]:
        """Return an array of tables, each knowing its place; empty when it is not there."""
        value = self.items.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fail(f"`{key}` must be tables: head each with {header}", key)
        return [
            Section(self.toml, (*self.path, key, number), f"{header} {number + 1}", item)
            for number, item in enumerate(value)
        ]


def suggestion(word: str, known: Sequence[str], otherwise: str) -> str:
    """What was meant, or what there is."""
    from difflib import get_close_matches

    close = get_close_matches(word.replace("_", "-"), known, n=1)
    return f"did you mean `{close[0]}`?" if close else f"{otherwise} {', '.join(known)}"


def _quoted(key: str) -> str:
    return f"`{key}`" if key.isprintable() and len(key) <= 60 else ascii(key[:60])
