"""`whichwins pair A B`: what these two read differently."""

from __future__ import annotations

import argparse

from whichwins import __version__
from whichwins.cli import FOUND, fleet, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("preview", metavar="A", help="a subject: what the reviewer's side reads with")
    parser.add_argument("executor", metavar="B", help="a subject: what the executor reads with")
    options.add_corpus(parser)
    options.add_fleet(parser, subjects=False)
    options.add_lens(parser)
    options.add_output(parser)
    options.add_exit_zero(parser)
    parser.add_argument("--all", action="store_true", help="list every case")


def run(args: argparse.Namespace) -> int:
    """Run both over the corpus; 1 when they part."""
    from whichwins.analysis import pair
    from whichwins.corpus import load, select
    from whichwins.model import BadInput
    from whichwins.report import pair_report
    from whichwins.run import run_to_view

    if args.preview == args.executor:
        raise BadInput(f"{args.preview} twice: name two different subjects")
    chosen = fleet.choose(args, [args.preview, args.executor])
    if {subject.key for subject in chosen.subjects} != {args.preview, args.executor}:
        raise BadInput(f"{args.preview} {args.executor}: name two subjects, without patterns")
    if len(chosen.shapes) > 1:
        raise BadInput(f"{args.preview} and {args.executor} read no case in common: one binds to a target")
    corpus = select(load(args.corpus or None, args.name, shapes=chosen.shapes), args.filter)
    with fleet.observer(args, chosen, digests=False) as watched, options.Ticker("pair") as ticker:
        view = run_to_view(corpus, chosen.subjects, watched, tool=__version__, progress=ticker)
        lacking = fleet.missing(chosen, watched)
    result = pair(view, args.preview, args.executor, args.lens)
    code = FOUND if result.cases and not args.exit_zero else 0
    options.put(pair_report(result, args.format, options.width(), everything=args.all), args.output)
    return options.settle(code, lacking)
