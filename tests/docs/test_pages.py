"""docs/corpus.md and docs/safety.md: examples load, keys and limits are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks, read
from whichwins.analysis.agreement import disagreements
from whichwins.cli import main
from whichwins.corpus import export, families, foreign, ids, load
from whichwins.model import LAYERS
from whichwins.reference import STRICT_TOOL_INPUT
from whichwins.report import safe
from whichwins.run import store
from whichwins.run.records import MAX_DATA
from whichwins.workers import Limits, process
from whichwins.workers.identity import READY_BYTES

CORPUS, SAFETY, PROTOCOL = (read(DOCS / f"{name}.md") for name in ("corpus", "safety", "protocol"))
MIB = 1 << 20


def block(language: str) -> str:
    (found,) = (each.text for each in blocks(CORPUS) if each.language == language)
    return found


def test_the_family_loads_and_is_right(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(block("toml"), encoding="utf-8")
    cases = load([tmp_path / "prices.toml"]).cases
    assert [case.id for case in cases] == ["prices/cents", "prices/latin-1", "prices/too-exact"]
    assert disagreements(cases) == []


def test_the_json_lines_load(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(block("json"), encoding="utf-8")
    cases = load([tmp_path / "mine.jsonl"]).cases
    assert [case.id for case in cases] == ["mine/prices/cents", "mine/prices/pound"]
    assert disagreements(cases) == []


def test_keys_and_layers_are_named() -> None:
    table = re.findall(r"^\| (`.*?) \|", CORPUS, re.MULTILINE)
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    assert named >= families._CASE_KEYS
    assert {layer.partition("/")[0] for layer in LAYERS} <= set(re.findall(r"`([a-z0-9-]+)`", CORPUS))
    assert export.INDEX in CORPUS


def test_an_export_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases"
    assert main(["corpus", "export", str(cases), "-f", "repeated-nested"]) == 0
    assert main(["corpus", "check", str(cases)]) == 0
    assert "every expectation agrees" in capsys.readouterr().out
    next(cases.rglob("*.json")).write_bytes(b"{}")
    assert main(["corpus", "check", str(cases)]) == 2


def row(page: str, start: str) -> str:
    (found,) = re.findall(rf"^\| {re.escape(start)}.*$", page, re.MULTILINE)
    return str(found)


def test_the_limits_are_those_of_the_code() -> None:
    limits = Limits()
    assert families.MAX_CASE == families.MAX_FILE == 16 * MIB
    assert "16 MiB" in row(SAFETY, "a case of a corpus, a family file")
    assert (foreign.MAX_CASES, foreign.MAX_TOTAL) == (1_000_000, 1024 * MIB)
    assert "1,000,000 cases, 1 GiB" in row(SAFETY, "a folder, a JSON Lines file")
    assert (store.MAX_LINE, MAX_DATA, store.MAX_BUILT) == (256 * MIB, 256 * MIB, 1024 * MIB)
    assert "256 MiB a line, 256 MiB an input, 1 GiB" in row(SAFETY, "a ledger")
    assert f"{ids.MAX_SEGMENT} characters" in row(SAFETY, "a part of an id")
    policy = STRICT_TOOL_INPUT
    assert (policy.max_bytes, policy.max_depth, policy.max_number) == (MIB, 64, 400)
    assert "1 MiB, depth 64, 400 characters" in row(SAFETY, "the guard")
    assert (limits.case_seconds, limits.start_seconds, limits.memory_mb) == (10, 60, 2048)
    assert "(10 s)" in row(SAFETY, "time")
    assert "60 s a start" in row(SAFETY, "time")
    assert "(2,048 MiB)" in row(SAFETY, "memory")
    assert limits.answer_bytes == 64 * MIB
    assert "64 MiB" in row(SAFETY, "answers")
    assert process.STDERR_BYTES == READY_BYTES == 64 * 1024
    assert "64 KiB" in row(SAFETY, "standard error")
    assert (limits.batch_cases, limits.batch_bytes, limits.window_batches) == (128, 256 * 1024, 4)
    assert "128 cases and 256 KiB" in row(PROTOCOL, "a batch")
    assert "`ready` at most 64 KiB" in row(PROTOCOL, "an answer")


def test_odd_characters_are_spelled_as_said() -> None:
    assert safe.plain_bytes("é\u202e".encode() + b"\xff") == r"\u{E9}\u{202E}\x{FF}"
    assert r"`\u{E9}`" in row(SAFETY, "text")
    assert r"`\x{FF}`" in row(SAFETY, "text")
