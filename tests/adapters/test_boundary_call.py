"""The boundary worker and a user's function: what is recorded, and hostile functions."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.adapters.boundary import ARGV, WORKER, deliver, said, talk, toys
from tests.adapters.client import Frame, frame, frames, hello, run
from tests.adapters.python_worker import interpreter
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.record import read_journal, without_stray

ORDER = b'{"target":"a","target":"b"}'
CALL = {"kind": "call", "target": "mine:f", "name": "it", "role": "executor"}


def called(folder: Path, lines: str, *asked: bytes, **options: str) -> list[Passage]:
    """What `f(raw, ctx)` of these lines does with the cases."""
    body = "\n".join("    " + line for line in dedent(lines).strip().splitlines())
    toys(folder, mine=f"import json, os, sys, threading, time, asyncio\ndef f(raw, ctx):\n{body}\n")
    return deliver(folder, {**CALL, **options}, *(asked or (ORDER,)))


def test_golden(tmp_path: Path) -> None:
    """The bytes of one conversation, by hand."""
    toys(
        tmp_path,
        mine="""
        import json

        def f(raw, ctx):
            value = json.loads(raw)
            ctx.preview(value, "a page")
            ctx.execute(value)
            return value
        """,
    )
    sent = hello("boundary/it", "deliver", options={**CALL, "folder": str(tmp_path)})
    sent += b'deliver 1 35\n:case: x%20y\nx-a: 1\n\n{"q":2,"q":20}\ndeliver 2 2\n\n[\nbye 3 0\n\n'
    ended = run(ARGV, sent)
    ready, first, second = frames(ended.out)
    assert ready.verb == "ready"
    lines = ready.text.splitlines()
    assert lines[0] == "protocol 1"
    assert "capability deliver" in lines
    assert "capability parse" not in lines
    assert f"file {tmp_path}/mine.py" in lines
    digest = "5a3fd45d49e438370ce4e6d2656e339377c1ef5aec4587dd21e763b47818521d"  # of the eight bytes {"q":20}
    assert first == Frame(
        "accept",
        1,
        b'passed accepted\nvalue {"q":20}\npreview a%20page {"q":20}\nexecute {"q":20}\n'
        b"executed sha256:" + digest.encode() + b"\n",
    )
    assert second == Frame("accept", 2, b"passed rejected\nsignal exception JSONDecodeError\n")


def test_everything_is_recorded_in_order(tmp_path: Path) -> None:
    (seen,) = called(
        tmp_path,
        """
        ctx.preview({"n": 1})
        ctx.preview({"n": 2.5}, "the page/2 of %")
        ctx.execute([1])
        ctx.execute([2])
        ctx.emit(b"\\xff\\n")
        return {"n": None}
        """,
    )
    assert seen.passed is Passed.ACCEPTED
    assert seen.previews == (Preview("", '{"n":1}'), Preview("the page/2 of %", '{"n":2.5}'))
    assert seen.executions == ("[1]", "[2]")
    assert (seen.value, seen.emitted) == ('{"n":null}', b"\xff\n")


ENDS = [
    ("raise ValueError(raw)", "rejected exception ValueError", 0),
    ("ctx.execute(1); raise ValueError", "failed exception ValueError", 1),
    ("raise RecursionError", "failed exception RecursionError", 0),
    ("raise MemoryError", "failed exception MemoryError", 0),
    ("sys.exit(0)", "failed exception SystemExit", 0),
    ("raise KeyboardInterrupt", "failed exception KeyboardInterrupt", 0),
    ("raise type('Panic', (BaseException,), {})", "failed exception BaseException", 0),
    ("class Panic(BaseException): pass\nraise Panic", "failed exception Panic", 0),
    ("raise type('Panic', (json.JSONDecodeError,), {})('', '', 0)", "rejected exception JSONDecodeError", 0),
    ("def g(): return g()\ng()", "failed exception RecursionError", 0),
    ("ctx.reject('too many')", "rejected", 0),
    ("ctx.execute(1); ctx.reject('too late')", "rejected", 1),
    ("ctx.unsupported('text only')", "unsupported", 0),
    ("try: ctx.reject('no')\nexcept Exception: pass", "rejected", 0),
    ("ctx.execute(1)", "accepted", 1),
    ("pass", "accepted", 0),
]


def test_how_a_function_ends(tmp_path: Path) -> None:
    arms = "".join(f"if raw == b'{n}':\n{indent(lines, '    ')}\n" for n, (lines, _, _) in enumerate(ENDS))
    seen = called(tmp_path, arms, *(str(number).encode() for number in range(len(ENDS))))
    got = [
        (lines, said(each), len(each.executions or ()))
        for (lines, _, _), each in zip(ENDS, seen, strict=True)
    ]
    assert got == ENDS


def test_a_message_that_quotes_the_case_is_not_recorded(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, "raise ValueError(raw)", b'"secret"')
    assert seen.reason == ""


def test_reasons_are_one_line_of_ascii(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, "ctx.reject('a\\nexecute 1 é' * 100)")
    assert seen.executions == ()
    assert len(seen.reason) == 300
    assert seen.reason.isascii()


def test_the_headers_of_the_case_are_over_those_of_the_request(tmp_path: Path) -> None:
    toys(tmp_path, mine="def f(raw, ctx): return [ctx.headers, ctx.name]")
    options = {**CALL, "header.content-type": "application/json", "header.x-who": "me"}
    with_own, without = deliver(
        tmp_path, options, (b"1", {"Content-Type": "application/json; charset=utf-7"}), b"1"
    )
    assert with_own.value == '[{"x-who":"me","content-type":"application/json; charset=utf-7"},"it"]'
    assert without.value == '[{"content-type":"application/json","x-who":"me"},"it"]'


@pytest.mark.parametrize(
    ("target", "role", "expected"),
    [
        ("json:loads", "executor", Passage(Passed.ACCEPTED, '{"target":"b"}', (), ('{"target":"b"}',))),
        (
            "json:loads",
            "reviewer",
            Passage(Passed.ACCEPTED, '{"target":"b"}', (Preview("", '{"target":"b"}'),)),
        ),
        ("json:loads", "store", Passage(Passed.ACCEPTED, '{"target":"b"}')),
    ],
)
def test_a_function_without_a_context_is_read_as_a_parser_is(
    tmp_path: Path, target: str, role: str, expected: Passage
) -> None:
    (seen,) = deliver(tmp_path, {"kind": "call", "target": target, "role": role}, ORDER)
    assert seen._replace(executed=()) == expected


def test_async_functions_and_what_they_leave_running(tmp_path: Path) -> None:
    toys(
        tmp_path,
        mine="""
        import asyncio

        async def later(ctx):
            await asyncio.sleep(0.05)
            ctx.execute("later")

        async def f(raw, ctx):
            ctx.execute("now")
            f.task = asyncio.ensure_future(later(ctx))
            return raw.decode()
        """,
    )
    (seen,) = deliver(tmp_path, CALL, b"x")
    assert (seen.executions, seen.value, seen.reason) == (('"now"', '"later"'), '"x"', "")


def test_threads_are_waited_for_a_moment(tmp_path: Path) -> None:
    lines = """
    def act(seconds):
        time.sleep(seconds)
        ctx.execute(seconds)
    threading.Thread(target=act, args=(json.loads(raw),), daemon=True).start()
    """
    quick, slow, after = called(tmp_path, lines, b"0.05", b"0.5", b"0")
    assert (quick.executions, quick.reason) == (("0.05",), "")
    assert (slow.executions, slow.reason) == (None, "1 threads outlast the request")
    assert after.executions == ("0",)


def test_pooled_work_is_waited_for(tmp_path: Path) -> None:
    lines = """
    from concurrent.futures import ThreadPoolExecutor
    f.pool = getattr(f, "pool", None) or ThreadPoolExecutor(1)
    f.pool.submit(lambda: (time.sleep(0.05), ctx.execute(1)))
    """
    seen = called(tmp_path, lines, b"1", b"2")
    assert [(each.executions, each.reason) for each in seen] == [(("1",), "")] * 2


def test_what_comes_late_belongs_to_the_case_that_began_it(tmp_path: Path) -> None:
    lines = """
    from concurrent.futures import ThreadPoolExecutor
    def act(value):
        time.sleep(value)
        from tools import execute
        execute(value)
    if raw == b"0.6": threading.Thread(target=act, args=(0.6,), daemon=True).start()
    elif raw == b"0.7": ThreadPoolExecutor(1).submit(act, 0.7)
    else: time.sleep(json.loads(raw))
    """
    journal = tmp_path / "journal"
    seen = called(tmp_path, lines, b"0.6", b"0.7", b"1", journal=str(journal), sink="tools:execute")
    # What has not run while it was waited for may yet run: unknown, and in the journal once it does.
    assert [each.executions for each in seen] == [None, None, ()]
    kept = read_journal(journal)
    assert {case: each.executions for case, each in kept.items()} == {
        "case/1": ('{"target":0.6}',),
        "case/2": ('{"target":0.7}',),
    }


def test_no_class_that_was_made_at_run_time_gives_its_name(tmp_path: Path) -> None:
    lines = """
    import io
    def bad(self): raise type("Secret7", (ValueError,), {})()
    ctx.preview([type("Secret1", (io.BytesIO,), {})(), {type("Secret2", (io.BytesIO,), {})(): 1}])
    ctx.preview(type("Secret4", (dict,), {"keys": bad, "items": bad})())
    ctx.execute(type("Secret5", (io.BytesIO,), {})())
    ctx.preview(type("Secret6", (), {"keys": bad, "__getitem__": bad})())
    """
    seen = called(tmp_path, lines)
    assert "Secret" not in repr(seen)
    assert 'X"unread: _io.BytesIO"' in repr(seen)


STARTS = [
    "subprocess.run([sys.executable, '-c', ''], check=True)",
    "subprocess.run([sys.executable, '-c', ''], check=True, close_fds=False)",
    "os.system('true')",
    "os.waitpid(os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {}), 0)",
    "os.waitpid(os.fork() or os._exit(0), 0)",
    "p = multiprocessing.get_context('spawn').Process(target=print); p.start(); p.join()",
]


@pytest.mark.parametrize("start", STARTS)
def test_what_a_started_process_runs_is_not_seen_and_never_none(tmp_path: Path, start: str) -> None:
    lines = f"""
    import multiprocessing, subprocess
    if raw != b"1": {start}
    if raw == b"3": ctx.execute(3)
    if raw == b"4": ctx.reject("no")
    """
    seen = called(tmp_path, lines, b"1", b"2", b"3", b"4")
    assert [each.executions for each in seen] == [(), None, ("3",), None]
    assert seen[1].reason == "it started a process: what runs there is not seen"
    assert [each.passed for each in seen] == [Passed.ACCEPTED] * 3 + [Passed.REJECTED]


LAZY_THREAD = """
import queue, threading
from tools import execute

