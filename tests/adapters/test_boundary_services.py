"""The boundary worker and what runs elsewhere: a service over HTTP, a program a case."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.adapters.boundary import ARGV, deliver, said, talk
from tests.adapters.client import frames, hello, run
from whichwins.audit.passage import Preview

ORDER = b'{"target":"a","target":"b"}'


class Service(BaseHTTPRequestHandler):
    """Answers as its request asks: by the body, or by the path."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        sink = self.headers.get("x-sink") or os.environ.get("SINK_OF_TEST", "")
        if body == b"hang up":
            self.close_connection = True
            return
        if body == b"move":
            self.send_response(302)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        status, text = 200, b'{"shown":1.10}'
        if body == b"no":
            status, text = 422, b"{}"
        if body == b"wrong":
            text = b'{"isError":true}'
        if sink and status == 200 and body != b"wrong":
            for _ in range(2 if body == b"twice" else 1):
                urlopen(Request(sink, data=body, method="POST"), timeout=5).close()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    Service.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def options(service: str, **more: str) -> dict[str, str]:
    return {"kind": "http", "target": service, "executes": "true", **more}


def test_a_service_is_asked_and_its_executions_are_unknown(tmp_path: Path, service: str) -> None:
    asked = options(
        service, role="reviewer", path="/tool?x=%20", **{"header.content-type": "application/json"}
    )
    (seen,) = deliver(tmp_path, asked, (ORDER, {"X-A": "é"}))
    assert (said(seen), seen.executions) == ("accepted http 200", None)
    assert seen.previews == (Preview("response", '{"shown":D1.10}'),)
    ((path, headers, body),) = Service.seen
    assert (path, body) == ("/tool?x=%20", ORDER)
    assert headers == {
        "host": service.removeprefix("http://"),
        "content-type": "application/json",
        "x-a": "é",
        "content-length": str(len(ORDER)),
        "connection": "close",
    }


def test_signals_of_a_service(tmp_path: Path, service: str) -> None:
    seen = deliver(tmp_path, options(service), b"no", b"wrong", b"move", b"hang up", b"1")
    assert [said(each) for each in seen] == [
        "rejected http 422",
        "rejected http 200 with an error body",
        "failed http 302",
        "failed exception RemoteDisconnected",
        "accepted http 200",
    ]
    assert len(Service.seen) == 5  # no redirect was followed, and nothing was asked twice


