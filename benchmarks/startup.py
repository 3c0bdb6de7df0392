"""How soon the command answers: `whichwins --help` beside `python -c pass`.

python benchmarks/startup.py [ROUNDS]
"""

from __future__ import annotations

import subprocess
import sys
import time

import measure

MOST = 4.0
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "whichwins --help": [sys.executable, "-m", "whichwins", "--help"],
}


def one_round() -> dict[str, float]:
    """CPU and wall seconds of each command."""
    found = {}
    for name, command in COMMANDS.items():
        before, wall = measure.children_cpu(), time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found[name] = measure.children_cpu() - before
        found[f"{name}, wall"] = time.monotonic() - wall
    return found


def report(count: int) -> str:
    """The table."""
    found = measure.rounds(count, one_round)
    middle = measure.median_of(found)
    bare, ours = COMMANDS
    times = measure.share(found, ours, bare)
    rows = [
        [name, f"{1000 * middle[name]:.0f}", f"{1000 * middle[f'{name}, wall']:.0f}", ratio]
        for name, ratio in ((bare, "1"), (ours, f"{times:.1f}"))
    ]
    about = f"At most {MOST:g} times the CPU is wanted: {measure.met(times, MOST)}."
    return f"{about}\n\n" + measure.table(rows, ["", "CPU ms", "wall ms", "times"])


def main() -> None:
    """The table."""
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 11))


if __name__ == "__main__":
    main()
