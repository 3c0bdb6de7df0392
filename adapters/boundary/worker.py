"""Puts requests to the user's own code or service: speaks ../PROTOCOL.md, the verb `deliver`.

Python >= 3.8, the standard library alone. Not an adapter: no manifest, no subjects; an audit starts it.
"""

import os
import sys
from importlib.machinery import SourceFileLoader
from urllib.parse import unquote

HERE = os.path.dirname(os.path.abspath(__file__))
KIT = os.path.join(os.path.dirname(HERE), "python")
# Nothing of this folder may be found by the user's imports.
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE]


def load(name, folder=HERE):
    """Run a file as a module that `import` cannot find."""
    module = type(sys)("_whichwins_" + name)
    module.__file__ = os.path.join(folder, name) + ".py"
    SourceFileLoader(module.__name__, module.__file__).exec_module(module)
    return module


kit, render, words = load("worker", KIT), load("render", KIT), load("words", KIT)
# Before any folder of the user's may shadow what they import.
state, speller = load("state"), load("spell")
frame, one_line = kit.frame, words.one_line
naming = load("naming")
class_name = naming.class_name


class Tools:
    """What a kind gets: the other files of this folder, the options, and what was made of them."""

    def __init__(self, options):
        self.options = options
        self.render, self.words, self.load = render, words, load
        self.class_name = class_name
        self.record, self.request, self.signals = load("record"), load("request"), load("signals")
        self.spell = speller.Speller(render, state, naming)
        self.settle_seconds = float(options.get("settle", "1"))
        self.desk = self.record.Desk(self, options.get("journal"))
        self.following = load("following")
        self.template = self.request.Template(options)
        self.decoders = load("decoders")
        self.signal = self.signals.Signals(self)
        self.files = []

    def find(self, target):
        """The object that `module:name` names; with `()` behind it, what calling it gives."""
        module_name, colon, name = target.partition(":")
        if not module_name or not name:
            raise Refused("%r is not module:name" % target)
        found, made = self.module(module_name), name.endswith("()")
        for part in (name[:-2] if made else name).split("."):
            try:
                found = getattr(found, part)
            except AttributeError:
                raise Refused("%s has no %s: look at %s in the stack" % (module_name, part, target)) from None
        return found() if made else found

    def module(self, name):
        """A module; its file is part of the boundary's identity."""
        import importlib

        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not error.name:
                raise  # made by hand: it names no module
            itself = (name + ".").startswith(error.name + ".")
            said = "there is no module %s" % error.name + ("" if itself else ", which %s imports" % name)
            raise Refused("%s: %s" % (said, LOOKED_FOR)) from None
        if getattr(found, "__file__", None) and found.__file__ not in self.files:
            self.files.append(found.__file__)
        return found


LOOKED_FOR = "it is looked for beside the stack file, then by the interpreter (--python names another)"
KINDS = {"call": "call", "asgi": "asgi", "wsgi": "wsgi", "http": "service", "command": "program"}


class Refused(Exception):
    """The options cannot be worked with: what, and what to write instead."""


def set_up(options):
    """Make everything ready for the first request; whatever goes wrong is raised."""
    folder = options.get("folder")
    if folder:
        sys.path[:] = [folder] + [entry for entry in sys.path if entry not in ("", folder)]
    tools = Tools(options)
    tools.Refused = Refused
    kind = KINDS.get(options.get("kind", ""))
    if kind is None:
        raise Refused("kind %r is none of %s" % (options.get("kind"), ", ".join(KINDS)))
    tools.following.follow(tools.desk)
    if kind not in ("service", "program"):  # what those run reports by itself
        tools.following.watch_processes(tools.desk)
    if options.get("sink") and kind not in ("service", "program"):
        load("sink").replace(tools)  # before the target is imported: it may copy the name
    tools.deliver, tools.close = load(kind).make(tools)
    if options.get("transform"):
        tools.convert = load("convert").make(tools)
    return tools


