"""The boundary worker and applications: ASGI, WSGI, sinks, request templates, signals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.boundary import ARGV, WORKER, asgi, deliver, said, talk, toys
from tests.adapters.client import frame, frames, hello, run
from tests.adapters.python_worker import interpreter
from whichwins.audit.deliver import deliver_body
from whichwins.audit.passage import Passage
from whichwins.audit.record import read_record

ORDER = b'{"target":"a","target":"b"}'
APP = {"kind": "asgi", "target": "app:app", "sink": "tools:execute", "role": "executor"}
WSGI = {**APP, "kind": "wsgi"}
CALL = {"kind": "call", "target": "mine:f"}
JSON = {"header.content-type": "application/json"}

ERROR_BODY = "rejected http 200 with an error body"
START = "await send({'type': 'http.response.start', 'status': 200})"
STREAM = "[(b'Content-Type', b'text/event-stream')]"

READ = """
async def app(scope, receive, send):
    if scope["type"] != "http": raise RuntimeError("no lifespan here")
    execute(**json.loads(await body(receive)))
    await answer(send, 200)
"""


def one(folder: Path, options: dict[str, str], *asked: bytes) -> Passage:
    (seen,) = deliver(folder, options, *(asked or (ORDER,)))
    return seen


def handled(folder: Path, lines: str, *asked: bytes, **options: str) -> list[Passage]:
    """What an application does whose handler has these lines."""
    inside = "\n".join("    " + line for line in lines.strip().splitlines())
    asgi(folder, f"async def app(scope, receive, send):\n    if scope['type'] != 'http': return\n{inside}\n")
    return deliver(folder, {**APP, **options}, *(asked or (ORDER,)))


def test_an_application_runs_the_recorder(tmp_path: Path) -> None:
    seen = deliver(asgi(tmp_path, READ), APP, ORDER, b"[", b'{"tarket":1}')
    assert [said(each) for each in seen] == ["accepted http 200", "rejected http 500", "rejected http 500"]
    assert [each.executions for each in seen] == [('{"target":"b"}',), (), ()]
    assert seen[1].reason == "raised JSONDecodeError and sent nothing"


SCOPE = """
async def app(scope, receive, send):
    if scope["type"] != "http": return
    first = await receive()
    pieces = [len(first["body"])]
    while first["more_body"]:
        first = await receive()
        pieces.append(len(first["body"]))
    text = json.dumps({
        "headers": [[a.decode("latin-1"), b.decode("latin-1")] for a, b in scope["headers"]],
        "line": [scope["method"], scope["path"], scope["raw_path"].decode(), scope["query_string"].decode()],
        "pieces": pieces,
    }).encode()
    await answer(send, 200, text)
