"""What may stand after the @ of a Python subject."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whichwins.model import BadInput, Subject
from whichwins.provision.requests import Request, adapter_digest, read_request
from whichwins.subjects import load_adapters, select


def asked(version: str, key: str = "python/orjson") -> Request:
    (subject,) = select(load_adapters(), [f"{key}@{version}"])
    return read_request(subject, "python")


@pytest.mark.parametrize(
    ("version", "line", "exact"),
    [
        ("3.9.15", "orjson==3.9.15", "3.9.15"),
        ("4.0.0rc1", "orjson==4.0.0rc1", "4.0.0rc1"),
        ("1!2.0+local", "orjson==1!2.0+local", "1!2.0+local"),
        ("<5.8", "orjson<5.8", ""),
        ("==5.7.*", "orjson==5.7.*", ""),
        (">=5, <6,!=5.5", "orjson>=5,<6,!=5.5", ""),
        ("~=3.9", "orjson~=3.9", ""),
    ],
)
def test_versions_and_specifiers(version: str, line: str, exact: str) -> None:
    request = asked(version)
    assert (request.lines, request.version, request.source) == ((line,), exact, False)
    assert request.recorded == "orjson@" + version.replace(" ", "")


@pytest.mark.parametrize(
    "version",
    ["3.9.15 --index-url=x", "latest", "[extra]", "3.9; python_version<'3'", "-r", "3.9\n-r x", "@x"],
)
def test_what_is_neither_is_refused(version: str) -> None:
    (subject,) = select(load_adapters(), ["python/orjson"])
    with pytest.raises(BadInput, match=r"^python/orjson@x: write a version \(3.9.15\), a specifier"):
        read_request(replace(subject, key="python/orjson@x", version=version), "python")


def test_a_request_is_one_line_of_one_requirement() -> None:
    (subject,) = select(load_adapters(), ["python/orjson"])
    hostile = replace(subject, key="python/orjson@x", version="<5.8\n-e x\t--y")
    assert read_request(hostile, "python").lines == ("orjson<5.8-ex--y",)  # which the resolver refuses


def test_a_package_named_otherwise_and_more_packages() -> None:
    request = asked("1.9", "python/rapidjson")
    assert request.lines == ("python-rapidjson==1.9",)
    (subject,) = select(load_adapters(), ["python/orjson@1"])
    more = read_request(replace(subject, packages=("orjson", "helper")), "python")
    assert more.lines == ("orjson==1", "helper")
    assert more.identity != asked("1").identity


def test_a_wheel_is_known_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "a place" / "orjson-9-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_text("one")
    first = asked(str(wheel))
    assert first.lines == (f"orjson @ {wheel.resolve().as_uri()}",)
    assert "%20" in first.lines[0]
    assert (first.source, first.version, first.recorded) == (False, "", "orjson@orjson-9-py3-none-any.whl")
    moved = tmp_path / wheel.name
    moved.write_text("one")
    assert asked(str(moved)).identity == first.identity
    monkeypatch.chdir(tmp_path)
    assert asked(wheel.name).identity == first.identity
    moved.write_text("two")
    assert asked(str(moved)).identity != first.identity
    with pytest.raises(BadInput, match=r"orjson-9-py3-none-any.whl: is a wheel of orjson, not of ujson$"):
        asked(str(moved), "python/ujson")


def test_a_name_is_compared_in_any_spelling(tmp_path: Path) -> None:
    wheel = tmp_path / "Python_RapidJSON-9-py3-none-any.whl"
    wheel.touch()
    assert asked(str(wheel), "python/rapidjson").lines[0].startswith("python-rapidjson @ ")


def test_a_source_tree_is_known_by_its_sources(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "pyproject.toml").write_text("[project]")
    (tree / "src" / "a.py").write_text("1")
    first = asked(str(tree))
    assert (first.source, first.recorded) == (True, "orjson@tree")
    (tree / "src" / "a.py").write_text("2")
    assert asked(str(tree)).identity != first.identity
    (tree / "src" / "a.py").write_text("1")
    assert asked(str(tree)).identity == first.identity
    (tree / "src" / "b.py").write_text("")
    assert asked(str(tree)).identity != first.identity


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^python/orjson@x.whl: no such file or folder"):
        asked(str(tmp_path / "x.whl"))
    with pytest.raises(BadInput, match=r"has neither pyproject.toml nor setup.py; name a source tree$"):
        asked(f"{tmp_path}/")
    assert asked_source(tmp_path / "orjson-1.tar.gz")


def asked_source(path: Path) -> bool:
    path.touch()
    return asked(str(path)).source


def test_an_adapter_s_sources(tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text("1")
    first = adapter_digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "worker.pyc").write_text("x")
    assert adapter_digest(tmp_path) == first
    (tmp_path / "worker.py").write_text("2")
    assert adapter_digest(tmp_path) != first


def test_a_subject_is_what_the_manifest_says() -> None:
    (subject,) = select(load_adapters(), ["python/orjson@3.9.15"])
    assert isinstance(subject, Subject)
    assert subject.packages == ("orjson",)
