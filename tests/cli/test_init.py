"""`whichwins init`, then `check`: what was written holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from whichwins.cli import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "requirements.txt").write_text("orjson==3.9.15\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_init_then_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--dry-run"]) == 0
    said, err = capsys.readouterr()
    assert err == ""
    assert "python/orjson: requirements.txt:1, 3.9.15\n" in said
    assert said.endswith("would write whichwins.toml, .github/workflows/whichwins.yml, whichwins.lock\n")
    assert [path.name for path in project.iterdir()] == ["requirements.txt"]

    assert main(["init"]) == 0
    assert capsys.readouterr().out.endswith("whichwins.lock: look at them, commit them\n")
    assert main(["check", "--untrusted"]) == 0
    capsys.readouterr()

    # A baseline that says otherwise is a finding.
    baseline = project / "whichwins.lock"
    text = baseline.read_text("ascii")
    baseline.write_text(text.replace("20.0", "21.0"), encoding="ascii")
    assert "20.0" in text
    assert main(["check"]) == 1
    capsys.readouterr()

    assert main(["init"]) == 2
    said, err = capsys.readouterr()
    assert said == ""
    assert err == "whichwins: whichwins.toml: is there already: add --force to replace it, or take it away\n"
    assert main(["init", "--force"]) == 0
    assert baseline.read_text("ascii") == text


def test_what_cannot_be_read_is_told_and_nothing_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text("[tool.whichwins]\n", encoding="utf-8")
    assert main(["init"]) == 2
    assert capsys.readouterr().err.startswith(
        "whichwins: pyproject.toml:1: [tool.whichwins] is a configuration"
    )
    assert sorted(path.name for path in project.iterdir()) == ["pyproject.toml", "requirements.txt"]


def test_what_the_project_does_not_run_on_is_noted(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to("/bin/false")
    assert main(["init", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "note: there is an environment here (.venv)" in said
    assert "is installed here, and requirements.txt:1 has 3.9.15: install that first\n" in said
    # A check says the same: what it holds, it holds of these versions only.
    (project / "whichwins.toml").write_text('subjects = ["python/orjson"]\nfilter = ["controls"]\n')
    assert main(["check", "--update"]) == 0
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "there is an environment here (.venv)" in said
    assert "requirements.txt:1 has 3.9.15" in said
    assert main(["check", "--python", sys.executable]) == 0
    assert "there is an environment here" not in capsys.readouterr().out


def test_nobody_to_ask_is_no_baseline_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project whose one language is not here got a baseline of the default subjects."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(
        "whichwins.run.execute.declared",
        lambda subjects, _: {subject.key: {"absent": "no runtime"} for subject in subjects},
    )
    assert main(["init"]) == 3
    err = capsys.readouterr().err
    assert "whichwins: none of what this project reads JSON with can be asked here" in err
    assert [path.name for path in tmp_path.iterdir()] == ["package.json"]
