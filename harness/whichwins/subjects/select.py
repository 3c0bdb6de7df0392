"""Choosing subjects by key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from whichwins.model import Adapter, BadInput, Subject


def select(adapters: Iterable[Adapter], keys: Sequence[str]) -> tuple[Subject, ...]:
    """Return the subjects that `keys` name, sorted by key; the default set when there are none.

    A key may be a pattern (`python/*`, `*/json`). One that matches nothing is BadInput.
    """
    every = {subject.key: subject for adapter in adapters for subject in adapter.subjects}
    if not keys:
        return tuple(every[key] for key in sorted(every) if every[key].default)
    chosen: set[str] = set()
    for wanted in keys:
        found = {wanted} if wanted in every else {key for key in every if fnmatchcase(key, wanted)}
        if not found:
            raise BadInput(_unknown(wanted, sorted(every)))
        chosen |= found
    return tuple(every[key] for key in sorted(chosen))


def _unknown(wanted: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    shown = wanted if wanted.isprintable() and len(wanted) <= 100 else ascii(wanted[:100])
    close = get_close_matches(wanted, known, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(close)}?" if close else "`whichwins subjects` lists them"
    return f"no subject {shown}: {hint}"
