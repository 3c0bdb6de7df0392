"""Versions of Node.js, of npm packages and of Ruby, really fetched, into one cache for the session."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.adapters.client import ask, ready
from tests.adapters.started import greeting, outcome
from tests.provision.asked import launched, really, shared_cache
from whichwins.workers import Launch

RUBY_ROWS = [  # by the json gem's change log: 2.10 reads escapes strictly, a comment may end the text
    (b'{"a":1,"a":2}', '{"a":2}', '{"a":2}'),
    (b'"\\x41"', '"x41"', "reject parse JSON::ParserError"),
    (b'"\\ud83d\\ude00"', '"\\ud83d\\ude00"', '"\\ud83d\\ude00"'),
    (b"[1]//", "reject parse JSON::ParserError", "[1]"),
    (b'"\xff"', 'b"ff"', 'b"ff"'),
    (b"[1,]", "reject parse JSON::ParserError", "reject parse JSON::ParserError"),
]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


def identity(found: Launch, key: str) -> list[str]:
    said = ready(found.argv, greeting(key), found.env)
    assert said.verb == "ready", said.text
    return said.text.splitlines()


def test_node(cache: Path) -> None:
    (found,) = really(cache, "node/json@24")
    lines = identity(found, "node/json")
    assert lines[1].startswith("runtime Node.js 24.")
    answers = ask(found.argv, greeting("node/json"), [b'{"a":1,"a":2}', b"{"], env=found.env)
    assert [outcome(one) for one in answers] == ['{"a":2.0}', "reject parse SyntaxError"]
    offline = {**os.environ, "WHICHWINS_CACHE": str(cache), "PATH": "/nowhere", "UV_OFFLINE": "1"}
    assert launched(offline, "node/json@24")[0].argv == found.argv


@pytest.mark.parametrize(("version", "ruby", "gem"), [("3.2", "3.2.4", "2.6.3"), ("3.4", "3.4.1", "2.9.1")])
def test_an_older_ruby(cache: Path, version: str, ruby: str, gem: str) -> None:
    plain, unique = really(cache, f"ruby/json@wasm-{version}", f"ruby/json-unique@wasm-{version}")
    lines = identity(plain, "ruby/json")
    assert lines[1:3] == [f"runtime CRuby {ruby} (wasm32-wasi)", f"library json {gem}"]
    assert f"/@ruby/{version}-wasm-wasi/" in next(line for line in lines if line.startswith("file "))
    answers = ask(plain.argv, greeting("ruby/json"), [row[0] for row in RUBY_ROWS], env=plain.env)
    assert [outcome(one) for one in answers] == [old for _, old, _ in RUBY_ROWS]
    # It ignores the option, which is what the canary of this subject tells.
    (said,) = ask(unique.argv, greeting("ruby/json-unique"), [b'{"a":1,"a":2}'], env=unique.env)
    assert outcome(said) == '{"a":2}'


def test_the_newest_ruby(cache: Path) -> None:
    (plain,) = really(cache, "ruby/json@wasm-4.0")
    assert identity(plain, "ruby/json")[2] == "library json 2.18.0"
    answers = ask(plain.argv, greeting("ruby/json"), [row[0] for row in RUBY_ROWS], env=plain.env)
    assert [outcome(one) for one in answers] == [new for _, _, new in RUBY_ROWS]


def hostile(folder: Path, mark: Path) -> Path:
    """A json5 whose every script of its installation leaves a mark."""
    source = folder / "json5"
    source.mkdir()
    names = ("preinstall", "install", "postinstall", "prepare", "prepack", "postpack", "preprepare")
    script = f"node -e \"require('fs').appendFileSync('{mark}', process.env.npm_lifecycle_event)\""
    manifest = {"name": "json5", "version": "9.9.9", "scripts": dict.fromkeys(names, script)}
    (source / "package.json").write_text(json.dumps(manifest))
    (source / "index.js").write_text("module.exports = { parse: () => 'evil', stringify: JSON.stringify }")
    return source


def test_no_script_of_a_package_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the configuration of a project say where packages come from."""
    mark = tmp_path / "mark"
    source = hostile(tmp_path, mark)
    env = {**os.environ, "WHICHWINS_CACHE": str(tmp_path / "cache")}
    env |= {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_ignore_scripts": "false"}
    subprocess.run(["npm", "pack", "--ignore-scripts"], cwd=source, env=env, capture_output=True, check=True)
    monkeypatch.chdir(source)
    (source / ".npmrc").write_text("ignore-scripts=false\n")
    for request in ("./json5-9.9.9.tgz", "../json5"):
        (found,) = launched(env, f"node/json5@{request}", allow_build=True)
        assert "library json5 9.9.9" in identity(found, "node/json5")
    assert not mark.exists()
    # The mark would be seen: npm runs the scripts where it is let.
    subprocess.run(["npm", "install", "--offline"], cwd=source, env=env, capture_output=True, check=True)
    assert "postinstall" in mark.read_text()