"""


def test_what_an_application_is_given(tmp_path: Path) -> None:
    options = {**APP, **JSON, "role": "reviewer", "method": "PUT", "path": "/a%2Fb?q=%20"}
    headers = {"X-Odd": "é", "content-type": "application/json; charset=utf-7"}
    (seen,) = deliver(asgi(tmp_path, SCOPE), options, (b"x" * 150_000, headers))
    assert seen.previews[0].value == (
        '{"headers":[["host","localhost"],["content-length","150000"],["x-odd","\\u00e9"],'
        '["content-type","application/json; charset=utf-7"]],'
        '"line":["PUT","/a/b","/a%2Fb","q=%20"],"pieces":[65536,65536,18928]}'
    )


def test_lifespan_state_and_one_loop(tmp_path: Path) -> None:
    source = """
    async def app(scope, receive, send):
        loop = id(asyncio.get_running_loop())
        if scope["type"] == "lifespan":
            assert (await receive())["type"] == "lifespan.startup"
            scope["state"]["loop"] = loop
            await send({"type": "lifespan.startup.complete"})
            assert (await receive())["type"] == "lifespan.shutdown"
            open("%s/ended", "w").close()
            await send({"type": "lifespan.shutdown.complete"})
            return
        execute(scope["state"]["loop"] == loop)
        scope["state"]["loop"] = None
        await answer(send, 204)
    """
    seen = deliver(asgi(tmp_path, source % tmp_path), APP, b"1", b"2")
    assert [each.executions for each in seen] == [('{"target":true}',)] * 2
    assert (tmp_path / "ended").exists()


def test_one_task_runs_the_server_as_long_as_it_lives(tmp_path: Path) -> None:
    """What anyio looks for, to keep its threads: else each request would start one, as under no server."""
    source = """
    seen = set()

    async def app(scope, receive, send):
        if scope["type"] != "http": return
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if any(call.__name__ == "_run_until_complete_cb" for call, _ in task._callbacks or ()):
                seen.add(task)
        execute(len(seen))
        await answer(send, 200)
    """
    seen = deliver(asgi(tmp_path, source), APP, b"1", b"2")
    assert [each.executions for each in seen] == [('{"target":1}',)] * 2


@pytest.mark.parametrize(
    "lines",
    [
        'await send({"type": "lifespan.startup.failed", "message": "password=hunter2"})',
        'await send({"type": "lifespan.startup.failed"}); raise RuntimeError',
    ],
)
def test_an_application_that_does_not_start_is_a_fault(tmp_path: Path, lines: str) -> None:
    asgi(tmp_path, f"async def app(scope, receive, send):\n    await receive()\n    {lines}\n")
    (answer,) = talk(tmp_path, APP)
    assert answer.verb == "fault"
    assert answer.text == "Refused the application said lifespan.startup.failed"


def test_a_factory_makes_the_application(tmp_path: Path) -> None:
    asgi(tmp_path, READ + "\ndef make():\n    return app\n")
    assert said(one(tmp_path, {**APP, "target": "app:make()"})) == "accepted http 200"


SIGNALS = [
    ("await answer(send, 204)", "accepted http 204", 0),
    ("await answer(send, 400)", "rejected http 400", 0),
    ("execute(1); await answer(send, 422)", "rejected http 422", 1),
    ("await answer(send, 503)", "rejected http 503", 0),
    ("await answer(send, 307)", "failed http 307", 0),
    ("raise ValueError", "rejected http 500", 0),
    ("execute(1); raise ValueError", "rejected http 500", 1),
    ("raise RecursionError", "failed exception RecursionError", 0),
    ("sys.exit(1)", "failed exception SystemExit", 0),
    ("raise asyncio.CancelledError", "failed exception CancelledError", 0),
    ("pass", "failed", 0),
    ("await answer(send, 500); raise ValueError", "rejected http 500", 0),
    ("execute(1); await answer(send, 200); raise ValueError", "accepted http 200", 1),
    (START, "failed", 0),
    (START + "; raise ValueError", "failed exception ValueError", 0),
    ("""await answer(send, 200, b'{"error":"no"}')""", ERROR_BODY, 0),
    ("""await answer(send, 200, b'{"errors":[{"m":1}],"data":null}')""", ERROR_BODY, 0),
    ("""await answer(send, 200, b'{"\\\\u0065rror":{"code":-32700}}')""", ERROR_BODY, 0),
    ("""await answer(send, 200, b'{"isError":true}')""", ERROR_BODY, 0),
    ("""await answer(send, 200, b'{"jsonrpc":"2.0","result":{"isError":true}}')""", ERROR_BODY, 0),
    (f"""await answer(send, 200, b'data: {{"error":1}}\\n\\n', {STREAM})""", ERROR_BODY, 0),
    ("""await answer(send, 200, b'{"error":null,"errors":[],"isError":0}')""", "accepted http 200", 0),
    ("""await answer(send, 200, b'{"result":{"isError":true}}')""", "accepted http 200", 0),
    ("""await answer(send, 200, b'{"errors in":"error"}')""", "accepted http 200", 0),
    ("""await answer(send, 200, b'an error, in words')""", "accepted http 200", 0),
    ("""await answer(send, 200, b'[{"error":1}]')""", "accepted http 200", 0),
]


def test_signals(tmp_path: Path) -> None:
    arms = "".join(f"if number == {n}: {lines}\n" for n, (lines, _, _) in enumerate(SIGNALS))
    asked = [str(number).encode() for number in range(len(SIGNALS))]
    seen = handled(tmp_path, "import sys\nnumber = int(await body(receive))\n" + arms, *asked)
    got = [
        (lines, said(each), len(each.executions or ()))
        for (lines, _, _), each in zip(SIGNALS, seen, strict=True)
    ]
    assert got == SIGNALS


def test_a_task_that_ends_the_process_costs_its_case_alone(tmp_path: Path) -> None:
    lines = """
import sys
async def bad(): sys.exit(1)
if (await body(receive)) == b"bad":
    asyncio.ensure_future(bad())
    await asyncio.sleep(1)
