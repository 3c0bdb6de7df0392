"""Listing what is in the cache, finding one, removing what is not used."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.provision.test_cache import Place, builder, changed
from whichwins.model import BadInput
from whichwins.provision import cache, list_environments, locate, memory, prune
from whichwins.provision.record import RECORD
from whichwins.subjects import load_adapters


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(tmp_path / "cache")


def released() -> None:
    """What this process holds, as if another had used it."""
    for _, _, descriptor in cache._held.values():
        os.close(descriptor)
    cache._held.clear()


def used(home: Path, days_ago: float) -> None:
    then = time.time() - days_ago * 24 * 3600
    os.utime(home / RECORD, (then, then))


def test_nothing_is_there(place: Place) -> None:
    assert list_environments(place.env) == ()
    assert prune(place.env) == ()
    assert not place.cache.exists()


def test_the_list(place: Place) -> None:
    two, one = place.get("two").folder, place.get("one").folder
    changed(two)
    (place.cache / "somebody's").mkdir()
    (place.cache / "x-0123456789abcdef").mkdir()  # without a record: not ours
    first, second = list_environments(place.env)
    assert (first.name, first.folder, first.whole) == (one.name, one, True)
    assert first.holds == {"request": "r@1", "toolchain": "t 1"}
    # The program, the link to it (as long as its target); the link to a folder is none of the files.
    assert first.size == len("the program") + len("program") + (one / RECORD).stat().st_size
    assert abs(first.used - time.time()) < 60
    assert (second.name, second.whole) == (two.name, False)
    used(one, 3)
    assert list_environments(place.env)[0].used < time.time() - 2 * 24 * 3600


def test_what_is_in_use_is_kept(place: Place) -> None:
    home = place.get().folder
    (done,) = prune(place.env)
    assert (done.kept, done.removed, home.is_dir()) == ("in use", False, True)
    (done,) = prune(place.env, dry_run=True)
    assert done.kept == "in use"
    released()
    (done,) = prune(place.env, dry_run=True)
    assert (done.removed, home.is_dir()) == (True, True)
    (done,) = prune(place.env)
    assert (done.removed, place.left()) == (True, [])


def test_what_another_process_uses_or_builds_is_kept(place: Place) -> None:
    with builder(place, "stay") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "content\n"
        (done,) = prune(place.env)
        assert done.kept == "in use"
    (done,) = prune(place.env)
    assert done.removed
    with builder(place, "hang") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "hangs\n"
        assert prune(place.env) == ()
        assert any(name.startswith(".building-") for name in place.left())
        process.kill()
        process.wait()
        assert prune(place.env) == ()
        assert place.left() == []


def test_only_what_was_not_used_for_so_long(place: Place) -> None:
    old, new, damaged = (place.get(name).folder for name in ("a", "b", "c"))
    released()
    changed(damaged)
    used(old, 10)
    used(new, 5)
    assert [done.kept for done in prune(place.env, 7)] == ["", "used 5 days ago", ""]
    assert place.left() == [new.name]
    assert prune(place.env, 0)[0].removed


def test_what_is_not_ours_is_left_alone(place: Place) -> None:
    other = place.cache / "x-0123456789abcdef"
    other.mkdir(parents=True)
    (other / "precious").touch()
    (place.cache / "y-0123456789abcdef").symlink_to(other)
    assert prune(place.env) == ()
    assert (other / "precious").exists()


def test_what_is_remembered_goes_with_all(place: Place) -> None:
    memory.remember(place.env, "things", {"a": 1})
    prune(place.env, 1)
    assert memory.recall(place.env, "things") == {"a": 1}
    prune(place.env, dry_run=True)
    assert memory.recall(place.env, "things") == {"a": 1}
    prune(place.env)
    assert memory.recall(place.env, "things") == {}
    assert place.left() == []


def test_one_by_name_or_request(place: Place) -> None:
    def build(folder: Path) -> dict[str, str]:
        return {"request": "orjson@3.9.15"}

    first = cache.environment(place.env, "x", {"a": "1"}, build, lambda line: None)
    second = cache.environment(place.env, "x", {"a": "2"}, build, lambda line: None)
    used(first.folder, 1)
    assert locate(place.env, first.name).folder == first.folder
    assert locate(place.env, "orjson@3.9.15").folder == second.folder
    assert locate(place.env, "python/orjson@3.9.15", load_adapters()).folder == second.folder
    with pytest.raises(
        BadInput, match=r"^no environment 'orjson@3.9.51' in the cache; did you mean orjson@3.9.15"
    ):
        locate(place.env, "orjson@3.9.51")
    with pytest.raises(BadInput, match=r"^no environment '\\x00' in the cache; `whichwins env list` lists"):
        locate(place.env, "\0")


def test_memory_survives_damage_and_keeps_the_latest(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST", 3)
    memory.remember(place.env, "k", {"a": 1, "b": 2, "c": 3})
    memory.remember(place.env, "k", {"a": 4, "d": 5})
    assert memory.recall(place.env, "k") == {"c": 3, "a": 4, "d": 5}
    (memory.folder(place.env) / "k.json").write_text("[1]")
    assert memory.recall(place.env, "k") == {}
    (memory.folder(place.env) / "k.json").write_text("{")
    memory.remember(place.env, "k", {"e": 6})
    assert memory.recall(place.env, "k") == {"e": 6}
    memory.remember({"WHICHWINS_CACHE": "/dev/null/x"}, "k", {"e": 6})
