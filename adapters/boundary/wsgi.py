"""A WSGI application (PEP 3333), called as a server calls it."""

import io
import sys
from urllib.parse import unquote_to_bytes


def make(tools):
    app = tools.find(tools.options["target"])
    if not callable(app):
        raise tools.Refused("%s is no application" % tools.options["target"])
    template = tools.template
    path, _, query = template.path.partition("?")

    def environ(case, body):
        found = {
            "REQUEST_METHOD": template.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in template.lines(case):
            key = name.decode().upper().replace("-", "_")
            key = key if key == "CONTENT_TYPE" else "HTTP_" + key
            text = value.decode("latin-1")
            found[key] = found[key] + "," + text if key in found else text
        return found

    def deliver(case):
        asked = environ(case, template.body(case))
        sent, said, size, trouble, whole = [], [], 0, None, False

        def keep(data):
            nonlocal size
            size += len(data)
            if size <= tools.signals.MOST_BODY:
                sent.append(bytes(data))

        def start_response(status, headers, exc_info=None):
            said[:] = [status, headers]
            return keep

        try:
            parts = app(asked, start_response)
            try:
                for part in parts:
                    keep(part)
                whole = bool(said)
            finally:
                if hasattr(parts, "close"):
                    parts.close()
        except BaseException as error:
            trouble = error
        left = tools.following.settle(case, tools.settle_seconds)
        if left:
            case.outlasted(left)
        try:
            status = int(said[0][:3]) if said else 0
            kind = [value for name, value in (said[1] if said else ()) if name.lower() == "content-type"]
        except (TypeError, ValueError, AttributeError):
            case.end("failed", reason="start_response was given no status")
            return
        tools.signal.ended(
            case, status, kind[0].lower().encode("latin-1") if kind else b"", b"".join(sent), whole, trouble
        )

    return deliver, lambda: None
