"""The wheel in an empty environment: the command, with adapters and fixtures inside."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`whichwins` in an environment that holds the wheel and its one dependency, nothing else."""
    home = tmp_path_factory.mktemp("empty environment")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel],
        check=True,
        capture_output=True,
    )
    where = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    for file in importlib.metadata.files("tabulate") or []:
        if ".." not in file.parts and file.suffix == ".py":
            target = Path(where) / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(file.locate()), target)
    return home / "bin" / "whichwins"


def ask(command: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_wheel_holds_adapters_and_fixtures_and_no_litter(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.removeprefix("whichwins/_bundled/") for name in names if "/_bundled/" in name}
    for wanted in (
        "adapters/python/worker.py",
        "adapters/node/worker.mjs",
        "adapters/ruby/wasm/4.0/package-lock.json",
    ):
        assert wanted in inside
    for folder in ("adapters", "fixtures"):
        tracked = subprocess.run(
            ["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.split()
        assert set(tracked) <= inside
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"whichwins"}


def test_try_finds_the_first_wins_decoder_of_every_python(command: Path, tmp_path: Path) -> None:
    done = ask(
        command,
        tmp_path,
        *("try", '{"quantity":2,"quantity":20}', "-s", "python/json", "-s", "python/sqlite3-extract"),
        *("--format", "json"),
    )
    assert done.returncode == 1, done.stderr
    seen = {group["value"]: group["members"] for group in json.loads(done.stdout)["groups"]}
    assert seen == {'{"quantity":20}': ["python/json"], '{"quantity":2}': ["python/sqlite3-extract"]}


def test_a_parser_that_is_not_there_is_absent_and_required(command: Path, tmp_path: Path) -> None:
    done = ask(
        command, tmp_path, "try", "[1]", "-s", "python/json", "-s", "python/json-str", "-s", "python/orjson"
    )
    assert done.returncode == 3
    assert "required subject python/orjson is absent" in done.stderr
    assert "pip install orjson" in done.stderr


def test_the_corpus_is_inside(command: Path, tmp_path: Path) -> None:
    done = ask(command, tmp_path, "corpus", "list", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["cases"]) >= 700
