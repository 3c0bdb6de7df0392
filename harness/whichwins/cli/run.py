"""`whichwins run`: ask every subject about every case, write a ledger."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins import __version__
from whichwins.cli import fleet, options
from whichwins.model.errors import BadInput

if TYPE_CHECKING:
    from whichwins.run import RunResult, Withheld


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    options.add_corpus(parser)
    options.add_fleet(parser)
    parser.add_argument(
        "--all", action="store_true", help="every subject that is ready here; says which are absent, and why"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=options.output,
        default=Path("ledger.jsonl"),
        help="the ledger (default: ledger.jsonl; - is stdout)",
    )
    parser.add_argument("--no-twins", action="store_true", help="do not add the twins of repeated names")
    parser.add_argument(
        "--compact", action="store_true", help="a smaller ledger: what is equal stands in it once"
    )
    parser.add_argument(
        "--no-content", action="store_true", help="leave inputs and values out: keyed digests only"
    )
    options.add_digest_key(parser)


def withheld(args: argparse.Namespace) -> Withheld | None:
    """What --no-content and --digest-key ask for."""
    key = options.digest_key(args, wanted=args.no_content, flag="--no-content")
    if key is None:
        return None
    from whichwins.analysis.lens import lens  # all of the analysis comes with it
    from whichwins.run import Withheld

    return Withheld(key, lens("value/1"))


def run(args: argparse.Namespace) -> int:
    """Run; 0 when the measurement is complete, whatever it shows."""
    from whichwins.corpus import load, select
    from whichwins.run import run_to_ledger

    if args.all and args.subject:
        raise BadInput("--all is every subject: leave it out, or leave out --subject")
    options.require_apart([args.output], args.corpus)
    chosen = fleet.choose(args, ["*"] if args.all else args.subject)
    corpus = select(load(args.corpus or None, args.name, shapes=chosen.shapes), args.filter)
    keyed = withheld(args)
    with fleet.observer(args, chosen) as watched, options.Ticker("run") as ticker:
        result = run_to_ledger(
            corpus,
            chosen.subjects,
            watched,
            args.output,
            tool=__version__,
            twins=not args.no_twins,
            withheld=keyed,
            compact=args.compact,
            progress=ticker,
        )
        lacking = fleet.missing(chosen, watched)
    # A ledger on stdout stands alone there.
    print(said(result, len(chosen.subjects), args.output), file=sys.stdout if args.output else sys.stderr)
    return options.settle(0, lacking)


def said(result: RunResult, subjects: int, path: Path | None) -> str:
    """The run in three lines."""
    from whichwins.report.safe import plain

    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(result.by_outcome.items()))
    lines = [
        f"cases {result.cases:,}, twins {result.twins:,}, subjects {subjects - len(result.absent)} of "
        f"{subjects}: {counts}"
    ]
    lines += [f"absent: {key}: {plain(reason, 300)}" for key, reason in sorted(result.absent.items())]
    lines.append(f"ledger: {plain(str(path or 'stdout'))}")
    return "\n".join(lines)
