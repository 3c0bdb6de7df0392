"""What differs between two lock files, and which subjects read with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whichwins.lockfiles import Gated, LockGate, PackageChange, changed, gated, read
from whichwins.model import Adapter, BadInput, Place, Subject


def requirements(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}-requirements.txt"
    path.write_text(text.replace(" ", "\n") + "\n", encoding="utf-8")
    return path


def differing(folder: Path, old: str, new: str) -> tuple[PackageChange, ...]:
    return changed(read(requirements(folder, "old", old)), read(requirements(folder, "new", new)))


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("a==1 b==2", "a==1 b==2", []),
        ("a==1.0", "a==1", []),
        ("a==1", "a==2", [("1", "2")]),
        ("a==2", "a==1", [("2", "1")]),
        ("b==1", "b==1 a==2", [(None, "2")]),
        ("a==1 b==1", "b==1", [("1", None)]),
        ("a==9", "a==10 a==9", [("9", "10")]),
        ("a==1 a==2", "a==3", [("1", "3"), ("2", "3")]),
        ("a==1 a==2", "a==2 a==3", [("1", "3")]),
        ("a==1 a==9", "a==2 a==10", [("1", "2"), ("9", "10")]),
        ("a==1 a==3", "a==1", [("3", "1")]),
        ("a==5", "a==1 a==9", [("5", "1"), ("5", "9")]),
        ("a==1", "a==1 a==0.5", [("1", "0.5")]),
        ("a==1 a==2 a==9", "a==1 a==2 a==9 a==5", [("2", "5")]),
        ("a==1", "a>=1", [("1", None)]),
        ("a>=1", "a==1", [(None, "1")]),
        ("a>=1", "a>=1", [(None, None)]),
        ("a>=1", "", []),
    ],
)
def test_versions_become_versions(
    tmp_path: Path, old: str, new: str, pairs: list[tuple[str | None, str | None]]
) -> None:
    found = differing(tmp_path, old, new)
    assert [(each.before, each.after) for each in found] == pairs
    assert {each.name for each in found} <= {"a"}


def test_places_are_those_of_the_later_version(tmp_path: Path) -> None:
    old, new = ((tmp_path / f"{name}-requirements.txt").as_posix() for name in ("old", "new"))
    changes = differing(tmp_path, "x==0 m==1 g==1 l==1", "c==1 x==0 m==2 l>1")
    found = {each.name: each for each in changes}
    assert found.keys() == {"m", "g", "c", "l"}
    assert found["m"] == PackageChange("m", "pypi", "1", "2", Place(new, 3))
    assert found["g"] == PackageChange("g", "pypi", "1", None, Place(old, 3))
    assert found["c"] == PackageChange("c", "pypi", None, "1", Place(new, 1))
    assert found["l"] == PackageChange("l", "pypi", "1", None, Place(new, 4), why=">1 leaves a choice")


def test_two_ecosystems_are_no_two_states(tmp_path: Path) -> None:
    npm = tmp_path / "package-lock.json"
    npm.write_text('{"lockfileVersion": 3, "packages": {}}', encoding="utf-8")
    old = requirements(tmp_path, "old", "a==1")
    with pytest.raises(BadInput) as caught:
        changed(read(old), read(npm))
    one, other = f"{old.as_posix()} is requirements", f"{npm.as_posix()} is package-lock.json"
    assert str(caught.value) == f"{one}, {other}: give two states of one file"


def test_two_kinds_of_one_ecosystem_may_be_compared(tmp_path: Path) -> None:
    uv = tmp_path / "uv.lock"
    text = 'requires-python = "*"\n[[package]]\nname = "a"\nversion = "2"\nsource = { registry = "x" }\n'
    uv.write_text(text, encoding="utf-8")
    (found,) = changed(read(requirements(tmp_path, "old", "A==1")), read(uv))
    assert (found.before, found.after, found.place.line) == ("1", "2", 4)


def npm(folder: Path, name: str, versions: list[str]) -> Path:
    entries = [f'"node_modules/{n}/node_modules/json5": {{"version": "{v}"}}' for n, v in enumerate(versions)]
    path = folder / name
    path.write_text('{"lockfileVersion": 3, "packages": {' + ",".join(entries) + "}}", encoding="utf-8")
    return path


def test_versions_of_npm_are_ordered(tmp_path: Path) -> None:
    old = npm(tmp_path, "old.json", ["1.0.0-rc.10", "1.0.0-rc.2", "1.0.0-beta", "9.0.0"])
    new = npm(tmp_path, "new.json", ["10.0.0", "1.0.0", "1.0.0-rc.11", "1.0.0-1"])
    found = changed(read(old), read(new))
    assert [(each.before, each.after) for each in found] == [
        ("1.0.0-beta", "1.0.0-1"),
        ("1.0.0-rc.2", "1.0.0-rc.11"),
        ("1.0.0-rc.10", "1.0.0"),
        ("9.0.0", "10.0.0"),
    ]


def subject(key: str, packages: tuple[str, ...], default: bool = True) -> Subject:
    adapter = key.partition("/")[0]
    return Subject(key, adapter, "f", "l", "e", "s", "d", (), packages=packages, default=default)


PYTHON = Adapter(
    "python",
    Path("python"),
    1,
    (
        subject("python/a-second", ("ujson",), default=False),
        subject("python/json", ()),
        subject("python/orjson", ("orjson",)),
        subject("python/rapid", ("Python_RapidJSON",)),
        subject("python/ujson", ("ujson",)),
        subject("python/with-orjson", ("other", "orjson")),
    ),
    "python",
)
NODE = Adapter("node", Path("node"), 1, (subject("node/json5", ("json5",), default=False),), "node")
ODD = Adapter("odd", Path("odd"), 1, (subject("odd/ujson", ("ujson",)),))


def test_gates(tmp_path: Path) -> None:
    new = (tmp_path / "new-requirements.txt").as_posix()
    changes = differing(
        tmp_path,
        "ujson==5 orjson==3.9 python-rapidjson==1.9 numpy==1 json5==1",
        "ujson==6 orjson==3.9 python.rapidjson==1.25 numpy==2 json5==2",
    )
    found = gated(changes, [PYTHON, NODE, ODD])
    assert found == Gated(
        (
            LockGate("python/rapid", "1.9", "1.25", Place(new, 3)),
            LockGate("python/ujson", "5", "6", Place(new, 1)),
            LockGate("python/a-second", "5", "6", Place(new, 1)),
        ),
        (f"{new}:5: json5 1 became 2: changed, but whichwins has no adapter for it",),
    )


def test_gates_of_npm(tmp_path: Path) -> None:
    changes = changed(read(npm(tmp_path, "old", ["1.0.0", "2.0.0"])), read(npm(tmp_path, "new", ["2.2.3"])))
    found = gated(changes, [PYTHON, NODE])
    assert [(gate.subject, gate.before, gate.after) for gate in found.gates] == [
        ("node/json5", "1.0.0", "2.2.3"),
        ("node/json5", "2.0.0", "2.2.3"),
    ]


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    changes = differing(
        tmp_path,
        "orjson==3.9 ujson==5 python-rapidjson<2 numpy==1 msgspec==1",
        "orjson>=3 simplejson==3 python-rapidjson==1.25 numpy>2 msgspec",
    )
    old, new = ((tmp_path / f"{name}-requirements.txt").as_posix() for name in ("old", "new"))
    found = gated(changes, [PYTHON])
    assert found.gates == ()
    assert set(found.notes) == {
        f"{new}:1: orjson is not pinned (>=3 leaves a choice): pin it, and its upgrades can be compared",
        f"{old}:2: ujson 5 is gone: nothing to compare",
        f"{new}:2: simplejson 3 is new: nothing to compare it with",
        f"{new}:3: python-rapidjson 1.25 was not pinned before (<2 leaves a choice): "
        "nothing to compare it with",
        f"{new}:5: msgspec is not pinned (no version is given): pin it, and its upgrades can be compared",
    }


def test_an_adapter_of_ones_own_takes_a_library_out_of_the_unknown(tmp_path: Path) -> None:
    changes = differing(tmp_path, "msgspec==1", "msgspec==2")
    assert "no adapter" in gated(changes, [PYTHON]).notes[0]
    mine = replace(PYTHON, name="mine", subjects=(subject("mine/msgspec", ("msgspec",)),))
    found = gated(changes, [PYTHON, mine])
    assert [gate.subject for gate in found.gates] == ["mine/msgspec"]
    assert found.notes == ()


def test_the_bundled_adapters_are_gated(tmp_path: Path) -> None:
    from whichwins.subjects import load_adapters

    changes = differing(tmp_path, "simplejson==3.18.4", "simplejson==4.3.0")
    found = [gate.subject for gate in gated(changes, load_adapters()).gates]
    assert {"python/simplejson", "python/simplejson-decimal", "python/simplejson-pure"} <= set(found)
    assert all(key.startswith("python/simplejson") for key in found)
