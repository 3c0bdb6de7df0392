"""The Python kit: speaks ../PROTOCOL.md for one shim. Python >= 3.8, the standard library alone."""

import os
import sys
from importlib.machinery import SourceFileLoader

HERE = os.path.dirname(os.path.abspath(__file__))
# A library that says `import json` must never find a file of this folder.
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]


def streams():
    """Move the protocol off descriptors 0 and 1: what a library prints goes to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb", 1 << 16), os.fdopen(os.dup(1), "wb")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return requests, answers


def load(name, folder=HERE):
    """Run a file of this folder, or of the one with the shims, as a module that `import` cannot find."""
    module = type(sys)("_whichwins_" + name)
    module.__file__ = os.path.join(folder, *name.split(".")) + ".py"
    SourceFileLoader(module.__name__, module.__file__).exec_module(module)
    return module


def frame(verb, number, body):
    return b"%b %b %d\n%b\n" % (verb, number, len(body), body)


def read_frame(requests):
    verb, number, length = (requests.readline() or b"bye 0 0").split()
    body = requests.read(int(length) + 1)
    if len(body) <= int(length) and verb != b"bye":
        raise EOFError("half a frame")
    return verb, number, body[:-1]


def inner_frames(body):
    at, end, found = 0, len(body), []
    while at < end:
        start = body.index(b"\n", at) + 1
        verb, number, length = body[at:start].split()
        at = start + int(length)
        found.append((verb, number, body[start:at]))
        at += 1
    return found


def answerer(shim, kit, words, rejects):
    """Return the function from one request to one answer."""
    render = shim.get("render", kit.render if shim.get("plain") else kit.exact)
    work, known = {b"parse": shim["parse"], b"emit": shim.get("emit")}, {}

    def failed(error, number):
        kind = type(error)
        if kind is kit.Unsupported:
            return frame(b"unsupported", number, words.one_line(error).encode())
        if kind not in known:
            stage = next((stage for stage, listed in rejects if words.says(listed, kind)), "")
            known[kind] = stage, "".join(words.one_line(kind.__name__).split()) + " "
        stage, said = known[kind]
        if stage and "stage" in shim:  # some libraries have one class for several stages
            stage = shim["stage"](error) or stage
        said = (stage and stage + " ") + said + words.one_line(error)
        return frame(b"reject" if stage else b"fault", number, said.encode())

    def answer(verb, number, data):
        act = work.get(verb)
        if act is None:
            return frame(b"unsupported", number, b"no " + verb)
        try:
            value = act(data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a library may raise anything, SystemExit and Rust panics included
            return failed(error, number)
        try:
            text = render(value).encode() if verb == b"parse" else value
        except Exception as error:  # ours, so never a verdict
            return frame(b"fault", number, b"RenderFailed " + words.one_line(repr(error)).encode())
        return b"accept %b %d\n%b\n" % (number, len(text), text)

    return answer


def start(body):
    """Read `hello` and set the subject up; return the answer and the answering function."""
    lines = [line.partition(" ")[::2] for line in body.decode().split("\n")]
    said = dict(lines)
    if said.get("protocol") != "1":
        return frame(b"fault", b"0", b"ProtocolMismatch this kit speaks protocol 1"), None
    stages, words = {"rejects": "parse", "rejects-decode": "decode", "rejects-bind": "bind"}, load("words")
    try:
        kit = load("render")
        file, _, factory = said["shim"].partition(".")
        kit.sibling = lambda name: load("shims." + name, *sys.argv[1:])
        kit.within, bounds = load("bounds").guard(kit, [value for key, value in lines if key == "bound"])
        shim = getattr(kit.sibling(file), factory)(kit)
        shim["details"] = {**shim.get("details", {}), **bounds}
        reply = frame(b"ready", b"0", words.identity(shim).encode())
    except Exception as error:
        return frame(b"fault", b"0", ("%s %s" % (type(error).__name__, words.one_line(error))).encode()), None
    rejects = [(stages[key], value) for key, value in lines if key in stages]
    rejects += [("parse", name) for name in shim.get("rejects", [])]
    return reply, answerer(shim, kit, words, rejects)


def main():
    (requests, answers), answer = streams(), None
    while True:
        verb, number, body = read_frame(requests)
        if verb == b"bye":
            os._exit(0)  # no library gets to fail, print or hang at exit
        if verb == b"hello":
            reply, answer = start(body)
        else:
            # One place that calls `answer`: a recursion limit must not depend on the batching.
            asked = inner_frames(body) if verb == b"batch" else [(verb, number, body)]
            reply = b"".join([answer(*each) for each in asked])
        answers.write(reply)
        answers.flush()


if __name__ == "__main__":  # the worker of ../boundary loads this file for its streams and frames
    main()
