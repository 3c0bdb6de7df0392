"""Where a service says that its tool ran: an address on the loopback, with a token that cannot be guessed."""

import os
import secrets
import threading
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from urllib.parse import urlsplit

VARIABLE = "WHICHWINS_SINK"
PLACE = "{sink}"
MOST_REPORT = 16 * 1024 * 1024
LEAST_TOKEN = 16
REMEMBERED = 256


class _Server(ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def handle_error(self, *args):
        pass  # whoever hangs up before the end has reported nothing


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

        try:
            self._server = _Server((host, port), Handler)
        except OSError as error:
            raise tools.Refused("the sink's port %d: %s" % (port, error.strerror)) from None
        self.base = "http://%s:%d/%s" % (host, self._server.server_address[1], token)
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
        desk = self._tools.desk
        case = self._cases.get(int(number)) if number.isdigit() else desk.current
        self.reported = True
        if case is None:  # late, and of whom it does not say
            desk.stray()
        if case is not None:
            case.execute(value)
        request.send_response(204)
        request.end_headers()


def address_named(tools):
    """The address that the user gave to the service and to this worker by a variable, or None."""
    name = "".join(c if c.isalnum() else "_" for c in tools.options.get("name", "").upper())
    return os.environ.get(VARIABLE + "_" + name) or os.environ.get(VARIABLE)


def wanted(tools):
    """Whether the request itself carries the address of the sink."""
    carriers = [tools.template.path] + [value for _, value in tools.template.headers]
    return any(PLACE in each for each in carriers)
