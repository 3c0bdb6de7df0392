"""Slow readers alone: each text once, what comes of it discarded.

python slow.py yaml|json5|jq TEXTS: CPU seconds of the loop, with what it starts. TEXTS: see floor.py.
"""

import os
import subprocess
import sys
from pathlib import Path


def reader(name):
    if name == "yaml":
        import yaml

        return lambda text: yaml.load(text, yaml.SafeLoader)
    if name == "json5":
        import json5

        return lambda text: json5.loads(text.decode())
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    return lambda text: subprocess.run(["jq", "-c", "."], input=text, **quiet)


def main():
    name, path = sys.argv[1:]
    blob, at = Path(path).read_bytes(), 0
    read = reader(name)
    start = sum(os.times()[:4])
    while at < len(blob):
        size = int.from_bytes(blob[at : at + 4], "little")
        try:  # noqa: SIM105, a context manager would be part of the floor
            read(blob[at + 4 : at + 4 + size])
        except Exception:
            pass
        at += 4 + size
    print(sum(os.times()[:4]) - start)


main()
