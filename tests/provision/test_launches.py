"""How subjects are started: the first way whose runtime is there, or why there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.provision.fakes import NODE, Machine, no_wheel, planted_ruby
from whichwins.model import Adapter, LaunchSpec, Subject
from whichwins.provision import Absent, Runtimes, launch, probe, runtimes, worker_environment
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    return Machine(tmp_path)


def started(key: str, found: Runtimes, memory_mb: int = 512) -> Launch | Absent:
    adapters = load_adapters()
    (subject,) = select(adapters, [key])
    return launch(subject, adapters, found, memory_mb)


def own(folder: Path, *specs: LaunchSpec) -> tuple[Subject, list[Adapter]]:
    subject = Subject("mine/x", "mine", "f", "l", "e", "s", "library", ("E",), install="make x", launch=specs)
    return subject, [Adapter("mine", folder, 1, (subject,))]


def test_python(machine: Machine) -> None:
    found = started("python/json", probe(env=machine.env))
    assert isinstance(found, Launch)
    assert found.argv[0] == sys.executable
    assert Path(found.argv[1]).is_file()
    assert (found.memory_mb, found.memory, len(found.argv)) == (512, "address-space", 2)


def test_node_carries_its_memory_limit(machine: Machine) -> None:
    node = machine.add("node", NODE)
    found = started("node/json", probe(env=machine.env))
    assert isinstance(found, Launch)
    assert found.argv[:2] == (node, "--max-old-space-size=512")
    assert found.memory == "runtime"


def test_ruby_natively_else_as_webassembly_else_absent(machine: Machine) -> None:
    absent = started("ruby/json", probe(env=machine.env))
    assert absent == Absent("no ruby on PATH, CRuby as WebAssembly is not built", "whichwins install ruby")
    node = machine.add("node", NODE)
    home = planted_ruby(machine)
    wasm = started("ruby/json", probe(env=machine.env))
    assert isinstance(wasm, Launch)
    assert wasm.argv[0] == node
    assert wasm.argv[-2:] == (str(home), "512")
    ruby = machine.add("ruby", "printf 3.1.0")
    native = started("ruby/json", probe(env=machine.env))
    assert isinstance(native, Launch)
    assert native.argv[0] == ruby
    forced = started("ruby/json", probe(env={**machine.env, "WHICHWINS_RUBY": "wasm"}))
    assert isinstance(forced, Launch)
    assert forced.argv == wasm.argv


def test_a_program_of_the_adapter_s_folder_or_on_path(machine: Machine, tmp_path: Path) -> None:
    found = probe(env=machine.env)
    folder = tmp_path / "an adapter {node}"
    (folder / "bin").mkdir(parents=True)
    built = folder / "bin" / "worker"
    subject, adapters = own(folder, LaunchSpec(None, ("bin/worker", "{folder}", "{memory-mb}")))
    assert launch(subject, adapters, found) == Absent("no program bin/worker", "make x")
    built.touch()
    assert isinstance(launch(subject, adapters, found), Absent)  # not executable
    built.chmod(0o755)
    launched = launch(subject, adapters, found, 64)
    assert isinstance(launched, Launch)
    assert launched.argv == (str(built), str(folder), "64")
    on_path = machine.add("mine", "")
    subject, adapters = own(folder, LaunchSpec(None, ("mine",)))
    launched = launch(subject, adapters, found)
    assert isinstance(launched, Launch)
    assert launched.argv == (on_path,)


def test_the_first_way_that_works(machine: Machine, tmp_path: Path) -> None:
    specs = (
        LaunchSpec("node", ("{node}",)),
        LaunchSpec(None, ("none",)),
        LaunchSpec("harness", ("{harness}",)),
    )
    subject, adapters = own(tmp_path, *specs)
    launched = launch(subject, adapters, probe(env=machine.env))
    assert isinstance(launched, Launch)
    assert launched.argv == (sys.executable,)


def test_a_worker_s_environment(machine: Machine) -> None:
    env = {
        "PATH": "/p",
        "HOME": "/h",
        "LANG": "C",
        "PYTHONPATH": "/x",
        "PYTHONHASHSEED": "3",
        "GEM_HOME": "/g",
    }
    spoils = {"NODE_OPTIONS": "--inspect", "RUBYOPT": "-W2", "PYTHONINSPECT": "1", "PYTHONVERBOSE": "1"}
    assert worker_environment({**env, **spoils}) == env
    found = started("python/json", probe(env={**machine.env, **spoils}))
    assert isinstance(found, Launch)
    assert found.env is not None
    assert not spoils.keys() & found.env.keys()
    assert found.env["PATH"] == machine.env["PATH"]
