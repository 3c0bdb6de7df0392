"""Building CRuby as WebAssembly with a pretended npm: whole or not at all, once."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from tests.provision.fakes import MODULE, NODE, NPM, Machine, no_wheel
from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision import build_ruby_wasm, runtimes, steps
from whichwins.provision.cache import find
from whichwins.provision.environment import RUBIES, ruby_adapter, ruby_wasm


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    machine = Machine(tmp_path)
    machine.add("node", NODE)
    machine.add("npm", NPM)
    return machine


def silent(line: str) -> None:
    """Progress nobody listens to."""


def test_it_is_built_once_with_scripts_off(machine: Machine) -> None:
    said: list[str] = []
    home = build_ruby_wasm(said.append, {**machine.env, "NODE_OPTIONS": "--nothing-good"})
    assert machine.left() == [home.name]
    assert find(machine.env, *ruby_wasm())
    first, second = machine.logged()
    assert first.startswith("npm ci --ignore-scripts ")
    assert second == "snapshot"
    assert len(said) == 2
    assert sorted(path.name for path in (home / MODULE).parent.iterdir()) == ["ruby+stdlib.wasm"]
    assert build_ruby_wasm(said.append, machine.env) == home
    assert (len(machine.logged()), len(said)) == (2, 2)


def test_once_built_it_needs_neither_node_nor_npm(machine: Machine) -> None:
    home = build_ruby_wasm(silent, machine.env)
    assert build_ruby_wasm(silent, {**machine.env, "PATH": "/nowhere"}) == home


@pytest.mark.parametrize("damage", ["cut", "changed", "gone", "no record", "bad record"])
def test_a_damaged_one_is_built_again(machine: Machine, damage: str) -> None:
    home = build_ruby_wasm(silent, machine.env)
    module, record = home / MODULE, home / "environment.json"
    if damage == "cut":
        module.write_bytes(module.read_bytes()[:-3])
    elif damage == "changed":
        module.write_bytes(b"X" + module.read_bytes()[1:])
    elif damage == "gone":
        (home / "booted.snapshot").unlink()
    elif damage == "no record":
        record.unlink()
    else:
        record.write_text("[]")
    assert build_ruby_wasm(silent, machine.env) == home
    assert find(machine.env, *ruby_wasm())
    assert machine.left() == [home.name]
    assert machine.logged().count("snapshot") == 2


@pytest.mark.parametrize(
    ("failing", "line"),
    [
        ("NPM_FAILS", r"npm ci failed: npm error network \?\[31mno registry"),
        ("SNAPSHOT_FAILS", r"the snapshot failed: Error: no Ruby in here"),
    ],
)
def test_a_failed_step_is_one_line_and_leaves_nothing(machine: Machine, failing: str, line: str) -> None:
    with pytest.raises(MeasurementFailed, match=f"^{line}$"):
        build_ruby_wasm(silent, {**machine.env, failing: "1"})
    assert machine.left() == []
    assert build_ruby_wasm(silent, machine.env).is_dir()


def test_an_interrupt_leaves_nothing(machine: Machine) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_ruby_wasm(interrupt, machine.env)
    assert machine.left() == []


def test_what_a_killed_builder_left_is_cleared_away(machine: Machine) -> None:
    (machine.cache / ".building-ruby-wasm-0-old" / "node_modules").mkdir(parents=True)
    home = build_ruby_wasm(silent, machine.env)
    assert machine.left() == [home.name]


def test_builders_at_the_same_time_wait_for_one_another(machine: Machine) -> None:
    env = {**machine.env, "NPM_SLEEPS": "0.3"}
    homes: list[Path] = []
    threads = [threading.Thread(target=lambda: homes.append(build_ruby_wasm(silent, env))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(homes) == 4
    assert len(set(homes)) == 1
    assert len(machine.logged()) == 2


def test_without_node_or_npm_the_remedy_is_said(machine: Machine) -> None:
    (machine.bin / "npm").unlink()
    with pytest.raises(MeasurementFailed, match=r"^no npm on PATH nor beside node: pip install"):
        build_ruby_wasm(silent, machine.env)
    (machine.bin / "node").unlink()
    with pytest.raises(MeasurementFailed, match=r"needs Node.js, no node on PATH: pip install"):
        build_ruby_wasm(silent, machine.env)
    assert machine.left() == []


def test_npm_beside_node_is_called_through_node(tmp_path: Path) -> None:
    script = tmp_path / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    script.parent.mkdir(parents=True)
    script.touch()
    node = tmp_path / "bin" / "node"
    assert steps.npm(str(node), {"PATH": "/nowhere"}) == [str(node), str(script)]


def test_a_cache_that_cannot_be_written(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"/file/x: cannot be written \(.+\); set WHICHWINS_CACHE"):
        build_ruby_wasm(silent, {**machine.env, "WHICHWINS_CACHE": str(tmp_path / "file" / "x")})


@pytest.mark.parametrize("version", RUBIES)
def test_the_locks_have_integrity_and_no_addresses(version: str) -> None:
    folder = ruby_adapter() / "wasm" / version
    text = (folder / "package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert {f"node_modules/@ruby/{version}-wasm-wasi", "node_modules/@ruby/wasm-wasi"} <= packages.keys()
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "http" not in text
    assert "resolved" not in text
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    assert wanted == json.loads(text)["packages"][""]["dependencies"]
    assert all(version[0].isdigit() for version in wanted.values())  # pinned, no ranges
