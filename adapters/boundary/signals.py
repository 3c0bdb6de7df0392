"""What a response says of the request: its status, and whether a success holds an error."""

from decimal import Decimal

MOST_BODY = 4 * 1024 * 1024


def _wrong(document, pairs):
    """Whether a JSON document says that something went wrong: `error`, `errors`, `isError`, JSON-RPC's."""
    if type(document) is not pairs:
        return False
    members = dict(document.pairs)
    if members.get("error") or members.get("errors") or members.get("isError") is True:
        return True
    result = members.get("result")
    # A tool's failure in JSON-RPC (MCP): a result that calls itself an error.
    return "jsonrpc" in members and type(result) is pairs and dict(result.pairs).get("isError") is True


class Signals:
    """Turns what was answered into how the request ended."""

    def __init__(self, tools):
        self._decoders, self._class_name = tools.decoders, tools.class_name
        self._pairs = tools.render.Pairs
        self._read = tools.request.reader(tools.render, Decimal)
        self._emits = tools.options.get("emits") == "body"
        self._role = tools.options.get("role", "")

    def read(self, text):
        """A JSON text as a value that keeps everything; ValueError where it is none."""
        self._decoders.quiet = True
        try:
            return self._read(text.decode())
        except (RecursionError, ArithmeticError) as error:
            raise ValueError(str(error)) from None
        finally:
            self._decoders.quiet = False

    def _documents(self, kind, body):
        texts = [body]
        if kind.startswith(b"text/event-stream"):
            texts = [line[5:] for line in body.splitlines() if line.startswith(b"data:")]
        for text in texts:
            try:
                yield self.read(text)
            except ValueError:
                continue

    def response(self, case, status, kind, body):
        """How a request ended that got a whole response. `kind`: its content type."""
        name = "http %d" % status
        if 200 <= status < 300:
            suspicious = b"rror" in body or b"\\u" in body
            if suspicious and any(_wrong(each, self._pairs) for each in self._documents(kind, body)):
                return case.end("rejected", name + " with an error body")
            case.end("accepted", name)
            self.shown(case, body)
        elif 400 <= status < 600:
            case.end("rejected", name)
        else:
            case.end("failed", name, "neither a success nor a rejection")
        return None

    def shown(self, case, body):
        """What an accepted request gave back: a reviewer's reader sees it; another boundary may read it."""
        if self._emits:
            case.emitted = body
        if self._role == "reviewer":
            try:
                case.preview(self.read(body), "response")
            except ValueError:
                pass

    def ended(self, case, status, kind, body, whole, error):
        """How a request ended at an application. A status that was sent counts, whatever came after it."""
        if whole:
            self.response(case, status, kind, body)
            if error is not None and not case.reason:
                case.reason = "raised %s after its response" % self._class_name(type(error))
        elif status >= 400:
            case.end("rejected", "http %d" % status, "the response was not ended")
        elif status:
            case.end("failed", self._raised(error), "the response was not ended")
        elif error is not None:
            self.uncaught(case, error)
        else:
            case.end("failed", "", "no response was sent")

    def _raised(self, error):
        return "" if error is None else "exception " + self._class_name(type(error))

    def uncaught(self, case, error):
        """The application raised and sent nothing: a server answers 500 for it."""
        if not isinstance(error, Exception) or isinstance(error, (RecursionError, MemoryError)):
            return case.end("failed", self._raised(error))
        return case.end("rejected", "http 500", "raised %s and sent nothing" % self._class_name(type(error)))
