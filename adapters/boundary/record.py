"""What one request did: collected while user code runs, written as the body of the answer to `deliver`."""

import os
import sys
import threading
from contextvars import ContextVar
from urllib.parse import quote

MOST_LINES = 10000
MOST_BYTES = 16 * 1024 * 1024
MOST_JOURNAL = 256 * 1024 * 1024


class Rejection(Exception):
    """Ends a function that said no by its context."""


class Unsupport(Exception):
    """Ends a function that said that it cannot be asked this."""


class Case:
    """One request: what comes in, and what is seen of it."""

    def __init__(self, desk, name, watched, headers, raw):
        self.desk, self.name, self.watched, self.headers, self.raw = desk, name, watched, headers, raw
        self.passed, self.signal, self.reason = None, "", ""
        self.value = self.approved = self.emitted = None
        self.lines, self.counts, self.sizes, self.dropped = [], [0, 0], [0, 0], False
        self.executions, self.known, self.growing = 0, True, False
        self.closed = self.elsewhere = False
        self.decoders = ()
        self.threads, self.work = [], []

    def note(self, key, text):
        """Keep one line, in the journal too: it outlives a worker that dies."""
        self.desk.journal(key, self.name, text)
        kind = key == "preview"  # a flood of previews must not wash an execution away
        if self.counts[kind] < MOST_LINES and self.sizes[kind] + len(text) < MOST_BYTES:
            self.counts[kind] += 1
            self.sizes[kind] += len(text)
            self.lines.append(key + " " + text)
        else:
            self.dropped = True

    def preview(self, value, where=""):
        self.note("preview", (quote(str(where), safe="/#[]:.") or "-")[:300] + " " + self.desk.spell(value))

    def execute(self, value, digest=None):
        self.executions += 1
        # Before the value is spelled, which may take longer than there is time.
        self.desk.journal("begin", self.name, "-")
        self.note("execute", self.desk.spell(value))
        self.note("executed", self.desk.digest(value, digest))

    def approve(self, value, digest=None):
        self.approved = self.desk.digest(value, digest)
        if self.value is None:
            self.value = self.desk.spell(value)

    def end(self, passed, signal="", reason=""):
        """Say how it ended; the first word holds."""
        if self.passed is None:
            self.passed, self.signal, self.reason = passed, signal, reason or self.reason

    def outlasted(self, count, what="threads"):
        """Something that it began still runs. What has not run by now may run yet: unknown, not none."""
        self.reason = self.reason or "%d %s outlast the request" % (count, what)
        if self.executions:
            self.growing = True
        else:
            self.known = False

    def began_process(self):
        """It started a process: what runs there is not seen."""
        self.elsewhere = True

    def raised(self, error):
        """User code raised: a rejection, unless something had run, or the interpreter gave up."""
        if isinstance(error, Rejection):
            return self.end("rejected", reason=str(error))
        if isinstance(error, Unsupport):
            return self.end("unsupported", reason=str(error))
        broken = self.executions or not isinstance(error, Exception)
        broken = broken or isinstance(error, (RecursionError, MemoryError))
        name = self.desk.one_line(self.desk.class_name(type(error))) or "Exception"
        # Its message may quote the case: the name says enough.
        return self.end("failed" if broken else "rejected", "exception " + name)

    def body(self):
        line = self.desk.one_line
        self.known = self.known and not self.desk.strayed
        if self.known and self.elsewhere and not self.executions:
            self.known = False
            self.reason = self.reason or "it started a process: what runs there is not seen"
        out = ["passed " + (self.passed or "failed")]
        reason = line(self.reason if self.passed else "nothing was said")
        if self.dropped:
            reason = ("more than can be recorded; " + reason)[:300]
        out += ["signal " + line(self.signal)] if self.signal else []
        out += ["value " + self.value] if self.value is not None else []
        out += self.lines if self.known else [each for each in self.lines if not each.startswith("execute")]
        out += (["executions open"] if self.growing else []) if self.known else ["executions unknown"]
        out += ["approved " + self.approved] if self.approved else []
        out += ["emitted " + self.emitted.hex()] if self.emitted is not None else []
        out += ["decoder %s %s" % pair for pair in self.decoders]
        out += ["reason " + reason] if reason else []
        return ("\n".join(out) + "\n").encode("ascii")


