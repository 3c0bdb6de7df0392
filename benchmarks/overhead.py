"""What whichwins costs beside the bare parsers: CPU of harness and workers over the sum of the floors.

python benchmarks/overhead.py [small|traffic] [ROUNDS]

A run goes from a corpus in memory to the ledger on disk; start-up is left out on both sides. `observe`
is the same without ledger and twins.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

import generate
import measure

# Twelve entry points that are quick by nature. The pure-Python ones (json-pure, simplejson-pure, guard)
# and sqlite3-extract are left out: their floors are so high that any harness would look cheap.
KEYS = (
    "node/json",
    "python/json",
    "python/json-lax",
    "python/json-pairs",
    "python/json-str",
    "python/json-unique",
    "python/orjson",
    "python/rapidjson",
    "python/rapidjson-native",
    "python/simplejson",
    "python/ujson",
    "ruby/json",
)
COUNTS = {"small": 20_000, "traffic": 10_000}
MOST = {"small": 2.5, "traffic": 5.0}
MOST_HARNESS = 0.3


def run(kind: str, what: str) -> dict[str, float]:
    """One run in this process: CPU seconds of harness and workers from all workers up to the last answer."""
    from whichwins.corpus.corpus import corpus_of
    from whichwins.corpus.source import source_of_bytes
    from whichwins.model import Case
    from whichwins.run import run_to_ledger
    from whichwins.workers import WorkerPool

    texts = generate.SETS[kind](COUNTS[kind], 1)
    cases = [Case(f"{kind}/{n:06d}", kind, t, "generated", source_of_bytes(t)) for n, t in enumerate(texts)]
    corpus = corpus_of(kind, cases)
    subjects, launches = measure.fleet(KEYS)
    with tempfile.TemporaryDirectory() as folder, WorkerPool(subjects, launches) as pool:
        if len(pool.identities) != len(KEYS):
            raise SystemExit(f"not all subjects are up: {dict(pool.absent)}")
        before, own, wall = measure.workers_cpu(), measure.own_cpu(), time.monotonic()
        if what == "observe":
            deque(pool.observe(case.data for case in corpus.cases), maxlen=0)
            twins = 0
        else:
            result = run_to_ledger(corpus, subjects, pool, Path(folder, "ledger"), tool="benchmark")
            twins = result.twins
        wall = time.monotonic() - wall
        own = measure.own_cpu() - own
        after = measure.workers_cpu()
        if after.keys() != before.keys():
            raise SystemExit("a worker was replaced: these inputs should crash none")
    workers = sum(after[pid] - before[pid] for pid in after)
    return {"harness": own, "workers": workers, "wall": wall, "twins": twins}


def one_round(kind: str, texts: Path) -> dict[str, float]:
    """The floors, a run and an observation, one after the other."""
    floors = sum(measure.floor(key, texts) for key in KEYS)
    whole = measure.child("overhead.py", "--measure", kind, "run")
    bare = measure.child("overhead.py", "--measure", kind, "observe")
    return {
        "floors": floors,
        "harness": whole["harness"],
        "workers": whole["workers"],
        "total": whole["harness"] + whole["workers"],
        "observe harness": bare["harness"],
        "observe total": bare["harness"] + bare["workers"],
        "wall": whole["wall"],
        "twins": whole["twins"],
    }


def report(kind: str, count: int) -> str:
    """The table of one set."""
    inputs = generate.SETS[kind](COUNTS[kind], 1)
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder, "texts")
        texts.write_bytes(measure.packed(inputs))
        found = measure.rounds(count, lambda: one_round(kind, texts))
    middle = measure.median_of(found)

    def row(name: str, part: str, most: float | None = None) -> list[str]:
        times = measure.share(found, part, "floors")
        target = ["", ""] if most is None else [f"{most:g}", measure.met(times, most)]
        return [name, f"{middle[part]:.2f}", f"{times:.2f}", *target]

    rows = [
        row("floors of the 12 parsers", "floors"),
        row("run: harness and workers", "total", MOST[kind]),
        row("run: the harness process", "harness", MOST_HARNESS),
        row("observe alone: harness and workers", "observe total"),
        row("observe alone: the harness process", "observe harness"),
    ]
    about = (
        f"{generate.described(inputs)}, {middle['twins']:.0f} twins; "
        f"the run took {middle['wall']:.1f} s of wall time."
    )
    return f"{about}\n\n" + measure.table(rows, ["", "CPU s", "x floors", "at most", "met"])


def main() -> None:
    """One measurement as JSON, or the tables."""
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(run(sys.argv[2], sys.argv[3])))
        return
    kinds = [name for name in sys.argv[1:] if name in COUNTS] or list(COUNTS)
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), 5)
    for kind in kinds:
        print(f"### {kind}\n\n{report(kind, count)}\n")


if __name__ == "__main__":
    main()
