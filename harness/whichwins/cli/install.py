"""`whichwins install`: build what an adapter needs and pip does not bring."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from whichwins.cli import options
from whichwins.model.errors import BadInput, MeasurementFailed

_ABOUT = {
    "ruby": "CRuby as WebAssembly, from npm",
    "go": "parsers in Go",
    "c": "parsers in C and C++, those whose libraries are installed",
    "rust": "parsers in Rust",
    "java": "parsers in Java",
}


WHAT = tuple(_ABOUT)
"""What can be built."""


def _what(text: str) -> str:
    if text not in WHAT:
        raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(WHAT)})")
    return text


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    about = "; ".join(f"{name}: {said}" for name, said in _ABOUT.items())
    parser.add_argument("what", nargs="*", type=_what, metavar="WHAT", help=f"{about}; into the cache")
    parser.add_argument("--all", action="store_true", help="everything that can be built")


def run(args: argparse.Namespace) -> int:
    """Build once; a second time does nothing. What cannot be built does not keep the rest from it."""
    from whichwins.report.safe import plain

    wanted = WHAT if args.all else tuple(dict.fromkeys(args.what))
    if not wanted:
        raise BadInput(f"name what to build ({', '.join(WHAT)}), or --all")
    failed = []
    for name in wanted:
        try:
            print(f"{name}: {plain(str(_build(name)))}", flush=True)
        except MeasurementFailed as error:
            failed.append(str(error) if len(wanted) == 1 else f"{name}: {error}")
    return options.settle(0, failed)


def _build(name: str) -> Path:
    from whichwins import provision

    if name == "ruby":
        return provision.build_ruby_wasm(_say)
    return provision.build_compiled(name, os.environ, _say)


def _say(line: str) -> None:
    """What is being built, on stderr."""
    from whichwins.report.safe import plain

    print(plain(line), file=sys.stderr, flush=True)
