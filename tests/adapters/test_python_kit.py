"""What the Python kit promises: it does not change the parser, and nothing meets the frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.client import ask, frame, frames, hello, run, talk
from tests.adapters.python_worker import ARGV, FOLDER, greeting, interpreter, kit_with, outcome, parse
from whichwins.subjects import load_adapters, select

SHIM = """
def make(kit):
    {setup}
    def parse(data):
        {body}
    return {{"parse": parse, "libraries": [("planted", "1")]}}
"""


def planted(folder: Path, body: str, setup: str = "pass", rejects: tuple[str, ...] = ("Said",)) -> list[str]:
    """Put five inputs to a shim whose `parse` is `body`; return the outcomes."""
    argv = kit_with(folder, planted=SHIM.format(body=body, setup=setup))
    answers = ask(argv, hello("python/planted", "planted.make", rejects), [b"1", b"22"])
    return [outcome(answer) for answer in answers]


def test_the_interpreters_limits_hold_while_parsing(tmp_path: Path) -> None:
    body = "import gc, sys; return [sys.get_int_max_str_digits(), sys.getrecursionlimit(), gc.isenabled()]"
    assert planted(tmp_path, body)[0] == "[4300,1000,true]"


def test_limits_hold_after_a_huge_integer_was_rendered(tmp_path: Path) -> None:
    body = "import sys; return [10 ** 4999, sys.get_int_max_str_digits()]"
    huge = "1" + "0" * 4999
    assert planted(tmp_path, body) == [f"[{huge},4300]"] * 2


def test_the_parser_runs_on_the_main_thread(tmp_path: Path) -> None:
    body = "import threading; return threading.current_thread() is threading.main_thread()"
    assert planted(tmp_path, body) == ["true", "true"]


def test_what_a_library_prints_goes_to_standard_error(tmp_path: Path) -> None:
    setup = "import os; print('banner'); os.write(1, b'raw')"
    argv = kit_with(tmp_path, planted=SHIM.format(body="print('noise', flush=True); return 1", setup=setup))
    sent = hello("python/planted", "planted.make", ["E"]) + frame("parse", 1, "1") + frame("bye", 2)
    ended = run(argv, sent)
    assert [each.verb for each in frames(ended.out)] == ["ready", "accept"]
    assert b"raw" in ended.err
    assert b"noise" in ended.err


def test_a_library_cannot_read_the_frames(tmp_path: Path) -> None:
    assert planted(tmp_path, "import sys; return sys.stdin.read()") == ['""', '""']


SHADOW = """
def where(name):
    import importlib, os
    try:
        return importlib.import_module(name).__file__.startswith(os.path.dirname(os.path.dirname(__file__)))
    except ImportError:
        return None
"""


@pytest.mark.parametrize(
    ("guarded", "expected"), [(True, "[false,false,null,null]"), (False, "[false,false,true,true]")]
)
def test_no_file_of_the_folder_shadows_a_library(tmp_path: Path, guarded: bool, expected: str) -> None:
    body = "return [where(name) for name in ('json', 'sqlite3', 'render', 'words')]"
    argv = kit_with(tmp_path, planted=SHIM.format(body=body, setup="pass") + SHADOW)
    if not guarded:  # the fault, planted
        worker = Path(argv[1])
        source = worker.read_text(encoding="utf-8")
        assert "sys.path[:] = " in source
        worker.write_text(source.replace("sys.path[:] = ", "_ = "), encoding="utf-8")
    (answer,) = ask(argv, hello("python/planted", "planted.make", ["E"]), [b"1"])
    assert outcome(answer) == expected


def test_only_listed_errors_reject_and_by_their_exact_class(tmp_path: Path) -> None:
    body = """
        class Said(Exception): pass
        class Unsaid(Said): pass
        raise {b"1": Said, b"22": Unsaid}[data]("x")"""
    assert planted(tmp_path, body) == ["reject parse Said", "fault Unsaid"]


@pytest.mark.parametrize(("listed", "said"), [("", "fault Old"), ('"Old"', "reject parse Old")])
def test_a_shim_may_list_what_says_no_in_the_version_at_hand(tmp_path: Path, listed: str, said: str) -> None:
    shim = f"""
