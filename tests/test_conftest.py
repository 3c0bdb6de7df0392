"""The rule about skips can itself fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parent / "conftest.py"


@pytest.mark.parametrize(
    ("reason", "on_ci", "summary"),
    [
        ("no node here", True, "1 failed"),
        ("no node here", False, "1 skipped"),
        ("root may write anywhere", True, "1 skipped"),
    ],
)
def test_a_skip_on_ci_is_a_failure(tmp_path: Path, reason: str, on_ci: bool, summary: str) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text(
        f"import pytest\n\ndef test_it():\n    pytest.skip({reason!r})\n", "utf-8"
    )
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", tmp_path],
        cwd=tmp_path,
        env=env | ({"CI": "true"} if on_ci else {}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert summary in done.stdout
