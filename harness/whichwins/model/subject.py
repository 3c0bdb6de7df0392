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
    `ruby-wasm`), an adapter that is built (`go`, `c`, `rust`, `java`), or None for a program
    found by itself. In `command`, `{folder}` is the adapter's folder; `{python}`, `{harness}`,
    `{node}`, `{ruby}` are the runtimes' paths, `{ruby-wasm}`, `{go}` and so on folders in the cache.
    `memory` says how the memory limit is applied: `address-space`, or
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
class Keep:
    """An option or entry point that keeps what a library did before it changed.

    It applies to changes of the cause `cause` (and `kind`, where given) in versions `since` and later
    (empty: any). `say` is what to write; `subject` the key of a subject that is just that, so that a run can
    prove it.
    """

    cause: str
    say: str
    kind: str = ""
    since: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing under test: library + entry point + options.

    `key` names its column in a run: `python/orjson`, or `python/orjson@3.9.15` where a version was asked for
    (`version` has the request as it was written). `base` is the key without it: what runs are matched by.
    `shape` names the declared target that it binds to: it is asked only cases of that shape, a subject
    without one only cases without. `toolchain` overrides that of its adapter.
    `cold`: how deep it recurses depends on what it has read before: deep texts are put to fresh workers.
    What the library itself, and not the adapter, reads otherwise: `vectors` maps the text of a vector
    (`fixtures/notation.toml`) to the notation that it gives; `truncates`: it cuts deep values short and says
    nothing. `bounds`: how much of what a text may have before asking would take too long (`depth`: levels).
    """

    key: str
    adapter: str
    family: str
    library: str
    entry: str
    shim: str
    decode: str
    rejects: tuple[str, ...]
    rejects_decode: tuple[str, ...] = ()
    rejects_bind: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    packages: tuple[str, ...] = ()
    install: str = ""
    lookup: bool = False
    objects: bool = False
    default: bool = False
    required: bool = False
    repeats: str = ""
    canaries: tuple[Canary, ...] = ()
    launch: tuple[LaunchSpec, ...] = ()
    keeps: tuple[Keep, ...] = ()
    version: str = ""
    shape: str = ""
    toolchain: str = ""
    cold: bool = False
    truncates: bool = False
    vectors: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    bounds: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def base(self) -> str:
        """The key without a version."""
        return base_of(self.key)


def base_of(key: str) -> str:
    """A column's key without the version that was asked for: `python/orjson@3.9.15` is `python/orjson`."""
    return key.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A program that drives the libraries of one runtime: one folder with `adapter.toml`.

    `toolchain` says who provides versions of its subjects: `python`, `node`, `ruby`, or none (empty).
    `boundaries`: its subjects are frameworks, not parsers: what looks for the JSON libraries of a project
    (`init`, `upgrade --lock`) leaves them out.
    """

    name: str
    folder: Path
    protocol: int
    subjects: tuple[Subject, ...]
    toolchain: str = ""
    boundaries: bool = False
