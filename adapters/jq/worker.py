"""The jq adapter: a process of jq for each case, which reads the case on standard input. See ../PROTOCOL.md.

What jq writes is the value. A status is no verdict by itself: "no" is jq's own `parse error` and a status
that agrees.
"""

import json
import os
import re
import shutil
import subprocess
import sys

SAYS_NO = re.compile(rb"(?:jq: )?parse error: (?P<said>[^\n]*)\n")
NO = "JqParseError"


def frame(verb, number, body):
    return b"%b %b %d\n%b\n" % (verb, number, len(body), body)


def read_frame(requests):
    verb, number, length = (requests.readline() or b"bye 0 0").split()
    return verb, number, requests.read(int(length) + 1)[:-1]


def inner_frames(body):
    at = 0
    while at < len(body):
        start = body.index(b"\n", at) + 1
        verb, number, length = body[at:start].split()
        at = start + int(length) + 1
        yield verb, number, body[start : at - 1]


def one_line(text):
    return "".join(c if " " <= c <= "~" else "?" for c in text[:280]).encode()


class Pairs(list):
    """The members of an object, as they stand."""


class Float(float):
    """A number of jq: it has no other kind."""


def notation(text):
    """The notation of what jq wrote: JSON, at most 256 levels deep."""
    return write(json.loads(text, object_pairs_hook=Pairs, parse_int=Float, parse_float=Float))


def write(value):
    if isinstance(value, Pairs):
        return "{" + ",".join(json.dumps(name) + ":" + write(member) for name, member in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    return float.__repr__(value) if isinstance(value, float) else json.dumps(value).replace("\x7f", "\\u007f")


class Jq:
    def __init__(self, path, rejects):
        self.path, self.rejects = path, rejects

    def answer(self, verb, number, body):
        if verb not in (b"parse", b"emit"):
            return frame(b"unsupported", number, b"no " + verb)
        done = subprocess.run([self.path, "-c", "."], input=body, capture_output=True, check=False)
        if done.returncode < 0:  # the crash is jq's: so that it is seen as one, the worker dies of it too
            os.kill(os.getpid(), -done.returncode)
        no = SAYS_NO.fullmatch(done.stderr)
        if done.returncode != 0 and no:
            said = NO.encode() + b" " + one_line(no["said"].decode("latin-1"))
            return (
                frame(b"reject", number, b"parse " + said)
                if NO in self.rejects
                else frame(b"fault", number, said)
            )
        if done.returncode != 0 or done.stderr:
            said = b"exit-%d " % done.returncode + one_line(done.stderr.decode("latin-1"))
            return frame(b"fault", number, said)
        if verb == b"emit":
            return frame(b"accept", number, done.stdout)
        outputs = done.stdout.decode().split("\n")[:-1]
        if len(outputs) != 1:  # jq reads a stream of values: none and several are fine with it
            return frame(b"accept", number, b'X"stream:%d values"' % len(outputs))
        return frame(b"accept", number, notation(outputs[0]).encode())


def start(body):
    lines = [line.partition(" ")[::2] for line in body.decode().split("\n")]
    said = dict(lines)
    if said.get("protocol") != "1":
        return frame(b"fault", b"0", b"ProtocolMismatch this kit speaks protocol 1"), None
    path = shutil.which("jq")
    if not path or said.get("shim") != "jq":
        return frame(b"fault", b"0", b"ProgramNotFound jq is not on the PATH"), None
    shown = subprocess.run([path, "--version"], capture_output=True, check=False)
    version = shown.stdout.decode("latin-1").strip().partition("jq-")[2]
    if shown.returncode or not version:
        return frame(b"fault", b"0", b"ProgramNotFound this jq does not tell its version"), None
    ready = ["protocol 1", "runtime jq " + version, "library jq " + version, "file " + os.path.realpath(path)]
    rejects = {value for key, value in lines if key == "rejects"}
    ready += ["capability parse", "capability emit", ""]
    return frame(b"ready", b"0", "\n".join(ready).encode()), Jq(path, rejects).answer


def main():
    requests, answers = os.fdopen(os.dup(0), "rb", 1 << 16), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer = None
    while True:
        verb, number, body = read_frame(requests)
        if verb == b"bye":
            return
        if verb == b"hello":
            reply, answer = start(body)
        else:
            asked = inner_frames(body) if verb == b"batch" else [(verb, number, body)]
            no = lambda verb, number, _: frame(b"unsupported", number, b"no " + verb)  # noqa: E731
            reply = b"".join([(answer or no)(*each) for each in asked])
        answers.write(reply)
        answers.flush()


if __name__ == "__main__":
    sys.exit(main())
