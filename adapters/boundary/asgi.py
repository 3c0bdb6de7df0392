"""An ASGI application, driven over its own interface: lifespan, one event loop, no client library."""

import asyncio
from urllib.parse import unquote

PIECE = 65536  # servers hand a larger body over in several messages
SHUTDOWN_SECONDS = 5


class Lifespan:
    """The application's startup and shutdown."""

    def __init__(self, app):
        self.app, self.state, self.task = app, {}, None
        self.failed = None

    async def start(self):
        self.stopping, self.stopped, started = asyncio.Event(), asyncio.Event(), asyncio.Event()
        asked = []

        async def receive():
            if not asked:
                asked.append(1)
                return {"type": "lifespan.startup"}
            await self.stopping.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message):
            if message["type"] == "lifespan.startup.failed":
                self.failed = message.get("message") or "no reason"
            if message["type"].startswith("lifespan.startup."):
                started.set()
            elif message["type"].startswith("lifespan.shutdown."):
                self.stopped.set()

        async def live():
            scope = {
                "type": "lifespan",
                "asgi": {"version": "3.0", "spec_version": "2.0"},
                "state": self.state,
            }
            try:
                await self.app(scope, receive, send)
            except Exception:
                pass  # it has no lifespan, says the specification; or it has failed, and said so
            finally:
                started.set()
                self.stopped.set()

        self.task = asyncio.ensure_future(live())
        await started.wait()

    async def stop(self):
        self.stopping.set()
        await asyncio.wait_for(self.stopped.wait(), SHUTDOWN_SECONDS)


def make(tools):
    app = tools.find(tools.options["target"])
    if not callable(app):
        raise tools.Refused("%s is no application" % tools.options["target"])
    holder = tools.load("loops").Loop(tools)
    loop = holder.get()
    lifespan = Lifespan(app)
    loop.run_until_complete(lifespan.start())
    holder.settled()
    if lifespan.failed is not None:
        raise tools.Refused("the application said lifespan.startup.failed")  # its words may hold anything
    template = tools.template
    path, _, query = template.path.partition("?")

    def exchange(case, body, headers):
        pieces = [body[at : at + PIECE] for at in range(0, len(body), PIECE)] or [b""]
        pieces.reverse()
        sent, status, kind, size = [], 0, b"", 0
        ended, waiting, done = False, [], loop.create_future()
        trouble, timers = [], []

        def give_up():
            if not done.done():
                done.set_result(None)

        async def receive():
            if pieces:
                piece = pieces.pop()
                return {"type": "http.request", "body": piece, "more_body": bool(pieces)}
            if not ended:
                waiting.append(loop.create_future())
                await waiting[-1]
            return {"type": "http.disconnect"}

        async def send(message):
            nonlocal status, kind, size, ended
            if message["type"] == "http.response.start":
                status = int(message["status"])
                found = [
                    value
                    for name, value in message.get("headers", ())
                    if bytes(name).lower() == b"content-type"
                ]
                kind = bytes(found[0]).lower() if found else b""
            elif message["type"] == "http.response.body":
                part = message.get("body", b"")
                size += len(part)
                if size <= tools.signals.MOST_BODY:
                    sent.append(bytes(part))
                if not message.get("more_body", False) and not ended:
                    ended = True
                    for each in waiting:
                        each.done() or each.set_result(None)
                    timers.append(loop.call_later(tools.settle_seconds, give_up))

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": template.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
            "state": dict(lifespan.state),
        }

        async def call():
            try:
                await app(scope, receive, send)
            except BaseException as error:  # asyncio would end the loop for some
                trouble.append(error)
            finally:
                give_up()

        task = loop.create_task(call())
        loop.run_until_complete(done)
        for timer in timers:
            timer.cancel()
        holder.settle(case, None if task.done() else 0)
        return status, kind, b"".join(sent), ended, trouble[0] if trouble else None

    def deliver(case):
        headers = tools.template.lines(case)
        body = template.body(case)
        headers = [(b"host", b"localhost"), (b"content-length", b"%d" % len(body))] + headers
        status, kind, answer, whole, error = exchange(case, body, headers)
        tools.signal.ended(case, status, kind, answer, whole, error)

    def close():
        loop.run_until_complete(lifespan.stop())

    return deliver, close
