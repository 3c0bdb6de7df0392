"""Where a service says that its tool ran: an address on the loopback, with a token that cannot be guessed."""

import secrets
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

MOST_REPORT = 16 * 1024 * 1024
LEAST_TOKEN = 16
REMEMBERED = 256


class Listener:
    """Counts reports by POST. `reported` is set by the first: until then nothing is known of executions."""

    def __init__(self, tools, address=None):
        self._tools = tools
        self.reported = False
        self._cases, self._number = {}, 0
        host, port, token = "127.0.0.1", 0, secrets.token_urlsafe(24)
        if address is not None:
            parts = urlsplit(address)
            token = parts.path.strip("/")
            if parts.scheme != "http" or parts.hostname not in ("127.0.0.1", "localhost") or not parts.port:
                raise tools.Refused("the sink's address must be http://127.0.0.1:PORT/TOKEN")
            if len(token) < LEAST_TOKEN or "/" in token:
                raise tools.Refused("the sink's address needs a token of %d characters or more" % LEAST_TOKEN)
            port = parts.port
        self._token = token
        listener = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_POST(self):
                listener._take(self)

            def log_message(self, *args):
                pass

        self._server = HTTPServer((host, port), Handler)
        self.base = "http://%s:%d/%s" % (host, self._server.server_port, token)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def address(self, case):
        """Where this case's executions are reported."""
        self._number += 1
        self._cases[self._number] = case
        self._cases.pop(self._number - REMEMBERED, None)
        return "%s/%d" % (self.base, self._number)

    def _take(self, request):
        token, _, number = request.path.partition("?")[0].lstrip("/").partition("/")
        try:
            length = int(request.headers.get("content-length") or "0")
        except ValueError:
            length = -1
        right = secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode())
        if not right or not 0 <= length <= MOST_REPORT:
            request.send_error(404)
            return
        data = request.rfile.read(length)
        try:
            value = self._tools.signal.read(data)
        except ValueError:
            value = data.decode("latin-1")
        case = self._cases.get(int(number)) if number.isdigit() else self._tools.desk.current
        self.reported = True
        if case is not None:
            case.execute(value)
        request.send_response(204)
        request.end_headers()


def make(tools):
    """The listener that the options ask for, or None: then executions cannot be seen."""
    import os

    sink = tools.options.get("sink", "")
    if sink.startswith("env:"):
        address = os.environ.get(sink[4:])
        if not address:
            raise tools.Refused("the variable %s is not set: it holds the address of the sink" % sink[4:])
        return Listener(tools, address)
    if sink == "listen":
        return Listener(tools)
    if sink:
        raise tools.Refused('the sink of a service or a program is "listen" or "env:NAME"')
    return None
