from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from whichwins.corpus import corpus_of, load, write_export
from whichwins.model import BadInput, Case, Source

CASE = Case(
    "fam/a%20b",
    "fam",
    b"\xff\r\n",
    "why \u2028",
    Source(hex="ff0d0a"),
    {"rfc8259/1": "reject", "i-json/1": "reject"},
    {"rfc8259/1": "RFC 8259 section 8.1: UTF-8"},
    ("r",),
    {"content-type": "x"},
    "order",
    "fam/c",
)


def test_files_and_expectations(tmp_path: Path) -> None:
    out = tmp_path / "out"
    plain = Case("a/b/c", "a/b", b"1", "w", Source(text="1"))
    assert write_export([CASE, plain], out) == 2
    assert (out / "fam" / "a%20b.json").read_bytes() == b"\xff\r\n"
    lines = (out / "expectations.jsonl").read_bytes().split(b"\n")
    assert json.loads(lines[0]) == {
        "id": "a/b/c",
        "file": "a/b/c.json",
        "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
        "length": 1,
        "why": "w",
        "expect": {},
    }
    assert json.loads(lines[1])["expect"]["rfc8259/1"] == "reject: RFC 8259 section 8.1: UTF-8"
    assert lines[2:] == [b""]


def test_an_export_comes_back_as_it_was(tmp_path: Path) -> None:
    write_export([CASE], tmp_path / "out")
    back = load([tmp_path / "out"])
    assert back.digest == corpus_of("x", [CASE]).digest
    assert back.cases == (CASE,)
    (tmp_path / "out" / "fam" / "a%20b.json").write_bytes(b"\xff\n")
    with pytest.raises(BadInput, match="other bytes than were exported"):
        load([tmp_path / "out"])


@pytest.mark.parametrize(
    "bad", ["/etc/x", "../x", "a/" + "x" * 241, "a/../../x", "a/..", "x", "a//b", "a/b\\c", "a/é", "", "a/."]
)
def test_ids_never_lead_out(tmp_path: Path, bad: str) -> None:
    with pytest.raises(BadInput):
        write_export([CASE, replace(CASE, id=bad)], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_hostile_index_never_leads_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_export([CASE], out)
    index = out / "expectations.jsonl"
    index.write_bytes(index.read_bytes().replace(b'"fam/a%20b"', b'"../a"'))
    with pytest.raises(BadInput, match="line 1"):
        load([out])
    write_export([CASE], tmp_path / "two")
    (tmp_path / "secret").write_bytes(CASE.data)
    (tmp_path / "two" / "fam" / "a%20b.json").unlink()
    (tmp_path / "two" / "fam" / "a%20b.json").symlink_to(tmp_path / "secret")
    with pytest.raises(BadInput, match="leaves the folder"):
        load([tmp_path / "two"])


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"1")
    with pytest.raises(BadInput, match="not empty"):
        write_export([CASE], tmp_path)
    with pytest.raises(BadInput, match="not empty"):
        write_export([CASE], tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_ids_that_file_names_cannot_tell_apart(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="differs from fam/A%20b in case only"):
        write_export([CASE, replace(CASE, id="fam/A%20b")], tmp_path / "out")
