"""Adapters of small scripted workers, a small corpus, and the command line in this process or its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.workers.scripted import launch
from whichwins.cli import main
from whichwins.model import BadInput
from whichwins.provision import Absent, Runtimes
from whichwins.provision.provide import Order

ROOT = Path(__file__).parents[2]

FULL = (
    b"whichwins: stdout: cannot be written to its end (No space left on device): make room, or send it "
    b"elsewhere, such as > FILE\n"
)
CLOSED = b"whichwins: stdout: is closed: send it somewhere, such as > FILE\n"
"""What is said of a stdout that takes no more."""

JSON = """
import json
def answer(body):
    try:
        value = json.loads(body, object_pairs_hook=hook)
    except ValueError:
        return "reject", b"parse ScriptedError no"
    return "accept", json.dumps(value, separators=(",", ":")).encode()
"""
REFUSE = """
def hook(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)
"""
WORKERS = {
    "first": "hook = lambda pairs: dict(reversed(pairs))" + JSON,
    "last": "hook = dict" + JSON,
    "also-last": "hook = dict" + JSON,
    "strict": REFUSE + JSON,
    # Up two seconds after the others.
    "slow": "hook = dict"
    + JSON
    + "plain = greeting\ndef greeting():\n    time.sleep(2)\n    return plain()\n",
    # Hangs on a repeated name, for as long as it is let.
    "hangs": "hook = lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else time.sleep(600)" + JSON,
    # Ignores the signals that ask politely.
    "stubborn": "signal.signal(2, signal.SIG_IGN); signal.signal(15, signal.SIG_IGN)\n"
    "hook = lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else time.sleep(600)" + JSON,
    # Dies on a repeated name, each time.
    "crashes": "hook = lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else die()" + JSON,
    "broken": "def answer(body):\n    return 'accept', b'1'\n",
}
DEFAULT = ("first", "last", "also-last", "strict")

MANIFEST = """
protocol = 1
name = "fake"
about = "scripted workers"
[[canary]]
text = '{"a":1}'
expect = ['{"a":1}']
[[canary]]
text = '{"a":'
expect = ["reject"]
"""
SUBJECT = """
[[subject]]
key = "fake/%(name)s"
family = "fake"
library = "fake"
entry = "%(name)s(bytes)"
shim = "answer"
decode = "library"
rejects = ["ScriptedError"]
install = "get %(name)s"
launch = [{ needs = %(needs)s, command = ["%(program)s", "-I", "-S", "{folder}/%(name)s.py"] }]
"""
GONE = """
[[subject]]
key = "fake/gone"
family = "fake"
library = "fake"
entry = "gone(bytes)"
shim = "answer"
decode = "library"
rejects = ["ScriptedError"]
install = "get gone"
launch = [{ command = ["no-such-program-anywhere"] }]
"""

FAMILY = """
about = "a small family"
[expect]
rfc8259 = "free: RFC 8259 section 4, names SHOULD be unique"
i-json = "reject: RFC 7493 section 2.3"
jcs-input = "reject: RFC 8785 section 3.1"
strict-tool-input = "reject: names once per object"
[[case]]
id = "repeat"
text = '{"q":2,"q":20}'
why = "a repeat"
[[case]]
id = "plain"
text = '{"q":2}'
why = "a control"
expect = { rfc8259 = "accept", i-json = "accept", jcs-input = "accept", strict-tool-input = "accept" }
"""

# One library in several versions, with two entry points. What it does with a repeated name, by version.
VERSIONS = {
    "1.0": "dict(reversed(pairs))",
    "1.1": "dict(reversed(pairs))",
    "2.0": "dict(pairs)",
    "3.0": "die()",
    "4.0": "time.sleep(600)",
}
INSTALLED = "2.0"
NOT_TO_BE_HAD = "9.9"
WITHOUT_MORE = "1.2"
"""A version as 1.0, which has the first entry point only."""
LIBRARY_WORKER = f"""
VERSION = os.environ.get("LIB_VERSION", {INSTALLED!r})
WAYS = {{
    {", ".join(f"{version!r}: lambda pairs: {way}" for version, way in VERSIONS.items())}
}}
def hook(pairs):
    return dict(pairs) if len(dict(pairs)) == len(pairs) else WAYS[VERSION](pairs)
