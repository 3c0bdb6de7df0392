"""Words that are wrong are told before any work, with the place where they stand; `-` and pipes are files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG
from tests.cli.fleet import command, environment, refused, said

VERBS = [
    ["try", "[1]"],
    ["pair", "python/json", "node/json"],
    *([verb, "no-such-ledger"] for verb in ("compare", "report")),
    ["explain", "no-such-ledger", "x/y"],
    ["diff", "no-such-ledger", "no-such-ledger"],
    ["check", "no-such-ledger"],
    ["upgrade", "lib/one", "1.0", "2.0"],
    ["init"],
]


@pytest.mark.parametrize("words", VERBS, ids=[words[0] for words in VERBS])
def test_a_lens_is_known_before_all_else(
    project: Path, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise AssertionError("somebody was asked")

    monkeypatch.setattr("whichwins.cli.fleet.choose", nobody)
    line = refused(capsys, *words, "--lens", "valu/1")
    assert "unknown lens 'valu/1': choose one of value/1, exact/1, binary64/1" in line


@pytest.mark.parametrize(
    ("line", "said_of_it"),
    [
        ('adapters = ["adapters", "nowhere"]', "`adapters`: nowhere is not there"),
        ('python = "./nopython"', "`python`: ./nopython is no program that can be run"),
        ('python = "no-such-python-anywhere"', "`python`: no-such-python-anywhere is no program"),
        ('constraints = "c.txt"', "`constraints`: c.txt is not there"),
    ],
)
@pytest.mark.parametrize("verb", [["check"], ["upgrade", "lib/one", "1.0", "2.0"]], ids=["check", "upgrade"])
def test_what_a_configuration_names_is_not_blamed_on_flags(
    gated: Path, verb: list[str], line: str, said_of_it: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("own.toml").write_text(f'subjects = ["lib/one@1.0"]\n\n{line}\n')
    told = refused(capsys, *verb, "--config", "own.toml")
    assert told.startswith(f"own.toml:3: {said_of_it}")
    assert "--adapters" not in told
    assert "--python" not in told


def test_a_ledger_comes_from_stdin(gated: Path) -> None:
    ledger = Path("after").read_bytes()
    for words, code in (
        (["check", "-"], 1),
        (["diff", "before", "-"], 1),
        (["diff", "-", "after"], 0),
        (["compare", "-"], 3),
        (["explain", "-", "small/repeat"], 0),
    ):
        done = command(*words, cwd=gated, stdin=ledger)
        assert done.code == code, (words, done)
        assert b"No such file" not in done.err


def test_an_input_comes_from_stdin(project: Path) -> None:
    for words in (["-"], ["--file", "-"]):
        done = command(
            "try", *words, "--adapters", "adapters", "-s", "fake/last", cwd=project, stdin=b'{"q":7}'
        )
        assert done.code == 0, done
        assert b'{"q":7}' in done.out


def test_a_configuration_comes_out_of_a_pipe(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its baseline, corpus and adapters are of the working directory, not of the pipe's."""
    said(capsys, "check", "--update", "-s", "fake/last")
    text = f'subjects = ["fake/last"]\n{CONFIG}'.encode()
    assert command("check", "--config", "-", cwd=project, stdin=text).code == 0
    os.mkfifo(project / "pipe")
    writer = threading.Thread(target=lambda: (project / "pipe").write_bytes(text))
    writer.start()
    assert command("check", "--config", "pipe", cwd=project).code == 0
    writer.join()
    Path("whichwins.toml").rename("it.toml")
    made = "(echo 'subjects = [\"fake/last\"]'; cat it.toml)"
    script = f"exec {sys.executable} -m whichwins check --config <{made}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=project, env=environment(), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done


def test_a_pipe_where_a_configuration_should_be_is_not_waited_for(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("whichwins.toml").unlink()
    os.mkfifo("whichwins.toml")
    assert refused(capsys, "check").startswith("whichwins.toml: is no plain file: ")
