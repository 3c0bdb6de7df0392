"""docs/ledger.md: its examples are what a run writes, and it leaves no key out."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.docs import tiny
from tests.docs.pages import blocks, commands, read, records
from whichwins.analysis.agreement import disagreements
from whichwins.corpus import load
from whichwins.notation import canonical
from whichwins.run import read_ledger

PAGE = read(tiny.PAGE)
Lines = list[dict[str, Any]]


class Runs:
    """The ledgers that the page shows parts of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledgers = tiny.example(folder), tiny.small(folder), tiny.kept(folder), tiny.odd(folder)
        self.example, self.small, self.kept, self.odd = map(tiny.lines_of, self.ledgers)

    @property
    def every(self) -> Lines:
        return [*self.example, *self.small, *self.kept, *self.odd]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("ledgers"))


def shown() -> Lines:
    return [record for block in blocks(PAGE) if block.language == "json" for record in records(block.text)]


def comparable(record: Mapping[str, Any]) -> str:
    """A record as text, names in their order, without what is another on every machine."""
    copy = json.loads(json.dumps(record))
    for identity in copy["subjects"].values() if record["kind"] == "header" else ():
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", identity.pop("digest"))
        identity["runtime"] = identity["runtime"].partition(" ")[0]
        for name in ("libraries", "details"):
            identity[name] = sorted(identity[name])
    return json.dumps(copy)


def test_every_line_shown_is_written(runs: Runs) -> None:
    written = {
        comparable(record) for record in runs.every if "absent" not in json.dumps(record.get("subjects"))
    }
    written |= {json.dumps(record) for record in runs.every if record["kind"] != "header"}
    found = shown()
    assert len(found) > 20
    assert [record for record in found if comparable(record) not in written] == []


def test_a_changed_line_is_noticed(runs: Runs) -> None:
    (header,) = (record for record in shown() if record["kind"] == "header")
    right = comparable(header)
    header["corpus"]["cases"] += 1
    assert comparable(header) != right
    (wrong,) = records('{"kind":"footer","by_outcome":{},"observations":0}')
    assert comparable(wrong) != comparable({"kind": "footer", "observations": 0, "by_outcome": {}})


def keys(record: Mapping[str, Any]) -> set[str]:
    own = {f"{record['kind']}.{key}" for key in record if key != "kind"}
    identities = record["subjects"].values() if record["kind"] == "header" else ()
    return own | {f"identity.{key}" for identity in identities for key in identity}


def test_every_key_that_a_run_writes_is_explained(runs: Runs) -> None:
    tables = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    explained = {name for cell in tables for name in re.findall(r"`(\w+)`", cell)}
    written = set().union(*map(keys, runs.every))
    known = explained | {"kind", "digest", "text", "observations", "by_outcome"}
    assert {key for key in written if key.partition(".")[2] not in known} == set()


def test_every_key_that_the_writer_knows_is_written_here(runs: Runs) -> None:
    source = (Path(sys.modules["whichwins.run.lines"].__file__ or "")).read_text(encoding="utf-8")
    named = set(re.findall(r'[{,"]"(\w+)":', source)) | set(re.findall(r',"(\w+)":', source))
    assert {"case", "value_digest", "unstable", "twin_of", "signal"} <= named
    written = {key.partition(".")[2] for key in set().union(*map(keys, runs.every))}
    inside = {"kind", "text", "hex", "repeat", "name", "cases", "twins"}
    assert named - written - inside == set()


def test_every_outcome_is_shown() -> None:
    outcomes = {record["outcome"] for record in shown() if record["kind"] == "observation"}
    expected = {"accept", "reject", "fault", "crash", "timeout", "garbled", "unsupported", "absent"}
    assert outcomes == expected


def test_the_ledgers_can_be_read_and_the_family_is_right(runs: Runs) -> None:
    for ledger in runs.ledgers:
        assert read_ledger(ledger).cases
    assert disagreements(load([runs.folder / "tiny.toml"]).cases) == []


def test_what_is_left_out_is_not_there(runs: Runs) -> None:
    assert runs.kept[0]["content"] is False
    assert "content" not in runs.example[0]
    for record in runs.kept[1:]:
        assert not {"text", "hex", "parts"} & set(record)
        value = record.get("value", 'X""')
        assert canonical(value) == value
        assert value.startswith('X"')


def test_the_program_reads_it(runs: Runs) -> None:
    (program,) = (block.text for block in blocks(PAGE) if block.language == "python")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=runs.folder, capture_output=True, text=True, check=True
    )
    said = done.stdout.splitlines()
    assert len(said) == runs.example[-1]["observations"]
    assert 'tiny/repeat python/sqlite3-extract accept {"a":1}' in said
    # The same answers, whichever form.
    again = subprocess.run(
        [sys.executable, "-c", program.replace("tiny.jsonl", "small.jsonl")],
        cwd=runs.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(again.stdout.splitlines()) == sorted(said)


def test_jq_reads_it(runs: Runs) -> None:
    jq = shutil.which("jq")
    if jq is None:
        pytest.skip("no jq here")
    said = [
        subprocess.run([jq, *words], cwd=runs.folder, capture_output=True, text=True, check=True).stdout
        for words in commands(PAGE, "jq")
    ]
    assert said == [
        "tiny/digits\tpython/json-unique\tValueError\n",
        'python/guard\treject\npython/json-unique\treject\npython/sqlite3-extract\t{"a":1}\n',
    ]
