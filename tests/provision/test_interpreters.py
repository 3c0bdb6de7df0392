"""The interpreters of a machine: counted once they have run, remembered, newest first."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.provision.pythons import Pythons
from whichwins.model import BadInput
from whichwins.provision import interpreters, memory, probe
from whichwins.provision.interpreters import one_of_each_kind


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pythons:
    return Pythons(tmp_path, monkeypatch)


def found(machine: Pythons, python: str | None = None, **env: str) -> list[str]:
    return [one.shown for one in interpreters.interpreters(probe(python, {**machine.env, **env}))]


def test_newest_first_and_what_is_not_final_last(machine: Pythons) -> None:
    machine.add("3.14.0rc1", final=False)
    machine.add("3.13.1", name="python3.13t", threaded=True)
    machine.add("3.9.18")
    assert found(machine) == ["3.13.0", "3.12.1", "3.10.13", "3.9.18", "3.14.0rc1", "3.13.1t"]


def test_what_is_no_cpython_or_too_old_does_not_count(machine: Pythons) -> None:
    machine.add("3.11.1", name="python3.11").write_text("#!/bin/sh\necho not a document\n")
    machine.add("3.9.1", name="PyPy")  # is not looked at
    machine.add("3.9.1", name="python3.9")
    machine.add("3.7.16")
    path = machine.bin / "python3.9"
    path.write_text(path.read_text().replace("CPython", "PyPy"))
    machine.script(machine.bin / "python3.6", "exec sleep 0; exit 1")
    (machine.bin / "python3.5").write_text("cannot be executed")
    (machine.bin / "python3.4").mkdir()
    (machine.bin / "python3.3").symlink_to("nothing")
    assert found(machine) == ["3.13.0", "3.12.1", "3.10.13"]


def test_a_version_manager_s_script_that_fails_is_not_trusted(machine: Pythons) -> None:
    shim = 'echo "${0##*/}" >> "$RUNS"; echo "pyenv: command not found" >&2; exit 127'
    machine.script(machine.bin / "python3.14", shim)
    machine.script(machine.bin / "python3", shim)
    real = machine.folder / "home" / ".pyenv" / "versions" / "3.11.7" / "bin"
    machine.add("3.11.7", real)
    assert found(machine) == ["3.13.0", "3.12.1", "3.11.7", "3.10.13"]
    assert {"python3.14", "python3"} <= set(machine.runs())
    found(machine)
    assert machine.runs() == []  # for a day
    facts = memory.recall(machine.env, "interpreters")
    yesterday = {name: {**fact, "asked": fact["asked"] - 90_000} for name, fact in facts.items()}
    memory.remember(machine.env, "interpreters", yesterday)
    found(machine)
    assert sorted(machine.runs()) == ["python3", "python3.14"]


@pytest.mark.parametrize(
    ("root", "inside"),
    [
        (".pyenv", "versions/3.11.7/bin"),
        (".asdf", "installs/python/3.11.7/bin"),
        (".local/share/mise", "installs/python/3.11.7/bin"),
    ],
)
def test_behind_a_version_manager_s_scripts_the_interpreters_are_asked(
    machine: Pythons, monkeypatch: pytest.MonkeyPatch, root: str, inside: str
) -> None:
    """The scripts take long, and act by where they are called."""
    manager = machine.folder / "home" / root
    machine.add("3.11.7", manager / inside)
    shims = manager / "shims"
    shims.mkdir()
    machine.script(shims / "python3.11", 'echo "a script" >> "$RUNS"; exec sleep 60')
    monkeypatch.setattr(interpreters, "_on_path", lambda env: [shims, machine.bin])
    assert found(machine) == ["3.13.0", "3.12.1", "3.11.7", "3.10.13"]
    assert "a script" not in machine.runs()


def test_each_is_run_once_until_it_changes(machine: Pythons) -> None:
    found(machine)
    assert sorted(machine.runs()) == ["python3.10", "python3.12", "python3.13"]
    found(machine)
    assert machine.runs() == []
    machine.add("3.13.2")
    assert found(machine)[0] == "3.13.2"
    assert machine.runs() == ["python3.13"]
    (machine.bin / "python3.13").unlink()
    assert found(machine) == ["3.12.1", "3.10.13"]


def test_without_a_cache_they_are_run_each_time(machine: Pythons) -> None:
    for _ in range(2):
        assert len(found(machine, WHICHWINS_CACHE="/dev/null/x")) == 3
        assert len(machine.runs()) == 3


def test_damaged_memory_is_no_memory(machine: Pythons) -> None:
    found(machine)
    kept = memory.recall(machine.env, "interpreters")
    for damage in (dict.fromkeys(kept, 1), {name: {**fact, "state": 3} for name, fact in kept.items()}):
        memory.remember(machine.env, "interpreters", damage)
        assert len(found(machine)) == 3
    right = {"name": "CPython", "release": "3", "final": True, "threaded": False}
    answers: list[object] = [
        *([], {}, {"name": "CPython", "version": "x"}),
        {**right, "version": [float("inf"), 1, 1], "path": "/bin/sh"},
        {**right, "version": [3, 12, 1], "path": "/bin/\0sh"},
    ]
    for answer in answers:
        memory.remember(
            machine.env, "interpreters", {name: {**fact, "answer": answer} for name, fact in kept.items()}
        )
        assert found(machine) == []


def test_links_to_one_are_one(machine: Pythons) -> None:
    (machine.bin / "python3").symlink_to("python3.13")
    other = machine.folder / "home" / ".local" / "bin"
    other.mkdir(parents=True)
    (other / "python3.13").symlink_to(machine.bin / "python3.13")
    assert found(machine) == ["3.13.0", "3.12.1", "3.10.13"]


def test_a_manager_s_program_that_goes_by_the_link_s_name(machine: Pythons) -> None:
    manager = machine.script(machine.folder / "manager", 'exec "$REAL/${0##*/}"')
    shims = machine.folder / "shims"
    shims.mkdir()
    for name in ("python3.8", "python3.9"):
        (shims / name).symlink_to(manager)
        machine.add(f"{name.removeprefix('python')}.0", machine.folder / "real")
    assert found(machine, WHICHWINS_PYTHONS=str(shims), REAL=str(machine.folder / "real"))[-2:] == [
        "3.9.0",
        "3.8.0",
    ]


def test_the_usual_places(machine: Pythons, monkeypatch: pytest.MonkeyPatch) -> None:
    home = machine.folder / "home"
    machine.add("3.8.1", home / ".pyenv" / "versions" / "3.8.1" / "bin")
    machine.add("3.9.2", home / ".local" / "share" / "uv" / "python" / "cpython-3.9.2-x" / "bin")
    machine.add("3.11.3", machine.folder / "tools" / "Python" / "3.11.3" / "x64" / "bin")
    machine.add("3.14.4", machine.folder / "elsewhere")
    monkeypatch.setattr(interpreters, "PLACES", (str(machine.folder / "elsewhere"), "/nonexistent"))
    there = found(machine, RUNNER_TOOL_CACHE=str(machine.folder / "tools"))
    assert there == ["3.14.4", "3.13.0", "3.12.1", "3.11.3", "3.10.13", "3.9.2", "3.8.1"]


def test_named_ones_work_or_are_refused(machine: Pythons) -> None:
    program = machine.add("3.11.1", machine.folder / "a place", name="my-python")
    tree = machine.add("3.9.1", machine.folder / "tree" / "bin").parent.parent
    named = os.pathsep.join(["", str(program), str(tree)])
    assert found(machine, WHICHWINS_PYTHONS=named) == ["3.13.0", "3.12.1", "3.11.1", "3.10.13", "3.9.1"]
    broken = machine.script(machine.folder / "broken", "exit 3")
    for wrong in (str(broken), "/no/python"):
        with pytest.raises(
            BadInput, match=rf"^WHICHWINS_PYTHONS: {wrong} is no CPython of version 3.8 or newer"
        ):
            found(machine, WHICHWINS_PYTHONS=wrong)
    (machine.folder / "home").mkdir()
    with pytest.raises(BadInput, match=r"^WHICHWINS_PYTHONS: .*/home has no python3 in it"):
        found(machine, WHICHWINS_PYTHONS=str(machine.folder / "home"))


def test_the_one_of_python_alone(machine: Pythons) -> None:
    assert found(machine, sys.executable) == [".".join(map(str, sys.version_info[:3]))]


def test_a_virtual_environment_is_its_base_but_for_python(
    machine: Pythons, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import venv

    for copies in (False, True):
        place = tmp_path / f"environment {copies}"
        venv.EnvBuilder(symlinks=not copies, with_pip=False).create(place)
        python = str(place / "bin" / "python")
        monkeypatch.setattr(interpreters, "running", lambda path=python: path)
        paths = [one.path for one in interpreters.interpreters(probe(env=machine.env))]
        assert not [path for path in paths if str(tmp_path / "environment") in path]
        assert os.path.realpath(sys.executable) in [os.path.realpath(path) for path in paths]
        (own,) = interpreters.interpreters(probe(python, machine.env))
        assert own.path == python


def test_one_of_each_kind_is_the_newest_of_a_minor_version(machine: Pythons) -> None:
    machine.add("3.13.2", machine.folder / "home" / ".local" / "bin")
    machine.add("3.13.1", name="python3.13t", threaded=True)
    every = interpreters.interpreters(probe(env=machine.env))
    assert [one.shown for one in every] == ["3.13.2", "3.13.0", "3.12.1", "3.10.13", "3.13.1t"]
    assert [one.shown for one in one_of_each_kind(every)] == ["3.13.2", "3.12.1", "3.10.13", "3.13.1t"]


def test_the_question_is_answered_by_a_real_one() -> None:
    answer = interpreters._ask(os.environ, sys.executable)
    assert answer is not None
    assert answer["version"] == list(sys.version_info[:3])
    assert json.dumps(answer).isascii()
