"""A stranger's configuration names no code."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.config import Config, read, refuse_code
from whichwins.model import BadInput


def config(folder: Path, text: str) -> Config:
    (folder / "whichwins.toml").write_text(text, encoding="utf-8")
    return read(folder=folder)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('adapters = ["x"]', "`adapters` says what code to run"),
        ('python = "python3"', "`python` says"),
        ('index = "https://example.invalid"', "`index` says"),
        ('constraints = "c.txt"', "`constraints` says"),
        ("allow-build = true", "`allow-build` says"),
        ('subjects = ["python/orjson@./dist/x.whl"]', "`subjects` names a package by its place"),
        ('subjects = ["python/orjson@x.whl"]', "`subjects` names"),
        ('subjects = ["python/orjson@x.tar.gz"]', "`subjects` names"),
        ('subjects = ["node/json5@file:x"]', "`subjects` names"),
        ('subjects = ["node/json5@npm:other@1"]', "`subjects` names"),
        ('subjects = ["*/*@git+https://example.invalid/x"]', "`subjects` names"),
        ('corpus = ["../other"]', "`corpus` leads out of the file's folder"),
        ('corpus = ["/etc/passwd"]', "`corpus` leads out"),
        ('corpus = ["link"]', "`corpus` leads out"),
        ('baseline = "../x.lock"', "`baseline` leads out"),
    ],
)
def test_what_names_code_is_refused(tmp_path: Path, line: str, said: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "link").symlink_to(tmp_path)
    found = config(project, f"timeout = 1\n{line}\n")
    with pytest.raises(BadInput) as caught:
        refuse_code(found)
    assert str(caught.value).startswith(f"{project.as_posix()}/whichwins.toml:2: {said}")
    assert "leave it out" in str(caught.value)


def test_the_line_of_a_subject_in_a_list(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"whichwins.toml:3: `subjects`"):
        refuse_code(config(tmp_path, 'subjects = [\n"a/b",\n"a/b@../x",\n]\npython = "p"\n'))


def test_what_names_none_passes(tmp_path: Path) -> None:
    refuse_code(Config())
    text = """
    subjects = ["python/*", "python/orjson@3.9.15", "python/ujson@<5.8, >=5.1", "python/x@==5.7.*"]
    corpus = ["cases", "a/b.jsonl"]
    baseline = "ci/whichwins.lock"
    adapters = []
    allow-build = false
    timeout = 5
    """
    refuse_code(config(tmp_path, text))
