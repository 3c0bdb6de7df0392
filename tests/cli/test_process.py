"""The command as a process: pipes that close, full disks, closed streams, signals, poor locales, imports."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import fleet
from tests.cli.fleet import command, environment
from tests.devices import full_device
from whichwins.cli import VERBS

FAKE = ["--adapters", "adapters"]
BOTH = [*FAKE, "-s", "fake/first", "-s", "fake/last"]
REPEAT = '{"q":2,"q":20}'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    fleet.adapters(folder / "adapters")
    fleet.family(folder)
    done = command("run", "small.toml", *BOTH, "-o", "ledger", cwd=folder)
    assert done.code == 0, done.err
    return folder


def shell(script: str, home: Path, **more: str) -> fleet.Done:
    """`$WW` in the script is the command."""
    env = environment(WW=f"{sys.executable} -m whichwins", **more)
    done = subprocess.run(
        ["bash", "-c", script], cwd=home, env=env, capture_output=True, timeout=60, check=False
    )
    return fleet.Done(done.returncode, done.stdout, done.stderr)


# -- what is imported -------------------------------------------------------------------------------------

LIGHT = """
import sys
from whichwins.cli import main
code = main(sys.argv[1:])
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


def imported(home: Path, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, *words], cwd=home, env=environment(), capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(home: Path, words: list[str]) -> None:
    found = imported(home, *words)
    heavy = {
        "tabulate",
        "tomllib",
        "selectors",
        "subprocess",
        "json",
        "dataclasses",
        "inspect",
        "hashlib",
        "decimal",
    }
    assert not found & heavy
    assert {name for name in found if name.startswith("whichwins")} == {"whichwins", "whichwins.cli"}


def test_a_verb_imports_what_it_needs(home: Path) -> None:
    found = imported(home, "compare", "ledger", "--format", "json")
    assert "whichwins.analysis" in found
    assert not found & {
        "tabulate",
        "whichwins.provision",
        "whichwins.workers.pool",
        "selectors",
        "subprocess",
    }
    assert "tabulate" in imported(home, "compare", "ledger")
    assert not imported(home, "corpus", "list", "small.toml", "--format", "json") & {"whichwins.workers.pool"}


# -- streams ----------------------------------------------------------------------------------------------


def test_a_reader_that_goes_away(home: Path) -> None:
    done = shell("$WW corpus list | head -1; echo ${PIPESTATUS[0]}", home)
    assert done.out.split()[-1] in (b"141", b"0")  # 0: it was all written before head went
    assert done.err == b""
    for form in ("json", "html", "markdown"):
        done = shell(f"$WW report ledger --all --format {form} | true; echo ${{PIPESTATUS[0]}}", home)
        assert done.err == b""
        assert done.out in (b"141\n", b"0\n")
    # More than a pipe holds: nobody is there any more when the rest comes.
    done = shell("$WW report ledger --format html | head -1; echo ${PIPESTATUS[0]}", home)
    assert (done.out.split()[-1], done.err) == (b"141", b"")
    done = shell("(sleep 0.5; $WW --help; echo $? >&2) | true", home)
    assert done.err == b"141\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a full device")
@pytest.mark.parametrize(
    "words",
    [
        *("--help", "corpus list small.toml", "compare ledger", "corpus list", "report ledger --all"),
        "report ledger --format html",
    ],
)
def test_a_full_disk_behind_stdout(home: Path, words: str) -> None:
    done = shell(f"$WW {words} > /dev/full", home)
    assert (done.code, done.err) == (3, fleet.FULL)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a full device")
def test_a_full_disk_behind_a_ledger_on_stdout(home: Path) -> None:
    done = shell(f"$WW run small.toml {' '.join(BOTH)} -o - > /dev/full", home)
    assert done.code == 3
    assert done.err.startswith(b"whichwins: stdout: cannot be written to its end (No space left on device): ")
    assert done.err.count(b"\n") == 1


def test_a_full_disk_behind_a_ledger(home: Path) -> None:
    full = full_device(home)
    done = shell(f"$WW run small.toml {' '.join(BOTH)} -o {full}", home)
    assert done.code == 3
    said = f"whichwins: {full}: cannot be written to its end (No space left on device)"
    assert done.err.decode().startswith(said)
    assert full.is_char_device()


