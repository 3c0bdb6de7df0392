"""What the benchmarks share: CPU clocks, floors, fleets, rounds, tables. Linux only."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tabulate import tabulate

HERE = Path(__file__).resolve().parent
FLOORS = HERE / "floors"

# Whoever uses whichwins has it compiled after the first run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def packed(texts: Iterable[bytes]) -> bytes:
    """Texts as one file for the floors: four bytes of length (little-endian), the text, and so on."""
    return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def children_cpu() -> float:
    """User and system seconds of the children that have ended and been waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_cpu() -> float:
    """User and system seconds of this process."""
    return time.process_time()


def living_children() -> list[int]:
    """Process ids of this process's children, the ones that have not ended."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        found += [int(pid) for pid in (task / "children").read_text().split()]
    return found


def clock_of(pid: int) -> float:
    """User and system seconds of a living process, all its threads (its POSIX CPU-time clock)."""
    return time.clock_gettime(((~pid) << 3) | 2)


def workers_cpu() -> dict[int, float]:
    """User and system seconds so far, by worker."""
    return {pid: clock_of(pid) for pid in living_children()}


def processors() -> set[int]:
    """The processors this process may use."""
    return os.sched_getaffinity(0)


def floor(key: str, texts: Path) -> float:
    """CPU seconds of parsing and discarding, without start-up, in a process of its own."""
    runtime = key.partition("/")[0]
    command = {
        "python": [sys.executable, str(FLOORS / "floor.py")],
        "node": [os.environ.get("WHICHWINS_NODE", "node"), str(FLOORS / "floor.mjs")],
        "ruby": [os.environ.get("WHICHWINS_RUBY", "ruby"), str(FLOORS / "floor.rb")],
    }[runtime]
    done = subprocess.run([*command, key, str(texts)], stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def child(script: str, *arguments: str) -> Any:
    """Run one of these scripts in a fresh process; what it prints is JSON."""
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def fleet(keys: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Subjects and how to start them; SystemExit when one of them cannot be started."""
    from whichwins.provision import Absent, launch, probe
    from whichwins.subjects import load_adapters, select

    adapters, runtimes = load_adapters([]), probe(None)
    subjects = select(adapters, keys)
    launches = {subject.key: launch(subject, adapters, runtimes) for subject in subjects}
    for key, found in launches.items():
        if isinstance(found, Absent):
            raise SystemExit(f"{key} is needed here and absent: {found.reason}: {found.install}")
    return subjects, launches


def median_of(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """Name by name."""
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def rounds(count: int, one: Callable[[], dict[str, float]]) -> list[dict[str, float]]:
    """The results of `count` rounds, each side by side within itself."""
    found = []
    for number in range(count):
        found.append(one())
        shown = ", ".join(f"{name} {value:.3g}" for name, value in found[-1].items())
        print(f"  round {number + 1}: {shown}", file=sys.stderr)
    return found


def met(value: float, most: float) -> str:
    """Whether a target is met."""
    return "yes" if value <= most else "NO"


def table(rows: Sequence[Sequence[object]], headers: Sequence[str]) -> str:
    """As Markdown."""
    return tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True)


def share(rounds_: Sequence[dict[str, float]], part: str, whole: str) -> float:
    """The median of a ratio, taken within each round."""
    return statistics.median(one[part] / one[whole] for one in rounds_)
