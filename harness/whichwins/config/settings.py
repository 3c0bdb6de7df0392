"""What a configuration says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from whichwins.model import Allow, Place

BASELINE = "whichwins.lock"
"""The name of the baseline where none is configured."""


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration, checked. Without a file all is as if nothing were said: None, or empty.

    `place` is the file as messages call it, empty without one; `folder` is its folder, which `corpus` is
    relative to; in `baseline`, `adapters`, `constraints`, in a `python` that is a path and in subjects
    with one it is joined already. `subjects` are keys or patterns, with `@version` where one is asked for.
    `builtin` says whether the built-in corpus is part of it. `timeout` is in seconds, `memory` in MiB.
    `places` says where each key that is there stands.
    """

    place: str = ""
    folder: Path = Path()
    subjects: tuple[tuple[str, Place], ...] = ()
    corpus: tuple[str, ...] = ()
    builtin: bool = True
    filter: tuple[str, ...] = ()
    baseline: Path = Path(BASELINE)
    lens: str | None = None
    timeout: float | None = None
    memory: int | None = None
    adapters: tuple[Path, ...] = ()
    python: str | None = None
    index: str | None = None
    constraints: Path | None = None
    allow_build: bool = False
    allow: tuple[Allow, ...] = ()
    places: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}))
