"""Parsers whose depth depends on how warm they are: deep texts are put to fresh workers, twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.workers.scripted import launch, subject
from whichwins.model import Observation, Outcome
from whichwins.workers import WorkerPool

DEEP = b"[" * 1001
WIDE = b"[" * 1000
BOTTOMLESS = b"[" * 50_001
# Says how many cases this process has been asked, and how many processes there were so far.
COUNTS = """
asked = 0
def answer(body):
    global asked
    asked += 1
    with open(%r, "a") as log: log.write("x")
    if len(body) > 1000 and %s: die()
    return "accept", b'"%%d"' %% (asked if %r == "asked" else os.path.getsize(%r) %% 2)
"""


def asked(
    folder: Path,
    *inputs: bytes,
    cold: bool = True,
    careful: bool = False,
    what: str = "asked",
    dies: str = "False",
) -> list[Observation]:
    log = str(folder / "log")
    one = replace(subject("scripted/x"), cold=cold)
    behaviour = COUNTS % (log, dies, what, log)
    with WorkerPool([one], {one.key: launch(folder, behaviour)}, careful=careful) as pool:
        return [row[0] for row in pool.observe(inputs)]


def times(folder: Path) -> int:
    return len((folder / "log").read_text())


def test_a_deep_text_is_asked_first_of_a_process_and_twice(tmp_path: Path) -> None:
    found = asked(tmp_path, b"1", b"2", DEEP, b"3", DEEP, DEEP, WIDE, BOTTOMLESS)
    assert [each.value for each in found] == ['"1"', '"2"', '"1"', '"2"', '"1"', '"1"', '"2"', '"3"']
    assert not any(each.unstable for each in found)
    assert times(tmp_path) == 8 + 3


def test_others_are_asked_as_ever(tmp_path: Path) -> None:
    found = asked(tmp_path, b"1", DEEP, DEEP, cold=False)
    assert [each.value for each in found] == ['"1"', '"2"', '"3"']


def test_what_executes_is_asked_once(tmp_path: Path) -> None:
    asked(tmp_path, b"1", DEEP, careful=True)
    assert times(tmp_path) == 2


def test_answers_that_differ_are_unstable(tmp_path: Path) -> None:
    found = asked(tmp_path, b"1", DEEP, b"2", what="odd")
    assert [each.unstable for each in found] == [False, True, False]


@pytest.mark.parametrize(
    ("dies", "unstable"),
    [("True", False), ("os.path.getsize(log) == 2", True), ("os.path.getsize(log) == 3", True)],
)
def test_a_crash_is_confirmed_as_ever(tmp_path: Path, dies: str, unstable: bool) -> None:
    log = str(tmp_path / "log")
    found = asked(tmp_path, b"1", DEEP, b"2", dies=dies.replace("log", repr(log)))
    assert [each.unstable for each in found] == [False, unstable, False]
    assert (found[1].outcome is Outcome.CRASH) == (dies == "True")
    assert [found[0].value, found[2].outcome] == ['"1"', Outcome.ACCEPT]