def test_closed_streams(home: Path) -> None:
    done = shell("$WW corpus list small.toml >&-", home)
    assert (done.code, done.err) == (3, fleet.CLOSED)
    done = shell("$WW compare ledger 2>&-", home)
    assert (done.code, done.err) == (1, b"")
    assert done.out.startswith(b"Which value")
    done = shell("$WW compare nothing 2>&-", home)
    assert (done.code, done.out) == (2, b"")  # the error must not turn up on stdout
    done = shell(f"$WW try - {' '.join(BOTH)} <&-", home)
    assert done.code == 2
    assert b"stdin is closed" in done.err
    # Workers and ledgers must not get the numbers of closed streams.
    done = shell(
        f"$WW run small.toml {' '.join(BOTH)} -o closed 0<&- 1>&- 2>&-; $WW report closed -o x", home
    )
    assert (done.code, done.out, done.err) == (0, b"", b"")


def test_input_from_stdin_and_an_argument_that_is_no_utf8(home: Path) -> None:
    done = command("try", "-", *BOTH, "--format", "json", cwd=home, stdin=b"\xff\x00[")
    assert json.loads(done.out)["data"] == {"hex": "ff005b"}
    for locale in ("C", "C.UTF-8", "POSIX"):
        done = shell(f"$WW try $'[\"\\xff\\xc3\\xa9\"]' {' '.join(BOTH)} --format json", home, LC_ALL=locale)
        assert json.loads(done.out)["data"] == {"hex": b'["\xff\xc3\xa9"]'.hex()}


def test_a_ledger_through_pipes(home: Path) -> None:
    done = shell(f"$WW run small.toml {' '.join(BOTH)} -o - | tee through | $WW report - --format json", home)
    assert done.code == 0
    assert json.loads(done.out)["summary"]["split"] == 1
    assert (home / "through").read_bytes() == (home / "ledger").read_bytes()
    assert b"ledger: stdout" in done.err
    (home / "through").unlink()
    done = shell("$WW compare /dev/stdin -o /dev/stdout < ledger", home)
    assert done.code == 1
    assert done.out == command("compare", "ledger", cwd=home).out
    assert not (home / "-").exists()


