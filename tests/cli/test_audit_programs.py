"""Boundaries that are programs: one process a request, or one that speaks the worker protocol."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from whichwins.cli import main

STACK = """
[stack]
name = "programs"
builtin = false
corpus = ["mine.jsonl"]

[[boundary]]
name = "screen"
role = "reviewer"
subject = "python/json"

[[boundary]]
name = "tool"
role = "executor"
command = {command}
"""
TEXTS = {
    "big": '{"q":9007199254740993}',
    "bad": '{"q":"\u00ff"}',
    "cut": '{"q":2',
    "float": '{"q":1.0}',
    "nan": '{"q":NaN}',
    "repeat": '{"q":2,"q":20}',
    "two": '{"q":2}',
    "word": "null",
}
REPORTING = """
import json, os, sys, urllib.request
value = json.load(sys.stdin.buffer)
for _ in range(2 if value == {"q": 2} else 1):
    sent = urllib.request.Request(os.environ["WHICHWINS_SINK"], json.dumps(value).encode(), method="POST")
    urllib.request.urlopen(sent).read()
sys.exit(3 if value == {"q": 20} else 0)
"""
# Speaks the protocol, and does with a case what its name says.
WORKER = r"""
import os, sys
requests, answers = sys.stdin.buffer, sys.stdout.buffer
RECORDS = {
    "bad": "passed accepted\nexecutions unknown\n",
    "big": "passed maybe\n",
    "cut": "passed rejected\nsignal no\ncolour red\n",
    "nan": "passed accepted\nvalue {\n",
    "float": 'passed accepted\nexecute {"q":1.0}\nexecute {"q":1.0}\nexecuted d\n',
    "repeat~twin": 'passed failed\nexecute 1\nsignal exception a b\n',
    "two": 'passed accepted\npreview cart {"q":2}\nexecute {"q":2}\n',
}

def frame(verb, number, body):
    answers.write(b"%b %b %d\n%b\n" % (verb, number, len(body), body))
    answers.flush()

while True:
    verb, number, length = requests.readline().split()
    body = requests.read(int(length) + 1)[:-1]
    if verb == b"bye":
        break
    if verb == b"hello":
        frame(b"ready", number, b"protocol 1\nruntime mine 1\ncapability deliver\n")
        continue
    name = body.split(b"\n")[0].decode().rpartition("/")[2]
    if name == "repeat":
        os._exit(7)
    frame(b"accept", number, RECORDS.get(name, "passed unsupported\nreason not me\n").encode())
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    lines = (json.dumps({"id": name, "text": text}) for name, text in TEXTS.items())
    (tmp_path / "mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def audited(place: Path, command: list[str], *more: str, last: str = "") -> tuple[int, dict[str, Any]]:
    """The exit code, and the whole report; asked from another folder than the stack's."""
    stack = place / "stack.toml"
    stack.write_text(STACK.format(command=json.dumps(command)) + last, encoding="utf-8")
    code = main(["audit", str(stack), "-o", "report.json", "--show-values", *more])
    report: dict[str, Any] = json.loads(Path("report.json").read_text(encoding="ascii"))
    report["tool"] = {
        case.removeprefix("mine/"): [row["tool"][key] for key in ("passed", "signal", "executions")]
        for case, row in report["passages"].items()
    }
    return code, report


def test_a_process_a_request(place: Path) -> None:
    (place / "tool.py").write_text(REPORTING, encoding="utf-8")
    code, report = audited(place, [sys.executable, "tool.py"])
    assert code == 1
    assert report["tool"] == {
        "bad": ["accepted", "exit 0", ['{"q":"\\u00ff"}']],
        "big": ["accepted", "exit 0", ['{"q":9007199254740993}']],
        "cut": ["rejected", "exit 1", []],
        "float": ["accepted", "exit 0", ['{"q":D1.0}']],
        "nan": ["accepted", "exit 0", ['{"q":NaN}']],
        "repeat": ["rejected", "exit 3", ['{"q":20}']],
        "repeat~twin": ["accepted", "exit 0", ['{"q":2,"q~2":20}']],
        "two": ["accepted", "exit 0", ['{"q":2}', '{"q":2}']],
        "word": ["accepted", "exit 0", ["null"]],
    }
    found = {(each["fault"], each["case"]) for each in report["findings"]}
    assert ("ran-not-once", "mine/two") in found
    assert ("ran-though-not-accepted", "mine/repeat") in found


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", ["failed", "SIGSEGV", None]),
        ("raise SystemExit(4)", ["rejected", "exit 4", None]),
        ("print('done')", ["accepted", "exit 0", None]),
        ("import time; time.sleep(60)", ["failed", "timeout", None]),
    ],
)
def test_of_a_program_that_reports_nothing_nothing_is_known(
    place: Path, script: str, ended: list[str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "mine.jsonl").write_text('{"id":"two","text":"{}"}\n', encoding="utf-8")
    _, report = audited(place, [sys.executable, "-c", script], "--timeout", "2")
    assert report["tool"] == {"two": ended}
    (line,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert (line["executions"], line["why"]) == (None, "its executions cannot be seen")


@pytest.mark.parametrize("program", ["no-such-program", "./mine.jsonl"])
@pytest.mark.parametrize("worker", ["", "worker = true"])
def test_a_program_that_is_not_there_was_not_asked(
    place: Path, program: str, worker: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = audited(place, [program], last=worker)
    assert code == 3
    assert {each[0] for each in report["tool"].values()} == {"absent"}
    assert ": could not be asked" in capsys.readouterr().err


def test_a_worker_of_ones_own(place: Path) -> None:
    (place / "tool.py").write_text(WORKER, encoding="utf-8")
    code, report = audited(place, [sys.executable, "tool.py"], last="worker = true")
    assert code == 1
    assert report["tool"] == {
        "bad": ["accepted", "", None],
        "big": ["failed", "", None],
        "cut": ["rejected", "no", []],
        "float": ["accepted", "", ['{"q":1.0}', '{"q":1.0}']],
        "nan": ["failed", "", None],
        "repeat": ["failed", "exit 7", None],
        "repeat~twin": ["failed", "exception ?", ["1"]],
        "two": ["accepted", "", ['{"q":2}']],
        "word": ["unsupported", "", []],
    }
    assert report["passages"]["mine/big"]["tool"]["reason"] == "garbled record"
    (line,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert line["executions"] is None
