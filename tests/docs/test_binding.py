"""docs/binding.md: its tables are what its ledgers say, and these hold the built-in cases of every binder."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.docs.pages import ROOT, read
from whichwins.corpus import load
from whichwins.run import read_ledger
from whichwins.run.twins import with_twins


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("binding_tables", ROOT / "docs" / "binding_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_fresh() -> None:
    made = maker()
    page, sections = read(made.PAGE), made.sections()
    assert made.insert(page, sections) == page
    for name in sections:
        other = sections | {name: sections[name].replace("pydantic", "pedantic")}
        assert made.insert(page, other) != page, name


@pytest.mark.parametrize("shape", ["order", "order-onto"])
def test_the_ledgers_hold_every_case_and_subject(shape: str) -> None:
    made = maker()
    view = read_ledger(made.LEDGERS[shape])
    cases = with_twins(load(None, shapes=[shape]).cases)
    assert {key: record.case.data for key, record in view.cases.items()} == {c.id: c.data for c in cases}
    assert sorted(view.subjects) == sorted(made.asked(shape))
    assert not any("absent" in view.identity(subject) for subject in view.subjects)


def test_what_the_page_says_of_single_cells() -> None:
    """By hand, from the documentation of the libraries."""
    rows = {line.split("`")[1]: line for line in maker().sections()["names"].splitlines() if "`" in line}
    cells = {key: [cell.strip() for cell in line.strip("|").split("|")][1:] for key, line in rows.items()}
    assert cells["pydantic-json"] == ["bound", "bound", "ignored", "ignored", "alias", "exact"]
    assert cells["pydantic-choices"][4] == "canonical"
    assert cells["pydantic-forbid"][3:] == ["rejected", "reject", "n/a"]
    assert cells["protobuf-ignore"][4] == "last"
    assert cells["jsonschema"] == ["bound", "kept", "kept", "kept", "both", "both"]
    assert all("bound" not in row[2] for row in cells.values())  # nobody ignores case


def test_who_shares_a_row_saw_the_same_number() -> None:
    """`20` and `20.0` are two values in the notation: jsonschema keeps an integer, JavaScript has none."""
    rows = [row for row in maker().sections()["repeats"].splitlines() if '"quantity":20' in row.split("|")[2]]
    shared = {row.split("|")[2].strip(): row.split("|")[3] for row in rows}
    assert list(shared) == [
        '`{"target":"report-A","quantity":20}`',
        '`{"target":"report-A","quantity":20.0}`',
    ]
    assert " jsonschema," in shared['`{"target":"report-A","quantity":20}`']
    assert " zod" in shared['`{"target":"report-A","quantity":20.0}`']
