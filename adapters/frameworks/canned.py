"""Answers of a service that is not there: the SDK's own HTTP client, with its own transport for tests."""

import json
import sys

JSON, STREAM = "application/json", "text/event-stream"


def httpx_of(base_client):
    """The HTTP library that an SDK is built on: httpx, or httpx2."""
    for name in ("httpx2", "httpx"):
        if hasattr(base_client, name):
            return sys.modules[name]
    raise ImportError("the SDK is built on neither httpx nor httpx2")


class Service:
    """Gives the answers that are laid out, in order; keeps what it was asked."""

    def __init__(self, httpx):
        self.answers, self.asked = [], []

        def answer(request):
            self.asked.append(request.read())
            body, kind = self.answers.pop(0)
            return httpx.Response(200, content=body, headers={"content-type": kind})

        self.client = httpx.Client(transport=httpx.MockTransport(answer))

    def lay(self, *answers):
        self.answers[:], self.asked[:] = answers, []


def text(value):
    return json.dumps(value).encode()


def events(found, named):
    """A stream of server-sent events; `named`: each has its type as its name."""
    lines = []
    for each in found:
        if named:
            lines.append(b"event: %b\n" % each["type"].encode())
        lines.append(b"data: %b\n\n" % text(each))
    return b"".join(lines) + (b"" if named else b"data: [DONE]\n\n"), STREAM
