"""Hostile workers: every later case still gets its answer, and nobody else is disturbed."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.workers.hostile import (
    BAD,
    CASES,
    COUNTING,
    CRASH,
    LIMITS,
    OTHERS,
    observe,
    on_bad,
    others,
    raw_on_bad,
)
from tests.workers.scripted import accepted, children, launch, subject
from whichwins.model import Observation, Outcome
from whichwins.workers import Limits, WorkerPool
from whichwins.workers.supply import Timer


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (on_bad("die()"), Observation(CRASH, signal="SIGSEGV")),
        (on_bad("die(signal.SIGKILL)"), Observation(CRASH, signal="SIGKILL")),
        (on_bad("die(signal.SIGRTMIN + 5)"), Observation(CRASH, signal=f"signal {signal.SIGRTMIN + 5}")),
        (on_bad("os._exit(7)"), Observation(CRASH, signal="exit 7")),
        (on_bad("os._exit(0)"), Observation(CRASH, signal="exit 0")),
        (on_bad("send(b'accept 140 9'); os._exit(0)"), Observation(CRASH, signal="exit 0")),
        (on_bad("time.sleep(60)"), Observation(Outcome.TIMEOUT)),
        (
            on_bad("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"),
            Observation(Outcome.TIMEOUT),
        ),
        (on_bad("os.kill(os.getpid(), signal.SIGSTOP)"), Observation(Outcome.TIMEOUT)),
        (
            on_bad("os.close(1); time.sleep(60)"),
            Observation(Outcome.GARBLED, reason="the worker closed its output"),
        ),
        (raw_on_bad("b'accept %d 50\\n[]\\n' % sequence"), None),
        (raw_on_bad("b''"), Observation(Outcome.TIMEOUT)),
        (raw_on_bad("b'accept %d 1\\n[]\\n' % sequence"), Observation(Outcome.GARBLED)),
        (raw_on_bad("b'Warning: careful\\n' + good"), Observation(Outcome.GARBLED)),
        (raw_on_bad("good + b'Warning: careful\\n'"), Observation(Outcome.GARBLED)),
        (raw_on_bad("b'Warning: careful ' + good"), Observation(Outcome.GARBLED)),
        (raw_on_bad("good[:-1] + b'Warning\\n'"), Observation(Outcome.GARBLED)),
        (raw_on_bad("b'\\xff'"), Observation(Outcome.GARBLED)),
        (raw_on_bad("b'\\n'"), Observation(Outcome.GARBLED)),
        (raw_on_bad("good + good"), Observation(Outcome.GARBLED)),
        (raw_on_bad("frame('accept', sequence + 1, b'1')"), Observation(Outcome.GARBLED)),
        (raw_on_bad("frame('ready', sequence, b'protocol 1')"), Observation(Outcome.GARBLED)),
        (raw_on_bad("frame('accept', sequence, b'x' * 1000001)"), Observation(Outcome.GARBLED)),
        (raw_on_bad("frame('accept', sequence, b'nonsense')"), Observation(Outcome.GARBLED)),
        (raw_on_bad("frame('accept', sequence, b'\"\\xff\"')"), Observation(Outcome.GARBLED)),
        (on_bad("hoard = []\n        while True: hoard.append(bytearray(1 << 24))"), None),
    ],
)
def test_the_culprit_is_named_and_nothing_else_changes(
    tmp_path: Path, behaviour: str, expected: Observation | None
) -> None:
    found = observe(tmp_path, behaviour, memory_mb=256)
    culprit = found[BAD]
    assert others(found) == OTHERS
    assert not culprit.unstable
    if expected is None:
        assert culprit.outcome in (Outcome.TIMEOUT, CRASH)
    elif expected.outcome is Outcome.GARBLED and expected.reason is None:
        assert culprit.outcome is Outcome.GARBLED
        assert culprit.reason
    else:
        assert culprit == expected


def test_endless_allocation_meets_the_limit(tmp_path: Path) -> None:
    hoard = on_bad(
        "hoard = []\n        try:\n            while True: hoard.append(bytearray(1 << 24))\n"
        "        except MemoryError:\n            return 'fault', b'MemoryError %d' % len(hoard)"
    )
    culprit = observe(tmp_path, hoard, memory_mb=256)[BAD]
    assert (culprit.outcome, culprit.error) == (Outcome.FAULT, "MemoryError")
    assert 1 <= int(culprit.message or "") <= 16


def test_several_culprits_in_a_batch_and_at_its_ends(tmp_path: Path) -> None:
    deaths = (0, 1, 127, 128, 200, 201, 299)
    behaviour = f"""