def identity(tools):
    """The body of `ready`."""
    lines = ["protocol 1"] + words.identity({"libraries": tools.decoders.loaded()}).split("\n")[1:-1]
    lines = [line for line in lines if line != "capability parse"]
    lines += ["detail kind=" + tools.options["kind"]]
    importable = ",".join(tools.decoders.importable())
    lines += ["detail decoders-importable=" + importable] if importable else []
    lines += ["file " + path for path in tools.files]
    lines += ["capability deliver"] + (["capability convert"] if tools.options.get("transform") else [])
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def raised_at(error):
    """The innermost place of its traceback, or None."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last


def place_of(error):
    """Where it was raised: file and line, and no folder. A syntax error: where it stands."""
    last = raised_at(error)
    # Of a text that was made up the name may be anything: a file's alone is told.
    if isinstance(error, SyntaxError) and isinstance(error.filename, str) and os.path.isfile(error.filename):
        return "at %s:%d" % (one_line(os.path.basename(error.filename)), error.lineno or 1)
    if last is None:
        return ""
    return "at %s:%d" % (one_line(os.path.basename(last.tb_frame.f_code.co_filename)), last.tb_lineno)


def is_ours(error):
    """Whether its words are this folder's, or tell a name or a number only."""
    last = raised_at(error)
    here = last is not None and last.tb_frame.f_code.co_filename.startswith(HERE + os.sep)
    exits = isinstance(error, SystemExit) and isinstance(error.code, int)
    return here or exits or isinstance(error, (Refused, ModuleNotFoundError))


def start(body):
    """Read `hello` and set the boundary up; return the answer and the tools."""
    lines = [line.partition(" ")[::2] for line in body.decode().split("\n")]
    if dict(lines).get("protocol") != "1":
        return frame(b"fault", b"0", b"ProtocolMismatch this worker speaks protocol 1"), None
    pairs = [value.partition("=")[::2] for key, value in lines if key == "option"]
    try:
        tools = set_up({key: unquote(value, errors="surrogateescape") for key, value in pairs})
        return frame(b"ready", b"0", identity(tools)), tools
    except BaseException as error:  # importing an application may do anything
        name = one_line(class_name(type(error))) or "Error"
        # What user code says may hold anything: the place is told, and not the words.
        said = "%s %s" % (name, one_line(error) if is_ours(error) else place_of(error))
        return frame(b"fault", b"0", said.encode()), None


def answer(tools, verb, number, body):
    """One answer to one frame."""
    if verb == b"convert" and tools.options.get("transform"):
        return frame(*tools.convert(number, body))
    if verb != b"deliver":
        return frame(b"unsupported", number, b"no " + verb)
    try:
        case = tools.desk.open(body)
    except ValueError as error:
        return frame(b"fault", number, b"BadDelivery " + one_line(error).encode())
    try:
        if case.watched:
            case.decoders = tools.decoders.seen_at_work(lambda: tools.deliver(case))
        else:
            tools.decoders.over()
            tools.deliver(case)
    except tools.request.Unsupported as error:
        case.end("unsupported", reason=str(error))
    except BaseException as error:  # what got past the kind
        case.raised(error)
    return frame(b"accept", number, tools.desk.close(case))


def main():
    requests, answers = kit.streams()
    tools, me, home = None, os.getpid(), os.getcwd()
    while True:
        verb, number, body = kit.read_frame(requests)
        if verb == b"bye":
            try:
                tools and tools.close()
            finally:
                os._exit(0)
        if verb == b"hello":
            reply, tools = start(body)
        else:
            asked = kit.inner_frames(body) if verb == b"batch" else [(verb, number, body)]
            reply = b"".join([answer(tools, *each) for each in asked])
        if os.getpid() != me:
            os._exit(0)  # a child that user code forked and let return
        answers.write(reply)
        answers.flush()
        try:
            if os.getcwd() != home:
                os.chdir(home)
        except OSError:
            os.chdir(home)


if __name__ == "__main__":  # the worker of ../frameworks loads this file for its tools
    main()
