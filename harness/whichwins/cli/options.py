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

from whichwins.cli import UNMEASURED, naming_stdout
from whichwins.model.errors import BadInput

FORMATS = ("text", "markdown", "json")
LENS = "value/1"
CASE_SECONDS = 10.0
MEMORY_MB = 2048


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


def given(text: str) -> str:
    """Any text but an empty one: that is a variable that was not set, and would mean the default."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty: give a value, or leave the flag out")
    return text


def given_path(text: str) -> Path:
    """A path that is not empty."""
    return Path(given(text))


def output(text: str) -> Path | None:
    """Where to write; `-` is standard output, as None."""
    return None if text in ("-", "/dev/stdout") else Path(text)


def ledger(text: str) -> Path:
    """A ledger to read; `-` is standard input."""
    return Path("/dev/stdin" if text == "-" else text)


def lens(text: str) -> str:
    """A lens that there is: known before anything is read or anybody is asked."""
    if text != LENS:  # else the analysis would be loaded for every verb
        from whichwins.analysis.lens import lens as known

        try:
            known(text)
        except BadInput as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return text


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
        "--python",
        metavar="PATH",
        type=given,
        help="the interpreter whose libraries to test (default: this one)",
    )


def add_fleet(
    parser: argparse.ArgumentParser, *, subjects: bool = True, otherwise: str = "the default set"
) -> None:
    """Which subjects, and how they are started."""
    if subjects:
        parser.add_argument(
            "-s",
            "--subject",
            metavar="KEY",
            action="append",
            default=[],
            help=f"ask this one: a key, a glob, KEY@VERSION; repeatable (default: {otherwise})",
        )
    add_adapters(parser)
    add_sources(parser)
    parser.add_argument(
        "--jobs", metavar="N", type=positive, help="workers at work at once (default: processors)"
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        default=CASE_SECONDS,
        help="wall time a case (default: 10)",
    )
    parser.add_argument(
        "--memory", metavar="MIB", type=mebibytes, default=MEMORY_MB, help="memory a worker (default: 2048)"
    )


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Where versions that are asked for come from: --index, --constraints, --allow-build."""
    parser.add_argument(
        "--index", metavar="URL", type=given, help="the package index for KEY@VERSION (default: yours)"
    )
    parser.add_argument(
        "--constraints", metavar="FILE", type=given_path, help="a pip constraints file for KEY@VERSION"
    )
    parser.add_argument(
        "--allow-build", action="store_true", help="let KEY@VERSION build from source, which runs its code"
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
    add_corpus_filter(parser)


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """The ledger to read."""
    parser.add_argument(
        "ledger",
        type=ledger,
        help="what `run` wrote; - is stdin",
    )


def add_lens(parser: argparse.ArgumentParser) -> None:
    """--lens."""
    parser.add_argument(
        "--lens",
        type=lens,
        default=LENS,
        help="what equal means: exact/1, value/1 (default) or binary64/1",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """--format, -o."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=output, help="write there instead of to stdout"
    )


def add_outputs(
    parser: argparse.ArgumentParser, formats: Sequence[str], default: str | None, said: str
) -> None:
    """--format, -o as often as one likes, --all."""
    parser.add_argument("--format", choices=formats, default=default, help=said)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=output,
        action="append",
        help="write there, - is stdout; repeatable, one result for all",
    )
    parser.add_argument(
        "--all", action="store_true", help="text on stdout: everything, as in a file, instead of a digest"
    )


def add_corpus_filter(parser: argparse.ArgumentParser) -> None:
    """--filter."""
    parser.add_argument(
        "-f",
        "--filter",
        metavar="GLOB",
        action="append",
        default=[],
        help="only the cases whose id or family matches; repeatable",
    )


def add_exit_zero(parser: argparse.ArgumentParser) -> None:
    """--exit-zero."""
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 also on a finding")


def add_digest_key(parser: argparse.ArgumentParser) -> None:
    """--digest-key."""
    parser.add_argument(
        "--digest-key", metavar="HEX", help="the key of those digests (default: a fresh one, printed once)"
    )


def digest_key(args: argparse.Namespace, *, wanted: bool, flag: str) -> bytes | None:
    """The key that is given, or a fresh one, told on stderr; None where none is `wanted` (by `flag`)."""
    if not wanted:
        if args.digest_key is not None:
            raise BadInput(f"--digest-key goes with {flag}: add it, or leave the key out")
        return None
    if args.digest_key is None:
        import secrets

        key = secrets.token_bytes(32)
        print(f"digest key (kept nowhere else): {key.hex()}", file=sys.stderr)
        return key
    try:
        key = bytes.fromhex(args.digest_key)
    except ValueError:
        key = b""
    if len(key) < 16:
        raise BadInput("--digest-key: give at least 16 bytes in hex")
    return key


def require_apart(outputs: Sequence[Path | None], inputs: Sequence[Path] = ()) -> None:
    """Refuse outputs that would overwrite an input, or each other, before any work. None is stdout.

    A device or a pipe may be written twice.
    """
    files = [path for path in outputs if path is not None]
    read = {path.resolve() for path in inputs}
    seen: set[Path] = set()
    for path in files:
        real = path.resolve()
        if real in read:
            raise BadInput(f"-o {path}: is read by this command, and would be overwritten: name another file")
        if real in seen and (real.is_file() or not real.exists()):
            raise BadInput(f"-o {path}: is written twice: name two files")
        seen.add(real)


def require_writable(outputs: Sequence[Path | None]) -> None:
    """Refuse outputs that cannot be written before any work is done and could be lost."""
    from whichwins.run import probe_file

    for path in outputs:
        if path is not None:
            probe_file(path)


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
        with naming_stdout():
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
