"""`whichwins explain`: one case of a ledger."""

from __future__ import annotations

import argparse

from whichwins.cli import options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    options.add_ledger(parser)
    parser.add_argument("case", help="its id, such as repeated-conflicting/quantity-2-20")
    options.add_lens(parser)
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Explain; 0 whatever it shows."""
    from whichwins.analysis import explain
    from whichwins.report import explanation_report
    from whichwins.run import read_ledger

    options.require_apart([args.output], [args.ledger])
    view = read_ledger(args.ledger)
    with options.analysed(args.ledger):
        result = explain(view, args.case, args.lens)
    options.put(
        explanation_report(result, view.header["subjects"], args.format, options.width()), args.output
    )
    return 0
