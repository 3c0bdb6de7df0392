"""Adapters and subjects as their manifests declare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """One way to start an adapter: what it needs and the command line template.

    `needs` is a runtime that provisioning can probe (`python`, `harness`, `node`, `ruby`,
    `ruby-wasm`) or None for a program found by itself. In `command`, `{folder}` is the
    adapter's folder and `{python}`, `{harness}`, `{node}`, `{ruby}`, `{ruby-wasm}` the
    runtimes' paths. `memory` says how the memory limit is applied: `address-space`, or
    `runtime` where the command carries it as `{memory-mb}`.
    """

    needs: str | None
    command: tuple[str, ...]
    memory: str = "address-space"


@dataclass(frozen=True, slots=True)
class Canary:
    """What a subject must pass before its first case. `expect` is `reject` or the right notations.

    `needs` says what a library must be for it (`json >= 2.13`): then a failure means that the
    subject cannot be had here, not that the adapter is broken.
    """

    text: str
    expect: tuple[str, ...]
    reason: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing under test: library + entry point + options. The key carries no version."""

    key: str
    adapter: str
    family: str
    library: str
    entry: str
    shim: str
    decode: str
    rejects: tuple[str, ...]
    rejects_decode: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    packages: tuple[str, ...] = ()
    install: str = ""
    lookup: bool = False
    default: bool = False
    required: bool = False
    repeats: str = ""
    canaries: tuple[Canary, ...] = ()
    launch: tuple[LaunchSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Adapter:
    """A program that drives the libraries of one runtime: one folder with `adapter.toml`."""

    name: str
    folder: Path
    protocol: int
    subjects: tuple[Subject, ...]
