"""The pool when nothing goes wrong, or everything at its start."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workers.scripted import accepted, children, launch, subject
from whichwins.model import Canary, Observation, Outcome
from whichwins.workers import Launch, Limits, Observer, WorkerPool

CASES = [b"c%d" % i for i in range(1000)]
QUICK = Limits(case_seconds=0.4, start_seconds=5.0)
CANARIES = (Canary("ok", ('"ok"',)), Canary("!", ("reject",), "must say no"))


def pool(launches: dict[str, Launch | str], limits: Limits = QUICK, **more: int | bool) -> WorkerPool:
    jobs = more.pop("jobs", None)
    subjects = [subject(key, CANARIES if more.get("canaries") else ()) for key in launches]
    return WorkerPool(subjects, launches, limits, jobs, bool(more.get("careful")))


def test_rows_in_input_order_and_subject_order(tmp_path: Path) -> None:
    other = launch(tmp_path, "def answer(body): return 'accept', b'%d' % len(body)", "other")
    with pool({"b": launch(tmp_path), "a": other}) as workers:
        observer: Observer = workers
        rows = list(observer.observe(CASES))
        assert workers.keys == ("b", "a")
        assert workers.absent == {}
        assert workers.identities["a"]["libraries"] == {"scripted": "0.1"}
        assert workers.identities["a"]["digest"] == workers.identities["b"]["digest"]
        again = list(workers.observe(CASES[:3]))
    assert rows == [(accepted(c), Observation(Outcome.ACCEPT, str(len(c)))) for c in CASES]
    assert again == rows[:3]
    assert not children()


def test_equal_answers_in_a_row_are_one_object(tmp_path: Path) -> None:
    with pool({"a": launch(tmp_path), "b": launch(tmp_path, name="b")}) as workers:
        assert all(a is b for a, b in workers.observe([*CASES, b"!x"]))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_processor_time_is_told_also_of_workers_that_died(tmp_path: Path) -> None:
    loop = "    until = time.process_time() + 0.3\n    while time.process_time() < until: pass\n"
    busy = "def answer(body):\n" + loop
    dies = busy + "    die()"
    lives = busy + "    return 'accept', b'1'"
    launches: dict[str, Launch | str] = {
        "dies": launch(tmp_path, dies, "dies"),
        "idle": launch(tmp_path),
        "lives": launch(tmp_path, lives, "lives"),
        "none": "not there",
    }
    with pool(launches, Limits()) as workers:
        list(workers.observe([b"x"]))
        inside = workers.seconds
    after = workers.seconds
    assert inside["lives"] >= 0.28
    assert inside["dies"] >= 0.56  # it was asked twice
    assert inside["idle"] < 0.25
    assert inside["none"] == after["none"] == 0.0
    assert all(after[key] >= inside[key] for key in launches)


def test_whoever_looks_long_at_a_row_lets_the_workers_go_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    behaviour = f"""
def answer(body):
    with open({str(log)!r}, "ab") as file: file.write(body + b"\\n")
    return "accept", b"1"
"""
    cases = [b"%d" % number for number in range(Limits().batch_cases * 2)]
    launches = {"a": launch(tmp_path, behaviour, "a")}
    with WorkerPool([subject("a")], launches, careful=True) as workers:
        workers.turn()  # nobody is asked anything yet
        rows = workers.observe(cases)
        assert next(rows)[0].value == "1"
        until = time.monotonic() + 20
        while log.read_bytes().count(b"\n") < len(cases) and time.monotonic() < until:
            workers.turn()
        assert log.read_bytes().split() == cases
        assert sum(1 for _ in rows) == len(cases) - 1


def test_job_counts_change_nothing(tmp_path: Path) -> None:
    behaviour = """
def answer(body):
    if body == b"c77": die()
    if body == b"c500": return "accept", b"[1"
    return "accept", b'"%s"' % body
"""
    launches: dict[str, Launch | str] = {k: launch(tmp_path, behaviour, k) for k in "abcd"}
    launches["gone"] = "not installed"
    found = []
    for jobs in (1, 8):
        with pool(launches, Limits(batch_cases=50), jobs=jobs) as workers:
            found.append(list(workers.observe(CASES)))
    assert found[0] == found[1]
    assert found[0][77] == (Observation(Outcome.CRASH, signal="SIGSEGV"),) * 4 + (
        Observation(Outcome.ABSENT, reason="not installed"),
    )
    assert found[0][500][0].outcome is Outcome.GARBLED
    assert [row[:4] for row in found[0][78:500]] == [(accepted(c),) * 4 for c in CASES[78:500]]


def test_emit_and_a_subject_without_it(tmp_path: Path) -> None:
    emits = """
