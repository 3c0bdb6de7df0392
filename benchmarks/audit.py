"""An audit of a FastAPI application over the whole corpus, beside a bare client.

python benchmarks/audit.py [ROUNDS]

The client sends the same and looks at nothing. The application is that of examples/gateway; both run in the
environment that `make example-gateway` makes. Whole processes, wall time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

MOST_RATIO = 2.0
EXAMPLE = measure.HERE.parent / "examples" / "gateway"
PYTHON = measure.HERE.parent / ".venv-examples" / "bin" / "python"
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


def timed(command: list[str], codes: tuple[int, ...]) -> float:
    """Wall seconds of a process that ends with one of these codes."""
    begun = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in codes:
        raise SystemExit(f"{command}: {done.returncode}\n{done.stderr}")
    return time.monotonic() - begun


def report(count: int) -> str:
    """The table."""
    from whichwins.corpus import load
    from whichwins.run import with_twins

    python = os.environ.get("WHICHWINS_EXAMPLES", str(PYTHON))
    corpus = load(None)
    every = [case.data for case in with_twins(corpus.cases)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "service.py").write_text((EXAMPLE / "service.py").read_text())
        (folder / "stack.toml").write_text(STACK.replace("{{", "{").replace("}}", "}"))
        (folder / "texts").write_bytes(measure.packed(every))
        audit = [sys.executable, "-m", "whichwins", "audit", str(folder / "stack.toml"), "--python", python]
        client = [python, str(measure.FLOORS / "client.py"), str(folder), str(folder / "texts")]
        timed(client, (0,))
        found = measure.rounds(count, lambda: {"audit": timed(audit, (0, 1)), "client": timed(client, (0,))})
    middle = measure.median_of(found)
    ratio = measure.share(found, "audit", "client")
    row = ["FastAPI, in process", f"{middle['audit']:.2f}", f"{middle['client']:.2f}", f"{ratio:.1f}"]
    row += [f"{MOST_RATIO:g}", measure.met(ratio, MOST_RATIO)]
    about = (
        f"{len(corpus.cases):,} cases and {len(every) - len(corpus.cases)} twins to the application and to "
        f"one parser, judged and reported; wall seconds of whole processes, median of {count}."
    )
    headers = ["", "audit s", "bare client s", "ratio", "at most", "met"]
    return f"{about}\n\n{measure.table([row], headers)}"


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
