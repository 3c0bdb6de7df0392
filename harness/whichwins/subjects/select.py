"""Choosing subjects by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from whichwins.model import Adapter, BadInput, Subject

MAX_REQUEST = 200
"""Characters of a version that is asked for."""


def select(adapters: Iterable[Adapter], keys: Sequence[str]) -> tuple[Subject, ...]:
    """Return the subjects that `keys` name, sorted by key; the default set when there are none.

    A key may be a pattern (`python/*`, `*/json`) and carry a version (`python/orjson@3.9.15`): then the
    subject's key does too, a file's by its name alone. One that matches nothing is BadInput.
    """
    every = {subject.key: subject for adapter in adapters for subject in adapter.subjects}
    if not keys:
        return tuple(every[key] for key in sorted(every) if every[key].default)
    chosen: dict[str, Subject] = {}
    for wanted in keys:
        for subject in _matching(wanted, every):
            known = chosen.setdefault(subject.key, subject)
            if known.version != subject.version:
                raise BadInput(
                    f"{subject.key}: two files of one name are asked for: ask for them in runs of their own"
                )
    return tuple(chosen[key] for key in sorted(chosen))


def _matching(wanted: str, every: dict[str, Subject]) -> Iterator[Subject]:
    pattern, mark, request = wanted.partition("@")
    found = [pattern] if pattern in every else [key for key in every if fnmatchcase(key, pattern)]
    if not found:
        raise BadInput(_unknown(pattern, sorted(every)))
    if not mark:
        yield from (every[key] for key in found)
        return
    shown = column(request)
    for key in found:
        yield replace(every[key], key=f"{key}@{shown}", version=request)


def is_path(request: str) -> bool:
    """Whether a version that is asked for is a file or folder: it has a slash, or the ending of a package."""
    return "/" in request or request.endswith((".whl", ".tar.gz", ".zip", ".tgz"))


def column(request: str) -> str:
    """A version that is asked for, as a column shows it: of a path the last part; no ledger holds one."""
    shown = "".join(request.split())
    if is_path(request):
        shown = Path(request).resolve().name
    if not shown or not shown.isascii() or not shown.isprintable() or len(shown) > MAX_REQUEST:
        raise BadInput(
            f"version {request[:60]!a}: write a version (3.9.15), a specifier (<5.8) or a path after the @"
        )
    return shown


def _unknown(wanted: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    shown = wanted if wanted.isprintable() and len(wanted) <= 100 else ascii(wanted[:100])
    close = get_close_matches(wanted, known, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(close)}?" if close else "`whichwins subjects` lists them"
    return f"no subject {shown}: {hint}"
