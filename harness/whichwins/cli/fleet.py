"""Subjects that a verb asks: chosen by key, given their runtimes, started, watched."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from whichwins import __version__
from whichwins.model.errors import BadInput

if TYPE_CHECKING:  # verbs that only read a ledger start nothing
    from whichwins.corpus import Corpus
    from whichwins.model import Adapter, Subject
    from whichwins.provision import Absent, Runtimes
    from whichwins.run import LedgerView
    from whichwins.workers import Launch, Observer


class Fleet(NamedTuple):
    """The subjects asked for, how to start each, and which of them must live."""

    subjects: tuple[Subject, ...]
    launches: dict[str, Launch | str]
    required: frozenset[str]

    @property
    def shapes(self) -> frozenset[str]:
        """What the subjects bind to; the empty name for those that read any text."""
        return frozenset(subject.shape for subject in self.subjects)


def choose(args: argparse.Namespace, keys: Sequence[str], *, together: bool = False) -> Fleet:
    """Resolve keys (none: the default set) to subjects and launches, building versions that are asked for.

    `together`: they are to read the same text. What a pattern brings besides is left out, and said on stderr.
    """
    from whichwins.subjects import load_adapters, select

    adapters = load_adapters(args.adapters)
    subjects = select(adapters, keys)
    if together:
        subjects = _of_one_kind(subjects, _named(keys, subjects, adapters))
    return launched(args, adapters, subjects, _required(keys, subjects, adapters))


def launched(
    args: argparse.Namespace,
    adapters: Sequence[Adapter],
    subjects: Sequence[Subject],
    required: frozenset[str],
    *,
    together: bool = False,
) -> Fleet:
    """How each subject is started. Versions that are asked for are built, or found in the cache.

    `together`: versions of Python libraries stand on one interpreter where they can.
    """
    from whichwins.provision import Absent, launch, probe

    runtimes = probe(args.python)
    versions = [subject for subject in subjects if subject.version]
    given: Mapping[str, Runtimes | Absent] = {}
    if versions:
        from whichwins.provision import Sources, provide

        sources = Sources(args.index, args.constraints, args.allow_build)
        given = provide(versions, adapters, runtimes, sources, _say, together=together)
    launches: dict[str, Launch | str] = {}
    for subject in subjects:
        if getattr(args, "untrusted", False) and of_the_checkout(subject, adapters):
            launches[subject.key] = (
                "--untrusted loads no package from the working directory: ask for a version"
            )
            continue
        there = given.get(subject.key, runtimes)
        found = there if isinstance(there, Absent) else launch(subject, adapters, there, args.memory)
        if isinstance(found, Absent):
            launches[subject.key] = f"{found.reason}: {found.install}" if found.install else found.reason
        else:
            launches[subject.key] = found
    return Fleet(tuple(subjects), launches, required)


def _required(
    keys: Sequence[str], subjects: Sequence[Subject], adapters: Sequence[Adapter]
) -> frozenset[str]:
    """Of a pattern no subject in particular has to live."""
    if not keys:
        return frozenset(subject.key for subject in subjects if subject.required)
    return _named(keys, subjects, adapters)


def _named(keys: Sequence[str], subjects: Sequence[Subject], adapters: Sequence[Adapter]) -> frozenset[str]:
    """The subjects that are asked for by their keys, and not by a pattern."""
    known = {subject.key for adapter in adapters for subject in adapter.subjects}
    named = {key for key in keys if key.partition("@")[0] in known}
    return frozenset(
        subject.key
        for subject in subjects
        if (f"{subject.base}@{subject.version}" if subject.version else subject.base) in named
    )


def _of_one_kind(subjects: Sequence[Subject], named: frozenset[str]) -> tuple[Subject, ...]:
    """Of subjects that bind to targets and such that do not, one kind; all that are `named` must be of it.

    If none is named: those that read any text, else those of the shape that most have.
    """
    from collections import Counter

    shapes = Counter(subject.shape for subject in subjects)
    wanted = {subject.shape for subject in subjects if subject.key in named}
    if len(wanted) > 1:
        raise BadInput("some subjects bind to a target and some do not: ask one kind, such as -s 'binders/*'")
    kind = wanted.pop() if wanted else "" if "" in shapes else max(shapes, key=lambda shape: shapes[shape])
    left = [subject.key for subject in subjects if subject.shape != kind]
    if left:
        why = "they read other cases" if kind else "they bind to a target of their own"
        _say(f"left out, since {why}: {', '.join(left)}")
    return tuple(subject for subject in subjects if subject.shape == kind)


def of_the_checkout(subject: Subject, adapters: Sequence[Adapter]) -> bool:
    """Whether a subject's code is what stands in the working directory, as with packages of Node.js."""
    adapter = next(adapter for adapter in adapters if adapter.name == subject.adapter)
    return (
        (subject.toolchain or adapter.toolchain) == "node" and bool(subject.packages) and not subject.version
    )


def _say(line: str) -> None:
    """What is being built, on stderr."""
    from whichwins.report.safe import plain

    print(plain(line), file=sys.stderr, flush=True)


@contextlib.contextmanager
def observer(
    args: argparse.Namespace, chosen: Fleet, *, digests: bool = True, careful: bool = False
) -> Iterator[Observer]:
    """The workers of a fleet, running; all are gone at the end. `careful`: nothing is asked twice."""
    from whichwins.workers import Limits, WorkerPool

    limits = Limits(case_seconds=args.timeout, memory_mb=args.memory)
    with WorkerPool(
        chosen.subjects, chosen.launches, limits, jobs=args.jobs, careful=careful, digests=digests
    ) as pool:
        yield pool


class Asked(NamedTuple):
    """A run in memory, a line on each required subject that did not live, processor time by subject."""

    view: LedgerView
    lacking: dict[str, str]
    seconds: Mapping[str, float]


def ask(args: argparse.Namespace, chosen: Fleet, corpus: Corpus, what: str) -> Asked:
    """Put the corpus to the fleet; keep the ledger where `--ledger` says."""
    from whichwins.cli.options import Ticker
    from whichwins.run import run_to_view, write_view

    with observer(args, chosen) as watched, Ticker(what) as ticker:
        view = run_to_view(corpus, chosen.subjects, watched, tool=__version__, progress=ticker)
        asked = Asked(view, lacking(chosen, watched), watched.seconds)
    if args.ledger is not None:
        write_view(view, args.ledger)
    return asked


def lacking(chosen: Fleet, watched: Observer) -> dict[str, str]:
    """For each required subject that did not live to the end, a line with what installs it."""
    absent = watched.absent
    lines = {}
    for subject in chosen.subjects:
        if subject.key in chosen.required and (reason := absent.get(subject.key)) is not None:
            # Of a version that was asked for the reason says it: this would install another.
            known = subject.version or not subject.install or subject.install in reason
            remedy = "" if known else f": {subject.install}"
            lines[subject.key] = f"required subject {subject.key} is absent ({reason}){remedy}"
    return lines


def missing(chosen: Fleet, watched: Observer) -> list[str]:
    """The lines alone."""
    return list(lacking(chosen, watched).values())
