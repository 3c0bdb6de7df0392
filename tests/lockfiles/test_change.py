"""What differs between two lock files, and which subjects read with it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from whichwins.lockfiles import Gated, LockGate, PackageChange, Unmeasured, changed, gated, read, still
from whichwins.model import Adapter, BadInput, Place, Subject


def requirements(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}-requirements.txt"
    lines = text.replace(" ", "\n")
    for short, marker in (("A", 'python_version < "3.10"'), ("B", 'python_version >= "3.10"')):
        lines = lines.replace(f";{short}", f" ; {marker}")
    path.write_text(lines + "\n", encoding="utf-8")
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
        ("a>=1", "", [(None, None)]),
        # Each for its marker: what changes places is seen, though both states have both.
        ("a==1;A a==2;B", "a==2;A a==1;B", [("1", "2"), ("2", "1")]),
        ("a==1;A a==2;B", "a==2;B a==1;A", []),
        ("a==1;A a==2;B", "a==1;A a==3;B", [("2", "3")]),
        ("a==1;A a==2;B", "a==2;A a==2;B", [("1", "2")]),
        ("a==1;A", "a==1;A a==2;B", [("1", "2")]),
        ("a==1;A a==2;B a==3", "a==3;A a==1;B a==2", [("1", "3"), ("2", "1"), ("3", "2")]),
        # What is not pinned stands beside what is.
        ("a==1;A a==2;B", "a==1;A a>=2;B", [(None, None), ("2", "1")]),
        ("a==1;A a>=2;B", "a==1;A a==2;B", [(None, "2"), ("1", "2")]),
        ("a==1;A", "a==2;A a>2;B", [(None, None), ("1", "2")]),
        ("a==1", "a==1 a>0", []),
        ("a==1;A", "a==1;A a;A", []),
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


def npm(folder: Path, name: str, versions: list[str], first: int = 0) -> Path:
    entries = [
        f'"node_modules/{n}/node_modules/json5": {{"version": "{v}"}}' for n, v in enumerate(versions, first)
    ]
    path = folder / name
    path.write_text('{"lockfileVersion": 3, "packages": {' + ",".join(entries) + "}}", encoding="utf-8")
    return path


def test_versions_of_npm_are_ordered(tmp_path: Path) -> None:
    old = npm(tmp_path, "old.json", ["1.0.0-rc.10", "1.0.0-rc.2", "1.0.0-beta", "9.0.0"])
    new = npm(tmp_path, "new.json", ["10.0.0", "1.0.0", "1.0.0-rc.11", "1.0.0-1"], 4)
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
            LockGate("python/rapid", "1.9", "1.25", Place(new, 3), "python-rapidjson"),
            LockGate("python/ujson", "5", "6", Place(new, 1), "ujson"),
            LockGate("python/a-second", "5", "6", Place(new, 1), "ujson"),
        ),
        (),
        ("json5", "python-rapidjson", "ujson"),
        unmeasured=(
            Unmeasured(
                "json5", (), f"{new}:5: json5 1 became 2: changed, but whichwins has no adapter for it"
            ),
        ),
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
    # One is gone and another came: whoever used the one may use the other now.
    assert found.notes == ()
    assert set(found.lines) == {
        f"{new}:1: orjson is not pinned (>=3 leaves a choice): pin it, and its upgrades can be compared",
        f"{old}:2: ujson 5 is gone: nothing to compare",
        f"{new}:2: simplejson 3 is new: nothing to compare it with",
        f"{new}:3: python-rapidjson 1.25 was not pinned before (<2 leaves a choice): "
        "nothing to compare it with",
        f"{new}:5: msgspec is not pinned (no version is given): pin it, and its upgrades can be compared",
    }


def test_an_adapter_of_ones_own_takes_a_library_out_of_the_unknown(tmp_path: Path) -> None:
    changes = differing(tmp_path, "msgspec==1", "msgspec==2")
    assert "no adapter" in gated(changes, [PYTHON]).lines[0]
    binder = replace(subject("b/msgspec", ("msgspec",)), shape="order")
    (note,) = gated(changes, [PYTHON, replace(PYTHON, name="b", subjects=(binder,))]).lines
    assert note.endswith("msgspec 1 became 2: how it binds: `whichwins upgrade b/msgspec 1 2`")
    mine = replace(PYTHON, name="mine", subjects=(subject("mine/msgspec", ("msgspec",)),))
    found = gated(changes, [PYTHON, mine])
    assert [gate.subject for gate in found.gates] == ["mine/msgspec"]
    assert found.notes == ()


def test_frameworks_are_no_json_libraries(tmp_path: Path) -> None:
    web = replace(PYTHON, name="web", subjects=(subject("web/flask", ("flask",)),))
    changes = differing(tmp_path, "flask==3.0", "flask==3.1")
    assert [gate.subject for gate in gated(changes, [PYTHON, web]).gates] == ["web/flask"]
    assert gated(changes, [PYTHON, replace(web, boundaries=True)]) == Gated((), ())


def test_the_bundled_adapters_are_gated(tmp_path: Path) -> None:
    from whichwins.subjects import load_adapters

    changes = differing(tmp_path, "simplejson==3.18.4", "simplejson==4.3.0")
    found = [gate.subject for gate in gated(changes, load_adapters()).gates]
    assert {"python/simplejson", "python/simplejson-decimal", "python/simplejson-pure"} <= set(found)
    assert all(key.startswith("python/simplejson") for key in found)


def test_versions_of_npm_that_change_places(tmp_path: Path) -> None:
    old, new = npm(tmp_path, "old", ["1.0.0", "2.0.0"]), npm(tmp_path, "new", ["2.0.0", "1.0.0"])
    assert [(each.before, each.after) for each in changed(read(old), read(new))] == [
        ("1.0.0", "2.0.0"),
        ("2.0.0", "1.0.0"),
    ]
    assert changed(read(old), read(npm(tmp_path, "moved", ["1.0.0", "2.0.0"], 7))) == ()


UV_FORK = """
[[package]]
name = "orjson"
version = "{version}"
source = {{ registry = "{registry}" }}
resolution-markers = ["python_full_version {marker} '3.10'"]
wheels = [{{ url = "https://example.invalid/x.whl", hash = "sha256:{hash}" }}]
"""


def uv(folder: Path, name: str, *forks: str, registry: str = "https://a.invalid/simple", **more: str) -> Path:
    """`<3.9` is version 3.9 for the older Pythons."""
    text = 'requires-python = ">=3.9"\n' + "".join(
        UV_FORK.format(version=fork[1:], marker=fork[0], registry=registry, hash=more.get("hash", fork[1:]))
        for fork in forks
    )
    path = folder / f"{name}.lock"
    path.write_text(text, encoding="utf-8")
    return path


def test_forks_of_uv_that_change_places(tmp_path: Path) -> None:
    old, new = uv(tmp_path, "old", "<3.9", ">3.13"), uv(tmp_path, "new", "<3.13", ">3.9")
    assert [(each.before, each.after) for each in changed(read(old), read(new))] == [
        ("3.9", "3.13"),
        ("3.13", "3.9"),
    ]


def notes(old: Path, new: Path) -> list[str]:
    """What is said, without the place."""
    return [note.partition(": ")[2] for note in gated(changed(read(old), read(new)), [PYTHON, NODE]).lines]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ujson==5 --hash=sha256:aa", "ujson==5 --hash=sha256:aa", None),
        ("ujson==5 --hash=sha256:aa", "ujson==5 --hash=sha256:bb", "other hashes: these are other files"),
        (
            "ujson==5 --hash=sha256:aa --hash=sha256:bb",
            "ujson==5 --hash=sha256:aa --hash=sha256:cc",
            "1 more hashes, 1 fewer: some of its files are others",
        ),
        # What is not said on one side, or said otherwise, is no difference.
        ("ujson==5 --hash=sha256:aa", "ujson==5", None),
        ("ujson==5 --hash=sha256:aa", "ujson==5 --hash=sha512:bb", None),
        ("--index-url https://a.invalid\nujson==5", "-i https://b.invalid\nujson==5", "another source"),
        ("ujson==5", "--extra-index-url https://b.invalid\nujson==5", "another source"),
        (
            "-i https://user:one@a.invalid\nujson==5",
            "-i https://user:two@a.invalid\nujson==5",
            None,
        ),
    ],
)  # fmt: skip
def test_what_differs_though_the_version_does_not(
    tmp_path: Path, old: str, new: str, said: str | None
) -> None:
    paths = [tmp_path / "old.txt", tmp_path / "new.txt"]
    for path, text in zip(paths, (old, new), strict=True):
        path.write_text(text, encoding="utf-8")
    ending = "; the version is the same, and nothing was compared"
    assert notes(*paths) == ([] if said is None else [f"ujson 5 has {said}{ending}"])
    assert gated(changed(*map(read, paths)), [PYTHON]).gates == ()


def test_the_same_of_uv_and_npm(tmp_path: Path) -> None:
    ending = "; the version is the same, and nothing was compared"
    old = uv(tmp_path, "old", "<3.9")
    assert notes(old, uv(tmp_path, "same", "<3.9")) == []
    other = uv(tmp_path, "hash", "<3.9", hash="other")
    assert notes(old, other) == [f"orjson 3.9 has other hashes: these are other files{ending}"]
    assert notes(old, uv(tmp_path, "index", "<3.9", registry="https://b.invalid")) == [
        f"orjson 3.9 has another source{ending}"
    ]
    credentials = uv(tmp_path, "credentials", "<3.9", registry="https://me:x@a.invalid/simple")
    assert notes(old, credentials) == []
    locks = []
    for number, (host, integrity) in enumerate(
        (("a", "sha512-aa=="), ("a", "sha512-bb=="), ("b", "sha512-aa=="))
    ):
        entry = {"version": "2.2.3", "resolved": f"https://{host}.invalid/json5.tgz", "integrity": integrity}
        path = tmp_path / f"{number}.json"
        path.write_text(
            json.dumps({"lockfileVersion": 3, "packages": {"node_modules/json5": entry}}), encoding="utf-8"
        )
        locks.append(path)
    assert notes(locks[0], locks[0]) == []
    assert notes(locks[0], locks[1]) == [f"json5 2.2.3 has other hashes: these are other files{ending}"]
    assert notes(locks[0], locks[2]) == [f"json5 2.2.3 has another source{ending}"]


DIRECT = "not compared; `upgrade` compares two files: SUBJECT OLD.whl NEW.whl"
U = "https://a.invalid"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ujson==5", f"ujson @ {U}/u.whl", f"(a URL, 5 before): {DIRECT}"),
        (f"ujson @ {U}/u.whl", f"ujson @ {U}/u.whl", "(a URL, as before): not compared"),
        (f"ujson @ {U}/1.whl", f"ujson @ {U}/2.whl", f"(a URL): {DIRECT}"),
        (f"ujson @ git+{U}/u@1", f"ujson @ git+{U}/u@2",
         f"(version control): {DIRECT}"),
        (f"git+{U}/u@1#egg=ujson", "git+https://me:x@a.invalid/u@1#egg=ujson",
         "(version control, as before): not compared"),
        (f"-e git+{U}/u#egg=ujson", "-e ./mine#egg=ujson",
         f"(an editable install): {DIRECT}"),
        ("./ujson-1-py3-none-any.whl", "./ujson-2-py3-none-any.whl", f"(a file): {DIRECT}"),
    ],
)  # fmt: skip
def test_what_comes_from_no_registry(tmp_path: Path, old: str, new: str, said: str) -> None:
    paths = [tmp_path / "old.txt", tmp_path / "new.txt"]
    for path, text in zip(paths, (old, new), strict=True):
        path.write_text(text, encoding="utf-8")
    assert notes(*paths) == [f"ujson comes from no registry {said}"]
    found = gated(changed(*map(read, paths)), [PYTHON])
    assert (found.differing, found.unknown) == (((), ("ujson",)) if "as before" in said else (("ujson",), ()))


def test_a_package_of_npm_that_is_asked_for_by_url_is_no_version(tmp_path: Path) -> None:
    """The lock file has a version for it, which is what the archive says of itself."""
    url = "https://a.invalid/json5.tgz"
    packages = {
        "": {"dependencies": {"json5": url}},
        "node_modules/json5": {"version": "2.2.3", "resolved": url},
    }
    path = tmp_path / "package-lock.json"
    path.write_text(json.dumps({"lockfileVersion": 3, "packages": packages}), encoding="utf-8")
    found = changed(read(npm(tmp_path, "old", ["1.0.0"])), read(path))
    assert gated(found, [NODE]).gates == ()
    assert [(each.before, each.after, each.why) for each in found] == [("1.0.0", None, "a URL")]


def test_a_pinned_one_beside_one_that_is_not(tmp_path: Path) -> None:
    found = gated(differing(tmp_path, "ujson==5;A ujson==6;B", "ujson==5.1;A ujson>=6;B"), [PYTHON])
    assert (found.gates[0].before, found.gates[0].after) == ("5", "5.1")
    assert "ujson is not pinned (>=6 leaves a choice)" in found.lines[0]


def test_a_constraint_speaks_for_what_no_line_pins(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("a==3\nb==4", encoding="utf-8")
    text = requirements(tmp_path, "new", "a==1;A a>=2;B b==1;A b==2;B")
    text.write_text(text.read_text() + "-c c.txt\n")
    found = read(text)
    assert [pin.version for pin in found.packages["a"]] == ["1", "3"]
    assert [pin.version for pin in found.packages["b"]] == ["1", "2"]
    assert found.unpinned == ()


def test_a_file_that_both_states_include_is_told(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("ujson==5\n", encoding="utf-8")
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    for path in (old, new):
        path.write_text("orjson==3\n-r base.txt\n", encoding="utf-8")
    assert still(read(old), read(new)) == (
        f"{old}:2: includes a file as it is now, not as it was: what changed in it is not told; "
        "name the old state REV:PATH",
    )
    other = tmp_path / "other"
    other.mkdir()
    for name in ("old.txt", "base.txt"):
        (other / name).write_text((tmp_path / name).read_text(), encoding="utf-8")
    assert still(read(other / "old.txt"), read(new)) == ()
