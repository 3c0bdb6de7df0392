"""Past upgrades in tests: the script of the page, one cache for the session, what may be skipped."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.provision.asked import shared_cache, silent

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = "3.11"
"""The Python that whichwins itself needs: what fits it is never skipped."""


@cache
def script() -> ModuleType:
    """`docs/upgrades.py`."""
    spec = importlib.util.spec_from_file_location("upgrades", ROOT / "docs" / "upgrades.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """This process's, with the cache that all tests of the session build into."""
    return {**os.environ, "WHICHWINS_CACHE": str(shared_cache(factory))}


def here(upgrade: Any, act: Callable[[], Any]) -> Any:
    """What `act` returns; skipped where the upgrade cannot be had here, and failed where it must be."""
    try:
        return act()
    except script().Unfit as error:
        reason = str(error)
        if upgrade.python == REQUIRED:
            pytest.fail(f"{upgrade.id}: fits Python {REQUIRED}, and could not be had: {reason}")
        pytest.skip(reason)


def wrong(upgrade: Any, env: Mapping[str, str]) -> list[tuple[bytes, tuple[str, str], tuple[str, str]]]:
    """The cases that are read otherwise than the reports say: input, said, answered (long ones cut)."""
    answers = script().ask(upgrade, [case.data for case in upgrade.cases], silent, env)
    return [
        (case.data[:60], (case.before[:80], case.after[:80]), (before[:80], after[:80]))
        for case, (before, after) in zip(upgrade.cases, answers, strict=True)
        if (before, after) != (case.before, case.after)
    ]
