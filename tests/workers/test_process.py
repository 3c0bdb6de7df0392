"""Floods, pipes, grandchildren, endings: nothing deadlocks and no process survives."""

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

from tests.workers.hostile import (
    BAD,
    CASES,
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
from whichwins.workers import Launch, Limits, WorkerPool


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
        kill(3)  # from the second time on, spares stand by
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
