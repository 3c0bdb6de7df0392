"""`whichwins check`: does everything still read what the baseline says."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins.cli import fleet, gates, options, updating
from whichwins.model import BadInput, MeasurementFailed, Place, base_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whichwins.config import Config
    from whichwins.model import Adapter
    from whichwins.run import LedgerView
    from whichwins.run.baseline import Baseline


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "run",
        metavar="LEDGER",
        nargs="?",
        type=options.ledger,
        help="a run to check, - is stdin; without it whichwins runs what the configuration names",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", type=Path, help="the committed observations (default: whichwins.lock)"
    )
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    gates.add_corpus(parser, narrow=False)
    gates.add_config(parser)
    options.add_fleet(parser, otherwise="those of the configuration, else of the baseline")
    gates.add_lens(parser)
    gates.add_output(parser)
    parser.add_argument("--ledger", metavar="FILE", type=Path, help="keep the run there, for `explain`")


def run(args: argparse.Namespace) -> int:
    """Run, hold against the baseline; 1 on anything that no exception covers."""
    from whichwins.analysis.baseline import check
    from whichwins.analysis.gate import judge
    from whichwins.subjects import load_adapters

    if args.run is not None and (args.subject or args.ledger):
        said = f"-s {args.subject[0]}" if args.subject else f"--ledger {args.ledger}"
        raise BadInput(f"{said}: {args.run} is checked as it is, and nobody asked: leave one out")
    if args.update:
        updating.refuse_reports(args)
    config = gates.configuration(args)
    path = args.baseline or config.baseline
    gates.require_apart(args, config, [path, *([args.run] if args.run is not None else [])])
    there = updating.before(path) if args.update else _before(path)
    if there.baseline is not None and not args.update:
        _require_lens(args, config, there.baseline, path)
    if config.lens is None:
        args.lens = args.lens or there.lens
    gates.take(args, config)
    named = args.subject or [key for key, _ in config.subjects] or there.subjects
    if args.run is None and not named:
        raise BadInput("no subjects: name them with -s, or in whichwins.toml (`whichwins init` proposes one)")
    if args.untrusted and not args.subject:
        _refuse_code(named, path)
    with gates.of_configuration(config, subjects=not args.subject):
        view, lacking = _view(args, config, named)
    if lacking:
        return options.settle(0, lacking)
    before = there.baseline
    if before is None or args.update:
        print(updating.update(view, args.lens, path, there, narrowed=bool(args.subject)))
        return 0
    if args.subject:
        before = _narrow(before, view)
        if not before.subjects:
            said = ", ".join(args.subject)
            raise MeasurementFailed(f"{said}: not in {path}, so nothing was compared: --update adds it")
    adapters = load_adapters(args.adapters)
    notes = [] if args.run is not None else _surroundings(args, config, adapters, view)
    found = check(before, view, keeps=gates.keeps(adapters), notes=notes)
    places = {base_of(key): place for key, place in config.subjects}
    whole = not args.subject  # an exception for another subject is not unused because -s left that out
    home = Place(str(path), 1)
    gate = judge(
        "check", path.name, found, config.allow, gates.today(), demand_use=whole, places=places, home=home
    )
    return gates.finish(args, gate)


def _refuse_code(named: Sequence[str], path: Path) -> None:
    """A baseline that is not trusted names subjects where no configuration does: none of them is a place."""
    from whichwins.config import names_code

    for key in named:
        if names_code(key):
            raise BadInput(
                f"{path}: the subject {key} names a package by its place, and the file is not trusted"
            )


def _before(path: Path) -> updating.Before:
    """The baseline to check against."""
    from whichwins.run import baseline

    found = baseline.read(path)
    return updating.Before(found, "", found.lens, found.subjects)


def _require_lens(args: argparse.Namespace, config: Config, before: Baseline, path: Path) -> None:
    """A baseline is held against under its own lens: another one is a mistake."""
    wanted = args.lens or config.lens
    if wanted in (None, before.lens):
        return
    said = f"--lens {wanted}"
    if args.lens is None and (place := config.places.get("lens")) is not None:
        said = f"{place.file}:{place.line}: lens {wanted}"
    raise BadInput(f"{said}: {path} is under {before.lens}: leave it out, or add --update")


def _surroundings(
    args: argparse.Namespace, config: Config, adapters: Sequence[Adapter], view: LedgerView
) -> list[str]:
    """Notes on what was asked that is not what the project runs on."""
    from whichwins.init import other_environment, other_versions

    installed = {key: view.identity(key) for key in view.subjects if "@" not in key}
    notes = list(other_versions(config.folder, adapters, installed))
    if installed and args.python is None and (said := other_environment(config.folder, os.environ)):
        notes.insert(0, said)
    return notes


def _narrow(before: Baseline, view: LedgerView) -> Baseline:
    """The baseline of the subjects in the run: those that `-s` leaves out have not vanished.

    Of several versions of a subject those of the run, where it has no other.
    """
    asked = [base_of(column) for column in view.subjects]
    same = Counter(base_of(key) for key in before.subjects if key in view.subjects)
    kept = tuple(
        key
        for key in before.subjects
        if key in view.subjects or asked.count(base_of(key)) > same[base_of(key)]
    )
    return replace(
        before,
        subjects=kept,
        answers={
            case: {key: answer for key, answer in row.items() if key in kept}
            for case, row in before.answers.items()
        },
    )


def _view(args: argparse.Namespace, config: Config, named: Sequence[str]) -> tuple[LedgerView, list[str]]:
    """The run to check, and lines on required subjects that did not live."""
    if args.run is not None:
        from whichwins.run import read_ledger

        return read_ledger(args.run), []
    chosen = fleet.choose(args, named)
    asked = fleet.ask(args, chosen, gates.cases(args, config, chosen.shapes), "check")
    return asked.view, list(asked.lacking.values())
