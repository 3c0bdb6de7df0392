"""Reports of these tests are as wide as they need, whatever terminal is there; a project with a library."""

from pathlib import Path

import pytest

from tests.cli import fleet
from tests.cli.table import surroundings
from whichwins.cli import main

CONFIG = """
builtin = false
corpus = ["small.toml"]
adapters = ["adapters"]
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a library in versions, a small corpus, a configuration that names both."""
    fleet.adapters(tmp_path / "adapters")
    fleet.library(tmp_path / "adapters")
    fleet.family(tmp_path)
    (tmp_path / "whichwins.toml").write_text(CONFIG, encoding="utf-8")
    surroundings(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture
def gated(project: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project in which each verb finds one change: ledgers, a baseline, two versions."""
    for name, version in (("before", "1.0"), ("after", "2.0")):
        words = ["run", "small.toml", "--adapters", "adapters", "-s", f"lib/one@{version}"]
        assert main([*words, "-o", name]) == 0
    assert main(["check", "--update", "-s", "lib/one@1.0"]) == 0
    capsys.readouterr()
    return project
