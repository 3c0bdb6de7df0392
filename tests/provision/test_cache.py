"""Environments in the cache: built once and whole, found without a write, held while used."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision import cache, list_environments, locate, memory, prune, record
from whichwins.provision.cache import Environment, environment, find, name_of

PARTS = {"toolchain": "t 1", "request": "r"}


def silent(line: str) -> None:
    """Progress nobody listens to."""


class Place:
    """A cache and a builder that counts what it builds."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder
        self.env = {"WHICHWINS_CACHE": str(folder)}
        self.built = 0

    def build(self, place: Path) -> dict[str, str]:
        self.built += 1
        (place / "bin").mkdir()
        (place / "bin" / "program").write_text("the program")
        (place / "bin" / "link").symlink_to("program")
        (place / "lib").symlink_to("bin")
        return {"request": "r@1", "toolchain": "t 1"}

    def get(self, name: str = "one", progress: Callable[[str], None] = silent) -> Environment:
        return environment(self.env, name, PARTS, self.build, progress)

    def find(self) -> Environment | None:
        return find(self.env, "one", PARTS)

    def left(self) -> list[str]:
        return sorted(path.name for path in self.cache.iterdir()) if self.cache.is_dir() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "a cache with spaces, ä")


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder that a user without privileges sees: as root nothing is read-only."""
    folder = Path(tempfile.mkdtemp()).resolve()
    root = os.geteuid() == 0
    folder.chmod(0o777)
    try:
        if root:
            os.seteuid(65534)
        yield folder
    finally:
        if root:
            os.seteuid(0)
        for where, _, _ in os.walk(folder):
            Path(where).chmod(0o755)
        shutil.rmtree(folder)


def test_it_is_built_once_and_says_what_it_holds(place: Place) -> None:
    assert place.find() is None
    found = place.get()
    assert found.name == name_of("one", PARTS)
    assert found.folder == place.cache / found.name
    assert found.holds == {"request": "r@1", "toolchain": "t 1"}
    assert (found.folder / "lib" / "link").read_text() == "the program"
    assert place.get() == place.find() == found
    assert (place.built, place.left()) == (1, [found.name])


def test_a_change_of_any_part_is_another_environment() -> None:
    names = {
        name_of("one", PARTS),
        name_of("one", {**PARTS, "request": "s"}),
        name_of("one", {"toolchain": "t 1"}),
        name_of("one", {**PARTS, "more": ""}),
        name_of("two", PARTS),
    }
    assert len(names) == 5
    assert name_of("one", dict(reversed(PARTS.items()))) == name_of("one", PARTS)
    odd = name_of("../x y/é" + "z" * 200, PARTS)
    assert "/" not in odd
    assert odd.isascii()
    assert not odd.startswith(".")
    assert len(odd) < 120


def cut(home: Path) -> None:
    (home / "bin" / "program").write_text("the progra")


def changed(home: Path) -> None:
    (home / "bin" / "program").write_text("The program")


def gone(home: Path) -> None:
    (home / "bin" / "program").unlink()


def link_changed(home: Path) -> None:
    (home / "bin" / "link").unlink()
    (home / "bin" / "link").symlink_to("/bin/sh")


def link_leads_nowhere(home: Path) -> None:
    (home / "lib").unlink()
    (home / "bin").rename(home / "lib")


def one_more(home: Path) -> None:
    (home / "bin" / "json.py").write_text("loads = None")  # what is imported in place of the library


def a_package_more(home: Path) -> None:
    (home / "bin" / "ujson").mkdir()
    (home / "bin" / "ujson" / "__init__.py").write_text("loads = None")


def a_link_more(home: Path) -> None:
    (home / "bin" / "ujson").symlink_to("/tmp")


def no_record(home: Path) -> None:
    (home / record.RECORD).unlink()


def record_cut(home: Path) -> None:
    path = home / record.RECORD
    path.write_bytes(path.read_bytes()[:-40])


def record_of_another_make(home: Path) -> None:
    (home / record.RECORD).write_text("[]")


def record_changed(home: Path) -> None:
    path = home / record.RECORD
    path.write_text(path.read_text().replace("r@1", "r@2"))


def a_file_in_its_place(home: Path) -> None:
    shutil.rmtree(home)
    home.write_text("not a folder")


@pytest.mark.parametrize(
    "damage",
    [
        *(cut, changed, gone, link_changed, link_leads_nowhere),
        *(one_more, a_package_more, a_link_more),
        *(no_record, record_cut, record_of_another_make, record_changed, a_file_in_its_place),
    ],
)
def test_a_damaged_one_is_built_again(place: Place, damage: Callable[[Path], None]) -> None:
    home = place.get().folder
    damage(home)
    assert place.find() is None
    assert place.get().folder == home
    assert place.find() is not None
    assert (place.built, place.left()) == (2, [home.name])
    assert (home / "lib" / "link").read_text() == "the program"


def test_code_that_was_compiled_since_does_not_matter(place: Place) -> None:
    home = place.get().folder
    (home / "bin" / "__pycache__").mkdir()
    (home / "bin" / "__pycache__" / "x.pyc").write_text("x")
    assert place.find() is not None


def test_compiled_code_may_be_there_when_it_is_recorded_and_go(place: Place) -> None:
    def build(folder: Path) -> dict[str, str]:
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "x.pyc").write_text("x")
        return place.build(folder)

    home = environment(place.env, "one", PARTS, build, silent).folder
    shutil.rmtree(home / "__pycache__")
    assert place.find() is not None


def test_a_restored_copy_is_whole(place: Place) -> None:
    home = place.get().folder
    os.utime(home / "bin" / "program", (1, 1))
    assert place.find() is not None


def test_an_edit_that_keeps_size_and_time_is_noticed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    home = place.get().folder
    program = home / "bin" / "program"
    before = program.stat()
    assert place.find() is not None
    program.write_text("THE PROGRAM")
    os.utime(program, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = program.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert place.find() is None  # this process has seen it whole
    monkeypatch.setattr(record, "_seen", {})
    assert place.find() is None  # one that has not
    assert place.get().folder == home
    assert place.built == 2


def test_a_file_is_read_once_by_a_process(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.get()
    assert place.find() is not None
    monkeypatch.setattr(record, "digest", lambda path: pytest.fail("read again"))
    assert place.find() is not None


def sealed(home: Path, **changed: object) -> None:
    """A record that somebody wrote who knows how."""
    body = json.loads((home / record.RECORD).read_text())
    body.pop("sha256")
    body |= changed
    text = json.dumps({**body, "sha256": record._seal(body)})
    (home / record.RECORD).write_text(text)


SHA = "0" * 64
HOSTILE: list[dict[str, object]] = [
    {"holds": []},
    {"holds": {"request": ["r"]}},
    {"holds": {"request": {"a": 1}}},
    {"holds": {"request": None}},
    {"files": []},
    {"files": {"a": [1]}},
    {"files": {"a": [1, SHA, 2]}},
    {"files": {"a": ["1", SHA]}},
    {"files": {"a": [True, SHA]}},
    {"files": {"a": [-1, SHA]}},
    {"files": {"a": [10**30, SHA]}},
    {"files": {"a": [float("inf"), SHA]}},
    {"files": {"a": [1, 2]}},
    {"files": {"a": {"b": 1, "c": 2}}},
    {"files": {"/etc/passwd": [1, SHA]}},
    {"files": {"../x": [1, SHA]}},
    {"files": {"a\0b": [1, SHA]}},
    {"files": {"": [0, SHA]}},
    {"links": {"a": 1}},
    {"links": ["a"]},
    {"links": {"../a": "b"}},
]


@pytest.mark.parametrize("changed", HOSTILE, ids=range(len(HOSTILE)))
def test_a_record_that_is_sealed_and_wrong_is_no_record(place: Place, changed: dict[str, object]) -> None:
    home = place.get().folder
    sealed(home)
    assert place.find() is not None
    sealed(home, **changed)
    assert record.read_record((home / record.RECORD).read_bytes()) is None
    assert place.find() is None
    assert [each.whole for each in list_environments(place.env)] == [False]
    with pytest.raises(BadInput, match="no environment"):
        locate(place.env, "r@1")
    assert place.get().folder == home
    assert place.built == 2


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "x").touch()


def a_link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def text(path: Path) -> None:
    path.write_bytes(b"\xff" * 10)


def deep(path: Path) -> None:
    path.write_text("[" * 100_000)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize("put", [a_pipe, a_folder, a_link, text, deep, huge])
def test_what_stands_in_a_file_s_place_is_not_waited_for(place: Place, put: Callable[[Path], None]) -> None:
    home = place.get().folder
    for path in (home / record.RECORD, home / "bin" / "program"):
        path.unlink()
        put(path)
        assert place.find() is None
        assert [each.whole for each in list_environments(place.env)] == [False]
        assert place.get().folder == home
    known = memory.folder(place.env) / "k.json"
    known.parent.mkdir()
    put(known)
    assert memory.recall(place.env, "k") == {}
    memory.remember(place.env, "k", {"a": 1})
    home2 = place.get().folder
    (home2 / record.RECORD).unlink()
    put(home2 / record.RECORD)
    (done,) = prune(place.env)
    assert done.removed


def test_using_it_marks_it_as_used(place: Place) -> None:
    path = place.get().folder / record.RECORD
    os.utime(path, (1, 1))
    assert place.find() is not None
    assert time.time() - path.stat().st_mtime < 60


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt()])
def test_a_build_that_fails_leaves_nothing(place: Place, error: BaseException) -> None:
    def build(folder: Path) -> dict[str, str]:
        place.build(folder)
        (folder / "locked").mkdir(mode=0o500)
        raise error

    with pytest.raises(type(error)):
        environment(place.env, "one", PARTS, build, silent)
    assert place.left() == []


def test_a_full_disk_is_one_line_and_leaves_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path, holds: Mapping[str, str]) -> None:
        (folder / record.RECORD).write_text("{")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cache, "write_record", full)
    said = (
        f"{place.cache}: no space left on its disk; make room (`whichwins env prune`), or set "
        "WHICHWINS_CACHE to a folder on another"
    )
    with pytest.raises(MeasurementFailed) as raised:
        place.get()
    assert str(raised.value) == said
    assert place.left() == []


def test_a_failed_rebuild_keeps_what_was_there(place: Place) -> None:
    home = place.get().folder
    changed(home)

    def build(folder: Path) -> dict[str, str]:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        environment(place.env, "one", PARTS, build, silent)
    assert place.left() == [home.name]


def test_a_read_only_cache_serves_what_it_has(unprivileged: Path) -> None:
    place = Place(unprivileged / "cache")
    home = place.get().folder
    for where, _, names in os.walk(place.cache):
        for name in names:
            Path(where, name).chmod(0o444)
        Path(where).chmod(0o555)
    assert place.get().folder == home
    assert place.built == 1
    with pytest.raises(
        BadInput, match=r"^[^\n]*: cannot be written \(Permission denied\); set WHICHWINS_CACHE"
    ):
        place.get("two")
    assert place.left() == [home.name]


def test_a_lock_file_of_somebody_else(unprivileged: Path) -> None:
    place = Place(unprivileged / "cache")
    place.cache.mkdir()
    left = place.cache / f".lock-{name_of('one', PARTS)}"
    left.touch(mode=0o444)
    assert place.get().folder.is_dir()


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = Place(tmp_path / "file" / "x")
    with pytest.raises(BadInput, match=r"/file/x: cannot be written \(.+\); set WHICHWINS_CACHE to a folder"):
        place.get()


def test_one_place_for_builders_of_one_environment_at_once(place: Place) -> None:
    said: list[str] = []

    def build(folder: Path) -> dict[str, str]:
        time.sleep(0.2)
        return place.build(folder)

    def get() -> None:
        environment(place.env, "one", PARTS, build, said.append)

    threads = [threading.Thread(target=get) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert place.built == 1
    assert set(said) == {"waiting for another build of one"}
    assert place.left() == [name_of("one", PARTS)]


def test_builders_of_different_ones_do_not_wait(place: Place) -> None:
    def build(folder: Path) -> dict[str, str]:
        place.get("two", lambda line: pytest.fail(line))
        return place.build(folder)

    environment(place.env, "one", PARTS, build, silent)
    assert len(place.left()) == 2


BUILDER = textwrap.dedent(
    """
    import os, sys, time
    from pathlib import Path
    from whichwins.provision.cache import environment

    def build(place):
        with open(os.environ["LOG"], "a") as log:
            log.write("built\\n")
        (place / "file").write_text("content")
        if sys.argv[1] == "hang":
            print("hangs", flush=True)
            time.sleep(60)
        time.sleep(0.3)
        return {"request": "r"}

    found = environment(os.environ, "one", {"request": "r"}, build, lambda line: None)
    print((found.folder / "file").read_text(), flush=True)
    if sys.argv[1] == "stay":
        sys.stdin.read()
    """
)


@contextlib.contextmanager
def builder(place: Place, how: str) -> Iterator[subprocess.Popen[str]]:
    env = {**os.environ, **place.env, "LOG": str(place.cache.parent / "log")}
    with subprocess.Popen(
        [sys.executable, "-c", BUILDER, how],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_processes_build_one_environment_once(place: Place) -> None:
    with contextlib.ExitStack() as stack:
        every = [stack.enter_context(builder(place, "go")) for _ in range(4)]
        assert [process.communicate()[0] for process in every] == ["content\n"] * 4
    assert (place.cache.parent / "log").read_text() == "built\n"
    assert place.left() == [name_of("one", {"request": "r"})]


def test_what_a_killed_builder_left_is_removed_by_the_next(place: Place) -> None:
    with builder(place, "hang") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "hangs\n"
        assert any(name.startswith(".building-") for name in place.left())
        place.get("another")
        assert any(name.startswith(".building-") for name in place.left())  # it is alive
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert any(name.startswith(".building-") for name in place.left())
    place.get("a third")
    assert [name for name in place.left() if name.startswith(".")] == []


def test_the_lock_of_a_removed_file_is_not_enough(place: Place) -> None:
    """Whoever waited for a lock whose file its holder removed must take the new file's."""
    place.cache.mkdir()
    held = 0
    most = 0

    def use() -> None:
        nonlocal held, most
        for _ in range(30):
            with cache.locked(place.cache, "x", lambda: None):
                held += 1
                most = max(most, held)
                time.sleep(0.0005)
                held -= 1

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert place.left() == []


def test_a_lock_that_is_held_is_said(place: Place) -> None:
    place.cache.mkdir()
    with cache.locked(place.cache, "x"), pytest.raises(BlockingIOError), cache.locked(place.cache, "x"):
        pass
