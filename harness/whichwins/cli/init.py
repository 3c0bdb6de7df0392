"""`whichwins init`: configuration, baseline and workflow for the project in the working directory."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins.cli import fleet, options

if TYPE_CHECKING:
    from whichwins.init import Plan


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--force", action="store_true", help="replace whichwins.toml, whichwins.lock and the workflow"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    options.add_fleet(parser, subjects=False)
    options.add_lens(parser)
    parser.set_defaults(ledger=None)


def run(args: argparse.Namespace) -> int:
    """Look, propose, run once, write all files or none."""
    import io

    from whichwins.analysis.baseline import write as write_baseline
    from whichwins.corpus import load
    from whichwins.init import (
        other_environment,
        other_versions,
        places,
        plan,
        refuse_existing,
        toolchains,
        write,
    )
    from whichwins.model import MeasurementFailed
    from whichwins.report.safe import plain
    from whichwins.run.execute import declared
    from whichwins.subjects import load_adapters

    folder = Path()
    refuse_existing(places(folder), force=args.force or args.dry_run)  # before the work
    adapters = load_adapters(args.adapters)
    every = fleet.choose(args, [f"{each.name}/*" for each in adapters if not each.boundaries])
    with fleet.observer(args, every, digests=False) as watched:
        known = declared(every.subjects, watched)
    absent = {key: each.get("absent") for key, each in known.items()}
    installed = {
        name: version for each in known.values() for name, version in each.get("libraries", {}).items()
    }
    planned = plan(
        folder,
        adapters,
        absent,
        toolchains({key: str(each.get("runtime", "")) for key, each in known.items()}),
        own=args.adapters,
        installed=installed,
    )
    asked_here = {key: known[key] for key in planned.subjects}
    notes = list(other_versions(folder, adapters, asked_here))
    if args.python is None and (said := other_environment(folder, os.environ)):
        notes.insert(0, said)
    for line in _lines(planned, notes):
        print(plain(line))
    if not planned.subjects:
        raise MeasurementFailed(
            "none of what this project reads JSON with can be asked here, so there is no baseline to make: "
            "install it, or name its interpreter with --python"
        )
    if args.dry_run:
        print(f"would write {', '.join(path.as_posix() for path in places(folder))}")
        return 0
    asked = fleet.ask(args, fleet.choose(args, planned.subjects), load(None), "init")
    if asked.lacking:
        return options.settle(0, list(asked.lacking.values()))
    baseline = io.StringIO()
    write_baseline(asked.view, args.lens, baseline)
    write([*planned.files, (planned.baseline, baseline.getvalue())], force=args.force)
    print(f"wrote {', '.join(path.as_posix() for path in places(folder))}: look at them, commit them")
    return 0


def _lines(planned: Plan, notes: Sequence[str]) -> list[str]:
    said = [f"{each.subject}: {each.why}" for each in planned.proposals if each.absent is None]
    return [*said, *(f"note: {note}" for note in (*planned.notes, *notes))]
