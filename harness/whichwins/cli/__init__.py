"""The command line: one module a verb. Parses, calls, sets the exit code; holds no logic."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from whichwins import __version__

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
    "install": ("install", "build what an adapter needs and pip does not bring"),
}
"""Verb -> module here, one line of help. A module is imported when its verb is used."""


class Parser(argparse.ArgumentParser):
    """Errors are one line that names the remedy."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        self.exit(MISUSED, f"{self.prog}: {message} (see {self.prog} --help)\n")


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
    try:
        args = _parser(words).parse_args(words)
        code: int = importlib.import_module(f"whichwins.cli.{VERBS[args.verb][0]}").run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("whichwins: interrupted; nothing was written", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe went away (`| head`): no error of ours, and nothing more to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    except OSError as error:
        # A full disk behind stdout, for one.
        print(f"whichwins: {error.strerror or error}", file=sys.stderr)
        return UNMEASURED
    except Exception as error:
        from whichwins.model.errors import WhichwinsError  # late: most of the time nothing goes wrong

        if isinstance(error, WhichwinsError):
            from whichwins.report.safe import plain

            print(f"whichwins: {plain(str(error))}", file=sys.stderr)
            return error.exit_code
        # A fault of ours must not look like a finding (Python's own exit status would be 1).
        import traceback

        traceback.print_exc()
        print("whichwins: internal error: please report the lines above", file=sys.stderr)
        return UNMEASURED
    return code