def greeting(): return frame("ready", 0, b"protocol 1\\ncapability parse\\ncapability emit\\n")
def answer(body): return "accept", body + b"\\n\\xff"
"""
    with pool({"a": launch(tmp_path), "b": launch(tmp_path, emits, "b")}) as workers:
        rows = list(workers.observe(CASES, "emit"))
    refusal = Observation(Outcome.UNSUPPORTED, reason="the subject has no `emit`")
    assert rows == [(refusal, Observation(Outcome.ACCEPT, c.decode() + "\n\xff")) for c in CASES]


@pytest.mark.parametrize("size", [0, 70_000, 300_000, 3_000_000])
def test_inputs_and_answers_of_any_size(tmp_path: Path, size: int) -> None:
    cases = [b"x" * size, b"", b"\n" * (size // 10), b"y" * size]
    echo = "def answer(body): return 'accept', b'\"%s\"' % body.replace(b'\\n', b'n')"
    with pool({"a": launch(tmp_path, echo)}, Limits()) as workers:
        rows = list(workers.observe(cases))
    assert [(row[0].outcome, len(row[0].value or "")) for row in rows] == [
        (Outcome.ACCEPT, len(c) + 2) for c in cases
    ]


def test_inputs_are_drawn_within_the_window(tmp_path: Path) -> None:
    drawn = 0

    def inputs() -> Iterator[bytes]:
        nonlocal drawn
        for case in CASES:
            drawn += 1
            yield case

    slow = "def answer(body): time.sleep(0.001); return 'accept', b'1'"
    launches: dict[str, Launch | str] = {"slow": launch(tmp_path, slow), "quick": launch(tmp_path, name="q")}
    with pool(launches, Limits(batch_cases=10, window_batches=3), jobs=2) as workers:
        for number, _ in enumerate(workers.observe(inputs())):
            # The window, the batch being handed over, and one input that did not fit.
            assert drawn <= number + 10 * 4 + 1
    assert drawn == 1000


def test_no_subjects_no_inputs(tmp_path: Path) -> None:
    with pool({}) as workers:
        assert list(workers.observe([b"1", b"2"])) == [(), ()]
    with pool({"a": launch(tmp_path)}) as workers:
        assert list(workers.observe([])) == []
    with pool({"a": "no"}) as workers:
        assert len(list(workers.observe(CASES))) == 1000


def test_answers_come_as_they_are_there(tmp_path: Path) -> None:
    launches: dict[str, Launch | str] = {
        "slow": launch(tmp_path, "time.sleep(1.5)", "slow"),
        "dies": launch(tmp_path, "def answer(body): die()", "dies"),
        "quick": launch(tmp_path),
        "gone": "no",
    }
    began = time.monotonic()
    with pool(launches) as workers:
        answers = workers.answers_as_they_come(b"x")
        seen = [next(answers) for _ in range(3)]
        assert time.monotonic() - began < 1.4
        seen += answers
    assert {k: o.outcome.value for k, o in seen} == {
        "slow": "accept",
        "dies": "crash",
        "quick": "accept",
        "gone": "absent",
    }
    assert seen[-1][0] == "slow"


def test_a_slow_consumer_causes_no_timeouts(tmp_path: Path) -> None:
    flood = "def answer(body): return 'accept', b'\"%s\"' % (b'z' * 20000)"
    with pool({"a": launch(tmp_path, flood), "b": launch(tmp_path, name="b")}, jobs=2) as workers:
        rows = workers.observe(CASES)
        outcomes = set()
        for number, row in enumerate(rows):
            outcomes |= {observation.outcome for observation in row}
            if number in (5, 300):
                time.sleep(1.0)
    assert outcomes == {Outcome.ACCEPT}


def test_closing_early_leaves_a_usable_pool(tmp_path: Path) -> None:
    hang = "def answer(body):\n    if body == b'c900': time.sleep(60)\n    return 'accept', b'1'"
    with pool({"a": launch(tmp_path, hang), "b": launch(tmp_path, name="b")}) as workers:
        rows = workers.observe(CASES)
        next(rows)
        with pytest.raises(RuntimeError, match="already observing"):
            next(workers.observe(CASES))
        rows.close()
        assert [row[1] for row in workers.observe(CASES[:300])] == [accepted(c) for c in CASES[:300]]
    assert not children()
    with pytest.raises(RuntimeError, match="closed"):
        next(workers.observe(CASES))


# -- starts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("os._exit(7)", r"did not start: the worker ended \(exit 7\)"),
        ("os._exit(0)", r"did not start: the worker ended \(exit 0\)"),
        ("die(signal.SIGABRT)", r"did not start: the worker ended \(SIGABRT\)"),
        ("send(b'Welcome to the parser!\\n')", "did not start: broke the protocol"),
        ("send(b'\\xff')", "did not start: broke the protocol"),
        ("send(b'ready 0 5\\nproto'); os._exit(3)", r"the worker ended \(exit 3\)"),
        ("os.close(1); time.sleep(60)", "the worker closed its output"),
        ("time.sleep(60)", "not ready within 1 s"),
        ("def greeting(): return frame('ready', 0, b'protocol 2\\n')", "speaks protocol 2"),
        ("def greeting(): return frame('accept', 0, b'1')", "not `ready`"),
        ("def greeting(): return frame('ready', 1, b'protocol 1\\n')", "not `ready`"),
        ("def greeting(): return frame('ready', 0, b'protocol 1\\n') * 2", "broke the protocol"),
        (
            "def greeting(): return frame('fault', 0, b'ImportError /x/y/z.so is gone')",
            "ImportError z.so is gone",
        ),
        ("def answer(body): return 'accept', b'1'", r"failed the canary 'ok': accepted with a value"),
        (
            "def answer(body): return 'reject', b'parse E secret'",
            r"failed the canary 'ok': answered reject \(E\)$",
        ),
        ("def answer(body): return 'accept', b'\"ok\"'", r"canary '!' \(must say no\): accepted"),
        ("def answer(body): die()", r"failed the canary 'ok': the worker ended \(SIGSEGV\)"),
        ("def answer(body): time.sleep(60)", "failed the canary 'ok': no answer within 0.4 s"),
        ("def reply(sequence, body): return frame('accept', 9, b'1')", "failed the canary 'ok': broke"),
    ],
)
def test_what_cannot_start_is_absent_with_the_reason(tmp_path: Path, behaviour: str, reason: str) -> None:
    limits = Limits(case_seconds=0.4, start_seconds=1)
    launches: dict[str, Launch | str] = {
        "bad": launch(tmp_path, behaviour),
        "good": launch(tmp_path, name="g"),
    }
    with pool(launches, limits, canaries=True) as workers:
        rows = list(workers.observe(CASES[:200]))
        assert list(workers.identities) == ["good"]
        assert list(workers.absent) == ["bad"]
        stated = workers.absent["bad"]
    assert re.search(reason, stated), stated
    assert rows == [(Observation(Outcome.ABSENT, reason=stated), accepted(c)) for c in CASES[:200]]
    assert not children()


@pytest.mark.parametrize("argv", [("/nowhere/at all",), ("/",), ("\0",)])
def test_what_is_not_a_program_is_absent(tmp_path: Path, argv: tuple[str, ...]) -> None:
    with pool({"bad": Launch(argv), "good": launch(tmp_path)}) as workers:
        rows = list(workers.observe([b"x"]))
        assert workers.absent["bad"].startswith("cannot be started: ")
        assert "/" not in workers.absent["bad"]
    assert rows[0][1] == accepted(b"x")


def test_a_slow_start_has_its_own_budget(tmp_path: Path) -> None:
    slow = launch(tmp_path, "time.sleep(1.5)")
    with pool({"slow": slow}, Limits(case_seconds=0.3, start_seconds=10), canaries=True) as workers:
        assert list(workers.observe([b"x"])) == [(accepted(b"x"),)]


def test_a_start_that_fails_once_is_tried_again(tmp_path: Path) -> None:
    flaky = f"""
