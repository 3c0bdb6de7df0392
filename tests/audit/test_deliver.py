"""A boundary of the user's in the pool: one process, one case at a time, and what hostile code costs."""

from __future__ import annotations

import time
from pathlib import Path
from textwrap import dedent

import pytest

from whichwins.audit.deliver import VERB, boundary_subject, deliver_body
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.record import completed, passage, read_journal
from whichwins.audit.stack import Boundary, Request
from whichwins.model import Outcome, Place
from whichwins.provision import Absent, launch_boundary, probe
from whichwins.workers import Limits, WorkerPool

PLACE = Place("stack.toml", 1)


def boundary(folder: Path, source: str, **more: object) -> Boundary:
    (folder / "mine.py").write_text(dedent(source), encoding="utf-8")
    return Boundary("it", "executor", "call", "mine:f", PLACE, **more)  # type: ignore[arg-type]


def ask(
    folder: Path, it: Boundary, cases: list[bytes], case_seconds: float = 20
) -> tuple[list[Passage], list[Passage]]:
    """What the pool saw of each case, without the journal and with it."""
    journal = folder / "journal"
    subject = boundary_subject(it, folder, journal)
    launched = launch_boundary(probe())
    assert not isinstance(launched, Absent)
    bodies = [deliver_body(data, f"case {number}") for number, data in enumerate(cases)]
    with WorkerPool([subject], {subject.key: launched}, Limits(case_seconds), careful=True) as pool:
        assert not pool.absent
        seen = [row[0] for row in pool.observe(bodies, VERB)]
    kept = read_journal(journal)
    assert not journal.exists() or journal.stat().st_mode & 0o077 == 0
    none = Passage(Passed.FAILED)
    return [passage(each) for each in seen], [
        completed(passage(each), kept.get(f"case {number}", none), said=each.outcome is Outcome.ACCEPT)
        for number, each in enumerate(seen)
    ]


def test_hangs_and_deaths_cost_their_case_and_are_asked_once(tmp_path: Path) -> None:
    source = f"""
    import os, time

    def f(raw, ctx):
        with open({str(tmp_path / "asked")!r}, "ab") as file: file.write(raw)
        ctx.execute(raw.decode())
        if raw == b"h": time.sleep(1000)
        if raw == b"x": os._exit(7)
        if raw == b"s": os.kill(os.getpid(), 11)
        if raw == b"w": os.write(3, b"junk"); os.write(4, b"junk"); os.write(5, b"junk")
    """
    began = time.monotonic()
    bare, kept = ask(tmp_path, boundary(tmp_path, source), [b"a", b"h", b"b", b"x", b"s", b"c"], 1.5)
    assert time.monotonic() - began < 30
    assert (tmp_path / "asked").read_bytes() == b"ahbxsc"
    assert [each.passed for each in bare] == [
        Passed.ACCEPTED,
        Passed.FAILED,
        Passed.ACCEPTED,
        Passed.FAILED,
        Passed.FAILED,
        Passed.ACCEPTED,
    ]
    assert [each.executions for each in bare] == [('"a"',), None, ('"b"',), None, None, ('"c"',)]
    assert [each.executions for each in kept] == [(f'"{name}"',) for name in "ahbxsc"]
    assert bare[1].reason == "no answer in time"
    assert [bare[3].signal, bare[4].signal] == ["exit 7", "SIGSEGV"]


def test_a_request_reaches_the_worker_as_it_was_declared(tmp_path: Path) -> None:
    source = """
    def f(environ, start_response):
        raw = environ["wsgi.input"].read()
        start_response("200 OK", [])
        from mine import act
        act([environ["PATH_INFO"], environ["HTTP_X_A"], raw.decode()])

        return [b""]

    def act(what): raise RuntimeError
    """
    it = boundary(
        tmp_path,
        source,
        request=Request("PUT", "/%25", {"X-A": "100 % \t"}, "string", '{"a\u00e9":\n"{case}"}'),
        sink="mine:act",
    )
    it = Boundary(**{**{name: getattr(it, name) for name in it.__slots__}, "kind": "wsgi"})
    bare, _ = ask(tmp_path, it, [b'"'])
    assert bare[0].executions == ('{"what":["/%","100 % \\t","{\\"a\\u00e9\\":\\n\\"\\\\\\"\\"}"]}',)


def test_options_hold_no_line_break_and_come_whole(tmp_path: Path) -> None:
    it = Boundary("it", "store", "command", "", PLACE, command=("a b", "", "x\ny"), allow_remote=True)
    found = boundary_subject(it, tmp_path, read_by=("next",)).options
    assert all("\n" not in value for value in found.values())
    assert [found[f"command.{n}"] for n in range(3)] == ["a b", "", "x%0Ay"]
    assert (found["emits"], found["remote"]) == ("body", "true")
    assert "journal" not in found
    assert "executes" not in found


def test_the_body_of_a_delivery() -> None:
    assert deliver_body(b"\xff\n") == b"\n\xff\n"
    headers = {"X-A": "é", "x-b": "\u20ac"}
    assert deliver_body(b"1", "a b/c", headers, True) == (
        b":case: a%20b/c\n:watch: decoders\nx-a: \xe9\nx-b: \xe2\x82\xac\n\n1"
    )
    for wrong in ({"a": "b\nc"}, {":case": "x"}):
        with pytest.raises(ValueError, match="cannot be sent"):
            deliver_body(b"1", headers=wrong)


def test_an_application_that_cannot_be_imported_is_absent(tmp_path: Path) -> None:
    it = boundary(tmp_path, "import nothing_of_this_name")
    subject = boundary_subject(it, tmp_path)
    launched = launch_boundary(probe())
    assert not isinstance(launched, Absent)
    with WorkerPool([subject], {subject.key: launched}, careful=True) as pool:
        ((seen,),) = pool.observe([deliver_body(b"1")], VERB)
    assert passage(seen).passed is Passed.ABSENT
    assert "nothing_of_this_name" in passage(seen).reason


def test_the_worker_is_no_adapter() -> None:
    from whichwins.subjects import load_adapters

    assert "boundary" not in {adapter.name for adapter in load_adapters()}
