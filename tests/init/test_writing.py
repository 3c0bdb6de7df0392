"""All files or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.init import refuse_existing, write
from whichwins.model import BadInput


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text("utf-8") if path.is_file() else "/"
        for path in sorted(folder.rglob("*"))
    }


def test_files_and_their_folders_appear(tmp_path: Path) -> None:
    write([(tmp_path / "a", "1\n"), (tmp_path / ".github" / "workflows" / "b.yml", "2\n")])
    assert tree(tmp_path) == {
        ".github": "/",
        ".github/workflows": "/",
        ".github/workflows/b.yml": "2\n",
        "a": "1\n",
    }


def test_what_is_there_is_not_replaced_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine", encoding="utf-8")
    files = [(tmp_path / "a", "1"), (tmp_path / "b", "2")]
    with pytest.raises(BadInput) as caught:
        write(files)
    assert str(caught.value) == f"{tmp_path}/b: is there already: add --force to replace it, or take it away"
    assert tree(tmp_path) == {"b": "mine"}
    write(files, force=True)
    assert tree(tmp_path) == {"a": "1", "b": "2"}


def test_a_link_to_nothing_is_there_too(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "gone")
    with pytest.raises(BadInput, match="is there already"):
        refuse_existing([tmp_path / "a"])
    refuse_existing([tmp_path / "a"], force=True)


def test_nothing_is_left_when_one_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "old").write_text("old", encoding="utf-8")
    before = tree(tmp_path)
    files = [(tmp_path / "old", "new"), (tmp_path / "x" / "y" / "a", "1"), (tmp_path / "file" / "b", "2")]
    with pytest.raises(BadInput, match="cannot be written"):
        write(files, force=True)
    assert tree(tmp_path) == before


def test_nothing_is_left_when_a_text_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write([(tmp_path / "old", "new"), (tmp_path / "x" / "a", "\xe9")], force=True)
    assert tree(tmp_path) == {"old": "old"}


def test_nothing_is_left_when_one_cannot_be_moved_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").write_text("old", encoding="utf-8")
    replace = Path.replace

    def fails(self: Path, target: Path) -> Path:
        if target.name == "first":
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fails)
    files = [(tmp_path / "first", "1"), (tmp_path / "x" / "y", "2"), (tmp_path / "old", "new")]
    with pytest.raises(BadInput, match="cannot be written"):
        write(files, force=True)
    assert tree(tmp_path) == {"old": "old"}
