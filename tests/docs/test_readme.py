"""The README's matrix is what its ledger says, and its cases are those of the corpus."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from whichwins.corpus import load
from whichwins.run import read_ledger

ROOT = Path(__file__).resolve().parents[2]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme_matrix", ROOT / "docs" / "readme_matrix.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_matrix_is_fresh() -> None:
    made = maker()
    readme = (ROOT / "README.md").read_text("utf-8")
    section = made.section(read_ledger(made.LEDGER))
    assert made.insert(readme, section) == readme
    assert '`{"quantity":2}`' in section
    assert made.insert(readme, section.replace('{"quantity":2}', '{"quantity":3}')) != readme


def test_its_inputs_are_the_corpus() -> None:
    made = maker()
    corpus = {case.id: case.data for case in load(None).cases}
    view = read_ledger(made.LEDGER)
    assert {name: record.case.data for name, record in view.cases.items()} == {
        name: corpus[name] for name in made.CASES
    }