def f(raw, ctx):
    if not hasattr(f, "queue"):
        f.queue = queue.Queue()
        threading.Thread(target=work, daemon=True).start()
    f.queue.put(raw.decode())
    f.queue.join()

def work():
    while True:
        execute(f.queue.get())
        f.queue.task_done()
"""
LAZY_TASK = """
import asyncio
from tools import execute

async def f(raw, ctx):
    if not hasattr(f, "queue"):
        f.queue = asyncio.Queue()
        f.task = asyncio.ensure_future(work())
    await f.queue.put(raw.decode())
    await f.queue.join()

async def work():
    while True:
        execute(await f.queue.get())
        f.queue.task_done()
"""
LAZY_PROCESS = """
import concurrent.futures, multiprocessing, tools

def f(raw, ctx):
    if not hasattr(f, "pool"):
        f.pool = concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork"))
    f.pool.submit(tools.execute, raw.decode()).result()
    if raw == b"3": f.pool.shutdown()
"""


@pytest.mark.parametrize("source", [LAZY_THREAD, LAZY_TASK, LAZY_PROCESS])
def test_whom_a_worker_serves_that_a_request_began_nobody_can_say(tmp_path: Path, source: str) -> None:
    journal = tmp_path / "journal"
    toys(tmp_path, mine=source)
    options = {**CALL, "journal": str(journal), "sink": "tools:execute"}
    seen = deliver(tmp_path, options, b"1", b"2", b"3")
    kept = read_journal(journal)
    assert [without_stray(each, kept).executions for each in seen] == [None] * 3


def test_the_journal_outlives_the_worker(tmp_path: Path) -> None:
    toys(
        tmp_path, mine="import os\ndef f(raw, ctx):\n    ctx.preview(1, 'p q'); ctx.execute(2); os._exit(3)\n"
    )
    journal = tmp_path / "journal"
    options = {**CALL, "folder": str(tmp_path), "journal": str(journal)}
    ended = run(ARGV, hello("b", "deliver", options=options) + frame("deliver", 1, b":case: a%20b\n\n1"))
    assert ended.status == 3
    (seen,) = read_journal(journal).values()
    assert list(read_journal(journal)) == ["a b"]
    assert (seen.previews, seen.executions) == ((Preview("p q", "1"),), ("2",))


def test_what_user_code_prints_or_changes_meets_no_frame(tmp_path: Path) -> None:
    lines = """
    print("noise", flush=True); os.write(1, b"accept 1 0\\n\\n")
    was = os.getcwd()
    os.chdir("/")
    return [was, sys.stdin.read(), __file__.endswith("mine.py")]
    """
    first, second = called(tmp_path, lines, b"1", b"2")
    assert first.value == second.value
    assert first.value is not None
    assert first.value.endswith(',"",true]')


def test_a_child_that_user_code_forks_does_not_answer(tmp_path: Path) -> None:
    seen = called(tmp_path, "if os.fork(): os.wait()\nreturn 1", b"1", b"2")
    assert [each.value for each in seen] == ["1", "1"]


def test_values_that_resist(tmp_path: Path) -> None:
    lines = """
    round = []; round.append(round)
    class Bad:
        def __repr__(self): sys.exit(1)
    deep = []
    for _ in range(100000): deep = [deep]
    for value in round, Bad(), deep, "x" * 9000000, {1: {2}}: ctx.preview(value)
    """
    (seen,) = called(tmp_path, lines)
    circle, bad, deep, long, odd = (each.value for each in seen.previews)
    assert circle == 'X"unread: a value that holds itself"'
    assert bad == "{}"
    assert deep == "[" * 100_001 + "]" * 100_001
    assert long.startswith('X"a value of 9000002 characters, sha256 ')
    assert odd == '{X"int:1":{X"object:set":[2]}}'


def test_floods_are_bounded_and_said(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, "for n in range(30000): ctx.preview(n)\nctx.execute(1)")
    assert len(seen.previews) == 10000
    assert seen.reason.startswith("more than can be recorded")


def test_an_execution_is_not_lost_in_a_flood(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, "for n in range(30000): ctx.preview(n)\nctx.execute(1)")
    assert seen.executions == ("1",)


def test_models_are_objects(tmp_path: Path) -> None:
    lines = """
    import dataclasses, collections, types, decimal
    @dataclasses.dataclass
    class D:
        a: int
        b: list
    N = collections.namedtuple("N", "x y")
    return [D(1, [D(2, [])]), N(1, 2), types.MappingProxyType({"k": 1}), decimal.Decimal("1.10"), D]
    """
    (seen,) = called(tmp_path, lines)
    assert seen.value is not None
    assert seen.value.startswith('[{"a":1,"b":[{"a":2,"b":[]}]},{"x":1,"y":2},{"k":1},D1.10,X"type:')


def test_an_approval_is_a_digest_whatever_the_order_of_names(tmp_path: Path) -> None:
    lines = """
    ctx.approve({"a": 1, "b": 2}); ctx.execute({"b": 2, "a": 1}); ctx.execute({"a": 1, "b": 3})
    ctx.execute(1, digest="d 1")
    """
    (seen,) = called(tmp_path, lines)
    same, other, given = seen.executed
    assert seen.approved == same != other
    assert given == "d?1"
    assert seen.value == '{"a":1,"b":2}'


def test_a_declared_conversion(tmp_path: Path) -> None:
    toys(tmp_path, mine="def f(raw, ctx): pass\ndef t(value): return {'order': value['o']}\n")
    options = {**CALL, "folder": str(tmp_path), "transform": "mine:t"}
    bodies = (b'{"o":[1.5,1.10,20]}', b'{"o":1,"o":2}', b"{", b"{}")
    sent = hello("b", "deliver", options=options)
    sent += b"".join(frame("convert", n, body) for n, body in enumerate(bodies, 1)) + frame("bye", 9)
    ready, *answers = frames(run(ARGV, sent).out)
    assert "capability convert" in ready.text.splitlines()
    assert answers[0] == Frame("accept", 1, b'{"order":[1.5,1.1,20]}')
    assert [each.verb for each in answers[1:]] == ["unsupported", "unsupported", "fault"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            {"kind": "call", "target": "nowhere:f"},
            "Refused there is no module nowhere: it is looked for beside",
        ),
        ({"kind": "call", "target": "json.nowhere.x:f"}, "Refused there is no module json.nowhere: it is "),
        ({"kind": "call", "target": "wants:f"}, "Refused there is no module elsewhere, which "),
        ({"kind": "call", "target": "broken:f"}, "SyntaxError at broken.py:2"),
        ({"kind": "call", "target": "json:nothing"}, "Refused json has no nothing: look at json:nothing in"),
        ({"kind": "call", "target": "json:decoder"}, "Refused json:decoder cannot be called"),
        ({"kind": "call", "target": "odd:nothing"}, "Refused odd:nothing takes neither (raw) nor "),
        ({"kind": "call", "target": "odd:three"}, "Refused odd:three takes neither (raw) nor "),
        ({"kind": "call", "target": "odd:named"}, "Refused odd:named takes neither (raw) nor "),
        ({"kind": "call", "target": "exits:f"}, "SystemExit 4"),
        ({"kind": "call", "target": "json"}, "Refused 'json' is not module:name"),
        ({"kind": "song", "target": "json:loads"}, "Refused kind 'song' is none of "),
        (
            {"kind": "call", "target": "json:loads", "slot": "value"},
            "ValueError template must hold {case} once",
        ),
        (
            {"kind": "call", "target": "json:loads", "sink": "json:nothing"},
            "Refused there is no sink json:nothing",
        ),
        (
            {"kind": "call", "target": "json:loads", "sink": "odd:three", "sink-argument": "d"},
            "Refused the sink odd:three takes no d: sink-argument is one of a, b, c",
        ),
        ({"kind": "call", "target": "json:loads", "sink": "exits:gen"}, "SystemExit 4"),
    ],
)
def test_what_cannot_be_set_up_is_a_fault_at_hello(
    tmp_path: Path, options: dict[str, str], error: str
) -> None:
    odd = "def nothing(): pass\ndef three(a, b, c): pass\ndef named(*, raw): pass"
    toys(
        tmp_path,
        exits="import sys; sys.exit(4)",
        odd=odd,
        wants="import elsewhere",
        broken="x = 1\nx = = 2\n",
    )
    (answer,) = talk(tmp_path, options)
    assert (answer.verb, answer.sequence) == ("fault", 0)
    assert answer.text.startswith(error), answer.text


def test_other_verbs_and_broken_deliveries(tmp_path: Path) -> None:
    sent = hello("b", "deliver", options={"kind": "call", "target": "json:loads"})
    sent += frame("parse", 1, b"1") + frame("convert", 2, b"1") + frame("deliver", 3, b"no header\n\n1")
    sent += frame("deliver", 4, b"nothing") + frame("deliver", 5, b"\n1") + frame("bye", 0)
    _, *answers = frames(run(ARGV, sent).out)
    assert [each.verb for each in answers] == ["unsupported", "unsupported", "fault", "fault", "accept"]
    assert answers[2].text == "BadDelivery a header line is not `name: value`"


def test_no_file_of_the_folder_shadows_a_users_module(tmp_path: Path) -> None:
    toys(tmp_path, call="V = 1", mine="import call, importlib\ndef f(raw, ctx): return call.V\n")
    (seen,) = deliver(tmp_path, CALL, b"1")
    assert seen.value == "1"
    names = [path.stem for path in WORKER.parent.glob("*.py") if path.stem != "call"]
    toys(
        tmp_path,
        mine=f"""
        import importlib.util
        def f(raw, ctx):
            specs = [importlib.util.find_spec(name) for name in {names!r}]
            return [each.name for each in specs if each and "boundary" in (each.origin or "")]
        """,
    )
    (seen,) = deliver(tmp_path, CALL, b"1")
    assert seen.value == "[]"


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_other_interpreters(tmp_path: Path, version: str) -> None:
    toys(
        tmp_path,
        mine="""
        import json
        from tools import execute

        def f(raw, ctx):
            execute(**json.loads(raw))
            execute(1, quantity=2)
        """,
    )
    argv = (interpreter(version), str(WORKER))
    seen, bad = deliver(tmp_path, {**CALL, "sink": "tools:execute"}, ORDER, b"[", argv=argv, watch=True)
    assert seen.executions == ('{"target":"b"}', '{"target":1,"quantity":2}')
    assert [each.partition(" ")[0] for each in seen.decoders] == ["json"]
    assert said(bad) == "rejected exception JSONDecodeError"


READ = {
    "types.SimpleNamespace(a=1)": '{"a":1}',
    "Plain(1)": '{"a":1}',
    "Slots(1)": '{"a":1,"_Slots__b":2}',
    "Sub([1])": '[1,{X"object:attributes":{"x":3}}]',
    "Names(a=1)": '{"a":1,X"object:attributes":{"x":3}}',
    "{'b', 'a', 'c'}": '{X"object:set":["a","b","c"]}',
    "frozenset('ba')": '{X"object:set":["a","b"]}',
    "{Plain(1): 2}": '{X"key:{\\"a\\":1}":2}',
    "memoryview(b'\\xff')": 'b"ff"',
    "collections.deque([Plain(1)])": '[{"a":1}]',
    "ValueError(1)": '{"args":[1]}',
    "fractions.Fraction(1, 3)": 'X"fractions.Fraction:Fraction(1, 3)"',
    "decimal.Decimal('NaN')": "X\"decimal.Decimal:Decimal('NaN')\"",
    "datetime.date(2020, 1, 2)": 'X"datetime.date:datetime.date(2020, 1, 2)"',
    "uuid.UUID(int=1)": "X\"uuid.UUID:UUID('00000000-0000-0000-0000-000000000001')\"",
    "range(3)": 'X"range:range(0, 3)"',
    "complex(1, 2)": 'X"complex:(1+2j)"',
    "Data()": '{"a":1,"b":2}',
}
UNREAD = {
    "(x for x in ())": "generator",
    "iter([])": "list_iterator",
    "(lambda: 0)": "function",
    "threading.Lock()": "_thread.lock",
    "types": "module",
    "object()": "object",
    "functools.partial(print, 1)": "functools.partial",
}
KINDS = """
import types, collections, fractions, decimal, datetime, uuid, functools, dataclasses
class Plain:
    def __init__(self, a): self.a = a
    def __repr__(self): return "Plain()"
    @property
    def boom(self): os._exit(1)
