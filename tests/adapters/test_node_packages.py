"""Packages in the Node.js adapter, with packages written here: where they are found, how they load."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.adapters.client import ask, frames, ready, talk
from tests.adapters.started import greeting, outcome, start

KEY = "node/json5"
PARSER = "parse: (text) => JSON.parse(text.toUpperCase()), stringify: () => 'written'"
Package = tuple[dict[str, object], dict[str, str]]
COMMONJS: Package = (
    {"main": "lib/start"},
    {
        "lib/start.js": f"module.exports = {{ ...require('./more'), {PARSER} }}",
        "lib/more.js": "module.exports = { more: 1 }",
    },
)
ESM = f"export const {{ parse, stringify }} = {{ {PARSER} }}"
DEFAULT = f"export default {{ {PARSER} }}"
MODULES: dict[str, Package] = {
    "commonjs": COMMONJS,
    "only import": ({"exports": {".": {"import": "./a.mjs"}}}, {"a.mjs": ESM}),
    "nested conditions": ({"exports": {"types": "./no", "node": {"import": "./a.mjs"}}}, {"a.mjs": ESM}),
    "type module": ({"type": "module", "main": "a.js"}, {"a.js": ESM}),
    "exports a text": ({"type": "module", "exports": "./a.js"}, {"a.js": ESM}),
    "default export": (
        {"exports": {".": {"import": "./a.mjs"}}},
        {"a.mjs": f"export default {{ {PARSER} }}"},
    ),
    "both": (
        {"exports": {".": {"import": "./a.mjs", "require": "./a.cjs"}}},
        {"a.mjs": "throw new Error('the other one')", "a.cjs": f"module.exports = {{ {PARSER} }}"},
    ),
}


def install(folder: Path, manifest: dict[str, object], files: dict[str, str], name: str = "json5") -> Path:
    """Put a package there as npm would."""
    home = folder / "node_modules" / name
    home.mkdir(parents=True)
    (home / "package.json").write_text(json.dumps({"name": name, "version": "9.8.7", **manifest}))
    for path, source in files.items():
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text(source)
    return home


def env_of(folder: Path | str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name != "NODE_PATH"}
    return {**clean, "WHICHWINS_NODE_MODULES": str(folder)}


@pytest.mark.parametrize("kind", MODULES)
def test_both_kinds_of_modules(tmp_path: Path, kind: str) -> None:
    home = install(tmp_path, *MODULES[kind])
    argv, env = start(KEY, "node").argv, env_of(tmp_path)
    said = ready(argv, greeting(KEY), env)
    lines = said.text.splitlines()
    assert (said.verb, lines[2]) == ("ready", "library json5 9.8.7")
    loaded = [line[5:] for line in lines if line.startswith("file ")]
    assert loaded
    assert all(Path(path).is_file() and home.resolve() in Path(path).parents for path in loaded)
    assert len(loaded) == (2 if kind == "commonjs" else 1)
    assert [outcome(one) for one in ask(argv, greeting(KEY), [b'"a"', b"["], env=env)] == [
        '"A"',
        "reject parse SyntaxError",
    ]
    (written,) = ask(argv, greeting(KEY), [b"[]"], "emit", env=env)
    assert written.body == b"written"


def test_without_a_folder_it_is_the_project_of_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, *COMMONJS)
    (tmp_path / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "src" / "deep")
    argv = start(KEY, "node").argv
    env = {**env_of("x"), "WHICHWINS_NODE_MODULES": ""}
    assert "library json5 9.8.7" in ready(argv, greeting(KEY), env).text
    monkeypatch.chdir("/")
    assert ready(argv, greeting(KEY), env).verb == "fault"


def test_a_package_that_is_not_there_is_said(tmp_path: Path) -> None:
    said = ready(start(KEY, "node").argv, greeting(KEY), env_of(tmp_path))
    assert (said.verb, said.text) == ("fault", "PackageNotFound json5 is not installed in this project")


def test_what_it_brings_along_is_part_of_the_identity(tmp_path: Path) -> None:
    source = f"require('@scope/big'); require('hoisted'); module.exports = {{ {PARSER} }}"
    home = install(tmp_path, {"dependencies": {"never-loaded": "1"}}, {"index.js": source})
    install(home, {"version": "1.1.1"}, {"index.js": ""}, "@scope/big")
    install(tmp_path, {"version": "2.2.2"}, {"index.js": ""}, "hoisted")
    lines = ready(start(KEY, "node").argv, greeting(KEY), env_of(tmp_path)).text.splitlines()
    assert {line for line in lines if line.startswith("library ")} == {
        "library json5 9.8.7",
        "library @scope/big 1.1.1",
        "library hoisted 2.2.2",
    }
    assert sum(line.startswith("file ") for line in lines) == 3


def test_what_a_package_prints_while_it_loads_does_not_meet_the_frames(tmp_path: Path) -> None:
    banner = "console.log('ready 0 0'); require('fs').writeSync(1, 'x\\n');"
    install(tmp_path, {}, {"index.js": f"{banner} module.exports = {{ {PARSER} }}"})
    argv = start(KEY, "node").argv
    assert [one.verb for one in frames(talk(argv, greeting(KEY), env_of(tmp_path)))] == ["ready"]


@pytest.mark.parametrize("source", ["module.exports = {", "throw new SyntaxError('no')"])
def test_a_package_that_does_not_load_is_a_fault_and_no_rejection(tmp_path: Path, source: str) -> None:
    install(tmp_path, {}, {"index.js": source})
    said = ready(start(KEY, "node").argv, greeting(KEY), env_of(tmp_path))
    assert (said.verb, said.text.split(" ")[0]) == ("fault", "SyntaxError")