execute(1)
await answer(send, 200)
"""
    seen = handled(tmp_path, lines, b"good", b"bad", b"good")
    assert [said(each) for each in seen] == [
        "accepted http 200",
        "failed exception SystemExit",
        "accepted http 200",
    ]


def test_what_runs_after_the_response_is_waited_for(tmp_path: Path) -> None:
    lines = """
async def later():
    await asyncio.sleep(0.03)
    await asyncio.get_running_loop().run_in_executor(None, execute, "task")
await answer(send, 200)
app.kept = asyncio.ensure_future(later())
await asyncio.sleep(0.01)
execute("background")
threading.Thread(target=lambda: (__import__("time").sleep(0.1), execute("thread"))).start()
"""
    (seen,) = handled(tmp_path, lines)
    assert seen.executions == ('{"target":"background"}', '{"target":"task"}', '{"target":"thread"}')
    assert said(seen) == "accepted http 200"


def test_a_background_that_never_ends_costs_a_moment(tmp_path: Path) -> None:
    lines = "await answer(send, 200)\nexecute(1)\nawait asyncio.sleep(60)"
    first, second = handled(tmp_path, lines, b"1", b"2")
    assert said(first) == said(second) == "accepted http 200"
    assert first.executions == second.executions == ('{"target":1}',)
    assert first.reason == second.reason == "1 tasks or threads outlast the request"


def test_a_disconnect_comes_after_the_response_only(tmp_path: Path) -> None:
    lines = """
await receive()
waiting = asyncio.ensure_future(receive())
await asyncio.sleep(0.02)
execute(waiting.done())
await answer(send, 200)
execute((await waiting)["type"])
"""
    (seen,) = handled(tmp_path, lines)
    assert seen.executions == ('{"target":false}', '{"target":"http.disconnect"}')


WSGI_APP = """
    import json
    from tools import execute

    def app(environ, start_response):
        raw = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        if raw == b"raise": raise ValueError
        if raw == b"exit": raise SystemExit
        if raw == b"none": return []
        if raw == b"odd": start_response("what", []); return [b""]
        if raw == b"late": start_response("200 OK", []); return late()
        if raw == b"400": start_response("400 Bad Request", []); return [b"no"]
        if raw == b"env":
            names = "REQUEST_METHOD PATH_INFO QUERY_STRING CONTENT_TYPE HTTP_X_A CONTENT_LENGTH".split()
            start_response("200 OK", [("Content-Type", "application/json")])
            return [json.dumps([environ[name] for name in names]).encode()]
        execute(**json.loads(raw))
        write = start_response("201 Created", [("Content-Type", "text/plain")])
        write(b"a")
        return Closing()

    def late():
        yield b"a"
        execute(1)
        raise ValueError

    class Closing:
        def __iter__(self): return iter([b"b"])
        def close(self): execute("closed")
"""


def test_a_wsgi_application(tmp_path: Path) -> None:
    asked = [ORDER, b"raise", b"exit", b"none", b"odd", b"late", b"400"]
    seen = deliver(toys(tmp_path, app=WSGI_APP), WSGI, *asked)
    assert [said(each) for each in seen] == [
        "accepted http 201",
        "rejected http 500",
        "failed exception SystemExit",
        "failed",
        "failed",
        "failed exception ValueError",
        "rejected http 400",
    ]
    assert seen[0].executions == ('{"target":"b"}', '{"target":"closed"}')
    assert seen[5].executions == ('{"target":1}',)


def test_what_a_wsgi_application_is_given(tmp_path: Path) -> None:
    options = {**WSGI, **JSON, "role": "reviewer", "path": "/%C3%A9?x=1"}
    (seen,) = deliver(toys(tmp_path, app=WSGI_APP), options, (b"env", {"x-a": "é"}))
    assert seen.previews[0].value == '["POST","/\\u00c3\\u00a9","x=1","application/json","\\u00e9","3"]'


# -- where a case goes -------------------------------------------------------------------------------------

ECHO = """
    def app(environ, start_response):
        raw = environ["wsgi.input"].read()
        start_response("200 OK", [])
        return [raw]