class Slots:
    __slots__ = "a", "__b", "unset"
    def __init__(self, a): self.a, self.__b = a, 2
class Sub(list):
    def __init__(self, *given): super().__init__(*given); self.x = 3
class Names(dict):
    def __init__(self, **given): super().__init__(**given); self.x = 3
@dataclasses.dataclass
class Data:
    a: int = 1
    def __post_init__(self): self.b = 2
"""


def test_what_can_be_read_is_spelled_by_its_value(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, f"{KINDS}\nfor each in [{','.join(READ)}]: ctx.preview(each)")
    assert {said: each.value for said, each in zip(READ, seen.previews, strict=True)} == READ


def test_what_cannot_be_read_is_said_and_has_no_digest(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, f"{KINDS}\nfor each in [{','.join(UNREAD)}]: ctx.execute(each)")
    assert seen.executions == tuple(f'X"unread: {name}"' for name in UNREAD.values())
    assert set(seen.executed) == {"unread:"}


def test_a_digest_is_of_what_an_object_holds(tmp_path: Path) -> None:
    (seen,) = called(tmp_path, f"{KINDS}\nfor each in 1, 2, 1: ctx.execute(Plain(each))")
    first, second, third = seen.executed
    assert first == third
    assert first != second


@pytest.mark.parametrize("role", ["executor", "validator"])
def test_null_is_a_value_of_what_only_reads(tmp_path: Path, role: str) -> None:
    (seen,) = deliver(tmp_path, {**CALL, "target": "json:loads", "role": role}, b"null")
    assert seen.value == "null"
    assert seen.executions == (("null",) if role == "executor" else ())


def test_a_context_says_what_was_understood_null_too(tmp_path: Path) -> None:
    assert [each.value for each in called(tmp_path, "ctx.value(None)")] == ["null"]
    assert [each.value for each in called(tmp_path, "return None")] == [None]


def test_defaults_of_models_are_what_runs_too(tmp_path: Path) -> None:
    """Stand-ins with the marks of pydantic 2 and 1: what was given, and what a default filled in."""
    lines = """
    class Two:
        __slots__ = "__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"
        __pydantic_core_schema__ = None
        def __init__(self, quantity):
            self.item, self.quantity = "A", quantity
            self.__pydantic_fields_set__, self.__pydantic_extra__ = {"item"}, {"x": 1}
    class One:
        __slots__ = "__dict__", "__fields_set__"
        __fields__ = {}
        def __init__(self, quantity):
            self.item, self.quantity, self.__fields_set__ = "A", quantity, {"item"}
    for each in Two(1), Two(1000), One(1): ctx.execute(each)
    """
    (seen,) = called(tmp_path, lines)
    assert seen.executions == (
        '{"item":"A","quantity":1,"x":1}',
        '{"item":"A","quantity":1000,"x":1}',
        '{"item":"A","quantity":1}',
    )
    assert len(set(seen.executed)) == 3