def answer(body):
    if int(body[1:]) in {deaths}: die()
    return "accept", b'"%s"' % body
"""
    found = observe(tmp_path, behaviour)
    assert [i for i, o in enumerate(found) if o.outcome is CRASH] == list(deaths)
    assert {o.outcome for o in found} == {CRASH, Outcome.ACCEPT}


def once(tmp_path: Path, deaths: int, action: str) -> str:
    """Misbehave on the culprit a given number of times, over all processes."""
    return on_bad(f"""
        mark = {str(tmp_path / "marks")!r}
        with open(mark, "ab") as file: file.write(b"x")
        if os.path.getsize(mark) <= {deaths}: {action}
""")


@pytest.mark.parametrize("action", ["die()", "time.sleep(60)", "send(b'noise')"])
def test_what_fails_when_found_and_not_when_confirmed_is_unstable(tmp_path: Path, action: str) -> None:
    found = observe(tmp_path, once(tmp_path, 2, action))
    assert found[BAD] == accepted(CASES[BAD])._replace(unstable=True)
    assert others(found) == OTHERS
    assert (tmp_path / "marks").stat().st_size == 3


def test_what_fails_only_in_the_batch_is_no_finding(tmp_path: Path) -> None:
    found = observe(tmp_path, once(tmp_path, 1, "die()"))
    assert found == [accepted(c) for c in CASES]


def test_a_culprit_is_asked_three_times_and_others_at_most_twice(tmp_path: Path) -> None:
    log = tmp_path / "log"
    behaviour = f"""
def answer(body):
    with open({str(log)!r}, "ab") as file: file.write(body + b"\\n")
    if body == b"c{BAD}": die()
    return "accept", b'"%s"' % body
"""
    observe(tmp_path, behaviour)
    asked = log.read_bytes().split()
    times = {case: asked.count(case) for case in CASES}
    assert times[b"c140"] == 3
    assert {times[c] for c in CASES[:128] + CASES[256:]} == {1}
    assert {times[c] for c in CASES[128:140]} == {2}
    assert {times[c] for c in CASES[141:256]} == {1}


def test_careful_asks_nothing_twice(tmp_path: Path) -> None:
    log = tmp_path / "log"
    behaviour = f"""
def deliver(answers): raise SystemExit("no batches here")
def answer(body):
    with open({str(log)!r}, "ab") as file: file.write(body + b"\\n")
    if body == b"c{BAD}": die()
    return "accept", b'"%s"' % body
"""
    found = observe(tmp_path, behaviour, careful=True)
    assert found[BAD] == Observation(CRASH, signal="SIGSEGV")
    assert others(found) == OTHERS
    assert log.read_bytes().split() == CASES


@pytest.mark.parametrize(
    ("hangs", "times", "which"),
    [
        ("True", 2, "its first 2"),  # on everything
        ("int(body[1:]) >= 100", 10, "10"),  # on everything from somewhere on, in every worker
        ("int(body[1:]) % 8 == 7", 10, "10"),  # now and then
    ],
)
def test_careful_gives_up_what_hangs(tmp_path: Path, hangs: str, times: int, which: str) -> None:
    log = tmp_path / "log"
    behaviour = f"""
plain = answer
def answer(body):
    if {hangs}:
        with open({str(log)!r}, "ab") as file: file.write(body + b"\\n")
        time.sleep(60)
    return plain(body)
"""
    found = observe(tmp_path, behaviour, LIMITS._replace(case_seconds=0.2), careful=True)
    said = f"hung at {which} requests: it was asked no more (--timeout gives it longer)"
    hung = [place for place, each in enumerate(found) if each == Observation(Outcome.TIMEOUT)]
    assert len(hung) == times
    rest = found[hung[-1] + 1 :]
    assert rest
    assert set(rest) == {Observation(Outcome.ABSENT, reason=said)}
    for place in range(hung[-1]):
        assert place in hung or found[place] == accepted(CASES[place])
    assert log.read_bytes().split() == [CASES[place] for place in hung]


def test_careful_bears_with_what_hangs_now_and_then(tmp_path: Path) -> None:
    behaviour = """
plain = answer
def answer(body):
    if int(body[1:]) % 64 == 1: time.sleep(60)
    return plain(body)
