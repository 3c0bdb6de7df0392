"""Wheels and archives that are damaged, or not what they are named as: bad input, before anything is run."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.provision.pythons import Pythons
from whichwins.model import BadInput
from whichwins.provision import Sources, archives
from whichwins.provision.archives import check_archive

WHEEL = "orjson-1.5-py3-none-any.whl"


def wheel(path: Path, name: str = "orjson", version: str = "1.5", **more: str) -> None:
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {"orjson.py": "x = 1", "orjson-1.5.dist-info/METADATA": metadata, **more}
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in files.items():
            archive.writestr(each, text)


def bad_content(path: Path) -> None:
    wheel(path)
    path.write_bytes(path.read_bytes().replace(b"x = 1", b"y = 2"))


def cut(path: Path) -> None:
    wheel(path)
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_text("nonsense"), "is damaged, or no such archive (File is not a zip file)"),
        (lambda path: path.write_text(""), "is damaged, or no such archive (File is not a zip file)"),
        (cut, "is damaged, or no such archive (File is not a zip file); build it or fetch it anew"),
        (bad_content, "is damaged, or no such archive (bad checksum of orjson.py)"),
        (lambda path: wheel(path, "ujson"), "is a wheel of ujson, not of orjson; name one of orjson"),
        (lambda path: wheel(path, "or\x1bjson"), "is a wheel of or?json, not of orjson"),
        (lambda path: wheel(path, version="1.6"), "holds another version than its name says"),
        (lambda path: wheel(path, version="?"), "holds another version than its name says"),
        (lambda path: wheel(path, **{"b.dist-info/METADATA": ""}), "is no wheel (it has 2 METADATA files)"),
        (lambda path: zipfile.ZipFile(path, "w").close(), "is no wheel (it has 0 METADATA files)"),
        (lambda path: path.mkdir(), "is damaged, or no such archive (Is a directory)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_wheel(tmp_path: Path, make: Callable[[Path], None], said: str) -> None:
    make(tmp_path / WHEEL)
    with pytest.raises(BadInput) as caught:
        check_archive("KEY", tmp_path / WHEEL, "orjson")
    assert str(caught.value).startswith(f"KEY: {said}")
    assert str(tmp_path) not in str(caught.value)


def test_what_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, version in (("OrJson", "1.5"), ("orjson", "1.5.0")):
        wheel(tmp_path / WHEEL, name, version)
        check_archive("KEY", tmp_path / WHEEL, "orjson")
    monkeypatch.setattr(archives, "MAX_UNPACKED", 10)
    with pytest.raises(
        BadInput, match=r"^KEY: is damaged, or no such archive \(it holds more than 10 bytes\)"
    ):
        check_archive("KEY", tmp_path / WHEEL, "orjson")


@pytest.mark.parametrize("name", ["orjson-1.5.whl", "orjson.whl", "orjson-x-py3-none-any.whl"])
def test_what_is_not_named_like_a_wheel(tmp_path: Path, name: str) -> None:
    wheel(tmp_path / name)
    with pytest.raises(
        BadInput, match=r"^KEY: is not named like a wheel \(NAME-VERSION-PYTHON-ABI-PLATFORM.whl"
    ):
        check_archive("KEY", tmp_path / name, "orjson")


@pytest.mark.parametrize("name", ["orjson-1.5.tar.gz", "orjson-1.5.tgz", "orjson-1.5.zip"])
def test_archives_of_sources(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".zip"):
        wheel(path)
    else:
        (tmp_path / "setup.py").write_text("x" * 1000)
        with tarfile.open(path, "w:gz") as archive:
            archive.add(tmp_path / "setup.py", "orjson-1.5/setup.py")
    check_archive("KEY", path, "orjson")
    whole = path.read_bytes()
    for broken in (b"", b"nonsense", whole[:-10], whole[: len(whole) // 2]):
        path.write_bytes(broken)
        with pytest.raises(
            BadInput, match=r"^KEY: is damaged, or no such archive \([^\n]+\); build it or fetch"
        ):
            check_archive("KEY", path, "orjson")


def test_no_package_manager_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Pythons(tmp_path, monkeypatch)
    (tmp_path / WHEEL).write_text("nonsense")
    (tmp_path / "orjson-1.5.tar.gz").write_text("nonsense")
    for name in (WHEEL, "orjson-1.5.tar.gz"):
        with pytest.raises(BadInput, match=rf"^python/orjson@{name}: is damaged"):
            machine.bases(f"python/orjson@{tmp_path / name}", sources=Sources(allow_build=True))
    assert machine.calls() == machine.left() == []


def test_what_only_the_package_manager_sees_is_bad_input_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Pythons(tmp_path, monkeypatch)
    wheel(tmp_path / WHEEL)
    machine.know(says="error: Failed to install: x.whl\n  cause: RECORD file is invalid", status=2)
    with pytest.raises(
        BadInput, match=rf"^python/orjson@{WHEEL}: cannot be installed \(Failed to install: x.whl"
    ):
        machine.bases(f"python/orjson@{tmp_path / WHEEL}")
    machine.know(says="error: Failed to write\n  cause: Permission denied (os error 13)", status=2)
    (absent,) = machine.provide(f"python/orjson@{tmp_path / WHEEL}").values()
    assert "cannot be installed: Failed to write" in machine.base(absent)
