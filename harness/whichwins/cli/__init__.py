"""The command line: one module a verb. Parses, calls, sets the exit code; holds no logic."""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import IO, TYPE_CHECKING, NoReturn

from whichwins import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

FOUND, MISUSED, UNMEASURED, INTERRUPTED = 1, 2, 3, 130
"""Exit codes besides 0: a finding; usage or bad input; the measurement failed; Ctrl-C."""

VERBS = {
    "try": ("try_", "put one input to all subjects"),
    "pair": ("pair", "what two subjects read differently"),
    "run": ("run", "ask every subject about every case, write a ledger"),
    "compare": ("compare", "what a ledger says; exit 1 when subjects part"),
    "explain": ("explain", "one case of a ledger: bytes, classes, cause"),
    "report": ("report", "render a ledger; exit 0 whatever it shows"),
    "subjects": ("subjects", "what can be asked, what is absent and how to install it"),
    "corpus": ("corpus", "list, show, export or check the cases"),
    "doctor": ("doctor", "check every adapter"),
    "upgrade": ("upgrade", "what another version, or another library, reads differently"),
    "diff": ("diff", "what one ledger reads differently than another"),
    "check": ("check", "does everything still read what the committed baseline says"),
    "audit": ("audit", "who reads what in a real stack, and how often the tool ran"),
    "init": ("init", "write a configuration, a baseline and a workflow for this project"),
    "env": ("env", "the environments that versions were built into: list, prune, path"),
    "install": ("install", "build what an adapter needs and pip does not bring"),
}
"""Verb -> module here, one line of help. A module is imported when its verb is used."""


class Parser(argparse.ArgumentParser):
    """Errors are one line that names the remedy."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        self.exit(MISUSED, f"{self.prog}: {_plain(message)} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse passes over what cannot be written.
        (file or sys.stderr).write(message)


class _Ended(KeyboardInterrupt):
    """A signal asked the process to end; carries its number."""


def _parser(argv: Sequence[str]) -> Parser:
    parser = Parser(
        prog="whichwins",
        description="Which value reaches which parser: a cross-parser differential test harness for JSON.",
        epilog="Exit codes: 0 as expected, 1 a finding, 2 usage or bad input, 3 the measurement failed.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"whichwins {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    chosen = next((word for word in argv if not word.startswith("-")), None)
    for verb, (module, line) in VERBS.items():
        sub = verbs.add_parser(
            verb, help=line, description=line[0].upper() + line[1:] + ".", allow_abbrev=False
        )
        if verb == chosen:
            importlib.import_module(f"whichwins.cli.{module}").configure(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code. `argv` defaults to the process's arguments."""
    words = list(sys.argv[1:] if argv is None else argv)
    if sys.platform == "win32":
        print("whichwins: Windows is not supported: use WSL, Linux or macOS", file=sys.stderr)
        return MISUSED
    _occupy_closed_streams()
    try:
        with _tidy_ends():
            code = _verb(words)
            with naming_stdout():
                sys.stdout.flush()
    except KeyboardInterrupt as error:
        return _fail(128 + error.args[0] if isinstance(error, _Ended) else INTERRUPTED, "interrupted")
    except BrokenPipeError:
        # The reader of the pipe went away (`| head`): no error of ours, and nothing more to say to it.
        discard(sys.stdout)
        return 128 + 13
    except OSError as error:
        discard(sys.stdout)
        return _fail(UNMEASURED, _plain(_unwritten(error)))
    except Exception as error:
        from whichwins.model.errors import WhichwinsError

        if isinstance(error, WhichwinsError):
            return _fail(error.exit_code, _plain(str(error)))
        # A fault of ours must not look like a finding (Python's own exit status would be 1).
        import traceback

        for line in traceback.format_exc().splitlines():
            print(_plain(line), file=sys.stderr)
        return _fail(UNMEASURED, "internal error: please report the lines above")
    return code


def _verb(words: list[str]) -> int:
    try:
        args = _parser(words).parse_args(words)
    except SystemExit as said:  # help, version, an error that has been said
        return int(said.code or 0)
    code: int = importlib.import_module(f"whichwins.cli.{VERBS[args.verb][0]}").run(args)
    return code


def _plain(text: str) -> str:
    from whichwins.report.safe import plain

    return plain(text)


def _fail(code: int, line: str) -> int:
    try:
        sys.stdout.flush()
    except OSError:
        discard(sys.stdout)
    with contextlib.suppress(OSError):
        print(f"whichwins: {line}", file=sys.stderr, flush=True)
    return code


@contextlib.contextmanager
def _tidy_ends() -> Iterator[None]:
    """On SIGTERM and SIGHUP leave as on Ctrl-C: workers killed, nothing half-written.

    The first one ends; those that follow do not cut short what it clears away.
    """
    ends = [
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN  # as under nohup
    ]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in ends:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else _Ended(number)

    try:
        before = {number: signal.signal(number, end) for number in ends}
    except ValueError:  # not the main thread: whoever called us sees to signals
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _occupy_closed_streams() -> None:
    """Keep what is opened later from getting the number of a closed stream; writing to it has to fail."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # the lowest free number: this one
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


STDOUT = "stdout"
"""The name of the file in errors of writing there."""


@contextlib.contextmanager
def naming_stdout() -> Iterator[None]:
    """Around what writes to stdout: an error says that it is there that nothing more can be written."""
    try:
        yield
    except BrokenPipeError:  # nobody wants more: no error
        raise
    except OSError as error:
        error.filename = STDOUT
        raise


def _unwritten(error: OSError) -> str:
    place = "" if error.filename is None else f"{error.filename}: "
    if error.filename != STDOUT:
        return f"{place}{error.strerror or error}"
    if error.errno == errno.EBADF:
        return f"{place}is closed: send it somewhere, such as > FILE"
    room = "make room, or send it elsewhere, such as > FILE"
    return f"{place}cannot be written to its end ({error.strerror}): {room}"


def discard(stream: IO[str]) -> None:
    """Let the interpreter flush at its end what could not be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
