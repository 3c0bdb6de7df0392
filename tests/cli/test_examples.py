"""The examples run, and show what they are there to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whichwins.cli import main

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-examples" / "bin" / "python"

needs_packages = pytest.mark.skipif(not PYTHON.exists(), reason="no .venv-examples: make test installs it")


def audited(name: str, folder: Path, *words: str) -> dict[str, Any]:
    stack = str(ROOT / "examples" / name / "stack.toml")
    out = folder / "report.json"
    assert main(["audit", stack, "-o", str(out), "--show-values", *words]) == 1
    found: dict[str, Any] = json.loads(out.read_text(encoding="ascii"))
    assert {each["number"]: each["is"] for each in found["verdicts"]} == {
        1: "broken",
        2: "holds",
        3: "broken",
        4: "holds",
        5: "holds",
    }
    return found


def of(report: dict[str, Any], case: str, boundary: str) -> dict[str, Any]:
    passage: dict[str, Any] = report["passages"][case][boundary]
    return passage


def test_two_units_become_twenty(tmp_path: Path) -> None:
    found = audited("order", tmp_path)
    (shown,) = of(found, "orders/two-or-twenty", "screen")["previews"]
    assert shown["value"] == '{"item":"A-1","quantity":2}'
    assert of(found, "orders/two-or-twenty", "service")["executions"] == ['{"item":"A-1","quantity":20}']
    assert of(found, "orders/two", "service")["executions"] == ['{"item":"A-1","quantity":2}']


@needs_packages
def test_a_gateway_leaves_nothing_to_validate(tmp_path: Path) -> None:
    found = audited("gateway", tmp_path, "--python", str(PYTHON))
    assert {each["boundary"] for each in found["findings"] if each["fault"].startswith("passed")} == {
        "gateway"
    }
    # U+FFFD instead of the byte, and one fewer than 2^53 + 1: both are valid behind the gateway.
    bad = of(found, "orders/bad-byte", "service")
    assert bad["executions"] == ['{"item":"A\\ufffd","quantity":2}']
    assert of(found, "orders/beyond-2-to-53", "service")["executions"] == [
        '{"item":"A-1","quantity":9007199254740992}'
    ]
    assert of(found, "orders/cut-short", "service")["passed"] == "blocked"


@needs_packages
def test_what_ran_is_not_what_was_approved(tmp_path: Path) -> None:
    found = audited("approval", tmp_path, "--python", str(PYTHON))
    wrong = {each["case"] for each in found["findings"] if each["fault"] == "digest-differs"}
    assert wrong == {"orders/two-or-twenty", "orders/two-or-twenty-escaped"}
    tool = of(found, "orders/two-or-twenty", "tool")
    assert tool["executions"] == ['{"item":"A-1","quantity":20}']
    assert tool["signal"] == "http 200"
    assert of(found, "orders/nested", "tool")["executions"] == ['{"item":"A-1","quantity":2}']
