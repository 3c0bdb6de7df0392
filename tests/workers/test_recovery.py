"""Hostile workers: every later case still gets its answer, and nobody else is disturbed."""

import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.scripted import accepted, children, launch, subject
from whichwins.model import Observation, Outcome
from whichwins.workers import Launch, Limits, WorkerPool
from whichwins.workers.supply import Timer

CASES = [b"c%d" % i for i in range(300)]
BAD = 140  # in the second batch
LIMITS = Limits(case_seconds=0.5, start_seconds=10, answer_bytes=1_000_000)
CRASH = Outcome.CRASH


def on_bad(action: str) -> str:
    """A behaviour that does something special for the case `c140`."""
    return f"""
plain = answer
def answer(body):
    if body == b"c{BAD}":
        {action}
    return plain(body)
"""


def raw_on_bad(raw: str) -> str:
    """A behaviour that answers the case `c140` with raw bytes; `good` is what would be right."""
    return f"""
def reply(sequence, body):
    good = frame(*(lambda v, t: (v, sequence, t))(*answer(body)))
    return {raw} if body == b"c{BAD}" else good
"""


COUNTING = """
count = 0
def answer(body):
    global count
    count += 1
    return "accept", b'"%s %d"' % (body, count)
"""


def observe(
    tmp_path: Path, behaviour: str, limits: Limits = LIMITS, careful: bool = False, memory_mb: int = 2048
) -> list[Observation]:
    """Run the behaviour beside a counting neighbour whose work must not be redone."""
    launches = {
        "bad": launch(tmp_path, behaviour, "bad", memory_mb),
        "good": launch(tmp_path, COUNTING, "good"),
    }
    with WorkerPool([subject(k) for k in launches], launches, limits, careful=careful) as workers:
        rows = list(workers.observe(CASES))
    assert not children()
    assert [row[1].value for row in rows] == [f'"{c.decode()} {n}"' for n, c in enumerate(CASES, 1)]
    return [row[0] for row in rows]


def others(observations: list[Observation]) -> list[Observation]:
    return observations[:BAD] + observations[BAD + 1 :]


OTHERS = [accepted(c) for c in CASES[:BAD] + CASES[BAD + 1 :]]


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


def test_a_flood_on_stderr_is_drained_into_a_ring(tmp_path: Path) -> None:
    flood = on_bad("[os.write(2, b'warning: duplicate key\\n' * 3000) for _ in range(3200)]")
    launches = {"a": launch(tmp_path, flood + "\nos.write(2, b'last ' * 3)")}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with WorkerPool([subject("a")], launches, Limits(case_seconds=20)) as workers:
        began = time.monotonic()
        assert [row[0] for row in workers.observe(CASES)] == [accepted(c) for c in CASES]
        assert time.monotonic() - began < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_a_flood_on_stdout_is_bounded(tmp_path: Path) -> None:
    for number, noise in enumerate((b"y\n", b"y")):
        flood = on_bad(f"while True: os.write(1, {noise!r} * 50000)")
        found = observe(tmp_path, flood)
        assert found[BAD].outcome is Outcome.GARBLED, number
        assert others(found) == OTHERS


def test_stderr_of_the_last_lost_worker_is_kept(tmp_path: Path) -> None:
    launches = {"a": launch(tmp_path, "os.write(2, b'x' * 200000 + b'No module named y'); os._exit(1)")}
    with WorkerPool([subject("a")], launches, LIMITS) as workers:
        assert next(iter(workers.observe([b"1"])))[0].outcome is Outcome.ABSENT
        assert workers.last_words("a").endswith("xxNo module named y")
        assert len(workers.last_words("a")) == 65536


def test_exit_before_reading_a_large_input(tmp_path: Path) -> None:
    behaviour = """
def serve():
    stream = frames(source)
    next(stream)
    send(greeting())
    os._exit(7)
"""
    launches = {"a": launch(tmp_path, behaviour)}
    with WorkerPool([subject("a")], launches, LIMITS) as workers:
        rows = list(workers.observe([b"x" * 1_000_000] * 2))
    assert rows == [(Observation(CRASH, signal="exit 7"),)] * 2


def test_a_worker_that_never_reads(tmp_path: Path) -> None:
    behaviour = "def serve():\n    stream = frames(source); next(stream); send(greeting()); time.sleep(60)"
    with WorkerPool([subject("a")], {"a": launch(tmp_path, behaviour)}, LIMITS) as workers:
        assert list(workers.observe([b"x" * 1_000_000])) == [(Observation(Outcome.TIMEOUT),)]


def test_output_before_reading_does_not_deadlock(tmp_path: Path) -> None:
    talk = raw_on_bad("(send(frame('accept', sequence, b'\"' + b'z' * 900000 + b'\"')), b'')[1]")
    found = observe(tmp_path, talk)
    assert found[BAD] == Observation(Outcome.ACCEPT, '"' + "z" * 900_000 + '"')
    assert others(found) == OTHERS


