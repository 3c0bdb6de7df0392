"""Subjects that bind, really installed: what each makes of texts, by hand from its documentation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import ask, frame
from tests.adapters.started import outcome
from tests.provision.asked import really, shared_cache
from whichwins.model import Subject
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits
from whichwins.workers.identity import hello

VERSIONS = {"pydantic": "2.14.4", "msgspec": "0.23.0"}
NO_JSON, NO_FIT = "reject parse ValidationError", "reject bind ValidationError"
MISFIT_FIRST = b'{"target":7,"target":"b"}'
ALIAS_FIRST = b'{"target":"a","qty":2,"quantity":20}'
ALIAS_LAST = b'{"target":"a","quantity":2,"qty":20}'
CASE = b'{"target":"a","Quantity":2}'
NULL = b'{"target":"a","qty":null}'
REPEATED_OBJECT = b'{"target":"a","options":{"mode":"m"},"options":{"limit":1}}'
LAST_OBJECT = '{"target":"a","options":{"limit":1}}'


def order(quantity: int) -> str:
    return f'{{"target":"a","quantity":{quantity}}}'


Rows = list[tuple[bytes, str]]
BY_ALIAS: Rows = [  # pydantic asks the alias before the name
    (ALIAS_FIRST, order(2)),
    (ALIAS_LAST, order(20)),
    (CASE, '{"target":"a"}'),
    (NULL, NO_FIT),
    (REPEATED_OBJECT, LAST_OBJECT),
    (MISFIT_FIRST, '{"target":"b"}'),
    (b"[]", NO_FIT),
]
ROWS: dict[str, Rows] = {
    "binders/pydantic-json": [*BY_ALIAS, (b'{"target":', NO_JSON), (b'"\xff"', NO_JSON)],
    "binders/pydantic-python": [
        *BY_ALIAS,
        (b'{"target":', "reject parse JSONDecodeError"),
        (b'"\xff"', "reject decode UnicodeDecodeError"),
    ],
    "binders/pydantic-adapter": [*BY_ALIAS, (b'{"target":', NO_JSON)],
    "binders/pydantic-alias": [*BY_ALIAS, (b'{"target":"a","quantity":"x"}', '{"target":"a"}')],
    "binders/pydantic-choices": [
        (ALIAS_FIRST, order(20)),  # the first choice that is there
        (ALIAS_LAST, order(2)),
        (CASE, '{"target":"a"}'),
        (NULL, NO_FIT),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/pydantic-forbid": [
        (ALIAS_FIRST, NO_FIT),
        (ALIAS_LAST, NO_FIT),
        (CASE, NO_FIT),
        (b'{"target":"a","options":{"other":1}}', NO_FIT),
        (MISFIT_FIRST, '{"target":"b"}'),
        (REPEATED_OBJECT, LAST_OBJECT),
    ],
    "binders/msgspec": [
        (ALIAS_FIRST, order(2)),
        (ALIAS_LAST, order(20)),
        (CASE, '{"target":"a"}'),
        (NULL, NO_FIT),
        (MISFIT_FIRST, NO_FIT),  # every occurrence is checked
        (REPEATED_OBJECT, LAST_OBJECT),
        (b'{"target":', "reject parse DecodeError"),
    ],
    "binders/msgspec-forbid": [
        (ALIAS_FIRST, NO_FIT),
        (b'{"target":"a","qty":2}', order(2)),
        (b'{"target":"a","quantity":2}', NO_FIT),
        (CASE, NO_FIT),
        (MISFIT_FIRST, NO_FIT),
    ],
    "binders/msgspec-convert": [
        (ALIAS_FIRST, order(2)),
        (ALIAS_LAST, order(20)),
        (CASE, '{"target":"a"}'),
        (MISFIT_FIRST, '{"target":"b"}'),  # json has dropped the first
        (b'{"target":', "reject parse JSONDecodeError"),
    ],
}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


@cache
def subject(key: str) -> Subject:
    (found,) = select(load_adapters(), [key])
    return found


def started(place: Path, key: str) -> Launch:
    (found,) = really(place, f"{key}@{VERSIONS[subject(key).packages[0]]}")
    return found


def greeting(key: str) -> bytes:
    return frame("hello", 0, hello(subject(key)))


def test_every_binder_is_tested_and_none_runs_by_default() -> None:
    there = select(load_adapters(), ["binders/*"])
    assert {each.key for each in there} == set(ROWS)
    assert all(len(rows) >= 5 for rows in ROWS.values())
    assert {each.shape for each in there} == {"order"}
    assert not any(each.default or each.required for each in there)
    assert all(each.packages and each.install and each.repeats for each in there)


@pytest.mark.parametrize("key", ROWS)
def test_values_by_hand(place: Path, key: str) -> None:
    launch = started(place, key)
    answers = ask(launch.argv, greeting(key), [data for data, _ in ROWS[key]], env=dict(launch.env or {}))
    said = [(data, outcome(answer)) for (data, _), answer in zip(ROWS[key], answers, strict=True)]
    assert said == ROWS[key]


@pytest.mark.parametrize("key", ROWS)
def test_the_doctor_finds_nothing(place: Path, key: str) -> None:
    (checkup,) = examine([subject(key)], {key: started(place, key)}, Limits())
    assert checkup.absent is None
    assert checkup.healthy
    assert [each.name for each in checkup.checks if each.state == "skipped"] == ["vectors"]
