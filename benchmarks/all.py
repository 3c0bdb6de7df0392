"""Every benchmark, one after the other; the tables go into README.md. Under ten minutes.

python benchmarks/all.py [FOLDER]

FOLDER holds the files of JSONTestSuite (test_parsing); without it that comparison is left out. Use a
machine that does nothing else, and a Node.js and a native Ruby on PATH.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import corpus_run
import crash
import gate
import html_page
import measure
import overhead
import per_file
import startup

import audit

README = measure.HERE / "README.md"
BEGIN, END = "<!-- measured: all.py writes from here -->\n", "<!-- to here -->\n"


def machine() -> str:
    """What the figures were measured on."""
    from whichwins import __version__

    def said(*command: str) -> str:
        return (
            subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(" (")[0].strip()
        )

    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
            break
    return (
        f"whichwins {__version__}, CPython {platform.python_version()}, Node.js {said('node', '--version')}, "
        f"{said('ruby', '--version')}; {len(measure.processors())} processors, {processor}."
    )


def main() -> None:
    """Measure, print, write."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    parts: list[tuple[str, Callable[[], str]]] = [
        ("Start-up", lambda: startup.report(11)),
        ("A crash", lambda: crash.report(7)),
        ("A gate of one library", lambda: gate.report(5)),
        ("An audit of an application", lambda: audit.report(5)),
        ("The HTML page", lambda: html_page.report(5)),
        ("20,000 small cases, 12 subjects", lambda: overhead.report("small", 5)),
        ("10,000 cases of 1 to 2 KB, 12 subjects", lambda: overhead.report("traffic", 5)),
        ("The built-in corpus, the default set", lambda: corpus_run.report(3)),
    ]
    if folder is not None:
        parts.insert(1, ("JSONTestSuite beside a process a file", lambda: per_file.report(folder, 5)))
    begun = time.monotonic()
    texts = [machine()]
    for title, report in parts:
        print(f"{title} ...", file=sys.stderr)
        texts.append(f"### {title}\n\n{report()}")
    measured = "\n\n".join(texts) + "\n"
    print(measured)
    print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
    before, begin, rest = README.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{README}: the marks are gone; put the tables where they belong")
    README.write_text(before + BEGIN + measured + END + after)


if __name__ == "__main__":
    main()
