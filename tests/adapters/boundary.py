"""Asking the boundary worker in tests: toy modules, one conversation, records taken apart."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from urllib.parse import quote

from tests.adapters.client import Frame, frame, frames, hello, run
from whichwins.audit.deliver import deliver_body
from whichwins.audit.passage import Passage
from whichwins.audit.record import read_record

WORKER = Path(__file__).resolve().parents[2] / "adapters" / "boundary" / "worker.py"
ARGV = (sys.executable, str(WORKER))

ASGI = """
    import asyncio, json, threading
    from tools import execute

    async def body(receive):
        raw, more = b"", True
        while more:
            message = await receive()
            raw, more = raw + message["body"], message["more_body"]
        return raw

    async def answer(send, status, text=b"{}", headers=()):
        await send({"type": "http.response.start", "status": status, "headers": list(headers)})
        await send({"type": "http.response.body", "body": text})
"""
TOOLS = "def execute(target, quantity=1):\n    raise RuntimeError('the real one ran')\n"


def toys(folder: Path, **sources: str) -> Path:
    """Write modules for the worker to import; `tools` holds the sink."""
    for name, source in {"tools": TOOLS, **sources}.items():
        (folder / f"{name}.py").write_text(dedent(source), encoding="utf-8")
    return folder


def asgi(folder: Path, source: str, **more: str) -> Path:
    """An application of the lines of `source`, after those of `ASGI`."""
    return toys(folder, app=dedent(ASGI) + dedent(source), **more)


def talk(
    folder: Path,
    options: Mapping[str, str],
    *asked: bytes | tuple[bytes, Mapping[str, str]],
    argv: tuple[str, ...] = ARGV,
    watch: bool = False,
    env: Mapping[str, str] | None = None,
) -> list[Frame]:
    """All frames of a worker that is asked these cases, each (with headers or without) alone."""
    said = {"folder": str(folder), "settle": "0.3", **options}
    sent = hello("boundary/it", "deliver", options={key: quote(value) for key, value in said.items()})
    for number, each in enumerate(asked, 1):
        data, headers = each if isinstance(each, tuple) else (each, {})
        sent += frame("deliver", number, deliver_body(data, f"case/{number}", headers, watch))
    ended = run(argv, sent + frame("bye", 0), env)
    assert ended.status == 0, ended.err[-2000:].decode("utf-8", "replace")
    return frames(ended.out)


def deliver(
    folder: Path,
    options: Mapping[str, str],
    *asked: bytes | tuple[bytes, Mapping[str, str]],
    argv: tuple[str, ...] = ARGV,
    watch: bool = False,
    env: Mapping[str, str] | None = None,
) -> list[Passage]:
    """What happened to each case, after a checked `ready`."""
    first, *rest = talk(folder, options, *asked, argv=argv, watch=watch, env=env)
    assert first.verb == "ready", first
    assert [(each.verb, each.sequence) for each in rest] == [("accept", n) for n in range(1, len(asked) + 1)]
    return [read_record(each.body.decode("latin-1")) for each in rest]


def said(passage: Passage) -> str:
    """`passed signal`, for assertions."""
    return f"{passage.passed.value} {passage.signal}".strip()
