"""A gate of one library, and building its two versions, beside the same work by hand.

python benchmarks/gate.py [ROUNDS]

By hand: two environments made with uv, in each a loop that parses every text of the corpus and drops what
comes of it. Needs the package index once, to fill uv's cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

SUBJECT, PACKAGE = "python/orjson", "orjson"
VERSIONS = ("3.9.15", "3.13.0")
MOST_SECONDS = 5.0


def timed(*commands: list[str], **environment: str) -> float:
    """Wall seconds until all of these, started at once, have ended."""
    begun = time.monotonic()
    started = [
        subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    for each in started:
        said = each.communicate()[1]
        if each.returncode:
            raise SystemExit(f"{each.args}: {each.returncode}\n{said}")
    return time.monotonic() - begun


def by_hand(folder: Path, interpreter: str) -> list[str]:
    """Make both environments; their interpreters."""
    from uv import find_uv_bin

    found = []
    for version in VERSIONS:
        home = folder / version
        venv = [find_uv_bin(), "venv", "--quiet", "--no-project", "--python", interpreter, str(home)]
        subprocess.run(venv, check=True)
        python = str(home / "bin" / "python")
        install = [find_uv_bin(), "pip", "install", "--quiet", "--only-binary", ":all:", "--python", python]
        subprocess.run([*install, f"{PACKAGE}=={version}"], check=True)
        found.append(python)
    return found


def one(texts: Path, cache: Path, folder: Path, interpreter: str) -> dict[str, float]:
    """A round: building and asking, by hand and by whichwins, in turn."""
    whichwins = [sys.executable, "-m", "whichwins"]
    keys = [f"{SUBJECT}@{version}" for version in VERSIONS]
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        begun = time.monotonic()
        hand = by_hand(Path(fresh, "hand"), interpreter)
        made = time.monotonic() - begun
        loops = timed(*([python, str(measure.FLOORS / "floor.py"), SUBJECT, str(texts)] for python in hand))
        asked = [word for key in keys for word in ("-s", key)]
        case = ["-f", "clauses/go-01-repeat"]
        quiet = [*whichwins, "run", *asked, *case, "--no-twins", "-o", os.devnull]
        built = timed(quiet, WHICHWINS_CACHE=str(Path(fresh, "cache")))
        found = timed(quiet, WHICHWINS_CACHE=str(cache))
    gate = timed([*whichwins, "upgrade", *keys, "--exit-zero"], WHICHWINS_CACHE=str(cache))
    return {"made by hand": made, "built": built - found, "loops by hand": loops, "gate": gate}


def report(count: int) -> str:
    """The table."""
    from whichwins.corpus import load
    from whichwins.run import with_twins

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts, cache = folder / "texts", folder / "cache"
        corpus = load(None)
        every = [case.data for case in with_twins(corpus.cases)]
        texts.write_bytes(measure.packed(every))
        # Fills uv's cache and whichwins' own.
        keys = [f"{SUBJECT}@{version}" for version in VERSIONS]
        warm = [sys.executable, "-m", "whichwins", "upgrade", *keys, "--exit-zero"]
        timed(warm, WHICHWINS_CACHE=str(cache))
        path = [sys.executable, "-m", "whichwins", "env", "path", keys[0]]
        ours = {**os.environ, "WHICHWINS_CACHE": str(cache)}
        home = subprocess.run(path, env=ours, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
        interpreter = str(Path(home, "bin", "python").resolve())
        found = measure.rounds(count, lambda: one(texts, cache, folder, interpreter))
    middle = measure.median_of(found)
    rows = [
        [
            "a gate: both asked the whole corpus, compared, reported",
            f"{middle['gate']:.2f}",
            f"{middle['loops by hand']:.2f}",
            f"{measure.share(found, 'gate', 'loops by hand'):.1f}",
            f"{MOST_SECONDS:g}",
            measure.met(middle["gate"], MOST_SECONDS),
        ],
        [
            "two versions built, the package manager's cache warm",
            f"{middle['built']:.2f}",
            f"{middle['made by hand']:.2f}",
            f"{measure.share(found, 'built', 'made by hand'):.1f}",
            f"{MOST_SECONDS:g}",
            measure.met(middle["built"], MOST_SECONDS),
        ],
    ]
    about = (
        f"{SUBJECT} {VERSIONS[0]} and {VERSIONS[1]}, {len(corpus.cases):,} cases and "
        f"{len(every) - len(corpus.cases)} twins; wall seconds of whole processes, median of {count}."
    )
    headers = ["", "whichwins s", "by hand s", "ratio", "at most s", "met"]
    return f"{about}\n\n{measure.table(rows, headers)}"


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
