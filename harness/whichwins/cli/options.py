"""Options that several verbs share, and what they become."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins.cli import UNMEASURED
from whichwins.model import BadInput, Subject
from whichwins.provision import Absent, launch, probe
from whichwins.report.safe import plain
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits, Observer, WorkerPool

FORMATS = ("text", "markdown", "json")


def positive(text: str) -> int:
    """A whole number, at least 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!a} is not a whole number of at least 1")
    return value


def seconds(text: str) -> float:
    """A number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!a} is not a number of seconds above 0")
    return value


def add_adapters(parser: argparse.ArgumentParser) -> None:
    """--adapters, --python."""
    parser.add_argument(
        "--adapters",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder of your own adapters (it names code that runs: trust it like a Makefile); repeatable",
    )
    parser.add_argument(
        "--python", metavar="PATH", help="the interpreter whose libraries to test (default: this one)"
    )


def add_fleet(parser: argparse.ArgumentParser, *, subjects: bool = True) -> None:
    """Which subjects, and how they are started."""
    if subjects:
        parser.add_argument(
            "-s",
            "--subject",
            metavar="KEY",
            action="append",
            default=[],
            help="ask this one (a key or a glob, repeatable; default: the default set)",
        )
    add_adapters(parser)
    parser.add_argument(
        "--jobs", metavar="N", type=positive, help="workers at work at once (default: processors)"
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, default=10.0, help="wall time a case (default: 10)"
    )
    parser.add_argument(
        "--memory", metavar="MIB", type=positive, default=2048, help="memory a worker (default: 2048)"
    )


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Which cases."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="*",
        help="TOML families, a folder of raw files, JSON Lines (default: the built-in corpus)",
    )
    parser.add_argument("--name", help="the name of the corpus, first part of foreign ids")
    parser.add_argument(
        "-f",
        "--filter",
        metavar="GLOB",
        action="append",
        default=[],
        help="only the cases whose id or family matches; repeatable",
    )


def add_lens(parser: argparse.ArgumentParser) -> None:
    """--lens."""
    parser.add_argument(
        "--lens",
        default="value/1",
        help="what equal means: exact/1, value/1 (default) or binary64/1",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """--format, -o."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write there instead of to stdout")


def add_exit_zero(parser: argparse.ArgumentParser) -> None:
    """--exit-zero."""
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 also on a finding")


class Fleet(NamedTuple):
    """The subjects asked for, how to start each, and which of them must live."""

    subjects: tuple[Subject, ...]
    launches: dict[str, Launch | str]
    required: frozenset[str]


def fleet(args: argparse.Namespace, keys: Sequence[str]) -> Fleet:
    """Resolve keys (none: the default set) to subjects and launches."""
    adapters = load_adapters(args.adapters)
    subjects = select(adapters, keys)
    runtimes = probe(args.python)
    launches: dict[str, Launch | str] = {}
    for subject in subjects:
        found = launch(subject, adapters, runtimes, args.memory)
        launches[subject.key] = f"{found.reason}: {found.install}" if isinstance(found, Absent) else found
    named = {key for key in keys if not any(sign in key for sign in "*?[")}
    required = named if keys else {subject.key for subject in subjects if subject.required}
    return Fleet(subjects, launches, frozenset(required))


@contextlib.contextmanager
def observer(args: argparse.Namespace, chosen: Fleet, *, digests: bool = True) -> Iterator[Observer]:
    """The workers of a fleet, running; all are gone at the end."""
    limits = Limits(case_seconds=args.timeout, memory_mb=args.memory)
    with WorkerPool(chosen.subjects, chosen.launches, limits, jobs=args.jobs, digests=digests) as pool:
        yield pool


def missing(chosen: Fleet, watched: Observer) -> list[str]:
    """One line for each required subject that did not live to the end, with what installs it."""
    absent = watched.absent
    lines = []
    for subject in chosen.subjects:
        if subject.key in chosen.required and (reason := absent.get(subject.key)) is not None:
            remedy = "" if not subject.install or subject.install in reason else f": {subject.install}"
            lines.append(f"required subject {subject.key} is absent ({reason}){remedy}")
    return lines


def settle(code: int, lacking: Sequence[str]) -> int:
    """The exit code: a measurement that failed comes before a finding. Says what is lacking."""
    for line in lacking:
        print(f"whichwins: {plain(line)}", file=sys.stderr)
    return UNMEASURED if lacking else code


def width() -> int:
    """Columns of the terminal; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def put(text: str, output: Path | None) -> None:
    """Write a report to a file, whole or not at all, or to stdout."""
    if output is None:
        sys.stdout.write(text)
        return
    from whichwins.run import whole_file

    with whole_file(output) as stream:
        stream.write(text)


class Ticker:
    """Progress on stderr, from the second second on; silent where nobody looks."""

    def __init__(self, what: str, unit: str = "cases") -> None:
        import time

        self._what = what
        self._unit = unit
        self._clock: Callable[[], float] = time.monotonic
        self._next = self._clock() + 1.0
        self._shown = False
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, done: int, total: int) -> None:
        """Say how far it is, at most five times a second on a terminal, every ten seconds elsewhere."""
        now = self._clock()
        if now < self._next and not (self._shown and done == total):
            return
        self._next = now + (0.2 if self._terminal else 10.0)
        line = f"{self._what}: {done:,} of {total:,} {self._unit}"
        if self._terminal:
            sys.stderr.write(f"\r{line}" + ("\n" if done == total else ""))
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
        self._shown = done != total

    def done(self) -> None:
        """Leave the terminal on a line of its own."""
        if self._shown and self._terminal:
            sys.stderr.write("\n")


def read_input(path: Path | None, limit: int = 256 * 1024 * 1024) -> bytes:
    """Bytes of a file, or of stdin for None. Raises BadInput when there are none to read."""
    try:
        if path is None:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with path.open("rb") as stream:
                data = stream.read(limit + 1)
    except OSError as error:
        raise BadInput(f"{path or 'stdin'}: cannot be read ({error.strerror})") from None
    if len(data) > limit:
        raise BadInput(f"{path or 'stdin'}: more than {limit} bytes: give a smaller input")
    return data
