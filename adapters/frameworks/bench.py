"""What shims stand on: the drivers of ../boundary, the tool that is counted, places for a case in a text."""

import os
import re
from contextlib import contextmanager

# Outside strings: what opens, closes, separates.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{},:]', re.DOTALL)


def bench(boundary, options):
    """The tools of ../boundary with a shim's helpers. `boundary`: its worker's module."""

    class Bench(boundary.Tools):
        Refused = boundary.Refused

        def __init__(self):
            super().__init__({"settle": "0.5", "target": "", **options})
            self.target = None
            self.following.follow(self.desk)
            self.canned = self.load("canned", os.path.dirname(__file__))

        def find(self, target):
            return self.target

        # ---- what a handler does

        def execute(self, value):
            """The tool runs with this value."""
            self.desk.case().execute(value)

        def preview(self, value, where):
            """Somebody could be shown this value."""
            self.desk.case().preview(value, where)

        def saw(self, case, error):
            """Keep the first error: its class says who said no."""
            if getattr(case, "error", None) is None:
                case.error = error

        @contextmanager
        def reading(self):
            """Around what a handler calls to read the request: an error is noted, and goes on."""
            try:
                yield
            except BaseException as error:
                self.saw(self.desk.case(), error)
                raise

        # ---- who is asked, and how

        def shim(self, deliver, uses):
            """`uses`: (distribution, module); the module's file is part of the identity."""
            from importlib.metadata import version

            return {
                "deliver": deliver,
                "libraries": [(name, version(name)) for name, _ in uses],
                "files": [module.__file__ for _, module in uses if getattr(module, "__file__", None)],
            }

        def asgi(self, app, *uses):
            """An ASGI application, driven over its own interface."""
            return self.application("asgi", app, uses)

        def wsgi(self, app, *uses):
            """A WSGI application."""
            return self.application("wsgi", app, uses)

        def application(self, kind, app, uses):
            self.target = app
            act, _ = self.load(kind).make(self)

            def deliver(case):
                if self.template.slot == "value":
                    self.value(case.raw)
                act(case)

            return self.shim(deliver, uses)

        def call(self, function, *uses):
            """`function(raw)`, awaited if need be: it executes, raises, or says how it ended.

            Such a case has no headers: nothing carries them.
            """
            loop = self.loop()

            def deliver(case):
                self.no_headers(case)
                with self.reading():
                    value = function(case.raw)
                    if hasattr(value, "__await__"):
                        loop.run(case, value)
                if not case.executions:
                    case.end("rejected", "nothing ran")
                case.end("accepted")
                left = self.following.settle(case, self.settle_seconds)
                case.reason = case.reason or ("%d threads outlast the request" % left if left else "")

            return self.shim(deliver, uses)

        def loop(self):
            """The one event loop of the process."""
            return self.load("loops").Loop(self)

        def no_headers(self, case):
            """Where a case stands in a text that has no headers of its own."""
            if case.headers:
                raise self.request.Unsupported("the case has headers, and no request carries them here")

        def string(self, raw):
            """The case as the inside of a JSON string."""
            return self.request.in_string(raw)

        def value(self, raw):
            """The case where a JSON value stands in a larger text, nothing but brackets behind it.

            What would end the value and go on in the larger text is no statement about the case.
            """
            if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
                raise self.request.Unsupported("a byte order mark cannot stand first in a larger text")
            depth = 0
            for found in _TOKEN.finditer(raw):
                token = found.group()
                if token in (b"{", b"["):
                    depth += 1
                elif token in (b"}", b"]"):
                    depth -= 1
                if depth < 0 or (depth == 0 and token in (b",", b":")):
                    raise self.request.Unsupported("the case would end the value that it stands in")
            return raw

        def pieces(self, text):
            """A text as a stream brings it: nine characters at a time, at most 32 pieces."""
            size = max(9, -(-len(text) // 32))
            return [text[at : at + size] for at in range(0, len(text), size)] or [""]

    return Bench()
