"""Where adapters come from: the package, the user's folders, installed packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.subjects.test_manifest import GOOD, manifest
from whichwins.model import BadInput
from whichwins.subjects import load_adapters


def test_bundled_adapters_are_valid() -> None:
    adapters = load_adapters()
    names = [adapter.name for adapter in adapters]
    assert "python" in names
    assert names == sorted(names)
    keys = [subject.key for adapter in adapters for subject in adapter.subjects]
    assert len(keys) == len(set(keys))


def test_an_adapter_folder_and_a_folder_of_adapters(tmp_path: Path) -> None:
    manifest(tmp_path / "b", GOOD)
    assert "mine" in [adapter.name for adapter in load_adapters([tmp_path / "b"])]
    manifest(tmp_path / "a", GOOD.replace("mine", "other"))
    found = {adapter.name: adapter for adapter in load_adapters([tmp_path])}
    assert {"mine", "other"} <= set(found)
    assert found["other"].folder == (tmp_path / "a").resolve()


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    manifest(tmp_path / "a", GOOD.replace('"mine', '"python'))
    with pytest.raises(BadInput, match=r"an adapter named python is there already \(adapters/python/adapter"):
        load_adapters([tmp_path])
    manifest(tmp_path / "b", GOOD)
    with pytest.raises(BadInput, match="an adapter named mine is there already"):
        load_adapters([tmp_path / "b", tmp_path / "b"])


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"it has no adapter\.toml; name an adapter or a folder of adapters"):
        load_adapters([tmp_path])
    with pytest.raises(BadInput, match="no such folder"):
        load_adapters([tmp_path / "absent"])


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Make a distribution that names `value` in the entry-point group importable."""
    info = folder / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[whichwins.adapters]\nmine = {value}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


def test_an_installed_package_brings_its_adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest(tmp_path / "wwmine_package", GOOD)
    (tmp_path / "wwmine_package" / "__init__.py").touch()
    installed(tmp_path, monkeypatch, "wwmine_package")
    found = {adapter.name: adapter for adapter in load_adapters()}
    assert found["mine"].folder == tmp_path / "wwmine_package"


def test_an_entry_point_may_name_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest(tmp_path / "data", GOOD)
    (tmp_path / "wwmine_path.py").write_text(
        "from pathlib import Path\nFOLDER = Path(__file__).parent / 'data'\n", encoding="utf-8"
    )
    installed(tmp_path, monkeypatch, "wwmine_path:FOLDER")
    assert "mine" in [adapter.name for adapter in load_adapters()]


@pytest.mark.parametrize(
    ("source", "value", "message"),
    [
        ("", "wwmine_absent", "entry point whichwins.adapters:mine: wwmine_absent cannot be loaded"),
        ("X = 3", "wwmine_bad1:X", "it must name a package that holds adapter.toml, or a path"),
        ("X = 'data'", "wwmine_bad2:X", "the path data is relative; make it absolute"),
        ("X = '/'", "wwmine_bad3:X", "no such file"),
    ],
)
def test_entry_points_that_lead_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, value: str, message: str
) -> None:
    if source:
        (tmp_path / f"{value.split(':')[0]}.py").write_text(source, encoding="utf-8")
    installed(tmp_path, monkeypatch, value)
    with pytest.raises(BadInput) as caught:
        load_adapters()
    assert message in str(caught.value)
