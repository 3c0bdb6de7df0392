"""`corpus list|show|export|check`, end to end with the built-in corpus and a small one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli import fleet
from whichwins.cli import main
from whichwins.corpus import load
from whichwins.model.shape import SHAPES


@pytest.fixture
def small(tmp_path: Path) -> str:
    return str(fleet.family(tmp_path))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["corpus", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert isinstance(out, str)
    return out


def test_list(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        said(capsys, "list", small)
        == """\
case          bytes  rfc8259  i-json  jcs-input  strict-tool-input
------------  -----  -------  ------  ---------  -----------------
small/plain       7  accept   accept  accept     accept
small/repeat     14  free     reject  reject     reject

2 cases.
"""
    )
    assert json.loads(said(capsys, "list", small, "--format", "json"))["cases"][1] == {
        "case": "small/repeat",
        "length": 14,
        "expect": {
            "rfc8259/1": "free",
            "i-json/1": "reject",
            "jcs-input/1": "reject",
            "strict-tool-input/1": "reject",
        },
    }
    assert "small/plain" not in said(capsys, "list", small, "-f", "*/rep*")


def test_show(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        said(capsys, "show", "small/repeat", small)
        == """\
small/repeat
------------

a repeat

input   {"q":2,"q":20}
bytes   7b 22 71 22 3a 32 2c 22 71 22 3a 32 30 7d
length  14

layer                expects  clause
-------------------  -------  ------------------------------------------
rfc8259/1            free     RFC 8259 section 4, names SHOULD be unique
i-json/1             reject   RFC 7493 section 2.3
jcs-input/1          reject   RFC 8785 section 3.1
strict-tool-input/1  reject   names once per object
"""
    )


def test_export_comes_back_as_it_was(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    assert said(capsys, "export", str(folder), small) == f"2 cases in {folder}\n"
    assert (folder / "small" / "repeat.json").read_bytes() == b'{"q":2,"q":20}'
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "expectations.jsonl",
        "plain.json",
        "repeat.json",
    ]
    assert said(capsys, "list", str(folder)) == said(capsys, "list", small)
    assert said(capsys, "show", "*", str(folder)) == said(capsys, "show", "*", small)


def test_the_built_in_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = load(None, shapes=("", *SHAPES))
    listed = said(capsys, "list")
    assert listed.endswith(f"\n{len(corpus.cases):,} cases.\n")
    assert len(corpus.cases) >= 700
    assert "every expectation agrees with the reference reader" in said(capsys, "check", "-f", "re*")
    folder = tmp_path / "out"
    said(capsys, "export", str(folder))
    lines = [json.loads(line) for line in (folder / "expectations.jsonl").read_text("ascii").splitlines()]
    assert [line["id"] for line in lines] == [case.id for case in corpus.cases]
    for line in lines:
        data = (folder / line["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (line["length"], line["sha256"])
    assert load([folder]).digest == corpus.digest


def test_check_says_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = fleet.family(tmp_path, fleet.FAMILY.replace("reject: RFC 7493", "accept: RFC 7493"))
    assert main(["corpus", "check", str(wrong)]) == 1
    out, _ = capsys.readouterr()
    assert (
        "small/repeat  i-json/1  accept    reject     RFC 7493 section 2.3: MUST NOT have duplicate names"
        in out
    )
    assert main(["corpus", "check", str(wrong), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["disagreements"]
    assert [(d["case"], d["layer"], d["expected"], d["said"]) for d in found] == [
        ("small/repeat", "i-json/1", "accept", "reject")
    ]
