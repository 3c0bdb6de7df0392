"""Scripted workers for tests: a stdlib-only worker whose behaviour is a few lines of Python.

`launch(folder, behaviour)` writes a script that speaks the protocol and then runs `behaviour`, which
may redefine `answer(body) -> (verb, body)`, `reply(sequence, body) -> raw bytes`, `greeting() -> raw
bytes`, `deliver(raw answers of a batch)`, `respond(raw answer outside a batch)`, `goodbye()`. The
plain worker accepts `text` as `"text"` and rejects what starts with `!`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from whichwins.model import Canary, Observation, Outcome, Subject
from whichwins.workers import Launch

WORKER = r"""
import os, resource, signal, sys, time

source = os.fdopen(0, "rb", closefd=False)

def send(data):
    data = memoryview(data)
    while data:
        data = data[os.write(1, data):]

def frame(verb, sequence, body):
    return b"%s %d %d\n%s\n" % (verb.encode(), sequence, len(body), body)

def greeting():
    return frame("ready", 0, b"protocol 1\nruntime Scripted 1.0\nlibrary scripted 0.1\n")

def answer(body):
    if body.startswith(b"!"):
        return "reject", b"parse ScriptedError no"
    return "accept", b'"%s"' % body

def reply(sequence, body):
    verb, text = answer(body)
    return frame(verb, sequence, text)

def deliver(answers):
    send(b"".join(answers))

def respond(raw):
    send(raw)

def goodbye():
    os._exit(0)

def die(how=signal.SIGSEGV):
    os.kill(os.getpid(), how)
    time.sleep(10)

def frames(stream):
    while True:
        head = stream.readline()
        if not head:
            return
        verb, sequence, length = head.split()
        body = stream.read(int(length))
        stream.read(1)
        yield verb, int(sequence), body

def serve():
    import io
    for verb, sequence, body in frames(source):
        if verb == b"hello":
            send(greeting())
        elif verb == b"batch":
            deliver([reply(s, b) for _, s, b in frames(io.BytesIO(body))])
        elif verb == b"bye":
            goodbye()
        else:
            respond(reply(sequence, body))

# --- behaviour ---
%s
# --- end of it ---
serve()
"""


def launch(
    folder: Path,
    behaviour: str = "",
    name: str = "worker",
    memory_mb: int = 2048,
    env: Mapping[str, str] | None = None,
) -> Launch:
    """A launch of a scripted worker written to `folder/name.py`."""
    script = folder / f"{name}.py"
    script.write_text(WORKER.replace("%s\n# --- end", behaviour + "\n# --- end"), encoding="utf-8")
    return Launch((sys.executable, "-I", "-S", str(script)), env, memory_mb)


def subject(key: str, canaries: tuple[Canary, ...] = ()) -> Subject:
    """A subject with nothing but a key."""
    return Subject(
        key=key,
        adapter="scripted",
        family="scripted",
        library="scripted",
        entry="answer(bytes)",
        shim="answer",
        decode="library",
        rejects=("ScriptedError",),
        canaries=canaries,
    )


def accepted(data: bytes) -> Observation:
    """What the plain worker says of a plain text."""
    return Observation(Outcome.ACCEPT, f'"{data.decode("ascii")}"')


def children() -> set[int]:
    """Process ids below this process, whatever their group (Linux)."""
    found: set[int] = set()
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    wanted = {os.getpid()}
    while wanted:
        wanted = {pid for pid, parent in parents.items() if parent in wanted} - found
        found |= wanted
    return found
