"""Options that several verbs share, and what they become."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from whichwins.cli import UNMEASURED
from whichwins.model.errors import BadInput

if TYPE_CHECKING:  # verbs that only read a ledger start nothing
    from whichwins.model import Subject
    from whichwins.workers import Launch, Observer

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


def mebibytes(text: str) -> int:
    """A whole number of MiB, at most a pebibyte."""
    value = positive(text)
    if value > 1 << 30:
        raise argparse.ArgumentTypeError(f"{text[:40]!a} is more MiB than a machine has")
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


def output(text: str) -> Path | None:
    """Where to write; `-` is standard output, as None."""
    return None if text in ("-", "/dev/stdout") else Path(text)


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
        "--memory", metavar="MIB", type=mebibytes, default=2048, help="memory a worker (default: 2048)"
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


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """The ledger to read."""
    parser.add_argument(
        "ledger",
        type=lambda text: Path("/dev/stdin" if text == "-" else text),
        help="what `run` wrote; - is stdin",
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
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=output, help="write there instead of to stdout"
    )


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
    from whichwins.provision import Absent, launch, probe
    from whichwins.subjects import load_adapters, select

    adapters = load_adapters(args.adapters)
    subjects = select(adapters, keys)
    runtimes = probe(args.python)
    launches: dict[str, Launch | str] = {}
    for subject in subjects:
        found = launch(subject, adapters, runtimes, args.memory)
        if isinstance(found, Absent):
            launches[subject.key] = f"{found.reason}: {found.install}" if found.install else found.reason
        else:
            launches[subject.key] = found
    # Of a pattern no subject in particular has to live.
    required = frozenset(keys) if keys else frozenset(s.key for s in subjects if s.required)
    return Fleet(subjects, launches, required)


@contextlib.contextmanager
def observer(args: argparse.Namespace, chosen: Fleet, *, digests: bool = True) -> Iterator[Observer]:
    """The workers of a fleet, running; all are gone at the end."""
    from whichwins.workers import Limits, WorkerPool

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
    from whichwins.report.safe import plain

    for line in lacking:
        print(f"whichwins: {plain(line)}", file=sys.stderr)
    return UNMEASURED if lacking else code


@contextlib.contextmanager
def analysed(ledger: Path) -> Iterator[None]:
    """Around an analysis of a ledger: a value that turns out to be none is the ledger's fault."""
    from whichwins.notation import NotationError

    try:
        yield
    except NotationError as error:
        raise BadInput(
            f"{ledger}: a value is not in the notation ({error}): make the ledger again with `run`"
        ) from None


def width() -> int:
    """Columns of the terminal; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def put(text: str, path: Path | None) -> None:
    """Write a report to a file, whole or not at all, or to stdout."""
    if path is None:
        sys.stdout.write(text)
        return
    from whichwins.run import whole_file

    with whole_file(path) as stream:
        stream.write(text)


class Ticker:
    """Progress on stderr: on a terminal from the second second on, elsewhere a line every ten seconds.

    As a context manager it leaves the terminal on a line of its own, whatever happened.
    """

    def __init__(self, what: str, unit: str = "cases") -> None:
        self._what = what
        self._unit = unit
        self._open = False
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + (1.0 if self._terminal else 10.0)

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    def __call__(self, done: int, total: int) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.2 if self._terminal else 10.0)
        line = f"{self._what}: {done:,} of {total:,} {self._unit}"
        sys.stderr.write(f"\r{line}" if self._terminal else line + "\n")
        sys.stderr.flush()
        self._open = self._terminal

    def done(self) -> None:
        """Take the line of progress away."""
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()


def read_input(path: Path | None, limit: int = 16 * 1024 * 1024) -> bytes:
    """Bytes of a file, or of stdin for None. Raises BadInput when there are none to read."""
    try:
        if path is not None:
            with path.open("rb") as stream:
                data = stream.read(limit + 1)
        elif sys.stdin is None:
            raise BadInput("stdin is closed: give the text itself, --file or --hex")
        else:
            data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise BadInput(f"{path or 'stdin'}: cannot be read ({error.strerror}): name a file") from None
    if len(data) > limit:
        raise BadInput(f"{path or 'stdin'}: more than {limit} bytes: give a smaller input")
    return data
