"""Ledgers and reports are byte-identical under any hash seed, job count, locale and install folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILTERS = ("reported/*", "names-*", "encodings-bom/*", "depth/arrays-65")
SUBJECTS = ("python/json", "python/json-pairs", "python/json-unique", "python/guard")
RUNS = [
    # hash seed, jobs, locale, another install folder
    ("0", "1", "C.UTF-8", False),
    ("1", "8", "C", False),
    ("2", "1", "POSIX", True),
    ("3", "8", "en_US.UTF-8", False),
    ("4", "8", "tr_TR.UTF-8", True),
]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same program, installed in a folder with spaces and letters of all kinds."""
    folder = tmp_path_factory.mktemp("an installéd ‮ folder")
    for part in ("harness", "adapters", "fixtures"):
        skipped = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(ROOT / part, folder / part, ignore=skipped)
    return folder


SCRIPT = """
import sys
import whichwins
from whichwins.cli import main
assert whichwins.__file__.startswith(sys.argv[1]), whichwins.__file__
assert main(["run", "-o", "l", *sys.argv[2:]]) == 0
for form in ("text", "markdown", "json"):
    assert main(["report", "l", "--format", form, "-o", form]) == 0
"""


def files(run: tuple[str, str, str, bool], elsewhere: Path, folder: Path) -> dict[str, bytes]:
    seed, jobs, locale, moved = run
    home = elsewhere if moved else ROOT
    words = [word for key in SUBJECTS for word in ("-s", key)]
    words += [word for glob in FILTERS for word in ("-f", glob)]
    # Nothing else of this environment, that could make runs alike by accident.
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(home / "harness"),
        "PYTHONHASHSEED": seed,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": locale,
        "TZ": "Asia/Kathmandu" if seed == "3" else "UTC",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home), "--jobs", jobs, *words],
        cwd=folder,
        env=env,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_everything_is_identical(elsewhere: Path, tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(len(RUNS))]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(2) as threads:
        first, *others = threads.map(lambda run, folder: files(run, elsewhere, folder), RUNS, folders)
    assert sorted(first) == ["json", "l", "markdown", "text"]
    assert b'"outcome":"reject"' in first["l"]
    assert str(tmp_path).encode() not in first["l"]
    assert str(ROOT).encode() not in first["l"]
    assert os.fsencode(sys.prefix) not in first["l"]
    for run, other in zip(RUNS[1:], others, strict=True):
        for name in first:
            assert other[name] == first[name], (run, name)
