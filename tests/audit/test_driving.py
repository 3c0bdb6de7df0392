"""Requests put to boundaries in order: who is asked what, who is blocked, what is never asked twice."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.audit.toys import BIG, PLAIN, REPEAT, TWIN, boundary, cases, stack
from whichwins.audit.asking import Member, Way, answer, emission, way_of
from whichwins.audit.conversions import json_text
from whichwins.audit.deliver import boundary_subject
from whichwins.audit.driving import Driven, driven, journal_of, subjects_of
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.stack import Boundary, Stack
from whichwins.model import BadInput, Observation, Outcome, Subject
from whichwins.workers.contract import Identity

ASKED = cases(("repeat", REPEAT), ("plain", PLAIN), ("big", BIG))
ANY = (PLAIN, REPEAT, TWIN, BIG)


class Fake(NamedTuple):
    """A worker: what it can do, and its answer to a verb."""

    answer: Callable[[str, bytes], Observation]
    capabilities: tuple[str, ...] = ("parse",)
    absent: str = ""


class Workers:
    """Pools of fakes, and everything that they were asked: (subject, verb, data), and whether with care."""

    def __init__(self, **fakes: Fake) -> None:
        self.fakes = fakes
        self.asked: list[tuple[str, str, bytes]] = []
        self.careful: dict[str, bool] = {}

    @contextlib.contextmanager
    def __call__(self, members: Sequence[Member], careful: bool) -> Iterator[_Observer]:
        yield _Observer(self, [each.key for each in subjects_of(members)], careful)


class _Observer:
    def __init__(self, workers: Workers, keys: Sequence[str], careful: bool) -> None:
        self._workers, self._careful = workers, careful
        self.keys = tuple(keys)
        there = {key: self._fake(key) for key in keys}
        self.identities = {
            key: Identity(
                runtime="fake", libraries={}, details={}, capabilities=[*fake.capabilities], digest=None
            )
            for key, fake in there.items()
            if not fake.absent
        }
        self.absent = {key: fake.absent for key, fake in there.items() if fake.absent}
        self.seconds = dict.fromkeys(keys, 0.0)

    def _fake(self, key: str) -> Fake:
        return self._workers.fakes[key.rpartition("/")[2]]

    def turn(self) -> None:
        pass

    def observe(
        self, inputs: Iterable[bytes], verb: str = "parse", shapes: Iterable[str] | None = None
    ) -> Iterator[tuple[Observation, ...]]:
        for data in inputs:
            yield tuple(self._ask(key, verb, data) for key in self.keys)

    def _ask(self, key: str, verb: str, data: bytes) -> Observation:
        fake = self._fake(key)
        if fake.absent:
            return Observation(Outcome.ABSENT, reason=fake.absent)
        if verb not in fake.capabilities:
            return Observation(Outcome.UNSUPPORTED, reason=f"no {verb}")
        self._workers.asked.append((key, verb, data))
        self._workers.careful[key] = self._careful
        return fake.answer(verb, data)

    def answers_as_they_come(
        self, data: bytes, verb: str = "parse", shape: str | None = None
    ) -> Iterator[tuple[str, Observation]]:
        raise NotImplementedError


def parser(name: str) -> Subject:
    return Subject(f"fake/{name}", "fake", "fake", "fake", "f(bytes)", "f", "library", ())


def says(value: str) -> Fake:
    return Fake(lambda _verb, _data: Observation(Outcome.ACCEPT, value))


def echo(verb: str, data: bytes) -> Observation:
    """Reads and writes the text as it is."""
    del verb
    return Observation(Outcome.ACCEPT, data.decode())


def record(*lines: str) -> Observation:
    return Observation(Outcome.ACCEPT, "".join(line + "\n" for line in lines))


@contextlib.contextmanager
def asked(of: Stack, workers: Workers, folder: Path) -> Iterator[Driven]:
    with driven(of, [member(each, folder) for each in of.boundaries], workers, folder) as drive:
        yield drive.ask(ASKED)


def member(each: Boundary, folder: Path) -> Member:
    launch = "is not there"  # nobody looks: the pools are fakes
    if each.kind == "subject":
        return Member(each, parser(each.target), launch)
    return Member(each, boundary_subject(each, folder, journal_of(folder, each.name)), launch)


def reads(name: str, role: str, target: str, before: str | None = None) -> Boundary:
    return replace(boundary(name, role, before), kind="subject", target=target)  # type: ignore[arg-type]


# -- parsers -----------------------------------------------------------------------------------------------


def test_parsers_side_by_side_are_asked_everything_once(tmp_path: Path) -> None:
    of = stack(reads("screen", "reviewer", "two"), reads("tool", "executor", "one"))
    workers = Workers(one=says("1"), two=says("2"))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"] == {
            "screen": Passage(Passed.ACCEPTED, "2", previews=(Preview("", "2"),)),
            "tool": Passage(Passed.ACCEPTED, "1", executions=("1",)),
        }
        assert set(found.passages) == set(ASKED)
        assert found.incomplete == ()
        assert found.identities["tool"]["library"] == "fake"
    assert sorted(data.decode() for key, _, data in workers.asked if key == "fake/one") == sorted(ANY)


def test_one_parser_may_stand_for_two_boundaries(tmp_path: Path) -> None:
    of = stack(reads("screen", "reviewer", "one"), reads("tool", "executor", "one"))
    workers = Workers(one=says("1"))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["big"]["screen"].previews == (Preview("", "1"),)
        assert found.passages["big"]["tool"].executions == ("1",)
    assert len(workers.asked) == len(ANY)


def test_who_reads_another_gets_what_that_one_wrote(tmp_path: Path) -> None:
    def gateway(verb: str, data: bytes) -> Observation:
        if b"9007" in data:
            return Observation(Outcome.REJECT, stage="parse", error="Big")
        return Observation(Outcome.ACCEPT, "7" if verb == "parse" else "\x37 ")

    of = stack(reads("front", "validator", "gate"), reads("tool", "executor", "echo", "front"))
    workers = Workers(gate=Fake(gateway, ("parse", "emit")), echo=Fake(echo))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["front"].emitted == b"7 "
        assert found.passages["plain"]["tool"].executions == ("7 ",)
        assert found.passages["big"]["front"].signal == "exception Big"
        assert found.passages["big"]["tool"] == Passage(Passed.BLOCKED, reason="front did not accept it")
    assert {data for key, _, data in workers.asked if key == "fake/echo"} == {b"7 "}


def test_a_parser_whose_writer_refuses_hands_nothing_on(tmp_path: Path) -> None:
    def gateway(verb: str, data: bytes) -> Observation:
        if verb == "emit":
            return Observation(Outcome.FAULT, error="TypeError")
        return Observation(Outcome.ACCEPT, "7")

    of = stack(reads("front", "validator", "gate"), reads("tool", "executor", "echo", "front"))
    with asked(of, Workers(gate=Fake(gateway, ("parse", "emit")), echo=Fake(echo)), tmp_path) as found:
        assert found.passages["plain"]["front"].passed is Passed.ACCEPTED
        assert found.passages["plain"]["front"].emitted is None
        assert found.passages["plain"]["tool"] == Passage(Passed.BLOCKED, reason="front handed nothing on")


def test_who_cannot_write_cannot_be_read(tmp_path: Path) -> None:
    of = stack(reads("front", "validator", "gate"), reads("tool", "executor", "echo", "front"))
    workers = Workers(gate=says("7"), echo=Fake(echo))
    with pytest.raises(BadInput, match=r"^stack\.toml:1: tool `reads` front, but fake/gate writes nothing"):
        asked(of, workers, tmp_path).__enter__()
    assert workers.asked == []


def test_who_is_absent_is_told_and_nobody_behind_it_is_asked(tmp_path: Path) -> None:
    of = stack(reads("front", "validator", "gone"), reads("tool", "executor", "echo", "front"))
    workers = Workers(gone=Fake(echo, absent="no such library"), echo=Fake(echo))
    with asked(of, workers, tmp_path) as found:
        assert found.incomplete == ("front, line 1 of the stack: could not be asked: no such library",)
        assert found.passages["plain"]["front"].passed is Passed.ABSENT
        assert found.passages["plain"]["tool"].passed is Passed.BLOCKED
    assert workers.asked == []


# -- what is the user's ------------------------------------------------------------------------------------


def test_what_executes_is_asked_with_care_and_never_twice(tmp_path: Path) -> None:
    of = stack(boundary("screen", "reviewer"), boundary("tool", "executor"))
    workers = Workers(
        screen=Fake(lambda *_: record("passed accepted", 'preview - {"a":1}'), ("deliver",)),
        tool=Fake(lambda *_: record("passed accepted", "execute 1", "execute 2"), ("deliver",)),
    )
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["tool"].executions == ("1", "2")
        assert found.passages["plain"]["screen"].previews == (Preview("", '{"a":1}'),)
    assert workers.careful == {"boundary/screen": True, "boundary/tool": True}
    assert len([1 for key, _, _ in workers.asked if key == "boundary/tool"]) == len(ANY)
    names = [body.split(b"\n")[0] for key, _, body in workers.asked if key == "boundary/tool"]
    assert len(set(names)) == len(names)


def test_a_parser_that_delivers_is_asked_with_care_too(tmp_path: Path) -> None:
    of = stack(reads("screen", "reviewer", "one"), reads("tool", "executor", "framework"))
    told = record("passed accepted", "signal http 200", "execute 5")
    workers = Workers(one=says("1"), framework=Fake(lambda *_: told, ("parse", "deliver")))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["tool"] == Passage(
            Passed.ACCEPTED, executions=("5",), signal="http 200"
        )
    assert workers.careful == {"fake/one": False, "fake/framework": True}


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("reviewer", Passage(Passed.ACCEPTED, "5", (Preview("", "5"),), signal="http 200")),
        ("validator", Passage(Passed.ACCEPTED, "5", signal="http 200")),
    ],
)
def test_what_a_ready_made_handler_gets_is_an_execution_of_executors_alone(
    tmp_path: Path, role: str, expected: Passage
) -> None:
    of = stack(reads("it", role, "framework"), reads("tool", "executor", "framework"))
    told = record("passed accepted", "signal http 200", "execute 5", "executed sha256:5")
    workers = Workers(framework=Fake(lambda *_: told, ("parse", "deliver")))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["it"] == expected
        assert found.passages["plain"]["tool"].executions == ("5",)


@pytest.mark.parametrize(("journal", "ran"), [("execute plain 1\n", ("1",)), ("", ())])
def test_a_worker_that_died_has_run_what_its_journal_says(
    tmp_path: Path, journal: str, ran: tuple[str, ...]
) -> None:
    of = stack(boundary("screen", "reviewer"), boundary("tool", "executor"))
    died = Observation(Outcome.CRASH, signal="SIGKILL")
    workers = Workers(
        screen=Fake(lambda *_: record("passed accepted"), ("deliver",)),
        tool=Fake(lambda *_: died, ("deliver",)),
    )
    journal_of(tmp_path, "tool").write_text(journal)
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["tool"].executions == ran
        assert found.passages["plain"]["tool"].passed is Passed.FAILED


def test_what_a_parser_that_delivers_ran_before_it_died_is_unknown(tmp_path: Path) -> None:
    """It keeps no journal: silence does not mean that nothing ran."""
    of = stack(reads("screen", "reviewer", "one"), reads("tool", "executor", "framework"))
    died = Observation(Outcome.CRASH, signal="SIGKILL")
    workers = Workers(one=says("1"), framework=Fake(lambda *_: died, ("deliver",)))
    with asked(of, workers, tmp_path) as found:
        assert found.passages["plain"]["tool"].executions is None


def test_decoders_are_watched_at_the_first_requests_and_controls_come_first(tmp_path: Path) -> None:
    of = stack(boundary("screen", "reviewer"), boundary("tool", "executor"))
    quiet = Fake(lambda *_: record("passed accepted"), ("deliver",))
    many = cases(*((f"c{n:02}", REPEAT) for n in range(9)))
    plain = cases(("plain", PLAIN))
    expect: Mapping[str, str] = {"rfc8259/1": "accept", "i-json/1": "accept"}
    key, one = next(iter(plain.items()))
    known = {key: replace(one, case=replace(one.case, expect=expect))} | many  # type: ignore[arg-type]
    workers = Workers(screen=quiet, tool=quiet)
    members = [member(each, tmp_path) for each in of.boundaries]
    with driven(of, members, workers, tmp_path) as drive:
        drive.ask(known)
    mine = [body for key, _, body in workers.asked if key == "boundary/tool"]
    assert [b":watch: decoders" in body for body in mine] == [True] * 8 + [False] * (len(known) - 8)
    assert mine[0].endswith(PLAIN.encode())


# -- the words ---------------------------------------------------------------------------------------------


def test_ways() -> None:
    assert way_of(["parse", "deliver"]) is Way.DELIVER
    assert way_of(["parse", "emit"]) is Way.READ
    assert way_of([]) is Way.READ


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (Observation(Outcome.REJECT, stage="parse", error="E"), (Passed.REJECTED, "exception E")),
        (Observation(Outcome.FAULT, error="RecursionError"), (Passed.FAILED, "exception RecursionError")),
        (Observation(Outcome.CRASH, signal="SIGSEGV"), (Passed.FAILED, "SIGSEGV")),
        (Observation(Outcome.TIMEOUT), (Passed.FAILED, "timeout")),
        (Observation(Outcome.GARBLED, reason="x"), (Passed.FAILED, "")),
        (Observation(Outcome.UNSUPPORTED, reason="x"), (Passed.UNSUPPORTED, "")),
        (Observation(Outcome.ABSENT, reason="x"), (Passed.ABSENT, "")),
    ],
)
def test_what_is_not_accepted_runs_nothing(seen: Observation, expected: tuple[Passed, str]) -> None:
    found = answer("executor", seen)
    assert (found.passed, found.signal, found.executions) == (*expected, ())


def test_emission_is_bytes() -> None:
    assert emission(Observation(Outcome.ACCEPT, "\xff")) == b"\xff"
    assert emission(Observation(Outcome.REJECT, stage="parse", error="E")) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('{"D1":D1.10,"x":[true,null,"NaN"]}', '{"D1":1.10,"x":[true,null,"NaN"]}'),
        ("1e+16", "1e+16"),
        ("NaN", None),
        ('[b"ff"]', None),
        ('u"0000d83d"', None),
        ('X"x"', None),
        ('{"a":true,"b":"u"}', '{"a":true,"b":"u"}'),
    ],
)
def test_a_value_as_json(value: str, text: str | None) -> None:
    assert json_text(value) == text
