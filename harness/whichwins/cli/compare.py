"""`whichwins compare`: what a ledger says; exit 1 when subjects part."""

from __future__ import annotations

import argparse

from whichwins.cli import FOUND, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    arguments(parser)
    options.add_exit_zero(parser)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `compare` and `report` share."""
    options.add_ledger(parser)
    parser.add_argument(
        "-s", "--subject", metavar="KEY", action="append", default=[], help="only these (a key or a glob)"
    )
    options.add_lens(parser)
    options.add_output(parser)
    parser.add_argument("--all", action="store_true", help="text: cut no list, list every split case")


def run(args: argparse.Namespace) -> int:
    """Compare and render; the exit code is known before anything is rendered."""
    return render(args, finding=0 if args.exit_zero else FOUND)


def render(args: argparse.Namespace, finding: int) -> int:
    """Render the comparison of a ledger; `finding` is the exit code of a split."""
    from whichwins.analysis import compare
    from whichwins.report import comparison_report
    from whichwins.run import read_ledger

    view = read_ledger(args.ledger)
    with options.analysed(args.ledger):
        result = compare(view, args.lens, args.subject or None)
    code = finding if result.summary.split else 0
    options.put(comparison_report(result, args.format, options.width(), everything=args.all), args.output)
    return code
