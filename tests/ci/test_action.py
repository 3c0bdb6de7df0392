"""The action, run as far as it can be without the service."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.ci.service import (
    ACTION,
    INPUTS,
    ROOT,
    action,
    commit,
    environment,
    git,
    path_of,
    program,
    project,
    shell,
)
from whichwins.cli import main

CHANGED = "subjects = ['python/ujson']\nbuiltin = false\ncorpus = ['cases.toml']\n"


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a committed baseline."""
    made = project(tmp_path)
    monkeypatch.chdir(made)
    assert main(["check", "--update"]) == 0
    commit(made)
    return made


def test_nothing_reaches_the_shell_but_variables() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "pull_request_target" not in str(step)
    assert "secrets" not in (ROOT / "action.yml").read_text(encoding="utf-8")


def test_it_installs_itself_from_its_own_locks() -> None:
    script = ACTION["runs"]["steps"][0]["run"]
    installs = [line for line in script.splitlines() if line.lstrip().startswith('"${pip[@]}"')]
    assert len(installs) == 2
    assert all("$GITHUB_ACTION_PATH" in line for line in installs)
    assert "--require-hashes --only-binary :all:" in installs[0]
    assert (ROOT / "requirements" / "run.txt").is_file()


def test_as_agreed_on(checked: Path, tmp_path: Path) -> None:
    done = action(checked, tmp_path / "runner", {})
    assert (done.code, done.outputs) == (0, {"exit-code": "0"}), done.err
    assert "::error" not in done.out
    assert done.summary
    assert json.loads((checked / INPUTS["sarif"]).read_text())["version"] == "2.1.0"
    assert (checked / INPUTS["report"]).is_file()


def test_something_else_is_read(checked: Path, tmp_path: Path) -> None:
    lock = checked / "whichwins.lock"
    said = lock.read_text(encoding="ascii")
    # orjson gives the nearest double; the baseline is made to say the integer.
    changed = said.replace("accept [1.8446744073709552e+19]", "accept [18446744073709551617]")
    assert changed != said
    lock.write_text(changed, encoding="ascii")
    done = action(checked, tmp_path / "runner", {})
    assert (done.code, done.outputs) == (1, {"exit-code": "1"}), done.err
    (error,) = [line for line in done.out.splitlines() if line.startswith("::error ")]
    assert "file=whichwins.toml,line=2," in error
    assert "cases/two-to-64" in done.summary


def test_of_a_fork_no_configuration_names_code(checked: Path, tmp_path: Path) -> None:
    (checked / "adapters").mkdir()
    (checked / "whichwins.toml").write_text(CHANGED + "adapters = ['adapters']\n", encoding="utf-8")
    done = action(checked, tmp_path / "runner", {}, fork=True)
    assert (done.code, done.outputs) == (2, {"exit-code": "2"})
    assert "whichwins.toml:4" in done.err
    assert "not trusted" in done.err


def test_arguments_are_words_and_no_commands(checked: Path, tmp_path: Path) -> None:
    hostile = "--exit-zero\n--baseline\n$(touch pwned) `touch pwned`;touch pwned\n"
    done = action(checked, tmp_path / "runner", {"arguments": hostile})
    assert done.code == 2
    assert "touch pwned" in done.err  # the name of a file that is not there
    assert not (checked / "pwned").exists()


