"""An audit that is judged again from its recording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whichwins.cli import main

STACK = """
[stack]
name = "orders"
policy = "strict-tool-input"

[[boundary]]
name = "preview"
role = "reviewer"
subject = "python/sqlite3-extract"

[[boundary]]
name = "tool"
role = "executor"
call = "shop:tool"
transform = "shop:cents"
"""
SHOP = """
import json

def cents(value):
    return {"quantity": 100 * value["quantity"]}

def tool(raw, ctx):
    ctx.execute(cents(json.loads(raw)))
"""
FORMS = ("txt", "md", "json", "html", "xml", "sarif")
ASKED = ("--filter", "repeated-conflicting/quantity*")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "stack.toml").write_text(STACK, encoding="utf-8")
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    return tmp_path


def written(folder: str, *words: str) -> dict[str, bytes]:
    outputs = [word for form in FORMS for word in ("-o", f"{folder}/out.{form}")]
    evidence = ("--evidence", f"{folder}/evidence", "--digest-key", "ab" * 16)
    assert main(["audit", "stack.toml", *words, *outputs, *evidence]) == 1
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("shown", [(), ("--show-values",)])
def test_a_replay_says_what_the_audit_said(place: Path, shown: tuple[str, ...]) -> None:
    first = written("first", *ASKED, *shown, "--record", "kept.jsonl")
    Path("shop.py").write_text("raise SystemExit('nobody is asked')", encoding="utf-8")
    assert written("again", "--replay", "kept.jsonl", *shown) == first
    assert len(first) == len(FORMS) + 1


def test_another_policy_is_judged_without_asking(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written("first", *ASKED, "--record", "kept.jsonl")
    Path("stack.toml").write_text(STACK.replace("strict-tool-input", "rfc8259"), encoding="utf-8")
    capsys.readouterr()
    main(["audit", "stack.toml", "--replay", "kept.jsonl", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["stack"]["policy"]["layer"] == "rfc8259/1"
    assert "passed-what-policy-rejects" not in {each["fault"] for each in report["findings"]}


def test_one_case_of_a_recording(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = "repeated-conflicting/quantity-2-20"
    written("first", *ASKED, "--record", "kept.jsonl")
    capsys.readouterr()
    assert main(["audit", "stack.toml", "--replay", "kept.jsonl", "--case", case]) == 1
    assert '{"quantity":2000}' not in (said := capsys.readouterr().out)  # 2000 stands in no public case
    assert '{"quantity":2}' in said
    assert main(["audit", "stack.toml", "--replay", "kept.jsonl", "--case", "a/none"]) == 2
    assert "no such case" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more", [("--filter", "a"), ("--no-builtin",), ("--corpus", "x"), ("--requests", "x"), ("--record", "y")]
)
def test_a_replay_asks_nobody(place: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    Path("kept.jsonl").write_text("{}\n")
    assert main(["audit", "stack.toml", "--replay", "kept.jsonl", *more]) == 2
    assert capsys.readouterr().err.startswith(f"whichwins: {more[0]}: --replay asks nobody")


def test_a_recording_is_for_its_owner_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("kept.jsonl").touch(0o644)
    written("first", *ASKED, "--record", "kept.jsonl")
    assert Path("kept.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_recording_is_not_written_over(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "stack.toml", "--record", "stack.toml"]) == 2
    assert Path("stack.toml").read_text(encoding="utf-8") == STACK
