"""Starting the Python kit for tests: argv, greetings, copies with shims of our own, interpreters."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import Frame, ask, hello
from whichwins.model import Subject
from whichwins.subjects import load_adapters, select

FOLDER = Path(__file__).resolve().parents[2] / "adapters" / "python"
ARGV = (sys.executable, str(FOLDER / "worker.py"))


@cache
def subjects() -> dict[str, Subject]:
    return {subject.key: subject for subject in select(load_adapters(), ["python/*"])}


def greeting(key: str) -> bytes:
    subject = subjects()[key]
    return hello(
        key,
        subject.shim,
        subject.rejects,
        subject.rejects_decode,
        subject.options,
        rejects_bind=subject.rejects_bind,
        bounds=subject.bounds,
    )


def parse(key: str, *inputs: bytes, verb: str = "parse", argv: Sequence[str] = ARGV) -> list[Frame]:
    return ask(argv, greeting(key), inputs, verb)


def outcome(frame: Frame) -> str:
    """One comparable string: a notation, or `verb stage Error` without the message."""
    if frame.verb == "accept":
        return frame.text
    words = {"reject": 2, "fault": 1, "unsupported": 0}[frame.verb]
    return " ".join([frame.verb, *frame.text.split(" ")[:words]])


def kit_with(folder: Path, **shims: str) -> list[str]:
    """Copy the kit, put shims of our own into the copy, return its argv."""
    copy = folder / "kit"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, source in shims.items():
        (copy / "shims" / f"{name}.py").write_text(source, encoding="utf-8")
    return [sys.executable, str(copy / "worker.py")]


def interpreter(version: str) -> str:
    """Return an interpreter of that minor version, or skip the test."""
    candidates = [shutil.which(f"python{version}")]
    candidates += [str(path) for path in sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
    for candidate in candidates:
        if candidate and _works(candidate, version):
            return candidate
    pytest.skip(f"no Python {version} here")


def _works(path: str, version: str) -> bool:
    import subprocess

    shown = subprocess.run(
        [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, check=False
    )
    return shown.returncode == 0 and shown.stdout.decode().strip() == version