def test_a_grandchild_that_holds_the_pipes(tmp_path: Path) -> None:
    # It inherits stdin, stdout and stderr, so no end of file is ever seen.
    for action in ("die()", "time.sleep(60)"):
        behaviour = "import subprocess\n" + on_bad(f"subprocess.Popen(['sleep', '600']); {action}")
        began = time.monotonic()
        found = observe(tmp_path, behaviour)
        assert found[BAD].outcome in (CRASH, Outcome.TIMEOUT)
        assert others(found) == OTHERS
        assert time.monotonic() - began < 6
    assert not children()


def test_a_launcher_whose_work_is_done_by_a_grandchild(tmp_path: Path) -> None:
    inner = launch(tmp_path, on_bad("time.sleep(60)"))
    # In the background sh gives it /dev/null as stdin unless told otherwise.
    outer = Launch(("sh", "-c", 'exec 3<&0; "$@" <&3 & wait', "sh", *inner.argv))
    with WorkerPool([subject("a")], {"a": outer}, LIMITS) as workers:
        found = [row[0] for row in workers.observe(CASES)]
    assert found[BAD] == Observation(Outcome.TIMEOUT)
    assert others(found) == OTHERS
    assert not _named(str(inner.argv[-1]))


def test_a_worker_that_ignores_bye_is_killed(tmp_path: Path) -> None:
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef goodbye(): time.sleep(60)"
    began = time.monotonic()
    with WorkerPool([subject("a")], {"a": launch(tmp_path, stubborn)}, LIMITS) as workers:
        list(workers.observe([b"1"]))
    assert time.monotonic() - began < 3
    assert not children()


def test_bye_lets_a_worker_clean_up(tmp_path: Path) -> None:
    mark = tmp_path / "clean"
    tidy = f"def goodbye(): open({str(mark)!r}, 'w').close(); os._exit(0)"
    with WorkerPool([subject("a")], {"a": launch(tmp_path, tidy)}, LIMITS) as workers:
        list(workers.observe([b"1"]))
    assert mark.exists()


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


def test_fifty_kills_leave_no_trace(tmp_path: Path) -> None:
    def measure() -> tuple[int, int, int]:
        rss = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4
        return rss, len(list(Path("/proc/self/fd").iterdir())), len(children())

    deadly = "def answer(body):\n    if body.startswith(b'k'): die()\n    return 'accept', b'\"%s\"' % body"
    with WorkerPool([subject("a")], {"a": launch(tmp_path, deadly)}, LIMITS) as workers:

        def kill(times: int) -> None:
            cases = [case for n in range(times) for case in (b"c%d" % n, b"k%d" % n)]
            expected = [accepted(c) if c[:1] == b"c" else Observation(CRASH, signal="SIGSEGV") for c in cases]
            assert [row[0] for row in workers.observe(cases)] == expected

        kill(3)
        before = measure()
        kill(25)  # each dies when found and when confirmed
        after = measure()
    assert after[0] - before[0] < 4_000
    assert after[1] <= before[1]
    assert after[2] <= before[2]
    assert not children()


def _named(text: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode(errors="replace")
                state = (
                    (entry / "stat")
                    .read_text(encoding="utf-8", errors="replace")
                    .rpartition(")")[2]
                    .split()[0]
                )
            except OSError:
                continue
            if text in command and state != "Z":
                found.append(command)
    return found


HARNESS = """
import sys
sys.path[:0] = {path!r}
from pathlib import Path
from tests.workers.scripted import launch, subject
from whichwins.workers import Limits, WorkerPool

hang = "def answer(body):\\n    if body == b'c140': time.sleep(60)\\n    return 'accept', b'1'"
folder = Path({folder!r})
launches = {{k: launch(folder, hang, "interrupted-" + k) for k in "abc"}}
try:
    with WorkerPool([subject(k) for k in launches], launches, Limits(case_seconds=30), jobs=3) as workers:
        for number, row in enumerate(workers.observe(b"c%d" % n for n in range(300))):
            if number == 127:
                print("working", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
"""


def test_interrupt_leaves_no_process(tmp_path: Path) -> None:
    script = HARNESS.format(path=sys.path, folder=str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == "working\n"
        assert len(_named(str(tmp_path / "interrupted-"))) == 3
        os.killpg(harness.pid, signal.SIGINT)
        assert harness.stdout.read() == "interrupted\n"
        assert harness.wait(10) == 130
    assert not _named(str(tmp_path / "interrupted-"))


def test_no_process_survives_an_exception(tmp_path: Path) -> None:
    def inputs() -> Iterator[bytes]:
        yield from CASES[:200]
        raise ZeroDivisionError

    launches = {k: launch(tmp_path, on_bad("time.sleep(60)"), k) for k in "ab"}
    with pytest.raises(ZeroDivisionError), WorkerPool([subject(k) for k in launches], launches) as workers:
        list(workers.observe(inputs()))
    assert not children()


def test_no_process_survives_a_forgotten_pool(tmp_path: Path) -> None:
    workers = WorkerPool([subject("a")], {"a": launch(tmp_path, on_bad("time.sleep(60)"))})
    next(workers.__enter__().observe(CASES))
    assert children()
    del workers
    gc.collect()
    assert not children()


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
