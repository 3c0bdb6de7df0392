"""The survey: every subject of docs/survey.md over the whole corpus, once, and who takes the time.

python benchmarks/survey.py      # after make survey, whose environments it uses
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import tempfile
import time
from pathlib import Path

import measure

MOST_SECONDS = 90.0
MOST_MB = 300.0
SHOWN = 12
"""Subjects that are named, those that take most."""


def asked() -> list[str]:
    """The keys that the survey asks."""
    path = measure.HERE.parent / "docs" / "survey_tables.py"
    spec = importlib.util.spec_from_file_location("survey_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: list[str] = module.asked()
    return found


def report() -> str:
    """Two tables: the run, and the subjects that take most of it."""
    from whichwins import __version__
    from whichwins.cli import fleet, run
    from whichwins.corpus import load
    from whichwins.run import run_to_ledger

    parser = argparse.ArgumentParser()
    run.configure(parser)
    keys = asked()
    args = parser.parse_args(["--allow-build", *(word for key in keys for word in ("-s", key))])
    chosen = fleet.choose(args, args.subject)
    corpus = load(None, None, shapes=chosen.shapes)
    own, children, begun = measure.own_cpu(), measure.children_cpu(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, fleet.observer(args, chosen) as watched:
        path = Path(folder, "ledger.jsonl")
        result = run_to_ledger(corpus, chosen.subjects, watched, path, tool=__version__, compact=True)
        size, spent = path.stat().st_size / 1e6, watched.seconds
    wall = time.monotonic() - begun
    own, children = measure.own_cpu() - own, measure.children_cpu() - children
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if result.absent:
        raise SystemExit(f"absent: {', '.join(result.absent)}: make survey builds all of them")
    rows = [
        ["wall s", f"{wall:.0f}", f"{MOST_SECONDS:g}", measure.met(wall, MOST_SECONDS)],
        ["CPU s, harness", f"{own:.0f}", "", ""],
        ["CPU s, workers and what they start", f"{children:.0f}", "", ""],
        ["peak memory of the harness, MB", f"{memory:.0f}", f"{MOST_MB:g}", measure.met(memory, MOST_MB)],
        ["ledger, MB", f"{size:.1f}", "", ""],
    ]
    most = sorted(spent.items(), key=lambda one: -one[1])
    named = [[key.partition("@")[0], f"{seconds:.1f}"] for key, seconds in most[:SHOWN]]
    named.append([f"the {len(most) - SHOWN} others", f"{sum(seconds for _, seconds in most[SHOWN:]):.0f}"])
    about = f"{len(keys)} subjects, {result.cases:,} cases and {result.twins} twins, everything built."
    run_table = measure.table(rows, ["", "", "at most", "met"])
    return f"{about}\n\n{run_table}\n\n{measure.table(named, ['workers alone', 'CPU s'])}"


if __name__ == "__main__":
    print(report())
