"""The layers hold: imports run downwards only, typing-only ones included."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "harness" / "whichwins"


def test_imports_run_downwards() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def modules() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(SOURCE)): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")
    }


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_processes_are_touched_in_workers_and_provision_only() -> None:
    touching = {name for name, tree in modules().items() if "subprocess" in imported(tree)}
    assert touching
    assert {name.partition("/")[0] for name in touching} <= {"workers", "provision"}


def test_parsers_under_test_are_never_imported() -> None:
    tested = {"orjson", "ujson", "simplejson", "rapidjson"}
    assert not {name for name, tree in modules().items() if imported(tree) & tested}


def test_nothing_a_worker_sends_is_unpickled() -> None:
    assert not {name for name, tree in modules().items() if imported(tree) & {"marshal", "pickle", "shelve"}}


def test_the_python_adapter_imports_nothing_of_whichwins_but_the_guard() -> None:
    folder = ROOT / "adapters" / "python"
    using = {
        path.name
        for path in folder.rglob("*.py")
        if "whichwins" in imported(ast.parse(path.read_text("utf-8")))
    }
    assert using == {"guard.py"}


def test_modules_can_be_read_in_one_go() -> None:
    long = {
        str(path.relative_to(SOURCE)): count
        for path in SOURCE.rglob("*.py")
        if (count := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert not long
