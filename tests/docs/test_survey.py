"""docs/survey.md and its page are what the survey's ledger says, and it holds every case and subject."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.built import python_rows, python_tables
from tests.docs.pages import ROOT, read
from whichwins.analysis import compare
from whichwins.analysis.result import Comparison
from whichwins.cli import main
from whichwins.corpus import load
from whichwins.model import Outcome
from whichwins.run import LedgerView, read_ledger
from whichwins.run.twins import with_twins

FOLDER = ROOT / "reports" / "survey"


@pytest.fixture(scope="module")
def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("survey_tables", ROOT / "docs" / "survey_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def view(made: ModuleType) -> LedgerView:
    ledger: LedgerView = read_ledger(made.LEDGER)
    return ledger


@pytest.fixture(scope="module")
def found(view: LedgerView) -> Comparison:
    return compare(view, "value/1")


def test_the_tables_are_fresh(made: ModuleType, view: LedgerView, found: Comparison) -> None:
    page, sections = read(made.PAGE), made.sections(view, found)
    assert made.insert(page, sections) == page
    for name, text in sections.items():
        assert made.insert(page, sections | {name: text[:-1]}) != page, name


def test_it_holds_every_case_and_subject(made: ModuleType, view: LedgerView) -> None:
    cases = with_twins(load(None).cases)
    assert {key: record.case.data for key, record in view.cases.items()} == {c.id: c.data for c in cases}
    assert sorted(view.subjects) == sorted(made.asked())
    assert not any("absent" in view.identity(subject) for subject in view.subjects)


def test_it_asks_the_versions_whose_values_are_worked_out_by_hand(made: ModuleType) -> None:
    tested = python_rows.PINNED | python_tables.PINNED
    left_out = {key.partition("/")[2] for key in made.LEFT_OUT}
    assert {name: made.VERSIONS.get(name) for name in tested if name not in left_out} == {
        name: version for name, version in tested.items() if name not in left_out
    }


def test_it_is_as_broad_as_it_says(made: ModuleType, found: Comparison) -> None:
    keys = [line.key for line in found.subjects if line.live]
    said = f"{len(keys)} subjects, {made.families(keys)} independent parsers"
    assert said in read(ROOT / "README.md").replace("\n", " ")
    assert len(keys) >= 90
    assert len({key.partition("/")[0] for key in keys}) >= 10
    usual = {
        key: made.usual(cell.counts)
        for key, cell in zip(found.winners.subjects, found.winners.totals, strict=True)
    }
    assert made.families([key for key, winner in usual.items() if winner == "first"]) >= 8
    # By hand, from the documentation of the libraries.
    first = ("c/rapidjson-get", "c/simdjson-get", "go/gjson-get", "go/jsonparser", "rust/sonic-get")
    assert {usual[key] for key in first} == {"first"}
    last = ("php/json-objects", "ruby/json", "python/json", "go/json", "java/jackson-tree", "node/json")
    assert {usual[key] for key in last} == {"last"}
    rejects = ("go/json-v2", "java/org-json-object", "perl/cpanel", "java/jackson-duplicates", "java/moshi")
    assert {usual[key] for key in rejects} == {"reject"}


def test_the_page_is_drawn_from_the_ledger(tmp_path: Path) -> None:
    assert main(["report", str(FOLDER / "ledger.jsonl"), "-o", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").read_bytes() == (FOLDER / "report.html").read_bytes()


def test_what_the_page_says_of_gson_and_moshi(view: LedgerView) -> None:
    """Seen with the libraries alone: `new Gson().fromJson(text, Map.class)` of 2.15.0, Moshi 1.15.2."""
    places = {key.partition("@")[0]: place for place, key in enumerate(view.subjects)}
    gson, moshi = places["java/gson-map"], places["java/moshi"]
    top, nested = (view.observations[f"repeated-{case}"] for case in ("types/null-zero", "nested/depth-2"))
    assert (top[gson].outcome, top[moshi].value) == (Outcome.REJECT, '{"limit":0.0}')
    assert (nested[gson].value, nested[moshi].outcome) == ('{"order":{"quantity":20.0}}', Outcome.REJECT)
