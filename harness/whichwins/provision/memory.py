"""Small things known from earlier calls, kept in the cache: interpreters, choices, what does not fit.

A cache that cannot be written remembers nothing, and nothing fails for it. Of two writers at once one may be
forgotten: what is lost is asked for again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whichwins.provision.cache import unfinished
from whichwins.provision.environment import cache_folder
from whichwins.provision.record import content, opened

_MOST = 1000
"""Facts of a kind that are kept: the latest."""


def folder(env: Mapping[str, str]) -> Path:
    """Return where it is kept."""
    return cache_folder(env) / ".known"


def recall(env: Mapping[str, str], kind: str) -> dict[str, Any]:
    """Return all that is known of a kind, empty when nothing is or the file is damaged."""
    descriptor = opened(folder(env) / f"{kind}.json")
    if descriptor is None:
        return {}
    try:
        known = json.loads(content(descriptor))
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        os.close(descriptor)
    return known if isinstance(known, dict) else {}


def remember(env: Mapping[str, str], kind: str, facts: Mapping[str, Any]) -> None:
    """Add to what is known of a kind, if that can be written."""
    known = {name: fact for name, fact in recall(env, kind).items() if name not in facts}
    kept = dict([*known.items(), *facts.items()][-_MOST:])
    place = folder(env)
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        written = unfinished(place)
        try:
            written.write_text(json.dumps(kept), encoding="ascii")
            written.replace(place / f"{kind}.json")
        finally:
            written.unlink(missing_ok=True)