def test_an_upgrade_of_a_lock_file(checked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = commit(checked, requirements_txt="orjson==3.13.0  # unchanged\nrequests==2.31.0\n")
    commit(checked, requirements_txt="orjson==3.13.0\nrequests==2.32.0\n")
    done = action(checked, tmp_path / "runner", {"command": "upgrade", "lock": "requirements.txt"}, base=base)
    assert (done.code, done.outputs) == (0, {"exit-code": "0"}), done.err
    assert "no JSON library differs" in done.summary
    # Without a pull request the revision before is the old state.
    assert git(checked, "rev-parse", "HEAD^") == base
    done = action(checked, tmp_path / "runner", {"command": "upgrade", "lock": "requirements.txt"})
    assert done.code == 0, done.err


def test_an_upgrade_that_reads_otherwise(checked: Path, tmp_path: Path) -> None:
    """ujson 5.7 lets 0x80 pass as a character, 6.1 refuses it; both have wheels for 3.11 to 3.13."""
    (checked / "bad").mkdir()
    (checked / "bad" / "lone-continuation.json").write_bytes(b'["\x80"]')
    base = commit(checked, requirements_txt="ujson==5.7.0\n")
    commit(checked, requirements_txt="# newer\nujson==6.1.0\n")
    inputs = {"command": "upgrade", "lock": "requirements.txt", "arguments": "--corpus\nbad\n--filter\nbad/*"}
    if sys.version_info[:2] > (3, 11):
        pytest.skip("no Python 3.11: ujson 5.7.0 has wheels up to it")
    done = action(checked, tmp_path / "runner", inputs, base=base)
    assert (done.code, done.outputs) == (1, {"exit-code": "1"}), done.err
    (error,) = [line for line in done.out.splitlines() if line.startswith("::error ")]
    assert "file=requirements.txt,line=2,title=python/ujson%3A newly rejected" in error


def test_a_lock_file_that_was_not_there_is_told_in_a_line(checked: Path, tmp_path: Path) -> None:
    """It ended with git's 128, which no list of exit codes has, and without the output."""
    commit(checked, requirements_txt="orjson==3.13.0\n")
    inputs = {"command": "upgrade", "lock": "requirements.txt"}
    for base in ("", "0" * 40, "--all"):
        done = action(checked, tmp_path / "runner", inputs, base=base)
        assert (done.code, done.outputs) == (2, {"exit-code": "2"}), done.err
        (line,) = done.err.splitlines()
        assert line.startswith("whichwins")
        (tmp_path / "runner" / "output").unlink()


def test_lock_files_with_spaces_and_includes(checked: Path, tmp_path: Path) -> None:
    (checked / "my locks").mkdir()
    (checked / "my locks" / "a b.txt").write_text("-r more.txt\n")
    (checked / "my locks" / "more.txt").write_text("requests==2.31.0\n")
    base = commit(checked)
    (checked / "my locks" / "more.txt").write_text("requests==2.32.0\n")
    inputs = {"command": "upgrade", "lock": "my locks/a b.txt", "report": "out put/a b.md"}
    done = action(checked, tmp_path / "runner", inputs, base=base)
    assert (done.code, done.outputs) == (0, {"exit-code": "0"}), done.err
    assert (checked / "out put" / "a b.md").is_file()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_argument_keeps_its_spaces(checked: Path, tmp_path: Path, end: str) -> None:
    (checked / "whichwins.lock").rename(checked / "a base line.lock")
    done = action(
        checked, tmp_path / "runner", {"arguments": end.join(["--baseline", "a base line.lock", ""])}
    )
    assert (done.code, done.outputs) == (0, {"exit-code": "0"}), done.err


@pytest.mark.parametrize(
    ("python", "line"),
    [
        ('[ "$3" != "import sys; sys.exit(sys.version_info < (3, 11))" ] || exit 1', "3.11 or newer"),
        ('[ "$3" != venv ] || exit 1', "could not be installed"),
    ],
)
def test_what_cannot_be_set_up_is_no_finding(checked: Path, tmp_path: Path, python: str, line: str) -> None:
    """An old Python, a pip that fails: their exit status is 1, as a finding's."""
    program(tmp_path / "image" / "python3", python)
    env = dict.fromkeys(("LOCK", "BASE", "ARGUMENTS", "REPORT", "SARIF"), "")
    given = environment(
        tmp_path / "runner",
        COMMAND="check",
        PYTHON="python3",
        FORK="false",
        PATH=path_of(tmp_path / "image"),
        **env,
    )
    done = shell(ACTION["runs"]["steps"][0]["run"], checked, given)
    assert (done.code, done.outputs) == (3, {"exit-code": "3"}), done.err
    (error,) = [each for each in done.out.splitlines() if each.startswith("::error ")]
    assert line in error
