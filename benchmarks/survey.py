"""The survey: every subject of docs/survey.md over the whole corpus, once, and who takes the time.

python benchmarks/survey.py      # after make survey, whose environments it uses
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import measure

if TYPE_CHECKING:
    from whichwins.cli.fleet import Fleet

MOST_SECONDS = 90.0
PROCESSORS = 2
MOST_MB = 300.0
SHOWN = 12
"""Subjects that are named, those that take most."""


def module(path: str) -> ModuleType:
    """A file of this project that no import finds."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, measure.HERE.parent / path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def asked() -> list[str]:
    """The keys that the survey asks."""
    found: list[str] = module("docs/survey_tables.py").asked()
    return found


def alone(name: str, command: list[str], environment: Mapping[str, str] | None, texts: Path) -> float:
    """CPU seconds of a slow reader that nobody watches, over the same texts."""
    script = measure.FLOORS / "slow.py"
    words = [*command, str(script), name, str(texts)]
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def starts(count: int) -> float:
    """CPU seconds of so many starts of Node.js that do nothing."""
    before = measure.children_cpu()
    for _ in range(count):
        subprocess.run(["node", "-e", "0"], check=True)
    return measure.children_cpu() - before


def floors(chosen: Fleet, texts: Sequence[bytes]) -> str:
    """A table: what some of the subjects need without whichwins."""
    from whichwins.workers import Launch
    from whichwins.workers.lane import is_deep

    excess = module("adapters/python/bounds.py").excess
    bounds = {subject.key.partition("@")[0]: subject.bounds for subject in chosen.subjects}
    launches = {key.partition("@")[0]: start for key, start in chosen.launches.items()}
    cold = sum(s.cold and s.adapter == "node" for s in chosen.subjects)
    deep = sum(map(is_deep, texts))
    found: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts")
        for name, times, key in (("yaml", 1, "python/yaml"), ("json5", 2, "python/json5"), ("jq", 1, "")):
            start = launches.get(key)
            command = [start.argv[0]] if isinstance(start, Launch) else [sys.executable]
            # What is too much for a reader is not put to it either way.
            path.write_bytes(measure.packed(t for t in texts if not excess(bounds.get(key, {}), t)))
            environment = start.env if isinstance(start, Launch) else None
            found.append((f"{name}, {times} x", times * alone(name, command, environment, path)))
    found.append((f"node, started {cold} x {deep} x (deep texts, twice)", starts(2 * cold * deep)))
    total = sum(seconds for _, seconds in found)
    rows = [[name, f"{seconds:.0f}"] for name, seconds in found]
    rows.append(["together", f"{total:.0f}"])
    return measure.table(rows, ["alone, without whichwins", "CPU s"])


def report() -> str:
    """Three tables: the run, the subjects that take most of it, and what some need without whichwins."""
    from whichwins import __version__
    from whichwins.cli import fleet, run
    from whichwins.corpus import load
    from whichwins.run import run_to_ledger, with_twins

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
    most_table = measure.table(named, ["workers alone", "CPU s"])
    bare = floors(chosen, [case.data for case in with_twins(corpus.cases)])
    room = f"{PROCESSORS} processors have {PROCESSORS * MOST_SECONDS:g} CPU s in {MOST_SECONDS:g} s."
    return f"{about}\n\n{run_table}\n\n{most_table}\n\n{bare}\n\n{room}"


if __name__ == "__main__":
    print(report())
