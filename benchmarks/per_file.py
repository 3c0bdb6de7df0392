"""A folder of files: one `whichwins run`, start-up included, beside a process a file and a parser.

python benchmarks/per_file.py FOLDER [ROUNDS]

The processes are those one would write by hand; they read every twelfth file and the sum is scaled up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import measure

EVERY = 12
LEAST = 100
PYTHON = "import json,sys; json.loads(open(sys.argv[1],'rb').read())"
NODE = "JSON.parse(require('fs').readFileSync(process.argv[1],'utf8'))"
RUBY = "JSON.parse(File.read(ARGV[0]))"
SINGLE = {
    "python/json": [sys.executable, "-c", PYTHON],
    "node/json": [os.environ.get("WHICHWINS_NODE", "node"), "-e", NODE],
    "ruby/json": [os.environ.get("WHICHWINS_RUBY", "ruby"), "-rjson", "-e", RUBY],
}


def spent(commands: list[list[str]]) -> float:
    """CPU seconds of processes, one after the other, and of what they started; verdicts do not matter."""
    before = measure.children_cpu()
    for command in commands:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return measure.children_cpu() - before


def one_round(folder: Path, files: list[Path]) -> dict[str, float]:
    """The run and the processes, side by side."""
    with tempfile.TemporaryDirectory() as place:
        keys = [word for key in SINGLE for word in ("-s", key)]
        ledger = str(Path(place, "ledger"))
        command = [sys.executable, "-m", "whichwins", "run", str(folder), "-o", ledger, *keys]
        whole = spent([command])
        if not Path(ledger).exists():
            raise SystemExit(f"the run failed; see for yourself: {' '.join(command)}")
    sample = files[::EVERY]
    scale = len(files) / len(sample)
    single = {key: scale * spent([[*start, str(file)] for file in sample]) for key, start in SINGLE.items()}
    return {"run": whole, "processes": sum(single.values()), **single}


def report(folder: Path, count: int) -> str:
    """The table."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix == ".json")
    found = measure.rounds(count, lambda: one_round(folder, files))
    middle = measure.median_of(found)
    times = measure.share(found, "processes", "run")
    rows = [
        ["whichwins run, start-up included", f"{middle['run']:.2f}", "1"],
        ["a process a file and a parser", f"{middle['processes']:.1f}", f"{times:.0f}"],
        *([f"... {key}", f"{middle[key]:.1f}", ""] for key in SINGLE),
    ]
    about = (
        f"{len(files)} files, {', '.join(SINGLE)}; the processes read every {EVERY}th file, scaled up. "
        f"At least {LEAST}x is wanted: {'yes' if times >= LEAST else 'NO'}."
    )
    return f"{about}\n\n" + measure.table(rows, ["", "CPU s", "times"])


def main() -> None:
    """The table."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    print(report(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5))


if __name__ == "__main__":
    main()
