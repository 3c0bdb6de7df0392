"""What manifests name as keeping old behaviour really keeps it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any

import pytest

from tests.provision.asked import silent
from tests.upgrades.history import ROOT, environment, here, script
from whichwins.corpus import load
from whichwins.subjects import load_adapters

BY_ID: dict[str, Any] = {one.id: one for one in script().known()[0]}
DEEP = 5000


def read(upgrade: Any, env: Mapping[str, str], code: str) -> str:
    """What a program says that runs beside the newer version of an upgrade."""
    launches = here(upgrade, lambda: script().launched(upgrade, silent, env))
    python = launches[upgrade.after].argv[0]
    done = subprocess.run([python, "-c", code], capture_output=True, check=True, text=True, timeout=60)
    return done.stdout.strip()


def test_every_claim_is_tested_here() -> None:
    claims = {
        (subject.key, keep.say, keep.subject)
        for adapter in load_adapters()
        if adapter.name in ("python", "ruby")
        for subject in adapter.subjects
        for keep in subject.keeps
    }
    deep = "sys.setrecursionlimit(N) for texts of less than N levels"
    assert claims == {
        ("python/simplejson", "simplejson.loads(text, allow_nan=True)", "python/simplejson-nan"),
        ("python/simplejson-pure", "simplejson.loads(text, allow_nan=True)", ""),
        ("python/rapidjson", deep, ""),
        ("python/rapidjson-native", deep, ""),
        ("ruby/json", "JSON.parse(string, allow_duplicate_key: true)", "ruby/json-repeats"),
    }


def test_simplejson_with_allow_nan_reads_as_before(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The old version and the new one with the option agree on the whole corpus; without it they do not.

    But for one text of 991 levels: to pass the option takes a frame of the adapter's.
    """
    without = BY_ID["simplejson-3.18-4.3"]
    kept = without._replace(after=without.after.replace("simplejson@", "simplejson-nan@"))
    env, corpus = environment(tmp_path_factory), load(None)
    found = here(kept, lambda: script().measure(kept, corpus, silent, env))
    assert found["compared"] == len(corpus.cases)
    assert [(group["cause"], group["count"]) for group in found["groups"]] in ([], [("depth", 1)])
    assert here(without, lambda: script().measure(without, corpus, silent, env))["changed"] == 10


@pytest.mark.parametrize(("option", "said"), [("", "no"), (", allow_nan=True", "nan -inf")])
def test_simplejson_without_its_extension(
    option: str, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    code = f"""
import simplejson
simplejson._toggle_speedups(False)
try:
    print(*simplejson.loads('[NaN,-Infinity]'{option}))
except simplejson.JSONDecodeError:
    print("no")
"""
    upgrade = BY_ID["simplejson-pure-3.18-4.3"]
    assert read(upgrade, environment(tmp_path_factory), code) == said


@pytest.mark.parametrize("mode", ["", ", number_mode=rapidjson.NM_NATIVE"])
@pytest.mark.parametrize(("limit", "said"), [(1000, "RecursionError"), (DEEP + 1000, "read")])
def test_the_recursion_limit_is_rapidjsons_depth(
    mode: str, limit: int, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    code = f"""
import rapidjson, sys
sys.setrecursionlimit({limit})
try:
    rapidjson.loads("[" * {DEEP} + "]" * {DEEP}{mode})
    print("read")
except RecursionError:
    print("RecursionError")
"""
    assert read(BY_ID["rapidjson-1.9-1.25"], environment(tmp_path_factory), code) == said


RUBY = """
Warning[:deprecated] = true
STDERR.puts JSON.parse(%q({"a":1,"a":2})%OPTION%).to_a.inspect
"""
WARNED = 'warning: detected duplicate key "a"'


@pytest.mark.parametrize(
    ("side", "option", "warned"),
    [("before", "", False), ("after", "", True), ("after", ", allow_duplicate_key: true", False)],
)
def test_ruby_warns_of_repeats_unless_they_are_allowed(
    side: str, option: str, warned: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """json 2.13 brought both; the last one stands in any case."""
    upgrade = BY_ID["ruby-3.4-4.0"]
    launches = here(upgrade, lambda: script().launched(upgrade, silent, environment(tmp_path_factory)))
    argv = launches[getattr(upgrade, side)].argv
    worker = next(place for place, word in enumerate(argv) if word.endswith("worker.mjs"))
    code = RUBY.replace("%OPTION%", option)
    started = [argv[0], "--no-warnings", str(ROOT / "tests" / "upgrades" / "warned.mjs")]
    done = subprocess.run(
        [*started, str(ROOT / "adapters" / "ruby"), argv[worker + 1], code],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    assert '[["a", 2]]' in done.stderr
    assert (WARNED in done.stderr) == warned


def test_ruby_with_the_option_reads_as_without(tmp_path_factory: pytest.TempPathFactory) -> None:
    upgrade = BY_ID["ruby-3.4-4.0"]
    kept = upgrade._replace(before=upgrade.after, after=upgrade.after.replace("json@", "json-repeats@"))
    corpus = load(None)
    found = here(kept, lambda: script().measure(kept, corpus, silent, environment(tmp_path_factory)))
    assert (found["compared"], found["changed"]) == (len(corpus.cases), 0)
