"""Files that are recognised, and files that are not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from whichwins.lockfiles import MAX_BYTES, read
from whichwins.lockfiles.reading import UNDERSTOOD
from whichwins.model import BadInput


@pytest.mark.parametrize(
    "name", ["yarn.lock", "Cargo.lock", "Pipfile.lock", "pyproject.toml", "package.json"]
)
def test_other_files_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("orjson==1", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read(tmp_path / name)
    assert str(caught.value) == f"{tmp_path}/{name}: {name} is not understood: give one of {UNDERSTOOD}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# yarn lockfile v1\n\n\"json5@^2.2.0\":\n  version \"2.2.3\"\n", ":3: no requirement, and no"),
        ("lockfileVersion: '9.0'\n", ":1: no requirement, and no other lock file that is unders"),
        ("GEM\n  remote: https://example.invalid/\n", ":2: no requirement, and no other lock file"),
        ("Some secret prose.\n", ":1: no requirement, and no other lock file"),
        ("\x7fELF\0\0", ":1: no requirement, and no other lock file"),
        ("<html>", ":1: no requirement, and no other lock file"),
        (" \n\n", ": is empty: give a lock file with its text"),
        ("[tool.x]\na = 1\n", ": no lock file that is understood: give one of"),
    ],
)  # fmt: skip
def test_content_that_is_nothing(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "old").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read(tmp_path / "old")
    assert str(caught.value).startswith(f"{tmp_path}/old{said}")
    assert "secret" not in str(caught.value)


def test_limits_and_places(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such file"):
        read(tmp_path / "gone.txt")
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path)
    path = tmp_path / "uv.lock"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(BadInput, match="is over 16,777,216 bytes"):
        read(path)


def test_heavy_imports_come_late() -> None:
    code = (
        "import whichwins.lockfiles, whichwins.config, sys; print({'packaging', 'difflib'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package-lock.json", '{"lockfileVersion": 3, "packages": {}, "x": [%s0]}'),
        ("uv.lock", 'requires-python = "*"\nx = [%s]\n'),
    ],
)
def test_many_values_in_few_bytes_are_refused_before_they_take_memory(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text % ("[]," * 400_000), encoding="utf-8")
    read(path)
    path.write_text(text % ("[]," * 500_000), encoding="utf-8")
    with pytest.raises(BadInput, match=rf"/{name}: holds more than 1,000,000 values: give a smaller file$"):
        read(path)
