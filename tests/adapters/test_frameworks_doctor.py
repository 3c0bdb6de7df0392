"""What the doctor checks of frameworks, really installed: in one worker each, since a start takes seconds.

Batches, transcripts and order are the worker's, the same for all: looked at in one subject of each adapter.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.adapters.frameworks import pinned, provided
from tests.adapters.test_frameworks_node import NEWEST
from tests.provision.asked import shared_cache
from whichwins.model import Subject
from whichwins.run.doctor import checks, examine
from whichwins.run.doctor.asking import Desk, Patient
from whichwins.subjects import load_adapters, select
from whichwins.workers import Limits

LIMITS = Limits(case_seconds=30)
SUBJECTS = {each.key: each for adapter in load_adapters() if adapter.boundaries for each in adapter.subjects}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


def column(key: str) -> str:
    package = SUBJECTS[key].packages[0]
    return f"{key}@{NEWEST[package] if key.startswith('node') else pinned(package)}"


def found(place: Path, subject: Subject) -> list[str]:
    (launch,) = provided(place, column(subject.base))
    with Desk(Patient(subject, launch, LIMITS)) as desk:
        sung, lacking = checks.canaries(desk, subject.canaries)
        made = [
            sung,
            checks.notation(desk, subject),
            checks.repeats(desk, subject),
            checks.depth(desk, subject),
        ]
    assert lacking is None
    return [f"{each.name}: {finding.about}: {finding.text}" for each in made for finding in each.findings]


@pytest.mark.parametrize("key", SUBJECTS)
def test_it_is_well(place: Path, key: str) -> None:
    assert found(place, SUBJECTS[key]) == []


@pytest.mark.parametrize("key", ["frameworks/flask", "node-frameworks/fastify"])
def test_the_worker_is_well(place: Path, key: str) -> None:
    (launch,) = provided(place, column(key))
    (subject,) = select(load_adapters(), [column(key)])
    (checkup,) = examine([subject], {subject.key: launch}, LIMITS)
    assert checkup.absent is None
    assert [each.name for each in checkup.checks if each.findings] == []


def test_a_wrong_manifest_is_noticed(place: Path) -> None:
    """Arguments that must be objects are only then looked at inside one; repeats are what they are."""
    broken = replace(SUBJECTS["frameworks/fastapi-model"], objects=False, repeats="first")
    said = found(place, broken)
    assert any(each.startswith("vectors: 20: reject (parse http-422)") for each in said)
    assert any("declares first, observed last" in each for each in said)


def test_none_is_asked_unless_it_is_named() -> None:
    assert not any(each.default or each.required for each in SUBJECTS.values())
    assert {each.key for each in select(load_adapters(), [])}.isdisjoint(SUBJECTS)


def test_every_subject_says_what_it_needs() -> None:
    for each in SUBJECTS.values():
        assert each.packages, each.key
        assert each.install, each.key
        assert each.repeats, each.key
        assert each.entry, each.key
