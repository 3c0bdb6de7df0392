"""Python libraries outside the default set, really installed: values by hand, identity, the doctor."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import ask, ready, run
from tests.adapters.started import greeting, outcome
from tests.built import python_rows, python_tables
from tests.provision.asked import given, shared_cache
from whichwins.provision import Absent
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits

pytestmark = pytest.mark.built

PINNED = {**python_rows.PINNED, **python_tables.PINNED}
ROWS = {**python_rows.ROWS, **python_tables.ROWS}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def column(key: str) -> str:
    (subject,) = select(load_adapters(), [key])
    return f"{key}@{PINNED[subject.packages[0]]}"


def installed(place: Path, key: str) -> Launch:
    env = {**os.environ, "WHICHWINS_CACHE": str(place)}
    (subject,) = select(load_adapters(), [key])
    (found,) = given(env, column(key), allow_build=subject.packages[0] in python_rows.FROM_SOURCE)
    if isinstance(found, Absent):
        pytest.skip(f"{key}: {found.reason}: {found.install}")
    return found


@pytest.mark.parametrize("key", ROWS)
def test_values_worked_out_by_hand(place: Path, key: str) -> None:
    found = installed(place, key)
    answers = ask(found.argv, greeting(key), [data for data, _ in ROWS[key]], env=found.env)
    said = [(data[:60], outcome(one)) for (data, _), one in zip(ROWS[key], answers, strict=True)]
    assert said == [(data[:60], want) for data, want in ROWS[key]]


@pytest.mark.parametrize("key", ROWS)
def test_identity(place: Path, key: str) -> None:
    found = installed(place, key)
    lines = ready(found.argv, greeting(key), found.env).text.splitlines()
    (subject,) = select(load_adapters(), [key])
    assert f"library {subject.packages[0]} {PINNED[subject.packages[0]]}" in lines
    files = [Path(line[5:]) for line in lines if line.startswith("file ")]
    assert files
    assert all(path.is_file() for path in files)
    assert subject.install == f"pip install {subject.packages[0]}"


@pytest.mark.parametrize("key", ROWS)
def test_the_doctor_finds_it_well(place: Path, key: str) -> None:
    found = installed(place, key)
    (subject,) = select(load_adapters(), [column(key)])
    (checkup,) = examine([subject], {subject.key: found}, Limits(case_seconds=60))
    assert checkup.absent is None
    assert [one.findings for one in checkup.checks if one.findings] == []


@pytest.mark.parametrize("key", ["python/duckdb-json", "python/simdjson", "python/yaml-c"])
def test_it_is_absent_where_it_is_not_installed(place: Path, key: str) -> None:
    """The library of another one: `import` fails, and the subject says so before any case."""
    found = installed(place, "python/msgspec")
    said = ready(found.argv, greeting(key), found.env)
    assert (said.verb, said.text.split()[0]) == ("fault", "ModuleNotFoundError")


def test_what_the_library_crashes_on_is_a_crash(place: Path) -> None:
    """yajl2_c hands an integer beyond Python's digit limit on as NULL."""
    found = installed(place, "python/ijson-yajl")
    sent = greeting("python/ijson-yajl") + b"parse 1 4301\n" + b"1" * 4301 + b"\nbye 2 0\n\n"
    assert run(found.argv, sent, found.env).status == -11


def test_duckdb_does_not_echo_the_input(place: Path) -> None:
    found = installed(place, "python/duckdb-json")
    (answer,) = ask(found.argv, greeting("python/duckdb-json"), [b'{"secret":'], env=found.env)
    assert answer.verb == "reject"
    assert "secret" not in answer.text
