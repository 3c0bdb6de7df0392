"""Versions of Python libraries and of Python, with a pretended uv and pretended interpreters."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.provision.pythons import INDEX, Pythons
from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision import (
    Absent,
    Runtimes,
    Sources,
    interpreters,
    list_environments,
    memory,
    probe,
    python_packages,
)
from whichwins.provision import uv as uv_module
from whichwins.provision.uv import Answer, Uv

NETWORK = (
    "error: Request failed after 3 retries in 7.9s\n  cause: Failed to fetch: http://user:secret@h/simple/orjson/\n"
    "  cause: Connection refused (os error 111)"
)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pythons:
    return Pythons(tmp_path, monkeypatch)


def no_uv() -> str:
    pytest.fail("uv is looked for")


def test_the_newest_interpreter_that_a_wheel_fits(machine: Pythons) -> None:
    asked = ("python/orjson@3.13.0", "python/orjson@3.9.15", "python/ujson@5.2.0")
    assert machine.bases(*asked) == ["python3.13", "python3.12", "python3.10"]
    assert machine.said == [
        "installing orjson@3.13.0 for Python 3.13.0",
        "installing orjson@3.9.15 for Python 3.12.1 (it fits no 3.13.0)",
        "installing ujson@5.2.0 for Python 3.10.13 (it fits no 3.13.0, 3.12.1)",
    ]
    assert machine.left() == ["python-orjson-3.13.0", "python-orjson-3.9.15", "python-ujson-5.2.0"]
    held = [dict(each.holds) for each in list_environments(machine.env)]
    assert held[1] == {
        "request": "orjson@3.9.15",
        "toolchain": "CPython 3.12.1",
        "packages": "orjson 3.9.15",
        "python": str(machine.bin / "python3.12"),
    }


def test_the_second_time_nothing_is_run(machine: Pythons, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("python/orjson@3.13.0", "python/ujson@5.2.0", "python/ujson@<6", "python/json@3.12")
    first = machine.bases(*asked)
    machine.calls()
    machine.runs()
    monkeypatch.setattr(python_packages, "find_uv", no_uv)
    monkeypatch.setattr("tempfile.mkdtemp", lambda *_, **__: pytest.fail("a folder is made"))
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process is started"))
    assert machine.bases(*asked) == first
    assert (machine.calls(), machine.runs()) == ([], [])


def test_the_one_that_runs_whichwins_comes_before_newer_ones_that_fit_as_well(machine: Pythons) -> None:
    machine.running = str(machine.bin / "python3.12")
    asked = ("python/orjson@3.13.0", "python/simplejson@4.3.0", "python/ujson@5.2.0")
    assert machine.bases(*asked) == ["python3.12", "python3.13", "python3.10"]
    assert machine.said[1:] == [
        "installing simplejson@4.3.0 for Python 3.13.0 (it fits no 3.12.1)",
        "installing ujson@5.2.0 for Python 3.10.13 (it fits no 3.12.1, 3.13.0)",
    ]
    assert machine.bases("python/json@3") == ["python3.13"]  # what is asked for here is a Python
    machine.running = str(machine.bin / "python3.10")
    assert machine.bases("python/orjson@3.13.0", "python/ujson@6.1.0") == ["python3.13", "python3.10"]
    assert machine.bases("python/orjson@3.9.15", "python/ujson@<6", together=True) == ["python3.10"] * 2


def test_what_fails_on_one_interpreter_is_said_before_another_is_taken(
    machine: Pythons, monkeypatch: pytest.MonkeyPatch
) -> None:

    def failing(uv: Uv, pins: Sequence[str], python: str, *args: Any, **more: Any) -> Answer:
        if python.endswith("3.13"):
            return Answer(refusal="failed", said="it broke")
        return uv_module.fill(uv, pins, python, *args, **more)

    monkeypatch.setattr(python_packages, "fill", failing)
    assert machine.bases("python/orjson@3.13.0") == ["python3.12"]
    assert machine.said[1] == "not for Python 3.13.0: it broke"


@pytest.mark.parametrize(
    "words", ["No space left on device (os error 28)", "Disk quota exceeded (os error 122)"]
)
def test_a_full_disk_ends_it_and_says_what_to_do(machine: Pythons, words: str) -> None:
    machine.know(says=f"error: Failed to extract archive\n  cause: {words}", status=2)
    assert machine.bases("python/orjson@3.13.0") == [
        "orjson@3.13.0 cannot be installed: no space left on a disk: make room where WHICHWINS_CACHE, "
        "UV_CACHE_DIR and TMPDIR are: "
    ]
    assert len(machine.calls()) == 1  # no older interpreter for that


def test_an_interpreter_that_is_late_once_is_asked_again(
    machine: Pythons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "_PROBE_SECONDS", 0.5)
    late = machine.bin / "python3.13"
    text = late.read_text()
    mark = machine.folder / "mark"
    late.write_text(text.replace("#!/bin/sh\n", f'#!/bin/sh\n[ -e "{mark}" ] || exec sleep 5\n'))
    state = late.stat()
    assert machine.bases("python/json@3") == ["python3.12"]
    mark.touch()
    assert late.stat().st_mtime_ns == state.st_mtime_ns
    assert machine.bases("python/json@3") == ["python3.13"]


def test_a_remedy_is_one_that_helps(machine: Pythons) -> None:
    """With --python no other interpreter is looked at, whatever WHICHWINS_PYTHONS says."""
    own = machine.add("3.10.2", machine.folder / "mine")
    own.write_text(
        own.read_text().replace("echo python3.10 >>", '[ "$1" = -I ] || { echo 3.10; exit; }\necho x >>')
    )
    lines = [
        machine.base(found)
        for key in ("python/orjson@3.4.2", "python/json@3.12")
        for found in machine.provide(key, python=str(own)).values()
    ]
    assert all("--python PATH names another" in line for line in lines), lines
    assert not any("WHICHWINS_PYTHONS" in line for line in lines)


@pytest.mark.parametrize("index", ["nowhere", "pypi.org/simple", "-x", " "])
def test_an_index_is_an_address_or_a_folder(machine: Pythons, index: str) -> None:
    with pytest.raises(BadInput, match=r"^--index .*: is neither an address \(https://...\) nor a folder;"):
        machine.bases("python/orjson@3.13.0", sources=Sources(index))
    assert machine.calls() == []


def test_a_folder_as_index_is_not_relative_to_where_uv_is_called(
    machine: Pythons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(machine.folder)
    (machine.folder / "an index").mkdir()
    machine.bases("python/orjson@3.13.0", sources=Sources("an index"))
    assert json.loads(Path(machine.world["environment"]).read_text())["UV_DEFAULT_INDEX"] == str(
        machine.folder / "an index"
    )


def test_a_specifier_takes_the_newest_version_that_fits(machine: Pythons) -> None:
    assert machine.bases("python/ujson@<6", "python/ujson@<5.5") == ["python3.12", "python3.10"]
    assert {each.holds["packages"] for each in list_environments(machine.env)} == {
        "ujson 5.7.0",
        "ujson 5.2.0",
    }


def test_together_on_the_newest_that_all_fit(machine: Pythons, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("python/orjson@3.9.15", "python/orjson@3.13.0")
    assert machine.bases(*asked, together=True) == ["python3.12", "python3.12"]
    monkeypatch.setattr(python_packages, "find_uv", no_uv)
    assert machine.bases(*asked, together=True) == ["python3.12", "python3.12"]


def test_each_on_its_own_where_none_fits_all(machine: Pythons) -> None:
    asked = ("python/ujson@5.2.0", "python/orjson@3.13.0", "python/orjson@3.4.2")
    bases = machine.bases(*asked, together=True)
    assert bases[:2] == ["python3.10", "python3.13"]
    assert bases[2].startswith("no wheel of orjson@3.4.2 fits")


def test_subjects_of_one_package_share_an_environment(machine: Pythons) -> None:
    given = machine.provide("python/simplejson@4.3.0", "python/simplejson-pure@4.3.0", together=True)
    pythons = {found.get("python") for found in given.values() if isinstance(found, Runtimes)}
    assert len(pythons) == len(machine.left()) == 1


def test_without_a_version_the_runtimes_are_as_they_are(machine: Pythons) -> None:
    given = machine.provide("python/json", "python/json@3.10", PYTHONPATH="/x", PYTHONHOME="/y", KEPT="1")
    plain, versioned = given["python/json"], given["python/json@3.10"]
    assert isinstance(plain, Runtimes)
    assert isinstance(versioned, Runtimes)
    assert plain.env["PYTHONPATH"] == "/x"
    assert versioned.env["KEPT"] == "1"
    assert not {"PYTHONPATH", "PYTHONHOME"} & set(versioned.env)
    assert machine.left() == []


def test_what_does_not_exist_is_refused_with_what_does(machine: Pythons) -> None:
    for asked, line in (
        ("python/orjson@3.10.0", "there is no orjson 3.10.0; near it is 3.9.15, the newest is 3.13.0"),
        ("python/ujson@5.5.0", "there is no ujson 5.5.0; near it are 5.2.0 and 5.7.0, the newest is 6.1.0"),
        ("python/ujson@7.0", "there is no ujson 7.0; the newest is 6.1.0"),
        ("python/ujson@<5", "there is no ujson <5; the oldest is 5.2.0, the newest 6.1.0"),
        ("python/rapidjson@1", "the index has no package python-rapidjson"),
    ):
        with pytest.raises(BadInput) as raised:
            machine.bases(asked)
        assert str(raised.value) == f"{asked}: {line}"
    assert machine.left() == []


def test_what_fits_no_interpreter_is_absent_and_says_what_would_help(machine: Pythons) -> None:
    line = (
        "no wheel of orjson@3.4.2 fits the interpreters found (3.13.0, 3.12.1, 3.10.13): "
        "--allow-build builds from source, WHICHWINS_PYTHONS=PATH names another interpreter"
    )
    assert machine.bases("python/orjson@3.4.2") == [line]
    assert len(machine.calls()) == 3
    assert machine.bases("python/orjson@3.4.2") == [line]
    assert machine.calls() == []  # remembered
    facts = dict.fromkeys(memory.recall(machine.env, "unfit"), 0.0)
    memory.remember(machine.env, "unfit", facts)
    assert machine.bases("python/orjson@3.4.2") == [line]
    assert len(machine.calls()) == 3  # but not for good
    assert machine.left() == []


def test_what_may_change_is_not_remembered(machine: Pythons) -> None:
    machine.know(index={**INDEX, "ujson": {"5.2.0": []}})
    assert machine.bases("python/ujson@<6")[0].startswith("no wheel of ujson@<6 fits")
    assert machine.bases("python/ujson@5.2.0", UV_FIND_LINKS="/wheels")[0].startswith(
        "no wheel of ujson@5.2.0"
    )
    machine.know(index=INDEX)
    assert machine.bases("python/ujson@<6") == ["python3.12"]
    assert machine.bases("python/ujson@5.2.0", UV_FIND_LINKS="/wheels") == ["python3.10"]


def test_without_network_it_is_absent_and_nothing_is_concluded(machine: Pythons) -> None:
    machine.know(says=NETWORK, status=2)
    (line,) = machine.bases("python/orjson@3.13.0")
    assert line == (
        "orjson@3.13.0 is not in the cache and the index cannot be asked "
        "(http://h/simple/orjson/: Connection refused (os error 111)): try again online"
    )
    assert len(machine.calls()) == 2  # once more without network, and no other interpreter
    machine.know(says=None)
    assert machine.bases("python/orjson@3.13.0") == ["python3.13"]


def test_without_network_what_was_built_is_used_though_a_newer_interpreter_came(machine: Pythons) -> None:
    asked = ("python/orjson@3.9.15", "python/ujson@<6")
    assert machine.bases(*asked) == ["python3.12", "python3.12"]
    machine.add("3.14.0")
    machine.know(says=NETWORK, status=2)
    assert machine.bases(*asked) == ["python3.12", "python3.12"]
    assert machine.bases(*asked, together=True) == ["python3.12", "python3.12"]
    machine.know(says=None, index={**INDEX, "orjson": {"3.9.15": ["3.14"]}})
    assert machine.bases("python/orjson@3.9.15") == ["python3.14"]


def test_an_index_constraints_and_an_adapter_are_part_of_the_key(machine: Pythons, tmp_path: Path) -> None:
    asked = "python/orjson@3.13.0"
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("x<2\n")
    for sources in (
        Sources(),
        Sources("http://user:first@index/simple"),
        Sources("http://user:second@index/simple"),
        Sources(constraints=constraints),
    ):
        assert machine.bases(asked, sources=sources) == ["python3.13"]
    assert len(machine.left()) == 3
    uv = json.loads(Path(machine.world["environment"]).read_text())
    assert "UV_DEFAULT_INDEX" not in uv
    constraints.write_text("x<3\n")
    machine.bases(asked, sources=Sources(constraints=constraints))
    assert len(machine.left()) == 4
    everything = b"".join(path.read_bytes() for path in machine.cache.rglob("*.json"))
    assert b"first" not in everything
    with pytest.raises(BadInput, match=r"^--constraints /no/file: cannot be read \(No such file"):
        machine.bases(asked, sources=Sources(constraints=Path("/no/file")))


def test_a_failing_uv_is_said_and_leaves_nothing(machine: Pythons, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.know(says="error: \033[31mthread panicked\nat http://user:secret@host/ \xff", status=101)
    (line,) = machine.bases("python/orjson@3.13.0")
    assert line.startswith("orjson@3.13.0 cannot be installed: thread panicked at http://host/ ")
    assert machine.left() == []
    (machine.folder / "uv").unlink()
    with pytest.raises(MeasurementFailed, match=r"^uv cannot be started \(No such file or directory\)$"):
        machine.bases("python/orjson@3.13.0")
    assert machine.left() == []


def test_an_interrupt_leaves_nothing(machine: Pythons, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(python_packages, "fill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        machine.bases("python/orjson@3.13.0")
    assert machine.left() == []


def test_what_has_to_be_built_needs_permission(machine: Pythons, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "setup.py").touch()
    with pytest.raises(BadInput, match=r"^python/orjson@tree: has to be built, .*: add --allow-build$"):
        machine.bases(f"python/orjson@{tree}")
    assert machine.calls() == []


def test_a_damaged_environment_is_built_again(machine: Pythons) -> None:
    asked = "python/orjson@3.13.0"
    machine.bases(asked)
    home = list_environments(machine.env)[0].folder
    machine.calls()
    shutil.rmtree(home / "lib")
    assert machine.bases(asked) == ["python3.13"]
    assert (home / "lib").is_dir()
    assert machine.calls() != []


def test_versions_of_python_itself(machine: Pythons) -> None:
    machine.add("3.13.1", name="python3.13t", threaded=True)
    machine.add("3.14.0rc1", final=False)
    for asked, base in (
        ("3.12", "python3.12"),
        ("3.12.1", "python3.12"),
        ("3", "python3.13"),
        ("3.13", "python3.13"),
        ("3.13t", "python3.13t"),
        ("3.14", "python3.14"),
        ("3.14.0rc1", "python3.14"),
    ):
        assert machine.bases(f"python/json@{asked}", f"python/sqlite3-extract@{asked}") == [base, base]
    for asked in ("3.12.2", "3.11", "3.14.0rc2", "3.12t", "3.13.1", "4"):
        assert machine.bases(f"python/json@{asked}") == [
            f"no Python {asked} here, found 3.13.0, 3.12.1, 3.10.13, 3.14.0rc1, 3.13.1t: "
            "WHICHWINS_PYTHONS=PATH names another"
        ]
    for asked, line in (
        ("2.7", "3.8 is the oldest"),
        ("3.7.16", "3.8 is the oldest"),
        ("new", "write a version"),
    ):
        with pytest.raises(BadInput, match=line):
            machine.bases(f"python/json@{asked}")


def test_what_has_no_versions_is_refused(machine: Pythons) -> None:
    with pytest.raises(
        BadInput, match=r"^python/guard@1: is a part of whichwins, without versions; leave out the @"
    ):
        machine.bases("python/guard@1")


def test_the_one_of_python_alone_is_asked(machine: Pythons) -> None:
    own = machine.add("3.10.2", machine.folder / "mine")
    own.write_text(
        own.read_text().replace("echo python3.10 >>", '[ "$1" = -I ] || { echo 3.10; exit; }\necho x >>')
    )
    found = interpreters.interpreters(probe(str(own), machine.env))
    assert [one.shown for one in found] == ["3.10.2"]


def test_an_overlay_leaves_the_rest(machine: Pythons) -> None:
    base = probe(env={**machine.env, "A": "1", "B": "2"})
    laid = base.overlaid({"python": "/p"}, {"A": None, "C": "3"})
    assert (laid.get("python"), base.get("python") != "/p") == ("/p", True)
    assert (laid.env.get("A"), laid.env["B"], laid.env["C"], base.env["A"]) == (None, "2", "3", "1")
    assert laid.get("harness") == base.get("harness")


def test_absent_is_one_line(machine: Pythons) -> None:
    machine.know(says="error: " + "x\n" * 500)
    (found,) = machine.provide("python/orjson@3.13.0").values()
    assert isinstance(found, Absent)
    assert "\n" not in found.reason
    assert len(found.reason) < 400