def test_a_sink_in_the_request(tmp_path: Path, service: str) -> None:
    asked = options(service, **{"header.x-sink": "{sink}"})
    seen = deliver(tmp_path, asked, b"no", ORDER, b"twice", b"no")
    assert [each.executions for each in seen] == [
        None,  # nothing was ever reported: unknown, not none
        ('{"target":"a","target":"b"}',),
        ('"twice"', '"twice"'),
        (),
    ]
    tokens = {headers["x-sink"].rpartition("/")[0] for _, headers, _ in Service.seen}
    assert len(tokens) == 1
    assert len(tokens.pop().rpartition("/")[2]) >= 32


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("variable", ["WHICHWINS_SINK", "WHICHWINS_SINK_IT_1"])
def test_a_sink_in_a_variable(
    tmp_path: Path, service: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = f"http://127.0.0.1:{free_port()}/0123456789abcdef"
    monkeypatch.setenv("SINK_OF_TEST", sink)
    (seen,) = deliver(tmp_path, options(service, name="it-1"), b"7", env={**os.environ, variable: sink})
    assert seen.executions == ("7",)


def test_a_wrong_token_reports_nothing(tmp_path: Path, service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("SINK_OF_TEST", f"http://127.0.0.1:{port}/fedcba9876543210")
    named = f"http://127.0.0.1:{port}/0123456789abcdef"
    (seen,) = deliver(tmp_path, options(service), b"7", env={**os.environ, "WHICHWINS_SINK": named})
    assert seen.executions is None


@pytest.mark.parametrize(
    ("more", "said_no"),
    [
        ({"executes": ""}, "it needs executes = true"),
        ({"target": "http://192.0.2.1:80"}, "is not on this machine's loopback"),
        ({"target": "http://0.0.0.0:80"}, "is not on this machine's loopback"),
        ({"target": "ftp://127.0.0.1"}, "the address must be"),
        ({"target": "http://me@127.0.0.1"}, "the address must be"),
    ],
)
def test_what_is_not_asked(tmp_path: Path, more: dict[str, str], said_no: str) -> None:
    (answer,) = talk(tmp_path, {**options("http://127.0.0.1:9"), **more})
    assert answer.verb == "fault"
    assert said_no in answer.text


@pytest.mark.parametrize(
    "sink",
    [
        "https://127.0.0.1:1/0123456789abcdef",
        "http://192.0.2.1:1/0123456789abcdef",
        "http://127.0.0.1:1/short",
        "http://127.0.0.1/0123456789abcdef",
    ],
)
def test_addresses_that_are_no_sink(tmp_path: Path, sink: str) -> None:
    (answer,) = talk(tmp_path, options("http://127.0.0.1:9"), env={**os.environ, "WHICHWINS_SINK": sink})
    assert answer.verb == "fault"
    assert "the sink's address" in answer.text


def test_proxies_are_not_used(tmp_path: Path, service: str) -> None:
    env = {**os.environ, "http_proxy": "http://192.0.2.1:1", "HTTP_PROXY": "http://192.0.2.1:1"}
    (seen,) = deliver(tmp_path, options(service), b"1", env=env)
    assert said(seen) == "accepted http 200"


def test_a_service_that_is_not_there(tmp_path: Path) -> None:
    """It is refused at the start: nobody was asked, and nothing is said of requests."""
    told = {"folder": str(tmp_path), **options(f"http://127.0.0.1:{free_port()}")}
    (answer,) = frames(run(ARGV, hello("boundary/it", "deliver", options=told)).out)
    assert answer.verb == "fault"
    assert answer.text.startswith("Refused nobody answers at the address (ConnectionRefusedError)")


# -- programs ----------------------------------------------------------------------------------------------


def program(source: str, **more: str) -> dict[str, str]:
    command = [
        sys.executable,
        "-c",
        f"import os, sys\nraw = sys.stdin.buffer.read()\n{source}",
        "an argument",
        "",
    ]
    return {"kind": "command", **{f"command.{n}": part for n, part in enumerate(command)}, **more}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("sys.exit(raw != b'\\xff\\0')", "accepted exit 0"),
        ("sys.exit(3)", "rejected exit 3"),
        ("raise ValueError", "rejected exit 1"),
        ("os.kill(os.getpid(), 11)", "failed SIGSEGV"),
        ("sys.exit(sys.argv[1:] != ['an argument', ''])", "accepted exit 0"),
    ],
)
def test_how_a_program_ends(tmp_path: Path, source: str, expected: str) -> None:
    (seen,) = deliver(tmp_path, program(source), b"\xff\0")
    assert (said(seen), seen.executions) == (expected, None)


def test_what_a_program_writes(tmp_path: Path) -> None:
    source = "sys.stderr.write('words'); sys.stdout.buffer.write(raw)"
    (seen,) = deliver(tmp_path, program(source, role="reviewer", emits="body"), ORDER)
    assert seen.emitted == ORDER
    assert seen.previews == (Preview("response", '{"target":"a","target":"b"}'),)
    (seen,) = deliver(tmp_path, program(f"sys.exit(os.getcwd() != {str(tmp_path.resolve())!r})"), b"")
    assert said(seen) == "accepted exit 0"


def test_a_program_that_reads_nothing_of_much(tmp_path: Path) -> None:
    command = {"kind": "command", "command.0": sys.executable, "command.1": "-c", "command.2": "pass"}
    (seen,) = deliver(tmp_path, command, b"x" * 1_000_000)
    assert said(seen) == "accepted exit 0"


def test_a_program_reports_to_the_sink(tmp_path: Path) -> None:
    source = """
from urllib.request import Request, urlopen
if raw != b"no":
    urlopen(Request(os.environ["WHICHWINS_SINK"], data=raw, method="POST")).close()
sys.exit(raw == b"no")
"""
    seen = deliver(tmp_path, program(source), b"no", ORDER, b"no")
    assert [each.executions for each in seen] == [None, ('{"target":"a","target":"b"}',), ()]


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    (answer,) = talk(tmp_path, {"kind": "command", "command.0": str(tmp_path / "none")})
    assert (answer.verb, answer.sequence) == ("fault", 0)
    assert answer.body.startswith(b"Refused there is no program ")


def test_a_program_that_floods(tmp_path: Path) -> None:
    (seen,) = deliver(tmp_path, program("while True: sys.stdout.write('x' * 100000)"), b"1")
    assert said(seen) == "failed"
    assert seen.reason == "more than 16777216 bytes of output"
