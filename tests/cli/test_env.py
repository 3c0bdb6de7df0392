"""`whichwins env`: nothing there, environments that were built, names that are none."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.cli.fleet import refused, said
from whichwins.provision import cache, record

PACKAGE = b"version = 1\n"


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WHICHWINS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def built(where: Path, version: str, days_ago: float = 0.0) -> Path:
    """An environment as a build leaves it, last used some days ago, and in nobody's use now."""
    name = cache.name_of("lib", {"version": version})
    folder = where / name
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "lib.py").write_bytes(PACKAGE)
    record.write_record(folder, {"request": f"lib@{version}", "toolchain": "CPython 3.11.7"})
    then = time.time() - days_ago * 24 * 3600
    os.utime(folder / record.RECORD, (then, then))
    return folder


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_nothing_there(where: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    for words in (["list"], ["prune"], ["prune", "--dry-run"], ["prune", "--older-than", "3"]):
        out = said(capsys, "env", *words, "--format", form)
        if form == "json":
            assert json.loads(out)["environments"] == []
        else:
            assert out.rstrip().endswith(
                ("fills it.", "0 of 0 removed, 0.0 MiB.", "0 of 0 would go, 0.0 MiB.")
            )
    assert said(capsys, "env", "path") == f"{where}\n"
    assert not where.exists()


def test_list(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = built(where, "1.0"), built(where, "2.0", 1)
    (two / "site" / "lib.py").write_bytes(b"another")
    (where / "notes.txt").write_bytes(b"somebody's")
    found = json.loads(said(capsys, "env", "list", "--format", "json"))["environments"]
    by_name = {each["name"]: each for each in found}
    assert by_name[one.name] == {
        "name": one.name,
        "holds": {"request": "lib@1.0", "toolchain": "CPython 3.11.7"},
        "bytes": len(PACKAGE) + (one / record.RECORD).stat().st_size,
        "whole": True,
    }
    assert by_name[two.name]["whole"] is False
    assert len(found) == 2
    out = said(capsys, "env", "list")
    assert f"{two.name} (damaged)" in out
    assert out.endswith("2 environments, 0.0 MiB.\n")


def test_path(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = built(where, "1.0")
    built(where, "2.0")
    assert said(capsys, "env", "path") == f"{where}\n"
    for what in ("lib@1.0", one.name):
        assert said(capsys, "env", "path", what) == f"{one}\n"
    for what, hint in (
        ("lib@3.0", "did you mean lib@"),
        ("quite-another", "`whichwins env list` lists what there is"),
        ("", "no environment ''"),
        ("../cache", "no environment '../cache'"),
        ("\x1b[31m", r"no environment '\x1b[31m'"),
        ("x" * 5000, "no environment 'xxx"),
    ):
        assert hint in refused(capsys, "env", "path", what)
    assert "no environment" in refused(capsys, "env", "path", "python/orjson@0.1")
    assert "no subject python/orjsn" in refused(capsys, "env", "path", "python/orjsn@3.9.15")
    assert "no such folder" in refused(capsys, "env", "path", "lib@1.0", "--adapters", "nowhere")


def test_prune(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = built(where, "1.0", 40), built(where, "2.0", 1)
    out = json.loads(said(capsys, "env", "prune", "--older-than", "30", "--dry-run", "--format", "json"))
    assert out["dry_run"] is True
    assert {each["name"]: each["removed"] for each in out["environments"]} == {
        old.name: True,
        new.name: False,
    }
    assert (old.exists(), new.exists()) == (True, True)
    out_text = said(capsys, "env", "prune", "--older-than", "30")
    assert "kept: used 1 days ago" in out_text
    assert out_text.endswith("1 of 2 removed, 0.0 MiB.\n")
    assert (old.exists(), new.exists()) == (False, True)
    (where / "notes.txt").write_bytes(b"somebody's")
    assert said(capsys, "env", "prune").endswith("1 of 1 removed, 0.0 MiB.\n")
    assert [path.name for path in where.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "required: ACTION"),
        (["burn"], "invalid choice: 'burn'"),
        (["list", "lib@1.0"], "unrecognized arguments: lib@1.0"),
        (["prune", "--older-than", "-1"], "'-1' is not a whole number of at least 1"),
        (["prune", "--older"], "--older"),
        (["list", "--format", "junit"], "invalid choice: 'junit'"),
        (["path", "a", "b"], "unrecognized arguments: b"),
        (["list", "-o", "cache/x/../../file/x"], "cannot be written"),
    ],
)
def test_wrong_words(
    where: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    line: str,
) -> None:
    monkeypatch.chdir(where.parent)
    Path("file").write_bytes(b"")
    assert line in refused(capsys, "env", *words)


def test_a_cache_that_is_no_folder(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where.write_bytes(b"")
    for action in ("list", "prune"):
        said(capsys, "env", action)
    assert where.read_bytes() == b""
