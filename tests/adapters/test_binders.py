"""Subjects that bind, really installed: what each makes of texts, by hand from its documentation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.adapters.client import ask, frame
from tests.adapters.started import outcome
from tests.docs.test_binding import maker
from tests.provision.asked import really, shared_cache
from whichwins.analysis.lens import value as same_value
from whichwins.model import Observation, Subject
from whichwins.run import read_ledger
from whichwins.run.doctor import examine
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits, WorkerPool
from whichwins.workers.identity import hello

NO_JSON, NO_FIT = "reject parse ValidationError", "reject bind ValidationError"
MISFIT_FIRST = b'{"target":7,"target":"b"}'
ALIAS_FIRST = b'{"target":"a","qty":2,"quantity":20}'
ALIAS_LAST = b'{"target":"a","quantity":2,"qty":20}'
CASE = b'{"target":"a","Quantity":2}'
NULL = b'{"target":"a","qty":null}'
REPEATED_OBJECT = b'{"target":"a","options":{"mode":"m"},"options":{"limit":1}}'
UNKNOWN = b'{"target":"a","other":1}'
ALIAS = b'{"target":"a","qty":2}'
NAME = b'{"target":"a","quantity":2}'
TEXT = b'{"target":"a","qty":"7"}'
NULL_TARGET = b'{"target":null}'
UNFINISHED = b'{"target":'
BAD_UTF8 = b'{"target":"\xff"}'
PLAIN = '{"target":"a"}'
JSON_SAYS_NO = "reject parse JSONDecodeError"
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
OPEN: Rows = [
    (ALIAS_FIRST, ALIAS_FIRST.decode()),  # what json.loads made, as it is
    (CASE, CASE.decode()),
    (TEXT, TEXT.decode()),  # no schema says anything of `qty`
    (MISFIT_FIRST, '{"target":"b"}'),
    (NULL_TARGET, NO_FIT),
    (
        b'{"target":"a","quantity":2.0}',
        '{"target":"a","quantity":2.0}',
    ),  # an integer, says JSON Schema
    (UNFINISHED, JSON_SAYS_NO),
]
CLOSED: Rows = [
    (NAME, order(2)),
    (ALIAS, NO_FIT),
    (CASE, NO_FIT),
    (b'{"target":"a","options":{"other":1}}', NO_FIT),
    (MISFIT_FIRST, '{"target":"b"}'),
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
    "binders/cattrs": [
        (ALIAS_FIRST, order(2)),
        (ALIAS_LAST, order(20)),
        (CASE, PLAIN),
        (TEXT, order(7)),  # int("7")
        (NULL, "reject bind ClassValidationError"),
        (NULL_TARGET, '{"target":"None"}'),  # str(None)
        (MISFIT_FIRST, '{"target":"b"}'),
        (REPEATED_OBJECT, LAST_OBJECT),
        (UNFINISHED, JSON_SAYS_NO),
        (BAD_UTF8, "reject decode UnicodeDecodeError"),
        (b"null", "fault TypeError"),  # no error of cattrs: callers may not expect it
    ],
    "binders/cattrs-forbid": [
        (ALIAS, order(2)),
        (NAME, "reject bind ClassValidationError"),
        (CASE, "reject bind ClassValidationError"),
        (b'{"target":"a","options":{"other":1}}', "reject bind ClassValidationError"),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/mashumaro": [
        (ALIAS_FIRST, order(2)),
        (ALIAS_LAST, order(20)),
        (NAME, PLAIN),
        (CASE, PLAIN),
        (TEXT, order(7)),
        (NULL, "reject bind InvalidFieldValue"),
        (NULL_TARGET, '{"target":"None"}'),
        (MISFIT_FIRST, '{"target":"b"}'),
        (b"{}", "reject bind MissingField"),
        (UNFINISHED, JSON_SAYS_NO),
    ],
    "binders/mashumaro-names": [
        (ALIAS_FIRST, order(2)),  # the alias is looked up first
        (ALIAS_LAST, order(20)),
        (NAME, order(2)),
        (CASE, PLAIN),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/mashumaro-forbid": [
        (ALIAS, order(2)),
        (NAME, "reject bind ExtraKeysError"),
        (CASE, "reject bind ExtraKeysError"),
        (UNKNOWN, "reject bind ExtraKeysError"),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/marshmallow": [
        (ALIAS, order(2)),
        (NAME, NO_FIT),  # unknown members are refused unless one says otherwise
        (CASE, NO_FIT),
        (TEXT, order(7)),
        (NULL, NO_FIT),
        (MISFIT_FIRST, '{"target":"b"}'),
        (b"[]", NO_FIT),
        (UNFINISHED, JSON_SAYS_NO),
    ],
    "binders/marshmallow-exclude": [
        (ALIAS_FIRST, order(2)),
        (ALIAS_LAST, order(20)),
        (NAME, PLAIN),
        (UNKNOWN, PLAIN),
        (REPEATED_OBJECT, LAST_OBJECT),
    ],
    "binders/marshmallow-include": [
        (ALIAS_FIRST, order(20)),  # the unknown member `quantity` is stored over the field of that name
        (ALIAS_LAST, order(2)),
        (b'{"target":"a","qty":2,"quantity":"many"}', '{"target":"a","quantity":"many"}'),  # unvalidated
        (CASE, '{"target":"a","Quantity":2}'),
        (UNKNOWN, '{"target":"a","other":1}'),
    ],
    "binders/protobuf": [
        (ALIAS_FIRST, order(20)),  # without presence the last one stays
        (ALIAS_LAST, order(20)),
        (CASE, "reject bind ParseError"),
        (TEXT, order(7)),
        (NULL, PLAIN),  # null is as good as not given
        (MISFIT_FIRST, "reject parse ParseError"),  # the repeat
        (b'{"target":"a","target":"a"}', "reject parse ParseError"),
        (UNFINISHED, "reject parse ParseError"),
        (BAD_UTF8, "reject decode UnicodeDecodeError"),
    ],
    "binders/protobuf-ignore": [
        (ALIAS_FIRST, order(20)),
        (CASE, PLAIN),
        (UNKNOWN, PLAIN),
        (b'{"target":"a","other":1,"other":2}', "reject parse ParseError"),
        (REPEATED_OBJECT, "reject parse ParseError"),
        (b'{"target":7}', "reject bind ParseError"),
    ],
    "binders/protobuf-optional": [
        (ALIAS_FIRST, "reject bind ParseError"),  # one field cannot be given twice
        (ALIAS_LAST, "reject bind ParseError"),
        (b'{"target":"a","quantity":null,"qty":20}', order(20)),
        (NAME, order(2)),
        (CASE, PLAIN),
        (MISFIT_FIRST, "reject parse ParseError"),
    ],
    "binders/protobuf-onto": [
        (b"{}", '{"target":"kept","quantity":1,"options":{"mode":"kept","limit":9}}'),
        (
            b'{"options":{"mode":"wet"}}',
            '{"target":"kept","quantity":1,"options":{"mode":"wet","limit":9}}',  # laid over
        ),
        (b'{"options":null}', '{"target":"kept","quantity":1}'),
        (b'{"qty":null}', '{"target":"kept","options":{"mode":"kept","limit":9}}'),
        (b'{"quantity":"many"}', "reject bind ParseError"),
    ],
    "binders/pydantic-onto": [
        (b"{}", '{"target":"kept","quantity":1,"options":{"mode":"kept","limit":9}}'),
        (b'{"options":{"mode":"wet"}}', '{"target":"kept","quantity":1,"options":{"mode":"wet"}}'),
        (b'{"quantity":"many"}', '{"target":"kept","quantity":"many","options":{"mode":"kept","limit":9}}'),
        (b'{"qty":2}', '{"target":"kept","quantity":1,"options":{"mode":"kept","limit":9},"qty":2}'),
        (UNFINISHED, JSON_SAYS_NO),
    ],
    "binders/jsonschema": OPEN,
    "binders/jsonschema-rs": OPEN,
    "binders/jsonschema-closed": CLOSED,
    "binders/jsonschema-rs-closed": CLOSED,
    "binders/zod": [
        (ALIAS_FIRST, '{"target":"a","quantity":20.0}'),
        (CASE, PLAIN),
        (UNKNOWN, PLAIN),
        (b'{"target":"a","__proto__":{"quantity":20}}', PLAIN),
        (b'{"target":"a","quantity":null}', "reject bind ZodError"),
        (MISFIT_FIRST, '{"target":"b"}'),
        (UNFINISHED, "reject parse SyntaxError"),
        (BAD_UTF8, "reject decode ERR_ENCODING_INVALID_ENCODED_DATA"),
    ],
    "binders/zod-strict": [
        (NAME, '{"target":"a","quantity":2.0}'),
        (ALIAS, "reject bind ZodError"),
        (CASE, "reject bind ZodError"),
        (b'{"target":"a","options":{"other":1}}', "reject bind ZodError"),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/ajv": [
        (ALIAS_FIRST, '{"target":"a","qty":2.0,"quantity":20.0}'),
        (CASE, '{"target":"a","Quantity":2.0}'),
        (b'{"target":"a","__proto__":{"quantity":20}}', '{"target":"a","__proto__":{"quantity":20.0}}'),
        (NULL_TARGET, NO_FIT),
        (MISFIT_FIRST, '{"target":"b"}'),
        (UNFINISHED, "reject parse SyntaxError"),
    ],
    "binders/ajv-closed": [
        (NAME, '{"target":"a","quantity":2.0}'),
        (ALIAS, NO_FIT),
        (CASE, NO_FIT),
        (b'{"target":"a","quantity":"7"}', NO_FIT),
        (MISFIT_FIRST, '{"target":"b"}'),
    ],
    "binders/ajv-fastify": [
        (ALIAS_FIRST, '{"target":"a","quantity":20.0}'),  # what is additional is taken away
        (UNKNOWN, PLAIN),
        (b'{"target":"a","quantity":"7"}', '{"target":"a","quantity":7.0}'),
        (b'{"target":"a","quantity":null}', '{"target":"a","quantity":0.0}'),
        (NULL_TARGET, '{"target":""}'),
        (b'{"target":"a","options":{"limit":"many"}}', NO_FIT),
    ],
}


LEDGERS = {shape: read_ledger(path) for shape, path in maker().LEDGERS.items()}
VERSIONS: dict[str, str] = maker().VERSIONS


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
    assert {each.shape for each in there} == {"order", "order-onto"}
    assert not any(each.default or each.required for each in there)
    assert all(each.packages and each.install for each in there)
    assert all(each.repeats for each in there if each.shape == "order")


@pytest.mark.parametrize("key", ROWS)
def test_values_by_hand(place: Path, key: str) -> None:
    launch = started(place, key)
    answers = ask(launch.argv, greeting(key), [data for data, _ in ROWS[key]], env=dict(launch.env or {}))
    said = [(data, outcome(answer)) for (data, _), answer in zip(ROWS[key], answers, strict=True)]
    assert said == ROWS[key]


def comparable(observation: Observation) -> str:
    # A set decides in what order marshmallow gives members back: it is another one in each process.
    value = None if observation.value is None else same_value(observation.value)
    said = (observation.outcome, value, observation.stage, observation.error)
    return " ".join(part for part in said if part)


@pytest.mark.parametrize("key", ROWS)
def test_the_committed_answers_are_what_it_says(place: Path, key: str) -> None:
    ledger = LEDGERS[subject(key).shape]
    at = ledger.subjects.index(f"{key}@{VERSIONS[subject(key).packages[0]]}")
    wanted = {case: comparable(row[at]) for case, row in ledger.observations.items()}
    asked = {case: record.case.data for case, record in ledger.cases.items()}
    with WorkerPool([subject(key)], {key: started(place, key)}) as pool:
        said = {
            case: comparable(row[0]) for case, row in zip(asked, pool.observe(asked.values()), strict=True)
        }
    assert said == wanted


@pytest.mark.parametrize("key", ROWS)
def test_the_doctor_finds_nothing(place: Path, key: str) -> None:
    (checkup,) = examine([subject(key)], {key: started(place, key)}, Limits())
    assert checkup.absent is None
    assert checkup.healthy
    skipped = ["vectors", "repeats"] if subject(key).shape == "order-onto" else ["vectors"]
    assert [each.name for each in checkup.checks if each.state == "skipped"] == skipped