"""


def emitted(folder: Path, asked: bytes, **options: str) -> Passage:
    (seen,) = deliver(
        toys(folder, app=ECHO), {"kind": "wsgi", "target": "app:app", "emits": "body", **options}, asked
    )
    return seen


@pytest.mark.parametrize(
    ("slot", "template", "case", "body"),
    [
        ("body", "", b"\xff\x00", b"\xff\x00"),
        ("value", '{"a":{case},\n"b":"%41"}', b'{"t":1,"t":2}', b'{"a":{"t":1,"t":2},\n"b":"%41"}'),
        ("value", "{case}", b"\xff", b"\xff"),
        ("string", '{"a":"{case}"}', b'{"t":"\\n"}', b'{"a":"{\\"t\\":\\"\\\\n\\"}"}'),
        ("string", '["a\\"{case}"]', b"\n\t\r\x08\x0c\x01\x7f/", b'["a\\"\\n\\t\\r\\b\\f\\u0001\x7f/"]'),
        ("string", '"{case}"', "é\U0001f600".encode(), '"é\U0001f600"'.encode()),
    ],
)
def test_slots(tmp_path: Path, slot: str, template: str, case: bytes, body: bytes) -> None:
    assert emitted(tmp_path, case, slot=slot, template=template).emitted == body


def test_a_case_that_is_no_text_cannot_stand_in_a_string(tmp_path: Path) -> None:
    seen = emitted(tmp_path, b"\xff", slot="string", template='"{case}"')
    assert said(seen) == "unsupported"
    assert seen.reason == "the case is not UTF-8, so it cannot stand in a string"


@pytest.mark.parametrize("headers", [{"bad name": "x"}, {"a": "b\rc"}])
def test_headers_that_cannot_be_sent(tmp_path: Path, headers: dict[str, str]) -> None:
    (seen,) = deliver(toys(tmp_path, app=ECHO), {"kind": "wsgi", "target": "app:app"}, (b"1", headers))
    assert said(seen) == "unsupported"


def test_headers_of_the_transport_are_made_anew(tmp_path: Path) -> None:
    """A received request has those of the connection that it came by."""
    theirs = {
        "Host": "shop.example",
        "Content-Length": "99",
        "Transfer-Encoding": "chunked",
        "Connection": "close",
        "Expect": "100-continue",
        "X-Mine": "kept",
    }
    (seen,) = deliver(asgi(tmp_path, SCOPE), {**APP, "role": "reviewer"}, (b"[1]", theirs))
    assert '"headers":[["host","localhost"],["content-length","3"],["x-mine","kept"]]' in (
        seen.previews[0].value
    )


@pytest.mark.parametrize(
    ("slot", "template"),
    [("string", "{case}"), ("value", '"{case}"'), ("value", "{case}{case}"), ("page", "")],
)
def test_templates_that_cannot_be(tmp_path: Path, slot: str, template: str) -> None:
    toys(tmp_path, app=ECHO)
    (answer,) = talk(tmp_path, {"kind": "wsgi", "target": "app:app", "slot": slot, "template": template})
    assert answer.verb == "fault"


# -- sinks -------------------------------------------------------------------------------------------------

SINKS = """
    import functools

    def before(f):
        @functools.wraps(f)
        def around(*args, **kwargs):
            return ["around", f(*args, **kwargs)]
        return around

    def plain(a, b=2, *more, c=3, **rest):
        "What it does."
        return ["plain", a]

    def closed(outer):
        def inner(a):
            return [outer, a]
        return inner

    closure = closed("outer")

    @before
    def decorated(a):
        return ["decorated", a]

    async def waits(a):
        return ["waits", a]

    class K:
        def method(self, a): return [type(self).__name__, a]
        @classmethod
        def of_class(cls, a): return [cls.__name__, a]
        @staticmethod
        def static(a): return ["static", a]

    class Called:
        def __call__(self, a): return ["called", a]

    called = Called()
    held = {"plain": plain, "closure": closure, "decorated": decorated, "waits": waits}
