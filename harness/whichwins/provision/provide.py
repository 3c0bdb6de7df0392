"""Versions that are asked for: who provides them, and the runtimes a subject is then launched in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from whichwins.model import Adapter, BadInput, Subject
from whichwins.provision.launches import Absent
from whichwins.provision.runtimes import Runtimes


@dataclass(frozen=True, slots=True)
class Sources:
    """Where packages come from: an index in place of the usual one, constraints, and whether to build."""

    index: str | None = None
    constraints: Path | None = None
    allow_build: bool = False


class Order(NamedTuple):
    """What a provider is asked for: subjects of its toolchain with a version, each with its adapter."""

    wanted: Sequence[tuple[Subject, Adapter]]
    runtimes: Runtimes
    sources: Sources
    progress: Callable[[str], None]
    together: bool


Provided = dict[str, Runtimes | Absent]


def _python(order: Order) -> Provided:
    from whichwins.provision.python_versions import provide_python

    return provide_python(order)


def _node(order: Order) -> Provided:
    from whichwins.provision.node_versions import provide_node

    return provide_node(order)


def _ruby(order: Order) -> Provided:
    from whichwins.provision.ruby_versions import provide_ruby

    return provide_ruby(order)


PROVIDERS: Mapping[str, Callable[[Order], Provided]] = {"python": _python, "node": _node, "ruby": _ruby}
"""Who provides versions, by the toolchain an adapter names. Each imports what it needs when it is asked."""


def provide(
    subjects: Sequence[Subject],
    adapters: Sequence[Adapter],
    runtimes: Runtimes,
    sources: Sources,
    progress: Callable[[str], None],
    *,
    together: bool = False,
) -> Provided:
    """Return for every subject key the runtimes it is launched in, or why that cannot be had here.

    A subject without version gets `runtimes` as they are. Versions are found in the cache, or built into it;
    `progress` gets a line for each that is built. `together`: Python libraries stand on one interpreter, the
    newest that all of them fit; each on its own where there is none. BadInput for a version that does not
    exist or that cannot be asked for, and when the cache cannot be written.
    """
    by_name = {adapter.name: adapter for adapter in adapters}
    orders: dict[str, list[tuple[Subject, Adapter]]] = {}
    given: Provided = {}
    for subject in subjects:
        if not subject.version:
            given[subject.key] = runtimes
            continue
        adapter = by_name[subject.adapter]
        toolchain = toolchain_of(subject, adapter)
        if toolchain not in PROVIDERS:
            raise BadInput(f"{subject.key}: the adapter {adapter.name} has no versions; leave out the @")
        if all(spec.needs == "harness" for spec in subject.launch):
            raise BadInput(f"{subject.key}: is a part of whichwins, without versions; leave out the @")
        orders.setdefault(toolchain, []).append((subject, adapter))
    for toolchain, wanted in orders.items():
        given.update(PROVIDERS[toolchain](Order(wanted, runtimes, sources, progress, together)))
    return {subject.key: given[subject.key] for subject in subjects}


def toolchain_of(subject: Subject, adapter: Adapter) -> str:
    """Who provides versions of a subject: what it says itself, else its adapter."""
    return subject.toolchain or adapter.toolchain


def requested(subject: Subject, toolchain: str) -> str:
    """Return how records of environments say what was asked for (`holds["request"]`): `orjson@3.9.15`.

    The first package, else the toolchain, and the version as the column shows it.
    """
    what = subject.packages[0] if subject.packages else toolchain
    return f"{what}@{subject.key.partition('@')[2]}"
