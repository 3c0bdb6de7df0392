"""Frameworks and SDKs as their handlers and tools see them: speaks ../PROTOCOL.md, `parse` and `deliver`.

Python >= 3.8, the standard library alone, and the files of ../boundary and ../python.
"""

import gc
import logging
import os
import sys
from importlib.machinery import SourceFileLoader

HERE = os.path.dirname(os.path.abspath(__file__))
# A framework that says `import json` must never find a file of this folder.
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]


def load(path, name):
    """Run a file as a module that no `import` of a library meets; frameworks look modules up by name."""
    module = type(sys)("_whichwins_frameworks_" + name)
    module.__file__ = path
    sys.modules[module.__name__] = module
    SourceFileLoader(module.__name__, path).exec_module(module)
    return module


boundary = load(os.path.join(os.path.dirname(HERE), "boundary", "worker.py"), "boundary")
bench_file = load(os.path.join(HERE, "bench.py"), "bench")
frame, one_line, words = boundary.frame, boundary.one_line, boundary.words


# Before 3.12 a collection can begin inside ContextVar.set, and a finaliser that sets a variable too (an
# abandoned stream with a span) frees what is being read: the process dies (CPython issue 148891).
# So it begins between requests.
COLLECTS = sys.version_info < (3, 12)


class Subject:
    """A bench with what a shim has set up on it, and the ways in which it says no."""

    def __init__(self, body):
        lines = [line.partition(" ")[::2] for line in body.decode().split("\n")]
        said = dict(lines)
        options = dict(value.partition("=")[::2] for key, value in lines if key == "option")
        file, _, factory = said["shim"].partition(".")
        self.bench = bench_file.bench(boundary, {key: boundary.unquote(v) for key, v in options.items()})
        # Whatever it logs quotes requests, and is nobody's answer.
        logging.disable(logging.CRITICAL)
        shim = load(os.path.join(HERE, "shims", file + ".py"), file)
        self.shim = getattr(shim, factory)(self.bench)
        stages = {"rejects": "parse", "rejects-decode": "decode"}
        self.rejects = [(stages[key], value) for key, value in lines if key in stages]

    def identity(self):
        lines = words.identity(self.shim).split("\n")[:-1]
        known = {name for name, _ in self.shim["libraries"]}
        lines += ["library %s %s" % pair for pair in boundary_decoders(self.bench) if pair[0] not in known]
        return ("\n".join(lines + ["capability deliver"]) + "\n").encode("utf-8", "surrogateescape")

    def put(self, case):
        """Put one request; whatever it did stands in the case."""
        try:
            self.shim["deliver"](case)
        except self.bench.request.Unsupported as error:
            case.end("unsupported", reason=str(error))
        except BaseException as error:  # what got past the shim
            self.bench.saw(case, error)
            case.raised(error)

    def deliver(self, number, body):
        try:
            case = self.bench.desk.open(body)
        except ValueError as error:
            return frame(b"fault", number, b"BadDelivery " + one_line(error).encode())
        if case.watched:
            case.decoders = self.bench.decoders.seen_at_work(lambda: self.put(case))
        else:
            self.bench.decoders.over()
            self.put(case)
        return frame(b"accept", number, self.bench.desk.close(case))

    def parse(self, number, data):
        """What the handler received, as a parser answers: the last of its executions, else how it said no."""
        case = self.bench.desk.open(b"\n" + data)
        self.put(case)
        for line in reversed(case.lines):
            if line.startswith("execute "):
                return frame(b"accept", number, line[8:].encode())
        if case.passed == "unsupported":
            return frame(b"unsupported", number, one_line(case.reason).encode())
        error = getattr(case, "error", None)
        if case.signal.startswith("http 4") or error is None:
            # The framework's own word; a 500 for an error that nobody caught has the error's name.
            name, message = case.signal.replace(" ", "-") or "Nothing", case.reason
            stage = next((stage for stage, listed in self.rejects if listed == name), "")
        else:
            name, message = "".join(one_line(type(error).__name__).split()) or "Error", error
            stage = next((stage for stage, listed in self.rejects if words.says(listed, type(error))), "")
        verb, head = (b"reject", stage + " " + name) if stage else (b"fault", name)
        return frame(verb, number, (head + " " + one_line(message)).encode()[:300])


def boundary_decoders(bench):
    """The JSON decoders that setting up has imported, but for Python's own."""
    return [pair for pair in bench.decoders.loaded() if pair[0] != "json"]


def start(body):
    """Read `hello` and set the subject up; return the answer and the subject."""
    if b"protocol 1" not in body.split(b"\n"):
        return frame(b"fault", b"0", b"ProtocolMismatch this worker speaks protocol 1"), None
    try:
        subject = Subject(body)
        return frame(b"ready", b"0", subject.identity()), subject
    except BaseException as error:  # importing a framework may do anything
        said = "%s %s" % (one_line(type(error).__name__) or "Error", one_line(error))
        return frame(b"fault", b"0", said.encode()), None


def answer(subject, verb, number, body):
    """One answer to one frame."""
    if subject is None or verb not in (b"parse", b"deliver"):
        return frame(b"unsupported", number, b"no " + verb)
    reply = subject.deliver(number, body) if verb == b"deliver" else subject.parse(number, body)
    collect()
    return reply


def collect():
    """Collect what the last request left; what has stayed since the first is large, and not looked at."""
    global _frozen
    if COLLECTS:
        gc.collect()
        if not _frozen:
            gc.freeze()
            _frozen = True


_frozen = False


def main():
    (requests, answers), subject = boundary.kit.streams(), None
    if COLLECTS:
        gc.disable()
    while True:
        verb, number, body = boundary.kit.read_frame(requests)
        if verb == b"bye":
            os._exit(0)  # no library gets to fail, print or hang at exit
        if verb == b"hello":
            reply, subject = start(body)
        else:
            # One place that calls `answer`: a recursion limit must not depend on the batching.
            asked = boundary.kit.inner_frames(body) if verb == b"batch" else [(verb, number, body)]
            reply = b"".join([answer(subject, *each) for each in asked])
        answers.write(reply)
        answers.flush()


main()
