"""All of JSONTestSuite, which is not part of this repository, under a stricter reading."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.reference import checks
from whichwins.reference import read, verdicts


def present(folder: Path, ci: str | None) -> Path:
    if not folder.is_dir():
        why = "JSONTestSuite/test_parsing is not here: set WHICHWINS_JSONTESTSUITE to its folder"
        pytest.fail(why) if ci else pytest.skip(why)
    return folder


@pytest.fixture
def folder() -> Path:
    return present(checks.suite_folder(), os.environ.get("CI"))


def test_every_file(folder: Path) -> None:
    assert list(checks.suite(folder)) == []


def test_the_reclassification_is_exactly_this(folder: Path) -> None:
    """Counted from the verdicts, not from the lists: 318 files, 13 + 10 + 2 of them moved."""
    found = Counter(
        (path.name[:1], "number" if path.name.startswith("i_number_") else "", verdict)
        for path in folder.glob("*.json")
        for verdict in [verdicts(read(path.read_bytes()))["rfc8259/1"].expectation]
    )
    assert found == {
        ("y", "", "accept"): 93,
        ("y", "", "free"): 2,
        ("n", "", "reject"): 188,
        ("i", "number", "accept"): 10,
        ("i", "", "reject"): 13,
        ("i", "", "free"): 12,
    }
    assert sum(found.values()) == 318


def test_a_missing_folder_is_said_and_fails_in_a_pipeline(tmp_path: Path) -> None:
    assert present(tmp_path, "true") == tmp_path
    with pytest.raises(pytest.skip.Exception, match="WHICHWINS_JSONTESTSUITE"):
        present(tmp_path / "nowhere", None)
    with pytest.raises(pytest.fail.Exception, match="WHICHWINS_JSONTESTSUITE"):
        present(tmp_path / "nowhere", "true")
