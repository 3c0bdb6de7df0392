"""Hand-made workers for tests of the doctor: one that is well, and ways to make it ill.

`launch(folder, ill)` writes the worker and then `ill`, a few lines of Python that may redefine
`parse(data) -> value`, `spell(value) -> notation`, `names(pairs) -> value`, `text(str)`, `real(float)`,
`say(raw)`, `greet(lines) -> frame`, `answers(frames of a batch) -> frames`, `frame(verb, number, body)`,
`other(verb, number) -> frame`, `goodbye()`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whichwins.model import Canary, Subject
from whichwins.run.doctor import Check, Checkup, examine
from whichwins.workers import Launch, Limits

WORKER = r"""
import json, os, sys, time
source = os.fdopen(os.dup(0), "rb")
sink = os.fdopen(os.dup(1), "wb")

class Pairs(list):
    pass

def names(pairs):
    return Pairs(dict(pairs).items())

def parse(data):
    return json.loads(data.decode(), object_pairs_hook=names, parse_float=Real)

class Real(float):
    pass

def text(s):
    return json.dumps(s).replace("\x7f", "\\u007f")

def real(number):
    return {"inf": "Infinity", "-inf": "-Infinity"}.get(repr(float(number)), repr(float(number)))

def spell(v):
    if type(v) is str:
        return text(v)
    if isinstance(v, Real):
        return real(v)
    if isinstance(v, Pairs):
        return "{" + ",".join(text(k) + ":" + spell(x) for k, x in v) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(spell, v)) + "]"
    return json.dumps(v)

def frame(verb, number, body):
    return b"%s %d %d\n%s\n" % (verb.encode(), number, len(body), body)

def answer(verb, number, data):
    if verb != "parse":
        return other(verb, number)
    try:
        value = parse(data)
    except ValueError:
        return frame("reject", number, b"parse ValueError no")
    except RecursionError:
        return frame("fault", number, b"RecursionError deep")
    return frame("accept", number, spell(value).encode())

def other(verb, number):
    return frame("unsupported", number, b"no " + verb.encode())

def answers(found):
    return found

def say(raw):
    sink.write(raw)
    sink.flush()

READY = ["protocol 1", "runtime Test 1.0", "library test 0.1", "capability parse"]

def greet(lines):
    if "protocol 1" not in lines:
        return frame("fault", 0, b"ProtocolMismatch protocol 1 only")
    return frame("ready", 0, "".join(line + "\n" for line in READY).encode())

def goodbye():
    os._exit(0)

def frames(stream):
    while head := stream.readline():
        verb, number, length = head.split()
        body = stream.read(int(length) + 1)
        if len(body) <= int(length):
            goodbye()
        yield verb.decode(), int(number), body[:-1]

def serve():
    import io
    for verb, number, body in frames(source):
        if verb == "bye":
            goodbye()
        elif verb == "hello":
            say(greet(body.decode().split("\n")))
        elif verb == "batch":
            say(b"".join(answers([answer(*each) for each in frames(io.BytesIO(body))])))
        else:
            say(answer(verb, number, body))
    goodbye()
"""

CANARIES = (
    Canary('{"a":[1,true,null,"\u00e9"]}', ('{"a":[1,true,null,"\\u00e9"]}',), "a control"),
    Canary('{"a":', ("reject",), "an unfinished object"),
)
LIMITS = Limits(case_seconds=10, start_seconds=20)


def subject(repeats: str = "last", canaries: tuple[Canary, ...] = CANARIES) -> Subject:
    return Subject(
        key="test/one",
        adapter="test",
        family="test",
        library="test",
        entry="test.parse",
        shim="one",
        decode="library",
        rejects=("ValueError",),
        repeats=repeats,
        canaries=canaries,
    )


def launch(folder: Path, ill: str = "") -> Launch:
    path = folder / "worker.py"
    path.write_text(f"{WORKER}\n{ill}\nserve()\n", encoding="utf-8")
    return Launch((sys.executable, "-S", "-E", str(path)))


def checkup(folder: Path, ill: str = "", one: Subject | None = None, limits: Limits = LIMITS) -> Checkup:
    one = one or subject()
    (found,) = examine([one], {one.key: launch(folder, ill)}, limits)
    return found


def wrong(found: Checkup) -> dict[str, tuple[str, ...]]:
    """What is wrong: by check, what it was seen on."""
    return {c.name: tuple(finding.about for finding in c.findings) for c in found.checks if c.findings}


def check(found: Checkup, name: str) -> Check:
    return next(each for each in found.checks if each.name == name)
