"""The table of docs/boundaries.md, measured anew: each row is put to what it names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.adapters.frameworks import Said, pinned, provided, put
from tests.adapters.test_frameworks_node import NEWEST
from tests.provision.asked import shared_cache
from whichwins.subjects import load_adapters, select

PAGE = Path(__file__).resolve().parents[2] / "docs" / "boundaries.md"
_ROW = re.compile(r"\| [^|]+ \| `whichwins try -s (\S+)@(\S+) (.+)` \| `(.+)` \| (.+) \|")


class Shown(NamedTuple):
    """A row: who is asked, what, and what it says."""

    key: str
    version: str
    case: bytes
    parse: str
    ended: str


def table(text: str) -> list[Shown]:
    inside = text.split("<!-- boundaries:")[1].split("<!-- end -->")[0]
    lines = [line for line in inside.splitlines() if line.startswith("| ")][2:]
    found = []
    for line in lines:
        row = _ROW.fullmatch(line)
        assert row, f"not a row that can be put: {line}"
        *option, case = shlex.split(row[3])
        data = bytes.fromhex(case) if option == ["--hex"] else case.encode()
        found.append(Shown(row[1], row[2], data, row[4], row[5]))
    return found


ROWS = table(PAGE.read_text("utf-8"))


def differs(row: Shown, said: Said) -> bool:
    """Whether something else was measured; what is accepted ran once with the value, what is not never."""
    ran = () if row.parse.startswith(("reject ", "fault ")) else (row.parse,)
    return (said.parse, said.ended, said.passage.executions) != (row.parse, row.ended, ran)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@pytest.mark.parametrize("key", sorted({row.key for row in ROWS}))
def test_the_table_is_what_is_measured(place: Path, key: str) -> None:
    rows = [row for row in ROWS if row.key == key]
    (found,) = provided(place, f"{key}@{rows[0].version}")
    said = put(found, key, *(row.case for row in rows))
    assert [row for row, each in zip(rows, said, strict=True) if differs(row, each)] == []
    changed = rows[0]._replace(parse="[]")  # the check can fail
    assert differs(changed, said[0])


def test_the_versions_are_those_that_are_tested() -> None:
    for row in ROWS:
        (subject,) = select(load_adapters(), [row.key])
        package = subject.packages[0]
        assert row.version == (NEWEST[package] if row.key.startswith("node") else pinned(package))


def test_most_subjects_are_shown() -> None:
    every = {each.key for adapter in load_adapters() if adapter.boundaries for each in adapter.subjects}
    assert len({row.key for row in ROWS}) >= 20
    assert {row.key for row in ROWS} <= every
