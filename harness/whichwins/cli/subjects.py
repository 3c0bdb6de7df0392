"""`whichwins subjects`: what can be asked, what is absent and how to install it."""

from __future__ import annotations

import argparse

from whichwins.cli import fleet, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    options.add_fleet(parser)
    options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Start every subject, tell what each turned out to be."""
    from whichwins.report import subjects_report
    from whichwins.run.execute import declared

    chosen = fleet.choose(args, args.subject or ["*"])
    with fleet.observer(args, chosen) as watched:
        known = declared(chosen.subjects, watched)
    options.put(subjects_report(chosen.subjects, known, args.format, options.width()), args.output)
    return 0
