"""MCP in Python: the argument `value` of a tool, over streamable HTTP and over standard input and output.

The memory transport hands objects over: no bytes, nothing to measure.
"""

import json

BEFORE = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool","arguments":{"value":'
AFTER = b"}}}"


def _server(bench):
    from typing import Any

    try:
        from mcp.server import MCPServer
    except ImportError:  # 1.x
        from mcp.server.fastmcp import FastMCP as MCPServer

    server = MCPServer("tools")

    @server.tool()
    async def tool(value: Any) -> str:
        bench.execute(value)
        return "ran"

    return server


def _uses():
    import pydantic
    from mcp.server import streamable_http

    return ("mcp", streamable_http), ("pydantic", pydantic)


def http(bench):
    from mcp.server.transport_security import TransportSecuritySettings

    server = _server(bench)
    options = {
        "json_response": True,
        "stateless_http": True,
        "transport_security": TransportSecuritySettings(enable_dns_rebinding_protection=False),
    }
    if hasattr(server, "settings") and hasattr(server.settings, "stateless_http"):  # 1.x
        for name, value in options.items():
            setattr(server.settings, name, value)
        options = {}
    return bench.asgi(server.streamable_http_app(**options), *_uses())


class Pipe:
    """The end of the server's standard output: whole lines go to the loop."""

    def __init__(self, loop, line):
        self.loop, self.line, self.held = loop, line, b""
        self.closed = False

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False

    def flush(self):
        pass

    def close(self):
        pass

    def write(self, data):
        self.held += bytes(data)
        *lines, self.held = self.held.split(b"\n")
        for each in lines:
            self.loop.call_soon_threadsafe(self.line, each)
        return len(data)


def stdio(bench):
    """One session; behind each call a ping, whose answer says that the call has been read."""
    import asyncio
    import os
    import sys

    server, holder = _server(bench), bench.loop()
    loop = holder.get()
    waiting, numbers = {}, iter(range(1, 1 << 60))

    def line(data):
        try:
            said = json.loads(data)
        except ValueError:
            return
        future = waiting.get(said.get("id") if isinstance(said, dict) else None)
        if future is not None and not future.done():
            future.set_result(data)

    class Standard:
        def __init__(self, buffer):
            self.buffer = buffer

    reads, writes = os.pipe()
    kept = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = Standard(os.fdopen(reads, "rb")), Standard(Pipe(loop, line))

    def send(data):
        data += b"\n"
        while data:
            data = data[os.write(writes, data[:4096]) :]

    async def ask(number, data):
        waiting[number] = loop.create_future()
        await loop.run_in_executor(None, send, data)
        return waiting[number]

    async def begin():
        task = asyncio.ensure_future(server.run_stdio_async())
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        }
        first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
        said = await ask(0, json.dumps(first).encode())
        await asyncio.wait([task, said], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            raise task.exception() or RuntimeError("the server has ended")
        send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    loop.run_until_complete(begin())
    sys.stdin, sys.stdout = kept
    holder.settled()

    async def call(case):
        number = next(numbers)
        said = await ask(number, BEFORE % number + bench.value(case.raw) + AFTER)
        ping = next(numbers)
        pong = await ask(ping, b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % ping)
        await pong
        # It has been read; what takes longer than this has no answer.
        await asyncio.wait([said], timeout=0.1 if not case.executions else 5)
        del waiting[number], waiting[ping]
        return said.result() if said.done() else None

    def deliver(case):
        bench.no_headers(case)
        if b"\n" in case.raw:
            raise bench.request.Unsupported("a message is one line, and the case has several")
        said = holder.run(case, call(case))
        if said is None:
            return case.end("rejected", "no reply")
        answer = json.loads(said)
        if "error" in answer:
            return case.end("rejected", "jsonrpc error %d" % answer["error"]["code"])
        if answer["result"].get("isError"):
            return case.end("rejected", "jsonrpc isError")
        return case.end("accepted", "jsonrpc result")

    from mcp.server import stdio as module

    return bench.shim(deliver, [("mcp", module), *_uses()[1:]])
