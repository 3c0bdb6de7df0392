"""`whichwins compare`: what a ledger says; exit 1 when subjects part."""

from __future__ import annotations

import argparse
from pathlib import Path

from whichwins.cli import FOUND, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("ledger", type=Path)
    parser.add_argument(
        "-s", "--subject", metavar="KEY", action="append", default=[], help="only these (a key or a glob)"
    )
    options.add_lens(parser)
    options.add_output(parser)
    options.add_exit_zero(parser)
    parser.add_argument("--all", action="store_true", help="text: cut no list")


def run(args: argparse.Namespace) -> int:
    """Compare and render; the exit code is known before anything is rendered."""
    return render(args, finding=FOUND)


def render(args: argparse.Namespace, finding: int) -> int:
    """Render the comparison of a ledger; `finding` is the exit code of a split."""
    from whichwins.analysis import compare
    from whichwins.report import comparison_report
    from whichwins.run import read_ledger

    result = compare(read_ledger(args.ledger), args.lens, args.subject or None)
    code = finding if result.summary.split and not args.exit_zero else 0
    options.put(comparison_report(result, args.format, options.width(), everything=args.all), args.output)
    return code
