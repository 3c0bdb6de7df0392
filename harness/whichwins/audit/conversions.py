"""Asking what a declared conversion makes of a value; each value once."""

from __future__ import annotations

import re
from collections.abc import Mapping

from whichwins.audit.deliver import CONVERT
from whichwins.model import Outcome
from whichwins.scanner import STRING
from whichwins.workers.contract import Observer

_LITERAL = re.compile(r"D(?=[-0-9])")
_NO_JSON = re.compile(r"[A-Z]|b|(?<![nr])u(?=\")")


class Conversions:
    """Callable as `Convert`. `observers` are by boundary, each of one subject."""

    def __init__(self, observers: Mapping[str, Observer]) -> None:
        self._observers = observers
        self._known: dict[tuple[str, str], str | None] = {}

    @property
    def known(self) -> Mapping[tuple[str, str], str | None]:
        """What was asked so far, by boundary and value."""
        return self._known

    def __call__(self, boundary: str, value: str) -> str | None:
        """The value behind the boundary's conversion; None where it cannot be said."""
        key = (boundary, value)
        if key not in self._known:
            text = json_text(value)
            if text is None:
                self._known[key] = None
            else:
                ((seen,),) = self._observers[boundary].observe([text.encode("ascii")], CONVERT)
                self._known[key] = seen.value if seen.outcome is Outcome.ACCEPT else None
        return self._known[key]


def json_text(value: str) -> str | None:
    """A value in notation as JSON; None where JSON cannot say it."""
    parts: list[str] = []
    at = 0
    for found in STRING.finditer(value):
        parts.append(_LITERAL.sub("", value[at : found.start()]))
        if _NO_JSON.search(parts[-1]) or parts[-1].endswith("u"):
            return None
        parts.append(found[0])
        at = found.end()
    parts.append(_LITERAL.sub("", value[at:]))
    return None if _NO_JSON.search(parts[-1]) else "".join(parts)