def greeting():
    if VERSION not in WAYS:
        return frame("fault", 0, b"ImportError no such version")
    return frame("ready", 0, b"protocol 1\\nruntime Scripted 1.0\\nlibrary lib %s\\n" % VERSION.encode())
"""
LIBRARY = """
protocol = 1
name = "lib"
about = "a scripted library in versions"
toolchain = "python"
[[canary]]
text = '{"a":1}'
expect = ['{"a":1}']
[[canary]]
text = '{"a":'
expect = ["reject"]
"""
ENTRY = """
[[subject]]
key = "lib/%(name)s"
family = "lib"
library = "lib"
packages = ["lib"]
entry = "%(name)s(bytes)"
shim = "answer"
decode = "library"
rejects = ["ScriptedError"]
install = "get lib"
launch = [{ needs = "python", command = ["{python}", "-I", "-S", "{folder}/lib.py"] }]
"""
# Sorted by what stands before the @, the first comes first; with it, last: `-` is before `@`.
ENTRIES = ("one", "one-more")


def adapters(folder: Path, **more: str) -> Path:
    """Write the adapter `fake` with a subject for each worker, those of `more` too, and `fake/gone`."""
    made = folder / "fake"
    made.mkdir(parents=True)
    text = MANIFEST
    for name, behaviour in {**WORKERS, **more}.items():
        launch(made, behaviour, name)
        text += SUBJECT % {"name": name, "needs": '"harness"', "program": "{harness}"}
    (made / "adapter.toml").write_text(text + GONE, encoding="utf-8")
    return folder


def library(folder: Path) -> Path:
    """Write the adapter `lib`; a worker is of the version that `LIB_VERSION` in its environment says."""
    made = folder / "lib"
    made.mkdir(parents=True)
    launch(made, LIBRARY_WORKER + JSON, "lib")
    text = LIBRARY + "".join(ENTRY % {"name": name} for name in ENTRIES)
    (made / "adapter.toml").write_text(text, encoding="utf-8")
    return folder


def versions(order: Order) -> dict[str, Runtimes | Absent]:
    """Provide versions of `lib` without building any: put into `PROVIDERS` under `python`."""
    given: dict[str, Runtimes | Absent] = {}
    for subject, _ in order.wanted:
        if subject.version == WITHOUT_MORE:
            is_there = subject.base.endswith(ENTRIES[0])
            given[subject.key] = order.runtimes.overlaid({}, {"LIB_VERSION": "1.0" if is_there else "none"})
        elif subject.version == NOT_TO_BE_HAD:
            given[subject.key] = Absent("no wheel fits", "get another Python")
        elif subject.version not in VERSIONS:
            raise BadInput(f"{subject.key}: no such version; there are {', '.join(VERSIONS)}")
        else:
            given[subject.key] = order.runtimes.overlaid({}, {"LIB_VERSION": subject.version})
    return given


def family(folder: Path, text: str = FAMILY) -> Path:
    """Write the small corpus."""
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a command prints; all is well, or there is a finding."""
    assert main(list(words)) == code, capsys.readouterr()
    out, err = capsys.readouterr()
    assert err == ""
    assert isinstance(out, str)
    return out


def gate(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    """What a gate says as JSON."""
    found: dict[str, Any] = json.loads(said(capsys, *words, "--format", "json", code=code))
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    """The one line with which a command ends that does not get far."""
    assert main(list(words)) == code, capsys.readouterr()
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("whichwins")
    assert len(line) < 500
    return line.partition(": ")[2]


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    err: bytes


def environment(**more: str) -> dict[str, str]:
    """The environment of a command: ours, with this source tree before anything installed."""
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**ours, "PYTHONPATH": str(ROOT / "harness"), **more}


def command(*words: str, cwd: Path, stdin: bytes = b"", **more: str) -> Done:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "whichwins", *words],
        cwd=cwd,
        env=environment(**more),
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)