"""


@pytest.mark.parametrize("runs", ["", "true"])
@pytest.mark.parametrize(
    ("sink", "call", "recorded", "result"),
    [
        ("plain", "s.held['plain'](1)", '{"a":1}', '["plain",1]'),
        ("plain", "s.plain(1, 5, 6, c=7, d=8)", '{"a":1,"b":5,"more":[6],"c":7,"d":8}', '["plain",1]'),
        ("closure", "s.held['closure'](a=1)", '{"a":1}', '["outer",1]'),
        ("decorated", "s.held['decorated'](1)", '{"a":1}', '["around",["decorated",1]]'),
        ("waits", "s.held['waits'](1)", '{"a":1}', '["waits",1]'),
        ("K.method", "s.K().method(1)", '{"a":1}', '["K",1]'),
        ("K.of_class", "s.K.of_class(1)", '{"a":1}', '["K",1]'),
        ("K.static", "s.K.static(a=1)", '{"a":1}', '["static",1]'),
        ("called", "s.called(1)", '{"a":1}', '["called",1]'),
    ],
)
def test_sinks(tmp_path: Path, sink: str, call: str, recorded: str, result: str, runs: str) -> None:
    toys(tmp_path, s=SINKS, mine=f"import s\ndef f(raw, ctx): return {call}\n")
    options = {"kind": "call", "target": "mine:f", "sink": f"s:{sink}", "sink-runs": runs}
    seen = one(tmp_path, options)
    assert seen.executions == (recorded,)
    nothing = '["around",null]' if sink == "decorated" else None
    assert seen.value == (result if runs else nothing)


def test_a_call_that_could_not_have_run_is_no_execution(tmp_path: Path) -> None:
    toys(tmp_path, s=SINKS, mine="import s\ndef f(raw, ctx): s.closure()\n")
    seen = one(tmp_path, {"kind": "call", "target": "mine:f", "sink": "s:closure"})
    assert (said(seen), seen.executions) == ("rejected exception TypeError", ())


def test_a_sink_still_says_what_it_takes(tmp_path: Path) -> None:
    mine = """
    import inspect, s
    def f(raw, ctx):
        return [str(inspect.signature(s.plain)), s.plain.__doc__, s.plain.__name__,
                inspect.iscoroutinefunction(s.waits), inspect.iscoroutinefunction(s.plain)]
    """
    toys(tmp_path, s=SINKS, mine=mine)
    seen = one(tmp_path, {"kind": "call", "target": "mine:f", "sink": "s:plain"})
    assert seen.value == '["(a, b=2, *more, c=3, **rest)","What it does.","plain",true,false]'


def test_a_builtin_is_replaced_under_its_name(tmp_path: Path) -> None:
    toys(tmp_path, mine="from os import system\ndef f(raw, ctx): system(raw.decode())\n")
    seen = one(tmp_path, {"kind": "call", "target": "mine:f", "sink": "os:system"}, b"exit 3")
    assert seen.executions == ('{"command":"exit 3"}',)


def test_a_sink_in_the_applications_own_module(tmp_path: Path) -> None:
    source = READ.replace("execute(", "run(") + "\nROUTES = {}\ndef route(f): ROUTES['x'] = f; return f\n"
    source += "\n@route\ndef run(target): raise RuntimeError\n"
    seen = one(asgi(tmp_path, source.replace("run(**", "ROUTES['x'](**")), {**APP, "sink": "app:run"})
    assert seen.executions == ('{"target":"b"}',)


def test_a_sink_that_runs_and_fails_has_run(tmp_path: Path) -> None:
    seen = one(asgi(tmp_path, READ), {**APP, "sink-runs": "true"})  # tools.execute raises
    assert (said(seen), seen.executions) == ("rejected http 500", ('{"target":"b"}',))


def test_arguments_are_recorded_as_they_were(tmp_path: Path) -> None:
    toys(tmp_path, s="def run(a): a.clear()\n", mine="import s\ndef f(raw, ctx): s.run([1])\n")
    seen = one(tmp_path, {"kind": "call", "target": "mine:f", "sink": "s:run", "sink-runs": "true"})
    assert seen.executions == ('{"a":[1]}',)


@pytest.mark.parametrize("sink", ["s:gen", "s:VALUE", "builtins:dict.get", "s:single"])
def test_what_cannot_be_a_sink(tmp_path: Path, sink: str) -> None:
    single = "import functools\n@functools.singledispatch\ndef single(a): pass\n"
    toys(tmp_path, s=single + "VALUE = 1\ndef gen(): yield 1\n", mine="def f(raw, ctx): pass\n")
    (answer,) = talk(tmp_path, {"kind": "call", "target": "mine:f", "sink": sink})
    assert answer.verb == "fault"
    assert answer.text.startswith(f"Refused the sink {sink} ")


# -- decoders ----------------------------------------------------------------------------------------------


TWO = "import rapidjson, simplejson\ndef f(raw, ctx): rapidjson.loads(raw); simplejson.loads(raw)"
THREAD = """
import threading, json
def f(raw, ctx):
    thread = threading.Thread(target=json.loads, args=(raw,))
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import json\ndef f(raw, ctx): json.loads(raw)", ["json"]),
        ("import json\ndef f(raw, ctx): json.JSONDecoder().raw_decode(raw.decode())", ["json"]),
        ("import orjson\ndef f(raw, ctx): orjson.loads(raw)", ["orjson"]),
        ("import ujson, json\ndef f(raw, ctx): ujson.loads(raw); json.dumps(1)", ["ujson"]),
        (TWO, ["rapidjson", "simplejson"]),
        (THREAD, ["json"]),
        ("import json\ndef f(raw, ctx): pass", []),
    ],
)  # fmt: skip
def test_decoders_seen_at_work(tmp_path: Path, source: str, expected: list[str]) -> None:
    toys(tmp_path, mine=source + "\n")
    options = {"kind": "call", "target": "mine:f"}
    (watched,) = deliver(tmp_path, options, b"{}", watch=True)
    assert [each.partition(" ")[0] for each in watched.decoders] == expected
    assert all(each.partition(" ")[2] not in ("", "?") for each in watched.decoders)
    (measured,) = deliver(tmp_path, options, b"{}")
    assert measured.decoders == ()


