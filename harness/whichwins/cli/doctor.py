"""`whichwins doctor`: is every adapter in order; exit 1 on a finding."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from whichwins.cli import FOUND, fleet, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    options.add_fleet(parser)
    options.add_output(parser)
    options.add_exit_zero(parser)
    parser.add_argument("--all", action="store_true", help="also list what parsers read in their own way")


def run(args: argparse.Namespace) -> int:
    """Examine, render, say whether all is well. With --adapters and no --subject: those adapters only."""
    from whichwins.model import MeasurementFailed
    from whichwins.report import health_report
    from whichwins.run.doctor import examine
    from whichwins.workers import Limits

    chosen = fleet.choose(args, args.subject or _patterns(args))
    required = chosen.required
    if not args.subject:
        required = frozenset(subject.key for subject in chosen.subjects if subject.required)
    limits = Limits(case_seconds=args.timeout, memory_mb=args.memory)
    ticker = options.Ticker("examined", "subjects")
    checkups = examine(chosen.subjects, chosen.launches, limits, ticker, args.jobs)
    ticker.done()
    code = FOUND if not args.exit_zero and not all(checkup.healthy for checkup in checkups) else 0
    options.put(
        health_report(chosen.subjects, checkups, args.format, options.width(), everything=args.all),
        args.output,
    )
    absent = {checkup.subject: checkup.absent for checkup in checkups if checkup.absent is not None}
    if len(absent) == len(checkups):
        raise MeasurementFailed("no subject could be examined: all are absent (see `whichwins subjects`)")
    lacking = [
        f"required subject {key} is absent ({absent[key]})" for key in sorted(required & absent.keys())
    ]
    return options.settle(code, lacking)


def _patterns(args: argparse.Namespace) -> Sequence[str]:
    """Every subject of the adapters that the user named; without any, every subject there is."""
    if not args.adapters:
        return ["*"]
    from whichwins.subjects import load_adapters

    known = {adapter.name for adapter in load_adapters()}
    return [f"{a.name}/*" for a in load_adapters(args.adapters) if a.name not in known]
