"""The built-in corpus with the default set, and how cost grows with cases and with subjects.

python benchmarks/corpus_run.py [ROUNDS]
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import generate
import measure
from overhead import KEYS

MOST_SECONDS = 15.0
MOST_MB = 200.0
UNIT = 4_000
STEPS = ((1, 12), (2, 12), (4, 12), (2, 3), (2, 6))


def built_in() -> dict[str, float]:
    """One run of the command in this process: wall and CPU seconds, peak memory of the harness in MB."""
    from whichwins.cli import main

    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder, "ledger.jsonl")
        begun, own = time.monotonic(), measure.own_cpu()
        out, sys.stdout = sys.stdout, sys.stderr
        code = main(["run", "-o", str(ledger)])
        sys.stdout = out
        if code:
            raise SystemExit(f"the run failed with {code}")
        size = ledger.stat().st_size / 1e6
        with ledger.open() as lines:
            kinds = [line[:24] for line in lines]
    return {
        "wall": time.monotonic() - begun,
        "harness": measure.own_cpu() - own,
        "workers": measure.children_cpu(),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "ledger": size,
        "cases": sum(kind.startswith('{"kind":"case"') for kind in kinds),
        "cells": sum(kind.startswith('{"kind":"observation"') for kind in kinds),
    }


def step(times: int, subjects_: int) -> dict[str, float]:
    """A run over `times` units of small cases with so many subjects: CPU seconds without start-up."""
    from whichwins.corpus.corpus import corpus_of
    from whichwins.corpus.source import source_of_bytes
    from whichwins.model import Case
    from whichwins.run import run_to_ledger
    from whichwins.workers import WorkerPool

    texts = generate.small(UNIT, 1)
    corpus = corpus_of(
        "small",
        (
            Case(f"{copy}/{n:06d}", "small", text, "generated", source_of_bytes(text))
            for copy in range(times)
            for n, text in enumerate(texts)
        ),
    )
    # Every fourth, every second, or all: each choice spans the runtimes alike.
    subjects, launches = measure.fleet(KEYS[:: len(KEYS) // subjects_])
    with tempfile.TemporaryDirectory() as folder, WorkerPool(subjects, launches) as pool:
        _ = pool.identities
        before, own = measure.workers_cpu(), measure.own_cpu()
        run_to_ledger(corpus, subjects, pool, Path(folder, "ledger"), tool="benchmark")
        own = measure.own_cpu() - own
        after = measure.workers_cpu()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"harness": own, "workers": sum(after[pid] - before[pid] for pid in after), "memory": memory}


def report(count: int) -> str:
    """Both tables."""
    found = measure.rounds(count, lambda: measure.child("corpus_run.py", "--measure", "built-in"))
    one = measure.median_of(found)
    wall, memory = one["wall"], one["memory"]
    rows = [
        ["wall s", f"{wall:.1f}", f"{MOST_SECONDS:g}", measure.met(wall, MOST_SECONDS)],
        ["CPU s, harness", f"{one['harness']:.1f}", "", ""],
        ["CPU s, workers", f"{one['workers']:.1f}", "", ""],
        ["peak memory of the harness, MB", f"{memory:.0f}", f"{MOST_MB:g}", measure.met(memory, MOST_MB)],
    ]
    about = (
        f"{one['cases']:,.0f} cases and twins, {one['cells']:,.0f} observations, "
        f"{one['ledger']:.0f} MB of ledger. Start-up included."
    )
    first = f"{about}\n\n" + measure.table(rows, ["", "", "at most", "met"])
    grown = [grow(times, subjects, min(3, count)) for times, subjects in STEPS]
    headers = ["cases", "subjects", "harness s", "workers s", "harness us a cell", "workers us a cell", "MB"]
    return first + "\n\nSmall generated cases, CPU without start-up:\n\n" + measure.table(grown, headers)


def grow(times: int, subjects: int, count: int) -> list[str]:
    """A row of the second table."""
    step = ("--measure", str(times), str(subjects))
    cpu = measure.median_of(measure.rounds(count, lambda: measure.child("corpus_run.py", *step)))
    cells = times * UNIT * subjects
    return [
        f"{times * UNIT:,}",
        str(subjects),
        f"{cpu['harness']:.2f}",
        f"{cpu['workers']:.2f}",
        f"{1e6 * cpu['harness'] / cells:.1f}",
        f"{1e6 * cpu['workers'] / cells:.1f}",
        f"{cpu['memory']:.0f}",
    ]


def main() -> None:
    """One measurement as JSON, or the tables."""
    if sys.argv[1:2] == ["--measure"]:
        what = sys.argv[2:]
        print(json.dumps(built_in() if what == ["built-in"] else step(int(what[0]), int(what[1]))))
        return
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))


if __name__ == "__main__":
    main()
