"""Taking values out of a TOML table, with errors that say where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from whichwins.model import BadInput


class Table(NamedTuple):
    """A table of a manifest and the words that say where it stands."""

    place: str
    items: Mapping[str, Any]

    def fail(self, problem: str) -> BadInput:
        """Return the error for this table, to be raised."""
        return BadInput(f"{self.place}: {problem}")

    def only(self, known: Iterable[str]) -> None:
        """Refuse keys that are not `known`."""
        names = sorted(known)
        for key in self.items:
            if key not in names:
                from difflib import get_close_matches

                close = get_close_matches(key, names, n=1)
                hint = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(names)}"
                raise self.fail(f"unknown key {key!r}; {hint}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string on one line; without a default it must be there and not be empty."""
        value = self.items.get(key, default)
        if value is None:
            raise self.fail(f"`{key}` is missing; give it a string")
        if not isinstance(value, str):
            raise self.fail(f"`{key}` must be a string")
        if (not value and default is None) or not (value.isprintable() or not value):
            raise self.fail(f"`{key}` must be one line of printable text")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of strings; without a default it must be there and not be empty."""
        value = self.items.get(key, default)
        if value is None:
            raise self.fail(f"`{key}` is missing; give it a list of strings")
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) and item for item in value):
            raise self.fail(f"`{key}` must be a list of strings, none of them empty")
        if not value and default is None:
            raise self.fail(f"`{key}` is empty; list at least one")
        return tuple(value)

    def flag(self, key: str) -> bool:
        """Return a boolean, false when it is not there."""
        value = self.items.get(key, False)
        if not isinstance(value, bool):
            raise self.fail(f"`{key}` must be true or false")
        return value

    def mapping(self, key: str) -> dict[str, str]:
        """Return a table of strings, empty when it is not there."""
        value = self.items.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.fail(f"`{key}` must be a table of strings")
        return dict(value)

    def tables(self, key: str, label: str | None = None) -> list[Table]:
        """Return an array of tables, empty when it is not there, each knowing its place."""
        value = self.items.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fail(f"`{key}` must be an array of tables ([[{label or key}]])")
        return [Table(f"{self.place}: [[{label or key}]] {n}", item) for n, item in enumerate(value, 1)]
