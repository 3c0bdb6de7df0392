"""Asking for versions in tests: what is provided, how it is launched; the cache that real builds share."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from whichwins.provision import Absent, Runtimes, Sources, launch, probe, provide
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch


def silent(line: str) -> None:
    """Progress nobody listens to."""


def given(
    env: Mapping[str, str],
    *keys: str,
    allow_build: bool = False,
    say: Callable[[str], None] = silent,
    runtimes: Runtimes | None = None,
) -> list[Launch | Absent]:
    """How subjects that are asked for by `keys` are launched, in the order of `keys`."""
    adapters = load_adapters()
    subjects = [subject for key in keys for subject in select(adapters, [key])]
    there = provide(
        subjects, adapters, runtimes or probe(env=env), Sources(allow_build=allow_build), say, together=False
    )
    found = ((subject, there[subject.key]) for subject in subjects)
    return [
        how if isinstance(how, Absent) else launch(subject, adapters, how, memory_mb=512)
        for subject, how in found
    ]


def launched(env: Mapping[str, str], *keys: str, allow_build: bool = False) -> list[Launch]:
    """The same where all must be there."""
    found = given(env, *keys, allow_build=allow_build)
    launches = [one for one in found if isinstance(one, Launch)]
    assert len(launches) == len(found), found
    return launches


def really(cache: Path, *keys: str) -> list[Launch]:
    """The same with the tools and registries of this machine; skipped where one is missing (CI: failed)."""
    found = given({**os.environ, "WHICHWINS_CACHE": str(cache)}, *keys)
    if absent := [f"{one.reason}: {one.install}" for one in found if isinstance(one, Absent)]:
        pytest.skip("; ".join(absent))
    return [one for one in found if isinstance(one, Launch)]


def shared_cache(factory: pytest.TempPathFactory) -> Path:
    """The cache of this test session, the same for all its processes: what is built once is found after."""
    base = factory.getbasetemp()
    return (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "whichwins-cache"
