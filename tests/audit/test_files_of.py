"""Which files of the stack's folder a boundary runs: a report must not be written over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.audit.toys import boundary
from whichwins.audit.deliver import files_of
from whichwins.audit.stack import Kind

FILES = ("app.py", "a/__init__.py", "a/b/__init__.py", "a/b/c.py", "tools.py", "run.sh", "other.py")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stack's folder as the user wrote it: relative to the working directory."""
    for name in FILES:
        path = tmp_path / "stack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)
    return Path("stack")


@pytest.mark.parametrize("kind", ["call", "asgi", "wsgi"])
def test_modules_with_the_packages_around_them(folder: Path, kind: Kind) -> None:
    of = replace(
        boundary("tool", "executor"),
        kind=kind,
        target="a.b.c:f",
        sink="tools:run",
        transform="app:convert",
    )
    expected = {"a/__init__.py", "a/b/__init__.py", "a/b/c.py", "tools.py", "app.py"}
    assert {path.relative_to(folder).as_posix() for path in files_of(of, folder)} == expected


@pytest.mark.parametrize("program", ["run.sh", "stack/run.sh", "/absolute"])
def test_programs_and_the_files_that_they_are_given(folder: Path, program: str) -> None:
    """The reader of stack files puts the folder in front of a program with a slash."""
    program = program.replace("/absolute", str((folder / "run.sh").resolve()))
    of = replace(boundary("tool", "executor"), kind="command", target="", command=(program, "app.py", "-x"))
    assert {path.resolve() for path in files_of(of, folder)} == {
        (folder / name).resolve() for name in ("run.sh", "app.py")
    }


@pytest.mark.parametrize("word", ["x" * 300, "x/" * 3000, "a\0b", "", "."])
def test_a_word_that_no_file_can_be_called(folder: Path, word: str) -> None:
    of = replace(boundary("tool", "executor"), kind="command", target="", command=("python3", "-c", word))
    assert files_of(of, folder) == []