# -- locales and names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "utf-16"},
        {"NO_COLOR": "1", "TERM": "dumb"},
        {"COLUMNS": "1"},
        {"COLUMNS": "many"},
    ],
)
def test_poor_surroundings(home: Path, env: dict[str, str]) -> None:
    folder = home / "Ordner mit ü \N{CJK UNIFIED IDEOGRAPH-4E2D} \x1b[31m"
    folder.mkdir(exist_ok=True)
    (folder / "é.json").write_bytes(b'"\xc3\xa9"')
    ledger = str(folder.with_suffix(".ledger"))
    good = [
        ["corpus", "list", str(folder)],
        ["corpus", "show", "*", str(folder)],
        ["run", str(folder), *BOTH, "-o", ledger],
        ["report", ledger],
        ["try", '"é\x1b"', *BOTH],
    ]
    bad = [
        ["corpus", "list", f"{folder}/nothing"],
        ["compare", str(folder)],
        ["explain", "l", "c", "--é\x1b"],
    ]
    script = """
import sys
from whichwins.cli import main
codes, words = [], []
for word in sys.argv[1:]:
    if word == "then":
        codes.append(main(words))
        words = []
    else:
        words.append(word)
print(*codes)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, *(word for words in (*good, *bad) for word in (*words, "then"))],
        cwd=home,
        env=environment(**env),
        capture_output=True,
        check=True,
    )
    out, err = (text.decode(env.get("PYTHONIOENCODING", "ascii")) for text in (done.stdout, done.stderr))
    assert out.endswith("\n0 0 0 0 0 2 2 2\n")
    assert re.fullmatch(r"[ -~\n]*", out)
    assert re.fullmatch(r"(whichwins[ -~]*\n){3}", err)


def test_names_that_are_no_utf8(home: Path) -> None:
    name = os.fsencode(home) + b"/raw\xff"
    os.makedirs(name, exist_ok=True)  # noqa: PTH103
    with open(name + b"/a\xfe", "wb") as file:  # noqa: PTH123
        file.write(b"[]")
    done = command("corpus", "list", os.fsdecode(name), cwd=home)
    assert done.code == 0
    assert b"raw%FF/a%FE" in done.out
    done = command("corpus", "export", os.fsdecode(name) + "-out", os.fsdecode(name), cwd=home)
    assert done.code == 0
    assert b"raw\\x{FF}-out" in done.out
    done = command("compare", os.fsdecode(name), cwd=home)
    assert done.code == 2
    assert b"raw\\x{FF}: cannot be read" in done.err


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb(home: Path, verb: str) -> None:
    done = command(verb, "--help", cwd=home, LC_ALL="C", COLUMNS="80")
    assert (done.code, done.err) == (0, b"")
    assert done.out.startswith(f"usage: whichwins {verb}".encode())
    assert all(len(line) <= 80 for line in done.out.decode("ascii").split("\n"))


# -- signals ----------------------------------------------------------------------------------------------


def workers(home: Path) -> list[int]:
    """Processes whose command line names a script of these adapters (Linux)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(home / "adapters") in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def until(what: str) -> Iterator[None]:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        yield
        time.sleep(0.02)
    pytest.fail(f"never: {what}")


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_during_a_run(home: Path, number: signal.Signals, code: int) -> None:
    words = ["run", "small.toml", *FAKE, "-s", "fake/hangs", "-s", "fake/stubborn", "-o", "interrupted"]
    process = subprocess.Popen(
        [sys.executable, "-m", "whichwins", *words],
        cwd=home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        for _ in until("two workers and a part of a ledger"):
            if len(workers(home)) >= 2 and list(home.glob(".whichwins-*.part")):
                break
        time.sleep(0.3)  # into the cases that hang
        os.killpg(process.pid, number)  # as a terminal does: to everyone in the foreground
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (code, b"", b"whichwins: interrupted\n")
    assert workers(home) == []
    assert not (home / "interrupted").exists()
    assert not list(home.glob(".whichwins-*.part"))


# -- at a terminal ----------------------------------------------------------------------------------------


def on_terminal(words: list[str], home: Path) -> tuple[list[tuple[float, str]], str, int]:
    """Lines on a terminal's stderr with the second at which they came; stdout; the exit code."""
    ours, theirs = pty.openpty()
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "whichwins", *words],
        cwd=home,
        env=environment(TERM="xterm"),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    lines: list[tuple[float, str]] = []
    text = b""
    while True:
        select.select([ours], [], [], 20)
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            break
        if not piece:
            break
        text += piece
        *whole, text = text.split(b"\r\n")
        lines += [(time.monotonic() - started, line.decode()) for line in whole]
    os.close(ours)
    out, _ = process.communicate(timeout=20)
    if text:
        lines.append((time.monotonic() - started, text.decode()))
    return lines, out.decode(), process.returncode


def test_try_shows_answers_as_they_come(home: Path) -> None:
    words = ["try", REPEAT, *FAKE, "-s", "fake/first", "-s", "fake/slow", "-s", "fake/strict"]
    lines, out, code = on_terminal(words, home)
    keys = [line.split()[0] for _, line in lines]
    assert sorted(keys) == ["fake/first", "fake/slow", "fake/strict"], lines
    assert keys[-1] == "fake/slow"
    told = {line.split()[0]: (when, line) for when, line in lines}
    # The slow one takes two seconds to start: the others do not wait for it.
    assert told["fake/slow"][0] - max(told["fake/first"][0], told["fake/strict"][0]) > 1
    assert told["fake/first"][1].split() == ["fake/first", '{"q":2}']
    assert told["fake/strict"][1].split() == ["fake/strict", "reject", "ScriptedError"]
    assert code == 1
    assert out.encode() == command(*words, cwd=home).out  # the result is the same, terminal or not
    assert "seen by 1 subject" in out


def test_progress_leaves_no_trace_on_a_terminal(home: Path) -> None:
    words = ["run", "small.toml", *FAKE, "-s", "fake/last", "-s", "fake/slow", "-o", "progress"]
    lines, out, code = on_terminal(words, home)
    text = "".join(line for _, line in lines)
    assert re.search(r"\rrun: \d of 3 cases", text)
    assert text.endswith("\r\x1b[K")
    assert code == 0
    assert "ledger: progress" in out


def test_nothing_is_said_where_nobody_looks_and_it_is_quick(home: Path) -> None:
    done = command("run", "small.toml", *BOTH, "-o", "quiet", cwd=home)
    assert (done.code, done.err) == (0, b"")