def test_what_the_worker_itself_reads_is_not_seen(tmp_path: Path) -> None:
    lines = """await answer(send, 200, b'{"error":1}')"""
    inside = f"async def app(scope, receive, send):\n    if scope['type'] != 'http': return\n    {lines}\n"
    (seen,) = deliver(asgi(tmp_path, inside), {**APP, "role": "reviewer"}, b"1", watch=True)
    assert said(seen) == "rejected http 200 with an error body"
    assert seen.decoders == ()


def test_a_profile_is_there_while_decoders_are_watched_and_never_otherwise(tmp_path: Path) -> None:
    toys(tmp_path, mine="import sys\ndef f(raw, ctx): return sys.getprofile() is None\n")
    options = {**CALL, "folder": str(tmp_path)}
    sent = hello("b", "deliver", options=options)
    for number, watch in enumerate((False, True, False)):
        sent += frame("deliver", number, deliver_body(b"1", watch_decoders=watch))
    _, *answers = frames(run(ARGV, sent).out)
    values = [read_record(each.text).value for each in answers]
    assert values == ["true", "false", "true"]


def test_a_thread_that_lives_on_is_watched_as_long_as_decoders_are(tmp_path: Path) -> None:
    source = """
    import json, sys
    from concurrent.futures import ThreadPoolExecutor
    pool = ThreadPoolExecutor(1)
    def work(raw):
        json.loads(raw)
        return sys.getprofile() is None
    def f(raw, ctx): return pool.submit(work, raw).result()
    """
    toys(tmp_path, mine=source)
    sent = hello("b", "deliver", options={**CALL, "folder": str(tmp_path)})
    for number, watch in enumerate((True, True, False)):
        sent += frame("deliver", number, deliver_body(b"1", watch_decoders=watch))
    _, *answers = frames(run(ARGV, sent).out)
    seen = [read_record(each.text) for each in answers]
    assert [[d.partition(" ")[0] for d in each.decoders] for each in seen] == [["json"], ["json"], []]
    assert [each.value for each in seen] == ["false", "false", "true"]


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_sinks_of_other_interpreters(tmp_path: Path, version: str) -> None:
    for name, call in (
        ("closure", "s.held['closure'](a=1)"),
        ("plain", "s.held['plain'](1)"),
        ("waits", "s.held['waits'](1)"),
        ("K.of_class", "s.K().of_class(1)"),
    ):
        toys(tmp_path, s=SINKS, mine=f"import s\ndef f(raw, ctx): return {call}\n")
        options = {**CALL, "sink": f"s:{name}", "sink-runs": "true"}
        (seen,) = deliver(tmp_path, options, b"1", argv=(interpreter(version), str(WORKER)))
        assert (said(seen), seen.executions) == ("accepted", ('{"a":1}',))
        assert seen.value is not None


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_applications_of_other_interpreters(tmp_path: Path, version: str) -> None:
    argv = (interpreter(version), str(WORKER))
    (seen,) = deliver(asgi(tmp_path, READ), APP, ORDER, argv=argv, watch=True)
    assert (said(seen), seen.executions) == ("accepted http 200", ('{"target":"b"}',))
    (seen,) = deliver(toys(tmp_path, app=WSGI_APP), WSGI, ORDER, argv=argv)
    assert (said(seen), len(seen.executions or ())) == ("accepted http 201", 2)