class Old(ValueError): pass

def make(kit):
    def parse(data):
        raise Old
    return {{"parse": parse, "libraries": [("planted", "1")], "rejects": [{listed}]}}
"""
    argv = kit_with(tmp_path, planted=shim)
    (answer,) = ask(argv, hello("python/planted", "planted.make", ["New"]), [b"1"])
    assert outcome(answer) == said


@pytest.mark.parametrize(
    "error", ["SystemExit", "RecursionError", "MemoryError", "GeneratorExit", "ValueError", "KeyError"]
)
def test_everything_else_is_a_fault(tmp_path: Path, error: str) -> None:
    assert planted(tmp_path, f"raise {error}('x')") == [f"fault {error}"] * 2


def test_an_interrupt_ends_the_worker(tmp_path: Path) -> None:
    argv = kit_with(tmp_path, planted=SHIM.format(body="raise KeyboardInterrupt", setup="pass"))
    ended = run(argv, hello("python/planted", "planted.make", ["E"]) + frame("parse", 1, "1"))
    assert [each.verb for each in frames(ended.out)] == ["ready"]
    assert ended.status != 0


def test_unsupported_says_nothing_of_the_parser(tmp_path: Path) -> None:
    assert planted(tmp_path, "raise kit.Unsupported('no such shape')") == ["unsupported"] * 2


def test_messages_are_one_short_line_of_ascii(tmp_path: Path) -> None:
    argv = kit_with(tmp_path, planted=SHIM.format(body="raise ValueError('\\n\\x1b é' * 500)", setup="pass"))
    (answer,) = ask(argv, hello("python/planted", "planted.make", ["ValueError"]), [b"1"])
    assert answer.text == "parse ValueError " + "?? ?" * 75


def test_an_error_that_cannot_be_said_is_still_answered(tmp_path: Path) -> None:
    body = """
        class Mute(Exception):
            def __str__(self): raise RuntimeError
        raise Mute"""
    assert planted(tmp_path, body) == ["fault Mute"] * 2


def test_what_the_renderer_cannot_do_is_no_verdict(tmp_path: Path) -> None:
    body = """
        class Broken(dict):
            def items(self): raise Said
        return Broken()"""
    setup = "global Said\n    Said = type('Said', (Exception,), {})"
    assert planted(tmp_path, body, setup) == ["fault RenderFailed"] * 2


def test_unknown_values_are_named(tmp_path: Path) -> None:
    assert planted(tmp_path, "return {1: (2, b'\\xff', {3})}") == ['{X"int:1":[2,b"ff",X"set:{3}"]}'] * 2


def test_a_deep_value_travels(tmp_path: Path) -> None:
    body = """
        value = []
        for _ in range(100000): value = [value]
        return value"""
    assert planted(tmp_path, body) == ["[" * 100_001 + "]" * 100_001] * 2


def test_the_digit_limit_is_the_parsers_fault() -> None:
    answers = parse("python/json", b"1" * 4300, b"1" * 4301, b"[" * 2000 + b"]" * 2000)
    assert [outcome(answer) for answer in answers[:2]] == ["1" * 4300, "fault ValueError"]
    assert outcome(answers[2]) in ("fault RecursionError", "[" * 2000 + "]" * 2000)


def test_an_answer_does_not_depend_on_the_batching() -> None:
    deep = [b"[" * n + b"]" * n for n in range(960, 1010)]
    batched = [(answer.verb, answer.body) for answer in parse("python/json", *deep)]
    single = b"".join(frame("parse", n, data) for n, data in enumerate(deep, 1))
    alone = frames(talk(ARGV, greeting("python/json") + single + frame("bye", 0)))[1:]
    assert batched == [(answer.verb, answer.body) for answer in alone]


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_other_interpreters(version: str) -> None:
    argv = [interpreter(version), str(FOLDER / "worker.py")]
    inputs = (b'{"a":1,"a":2}', b'"\xff"', b"[1,", b"NaN", b"9" * 4301, b"1e16")
    said = ['{"a":2}', "reject decode UnicodeDecodeError", "reject parse JSONDecodeError"]
    said += ["NaN", "fault ValueError", "1e+16"]
    for key in ("python/json", "python/json-pure"):
        assert [outcome(answer) for answer in parse(key, *inputs, argv=argv)] == said
    first = parse("python/sqlite3-extract", inputs[0], argv=argv)
    assert outcome(first[0]) == '{"a":1}'


def test_the_kit_is_small() -> None:
    lines = (FOLDER / "worker.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    assert len(code) < 105


@pytest.mark.parametrize(
    ("bounds", "data", "beyond"),
    [
        ({"depth": 2}, b"[[1],{}]", ""),
        ({"depth": 2}, b"[[[]]]", "levels"),
        ({"depth": 2}, b'["[[[[",{"a[[[":1}]', ""),  # brackets of strings do not count
        ({"depth": 2}, b'["\\"[[[","\\\\",[[1]]]', "levels"),  # an escaped quotation mark ends nothing
        ({"depth": 2}, b"[[[", "levels"),
        ({"depth": 2}, b"[[]],[[]],[[]]]]", ""),
        ({"depth": 2}, b']]]]["[[[', ""),
        ({"object-depth": 2}, b'[[[{"a":{}}]]]', ""),
        ({"object-depth": 2}, b'[{"a":[{"a":{}}]}]', "levels of objects"),
        ({"values": 3}, b"[1,2]", ""),
        ({"values": 3}, b"[1,2,3]", ""),
        ({"values": 3}, b"[1,2,3,4]", "values"),
        ({"members": 2}, b'{"a":1,"b":2}', ""),
        ({"members": 2}, b'{"a":{"b":2},"c":3}', "members"),
        ({"members": 1}, b'{"a:::":1}', ""),
        ({"containers": 3}, b"[[],[]]", ""),
        ({"containers": 3}, b"[[],[],[]]", "objects and arrays"),
        ({"bytes": 4}, b'"ab"', ""),
        ({"bytes": 4}, b'"abc"', "bytes"),
        ({"bytes": 40, "depth": 1}, b"[[]]", "levels"),
        ({}, b"[" * 99, ""),
    ],
)
def test_what_is_beyond_a_bound_is_not_asked(
    bounds: dict[str, int], data: bytes, beyond: str, tmp_path: Path
) -> None:
    argv = kit_with(tmp_path, planted=SHIM.format(setup="pass", body="kit.within(data); return None"))
    (answer,) = ask(argv, hello("python/planted", "planted.make", bounds=bounds), [data])
    most = next((most for name, most in bounds.items() if name != "bytes" or beyond == "bytes"), 0)
    said = f"more than {most} {beyond}: beyond the bound of this subject"
    assert (answer.verb, answer.text) == (("unsupported", said) if beyond else ("accept", "null"))


def test_what_the_library_refuses_at_once_is_asked(tmp_path: Path) -> None:
    body = "kit.within(data, refused_beyond=3); return None"
    argv = kit_with(tmp_path, planted=SHIM.format(setup="pass", body=body))
    texts = [b"[]", b"[[]]", b"[[[]]]", b"[[[[]]]]", b'[["[["]]']
    answers = ask(argv, hello("python/planted", "planted.make", bounds={"depth": 1}), texts)
    said = [answer.verb for answer in answers]
    assert said == ["accept", "unsupported", "unsupported", "accept", "unsupported"]


def test_bounds_stand_in_the_identity(tmp_path: Path) -> None:
    argv = kit_with(tmp_path, planted=SHIM.format(setup="pass", body="return None"))
    said = talk(argv, hello("python/planted", "planted.make", bounds={"depth": 500}) + frame("bye", 1))
    assert b"\ndetail bound-depth=500\n" in said


def test_every_shim_with_bounds_in_its_manifest_keeps_them() -> None:
    """A bound that no shim asks for would be a promise only."""
    bounded = {
        (subject.adapter, subject.shim.partition(".")[0])
        for subject in select(load_adapters(), ["*"])
        if subject.bounds
    }
    assert len(bounded) > 4
    for adapter, file in bounded:
        text = (FOLDER.parent / adapter / "shims" / f"{file}.py").read_text(encoding="utf-8")
        assert "kit.within(data" in text, file