class Context:
    """What a user's function is given beside the bytes."""

    def __init__(self, case, name):
        self._case = case
        self.name = name
        self.headers = dict(case.headers)

    def preview(self, value, where=""):
        """Somebody is shown this value."""
        self._case.preview(value, where)

    def execute(self, value, digest=None):
        """The tool runs with this value. `digest`: the one that is checked before, where there is one."""
        self._case.execute(value, digest)

    def approve(self, value, digest=None):
        """This value is allowed to be executed."""
        self._case.approve(value, digest)

    def value(self, value):
        """This is what was understood, None as JSON's null; what is returned needs not be said."""
        self._case.value = self._case.desk.spell(value)

    def emit(self, data):
        """These bytes are passed on to whoever reads this boundary."""
        self._case.emitted = bytes(data)

    def reject(self, reason=""):
        """Say no, and end here."""
        self._case.end("rejected", reason=str(reason))
        raise Rejection(str(reason))

    def unsupported(self, reason=""):
        """Say that these bytes cannot be put to this boundary at all, and end here."""
        self._case.end("unsupported", reason=str(reason))
        raise Unsupport(str(reason))


class Desk:
    """Which case is at work; an execution that comes late belongs to the case that began it."""

    def __init__(self, tools, journal):
        self.spell, self.one_line, self._speller = tools.spell, tools.words.one_line, tools.spell
        self.class_name = tools.class_name
        self.current, self.strayed = None, False
        self._child = False
        self.variable = ContextVar("whichwins_case", default=None)
        self.local = threading.local()
        self._journal = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if journal else None
        self._journaled, self.opened = 0, False
        os.register_at_fork(after_in_child=self._forked)

    def open(self, body):
        name, watched, headers, at = "", False, [], 0
        while True:
            end = body.index(b"\n", at)
            if end == at:
                break
            key, colon, value = body[at:end].partition(b": ")
            if not colon:
                raise ValueError("a header line is not `name: value`")
            at = end + 1
            if key == b":case":
                name = value.decode("ascii").replace(" ", "%20")
            elif key == b":watch":
                watched = value == b"decoders"
            elif not key.startswith(b":"):
                headers.append((key.decode("ascii"), value.decode("latin-1")))
        self.opened = True
        case = self.current = Case(self, name or "-", watched, headers, body[end + 1 :])
        self.variable.set(case)
        self.local.case = None
        return case

    def close(self, case):
        body, self.current, case.closed = case.body(), None, True
        return body

    def _forked(self):
        """In a child of this process: the request at whose time it was forked may be any by now."""
        self._child = True

    def owner(self):
        """The case on whose behalf this thread or task runs; None of one that no case began."""
        return (
            getattr(self.local, "case", None)
            or self.variable.get()
            or getattr(threading.current_thread(), "_whichwins_case", None)
        )

    def case(self):
        """The case at work, for those who do one thing after the other."""
        return self.owner() or self.current

    def runs(self):
        """The case that an execution belongs to; None while the application starts.

        A worker that takes them from a queue was there before the requests, or was begun by one of them that
        ran and was answered long ago; or it is a process of its own. Which request it has now nobody can say,
        and so not of any other how often it ran.
        """
        case = self.owner()
        again = case is not None and case.closed and case.executions > 0
        if self.opened and (case is None or again or self._child):
            self.stray()
        return case or self.current

    def stray(self):
        """Something ran that is of no known case."""
        self.strayed = True
        self.journal("stray", "-", "-")

    def digest(self, value, given):
        if given is not None:
            text = given.hex() if isinstance(given, (bytes, bytearray)) else str(given)
            return "".join(c if "!" <= c <= "~" else "?" for c in text)[:200] or "?"
        return self._speller.digest(value)

    def journal(self, key, name, text):
        if self._journal is None or self._journaled > MOST_JOURNAL:
            return
        line = ("%s %s %s\n" % (key, name, text)).encode("ascii")
        self._journaled += len(line)
        try:
            os.write(self._journal, line)
        except OSError as error:
            sys.stderr.write("whichwins: the journal cannot be written: %s\n" % error)
            self._journal = None
