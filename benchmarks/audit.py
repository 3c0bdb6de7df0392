"""An audit of a FastAPI application over the whole corpus, beside a bare client.

python benchmarks/audit.py [ROUNDS]

The client sends the same and looks at nothing. One application is that of examples/gateway, whose strict
types take none of these texts; the other executes whatever is JSON. Both run in the environment that `make
example-gateway` makes. Whole processes: wall time, and processor seconds of all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import measure

if TYPE_CHECKING:
    from whichwins.model import Case

MOST_RATIO = 2.0
EXAMPLE = measure.HERE.parent / "examples" / "gateway"
PYTHON = measure.HERE.parent / ".venv-examples" / "bin" / "python"
TAKES_ANY = """
from typing import Any

from fastapi import Body, FastAPI

app = FastAPI()


def ship(order: Any) -> None:
    raise NotImplementedError("an audit never gets here")


@app.post("/orders")
def place(order: Any = Body()) -> dict[str, str]:
    ship(order)
    return {"status": "placed"}
"""
STACK = """
[stack]
name = "the application alone"
controls = ["orders/*"]

[[boundary]]
name = "screen"
role = "reviewer"
subject = "python/json"

[[boundary]]
name = "service"
role = "executor"
asgi = "service:app"
request = {{ path = "/orders" }}
sink = "service:ship"
sink-argument = "order"
"""


def timed(command: list[str], codes: tuple[int, ...]) -> tuple[float, float]:
    """Wall and processor seconds of a process that ends with one of these codes, and of its children."""
    begun, used = time.monotonic(), measure.children_cpu()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in codes:
        raise SystemExit(f"{command}: {done.returncode}\n{done.stderr}")
    return time.monotonic() - begun, measure.children_cpu() - used


def both(audit: list[str], client: list[str]) -> dict[str, float]:
    """One round."""
    wall, cpu = timed(audit, (0, 1))
    bare, bare_cpu = timed(client, (0,))
    return {"audit": wall, "client": bare, "audit CPU": cpu, "client CPU": bare_cpu}


def row_of(name: str, source: str, cases: Sequence[Case], count: int) -> list[str]:
    """A row of the table: one application."""
    python = os.environ.get("WHICHWINS_EXAMPLES", str(PYTHON))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        texts = folder / "texts"
        (folder / "service.py").write_text(source)
        (folder / "stack.toml").write_text(STACK.replace("{{", "{").replace("}}", "}"))
        texts.write_bytes(measure.packed(case.data for case in cases))
        kinds = (case.headers.get("content-type", "application/json") for case in cases)
        (folder / "texts.types").write_text("\n".join(kinds))
        audit = [sys.executable, "-m", "whichwins", "audit", str(folder / "stack.toml"), "--python", python]
        client = [python, str(measure.FLOORS / "client.py"), str(folder), str(texts)]
        timed(client, (0,))
        found = measure.rounds(count, lambda: both(audit, client))
    middle = measure.median_of(found)
    ratio = measure.share(found, "audit", "client")
    row = [name, f"{middle['audit']:.2f}", f"{middle['client']:.2f}", f"{ratio:.1f}"]
    row += [f"{MOST_RATIO:g}", measure.met(ratio, MOST_RATIO)]
    return [*row, f"{middle['audit CPU']:.2f}", f"{middle['client CPU']:.2f}"]


def report(count: int) -> str:
    """The table."""
    from whichwins.corpus import load
    from whichwins.run import with_twins

    corpus = load(None)
    every = list(with_twins(corpus.cases))
    rows = [
        row_of("strict types, all refused", (EXAMPLE / "service.py").read_text(), every, count),
        row_of("whatever is JSON runs", TAKES_ANY, every, count),
    ]
    about = (
        f"{len(corpus.cases):,} cases and {len(every) - len(corpus.cases)} twins to a FastAPI application "
        f"and to one parser, judged and reported; seconds of whole processes, median of {count}."
    )
    headers = ["", "audit s", "bare client s", "ratio", "at most", "met", "audit CPU s", "client CPU s"]
    return f"{about}\n\n{measure.table(rows, headers)}"


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
