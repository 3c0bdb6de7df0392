"""The gates as processes: streams, locales, signals, a power cut."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli import fleet
from tests.cli.conftest import CONFIG
from tests.cli.fleet import command, environment
from tests.cli.test_process import imported, on_terminal, shell, until, workers

UPGRADE = ["upgrade", "fake/first", "fake/last"]
CHECK = ["check", "-s", "fake/last", "-s", "fake/strict"]
DIFF = ["diff", "before", "after"]
GATES = (UPGRADE, DIFF, CHECK)
CODES = (1, 1, 0)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    fleet.adapters(folder / "adapters")
    fleet.family(folder)
    (folder / "whichwins.toml").write_text(CONFIG, encoding="utf-8")
    done = command(*CHECK, "--update", cwd=folder)
    assert (done.code, done.err) == (0, b"")
    run = ["run", "small.toml", "--adapters", "adapters", "-s", "fake/last"]
    assert command(*run, "-o", "before", cwd=folder).code == 0
    # The same subject, which reads otherwise in the second run.
    fleet.adapters(folder / "later", last=fleet.WORKERS["first"])
    run[3] = "later"
    assert command(*run, "-o", "after", cwd=folder).code == 0
    return folder


def under(env: Mapping[str, str], *words: str, cwd: Path) -> fleet.Done:
    done = subprocess.run(
        [sys.executable, "-m", "whichwins", *words],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return fleet.Done(done.returncode, done.stdout, done.stderr)


def tree(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# -- streams -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "junit", "github", "sarif"])
def test_the_report_stands_alone_on_stdout(home: Path, form: str) -> None:
    before = tree(home)
    for words, code in zip(GATES, CODES, strict=True):
        done = command(*words, "--format", form, cwd=home, GITHUB_STEP_SUMMARY="")
        assert (done.code, done.err) == (code, b"")
        assert done.out.endswith(b"\n")
        assert done.out.isascii()
    assert tree(home) == before


def test_progress_is_on_stderr(home: Path) -> None:
    words = ["upgrade", "fake/last", "fake/slow", "--format", "json"]
    lines, out, code = on_terminal(words, home)
    text = "".join(line for _, line in lines)
    assert re.search(r"\rupgrade: \d of 3 cases", text)
    assert text.endswith("\r\x1b[K")
    assert (code, json.loads(out)["found"]) == (0, False)


def test_readers_that_go_away(home: Path) -> None:
    for words in GATES:
        done = shell(f"$WW {' '.join(words)} --all | head -1; echo ${{PIPESTATUS[0]}}", home)
        assert done.err == b""
        assert done.out.split()[-1] in (b"0", b"1", b"141")
        done = shell(f"$WW {' '.join(words)} --format json | true; echo ${{PIPESTATUS[0]}}", home)
        assert done.err == b""
        assert done.out.strip() in (b"0", b"1", b"141")


def test_closed_and_full_streams(home: Path) -> None:
    for words, code in zip(GATES, CODES, strict=True):
        line = " ".join(words)
        done = shell(f"$WW {line} >&-", home)
        assert (done.code, done.err) == (3, fleet.CLOSED)
        done = shell(f"$WW {line} 2>&-", home)
        assert done.code == code
        assert done.out.splitlines()[1].startswith(b"====")
        # Nobody needs stdout whose reports go into files; none of them gets a closed stream's number.
        done = shell(f"$WW {line} -o closed.md -o closed.json 0<&- 1>&- 2>&-; echo $?; cat closed.md", home)
        assert done.out.startswith(b"%d\n# " % code)
        json.loads((home / "closed.json").read_bytes())
    for name in ("closed.md", "closed.json"):
        (home / name).unlink()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a full device")
def test_a_full_disk_behind_stdout(home: Path) -> None:
    for words in (*GATES, [*CHECK, "--update"]):
        done = shell(f"$WW {' '.join(words)} > /dev/full", home)
        assert (done.code, done.err) == (3, fleet.FULL)


# -- surroundings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati"},
        {"PYTHONIOENCODING": "utf-16", "PYTHONHASHSEED": "1"},
        {"COLUMNS": "40", "PYTHONHASHSEED": "2", "NO_COLOR": "1", "TERM": "dumb"},
    ],
)
def test_the_same_bytes_in_other_surroundings(home: Path, env: dict[str, str]) -> None:
    baseline = (home / "whichwins.lock").read_bytes()
    wide = {"COLUMNS": "120"}
    for jobs, words in zip(("1", "2", "5"), GATES, strict=True):
        files = ["-o", "plain.md", "-o", "plain.json", "-o", "plain.xml", "-o", "plain.sarif"]
        more = [] if words[0] == "diff" else ["--jobs", jobs]
        assert under(wide, *words, *files, cwd=home).code in (0, 1)
        plain = {path: path.read_bytes() for path in home.glob("plain.*")}
        done = under({**wide, **env}, *words, *more, *files, cwd=home)
        assert (done.code in (0, 1), done.err) == (True, b"")
        assert {path: path.read_bytes() for path in plain} == plain
        for path in plain:
            path.unlink()
    done = under(env, *CHECK, "--update", "--jobs", "1", cwd=home)
    assert (done.code, done.err) == (0, b"")
    assert (home / "whichwins.lock").read_bytes() == baseline


def test_names_that_are_no_text(home: Path) -> None:
    odd = os.fsencode(home) + b"/\xff\x1b[31m::error::|<b>.ledger"
    os.link(home / "after", odd)
    try:
        for form in ("text", "markdown", "json", "html", "junit", "github", "sarif"):
            done = command("diff", "before", os.fsdecode(odd), "--format", form, cwd=home, LC_ALL="C")
            assert (done.code, done.err) == (1, b"")
            assert re.fullmatch(rb"[ -~\n]*", done.out)
            assert all(line.startswith(b"::") for line in done.out.splitlines()) or form != "github"
        done = command("check", "--baseline", os.fsdecode(odd), cwd=home)
        assert done.code == 2
        assert re.fullmatch(rb"[ -~]*\n", done.err)
    finally:
        os.unlink(odd)  # noqa: PTH108


def test_what_is_imported(home: Path) -> None:
    for words in (DIFF, ["check", "before", "--baseline", "whichwins.lock"]):
        found = imported(home, *words, "--format", "json")
        assert "whichwins.analysis.gate" in found
        heavy = {
            "whichwins.provision",
            "whichwins.workers.pool",
            "subprocess",
            "selectors",
            "packaging.requirements",
        }
        assert not found & (heavy | {"junitparser", "tabulate", "whichwins.lockfiles"})
    assert "junitparser" in imported(home, *DIFF, "--format", "junit")


# -- ends --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize(
    "words",
    [
        [
            "upgrade",
            "fake/hangs",
            "fake/stubborn",
            "--ledger",
            "kept",
            "-o",
            "report.md",
            "--format",
            "github",
        ],
        ["check", "--update", "-s", "fake/hangs", "-s", "fake/stubborn"],
    ],
    ids=["upgrade", "check"],
)
def test_a_signal(home: Path, words: list[str], number: signal.Signals, code: int) -> None:
    before = tree(home)
    process = subprocess.Popen(
        [sys.executable, "-m", "whichwins", *words],
        cwd=home,
        env=environment(GITHUB_STEP_SUMMARY=str(home / "summary")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # also where nohup runs these tests
    )
    try:
        for _ in until("two workers"):
            if len(workers(home)) >= 2:
                break
        time.sleep(0.5)  # into the cases that hang
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (code, b"", b"whichwins: interrupted\n")
    assert workers(home) == []
    assert tree(home) == before


CUT = """
import os, signal, sys
from whichwins.analysis import baseline
from whichwins.cli import main
def write(view, lens, stream):
    stream.write("whichwins baseline 1\\n" * 100_000)
    os.kill(os.getpid(), signal.SIGKILL)
baseline.write = write
main(sys.argv[1:])
"""


def test_killed_in_the_middle_of_an_update(home: Path) -> None:
    before = (home / "whichwins.lock").read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", CUT, *CHECK, "--update"],
        cwd=home,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    assert (home / "whichwins.lock").read_bytes() == before
    for part in home.glob(".whichwins-*.part"):  # nobody was left to remove it
        part.unlink()
    assert command(*CHECK, "--update", cwd=home).code == 0
    assert (home / "whichwins.lock").read_bytes() == before