"""
    found = observe(tmp_path, behaviour, LIMITS._replace(case_seconds=0.2), careful=True)
    assert {each.outcome for each in found} == {Outcome.ACCEPT, Outcome.TIMEOUT}


def test_slow_but_alive_is_no_timeout(tmp_path: Path) -> None:
    found = observe(
        tmp_path, "plain = answer\ndef answer(body): time.sleep(0.01); return plain(body)", LIMITS
    )
    assert found == [accepted(c) for c in CASES]


@pytest.mark.parametrize(
    "deliver",
    [
        "send(b''.join(reversed(answers)))",
        "send(b''.join(answers[1:] + answers[:1]))",
        "send(b''.join(answers) + b'done\\n')",
        "send(b'begin\\n' + b''.join(answers))",
        "send(b''.join(answers[:-1]))",
        "send(b''.join(answers)); os._exit(0)",
        "[(send(bytes([b])), time.sleep(1e-4)) for b in answers.pop(0)]; send(b''.join(answers))",
    ],
)
def test_a_worker_that_cannot_do_batches_is_asked_one_by_one(tmp_path: Path, deliver: str) -> None:
    found = observe(tmp_path, f"def deliver(answers): {deliver}")
    assert found == [accepted(c) for c in CASES]


def test_answering_everything_twice_is_garbled_everywhere(tmp_path: Path) -> None:
    cases = CASES[:6]
    twice = "def reply(sequence, body): return frame('accept', sequence, b'1') * 2"
    later = """
def deliver(answers): send(b"".join(a + a for a in answers))
def respond(raw):
    send(raw)
    time.sleep(0.02)
    send(raw)
"""
    for number, behaviour in enumerate((twice, later)):
        launches = {"a": launch(tmp_path, behaviour, f"w{number}")}
        with WorkerPool([subject("a")], launches, LIMITS) as workers:
            assert {row[0].outcome for row in workers.observe(cases)} == {Outcome.GARBLED}


def test_a_worker_that_cannot_do_batches_is_given_no_more_of_them(tmp_path: Path) -> None:
    log = tmp_path / "batches"
    backwards = f"def deliver(answers): open({str(log)!r}, 'ab').write(b'x'); send(b''.join(answers[::-1]))"
    found = observe(tmp_path, backwards, LIMITS._replace(batch_cases=10))
    assert found == [accepted(c) for c in CASES]
    assert log.stat().st_size == 2


def test_time_the_consumer_takes_is_not_the_workers(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    # Blocked in the middle of its answer while nobody reads, and slow again afterwards.
    behaviour = f"""
def deliver(answers):
    for raw in answers:
        send(raw[:-1])
        time.sleep(0.5)
        send(raw[-1:])
def answer(body):
    open({str(log)!r}, "ab").write(b"x")
    return "accept", b'"%s"' % (b"z" * 2000000)
"""
    limits = Limits(case_seconds=1.0, batch_cases=1)
    with WorkerPool([subject("a")], {"a": launch(tmp_path, behaviour)}, limits) as workers:
        for row in workers.observe(CASES[:2]):
            assert row[0].outcome is Outcome.ACCEPT
            time.sleep(1.3)
    assert log.stat().st_size == 2


def test_a_deadline_is_put_off_for_a_worker_just_heard_from_but_not_for_ever() -> None:
    timer = Timer()
    timer.arm(1.0, extra=0.5, since=time.monotonic() - 1.0)
    assert not timer.excused(heard=False)
    assert timer.excused(heard=True)
    assert timer.at == pytest.approx(time.monotonic() + 0.25, abs=0.2)
    timer.arm(1.0, extra=0.5, since=time.monotonic() - 9.0)
    assert timer.excused(heard=True)
    assert timer.at == timer.latest
    assert not timer.excused(heard=True)


def test_a_worker_that_cannot_be_restarted(tmp_path: Path) -> None:
    script = tmp_path / "w.py"
    behaviour = on_bad(f"os.path.exists({str(script)!r}) and os.unlink({str(script)!r}); die()")
    launches = {"a": launch(tmp_path, behaviour, "w"), "b": launch(tmp_path, COUNTING, "good")}
    with WorkerPool([subject(k) for k in launches], launches, LIMITS) as workers:
        rows = list(workers.observe(CASES))
        reason = workers.absent["a"]
    assert reason.startswith("did not start: the worker ended (exit ")
    assert [row[0] for row in rows[:128]] == [accepted(c) for c in CASES[:128]]
    assert {row[0] for row in rows[128:]} == {Observation(Outcome.ABSENT, reason=reason)}
    assert [row[1].value for row in rows] == [f'"{c.decode()} {n}"' for n, c in enumerate(CASES, 1)]


def test_a_worker_killed_while_idle_is_replaced(tmp_path: Path) -> None:
    with WorkerPool([subject("a")], {"a": launch(tmp_path)}, LIMITS) as workers:
        list(workers.observe([b"1"]))
        for pid in children():
            os.kill(pid, signal.SIGKILL)
        assert [row[0] for row in workers.observe(CASES)] == [accepted(c) for c in CASES]