mark = {str(tmp_path / "mark")!r}
if not os.path.exists(mark):
    open(mark, "w").close()
    os._exit(1)
"""
    with pool({"a": launch(tmp_path, flaky)}) as workers:
        assert list(workers.observe([b"x"])) == [(accepted(b"x"),)]


def test_paths_with_spaces_and_other_scripts(tmp_path: Path) -> None:
    folder = tmp_path / "-a folder, 'quoted' ключ 鍵"
    folder.mkdir()
    with pool({"a": launch(folder, name="wörker $HOME")}) as workers:
        assert list(workers.observe([b"x"])) == [(accepted(b"x"),)]


def test_the_environment_is_what_was_given(tmp_path: Path) -> None:
    tell = "def answer(body): return 'accept', b'\"%s\"' % os.environb.get(body, b'none')"
    with pool({"a": launch(tmp_path, tell, env={"ONLY": "this"})}) as workers:
        assert [row[0].value for row in workers.observe([b"ONLY", b"HOME"])] == ['"this"', '"none"']


def test_a_subject_is_asked_only_inputs_of_its_shape(tmp_path: Path) -> None:
    asked = "def answer(body):\n    return 'accept', b'\"%s\"' % body"
    launches: dict[str, Launch | str] = {key: launch(tmp_path, asked, key) for key in ("a", "b", "c")}
    shapes = {"a": "", "b": "order", "c": "other"}
    subjects = [replace(subject(key), shape=shapes[key]) for key in launches]
    with WorkerPool(subjects, launches, QUICK) as workers:
        rows = list(workers.observe([b"1", b"2", b"3", b"4"], shapes=["", "order", "", "order"]))
        late = dict(workers.answers_as_they_come(b"5", shape="order"))
        everyone = list(workers.observe([b"6"]))
    outcomes = [[each.value or each.reason for each in row] for row in rows]
    for_order = "a case of the shape order, for subjects of that shape"
    only_order, only_other = (f"asked only cases of the shape {name}" for name in ("order", "other"))
    assert outcomes == [
        ['"1"', only_order, only_other],
        [for_order, '"2"', only_other],
        ['"3"', only_order, only_other],
        [for_order, '"4"', only_other],
    ]
    silent = [each for row in rows for each in row if each.value is None]
    assert {each.outcome for each in silent} == {Outcome.UNSUPPORTED}
    assert [late[key].value for key in "abc"] == [None, '"5"', None]
    assert [each.value for each in everyone[0]] == ['"6"'] * 3
