"""The questions of the checklist, on stacks that give each of the three answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.toys import (
    BIG,
    BLOCKED,
    REPEAT,
    TWIN,
    Row,
    boundary,
    failed,
    judged,
    no,
    ran,
    stack,
    took,
)
from whichwins.audit.checklist import Line, checklist
from whichwins.audit.passage import Passage
from whichwins.audit.result import AuditResult
from whichwins.audit.stack import Policy
from whichwins.audit.traits import traits

OF = stack(boundary("guard", "validator"), boundary("tool", "executor", reads="guard"))
NESTED = '{"o":{"q":1,"\\u0071":1}}'
NESTED_TWIN = '{"o":{"q":1,"\\u0071~2":1}}'
DEEP = "[" * 65 + "]" * 65


def passes(text: str) -> list[Passage]:
    return [took(text, text), ran(text)]


def rows(**changed: list[Passage]) -> list[Row]:
    stopped = [no(reason="names once per object (byte 14, at #0)"), BLOCKED]
    found: list[Row] = [
        ("case/pair", '{"q":1,"Q":2}', passes('{"q":1,"Q":2}')),
        ("control/two", '[{"q":1},{"q":2}]', passes('[{"q":1},{"q":2}]')),
        ("depth/deep", DEEP, stopped),
        ("number/big", BIG, stopped),
        ("repeated/nested", NESTED, stopped),
        ("repeated/nested~twin", NESTED_TWIN, passes(NESTED_TWIN)),
        ("repeated/q", REPEAT, stopped),
        ("repeated/q~twin", TWIN, passes(TWIN)),
    ]
    return [
        (key, data, changed.get(key.replace("/", "_").replace("~", "__"), row)) for key, data, row in found
    ]


def answers(result: AuditResult) -> dict[str, Line]:
    return {each.question: each for each in checklist(result)}


QUESTIONS = {
    "objects": "are repeats still there where the original JSON first becomes objects",
    "repeat": "does every entry reject repeated names",
    "nested": "does every entry reject them in nested objects",
    "escaped": "does every entry reject them where one is spelled with an escape",
    "equal": "does every entry reject them with equal values too",
    "objects apart": "do equal names in different objects pass",
    "case": "are names that differ in case kept apart",
    "alias": "is an alias beside its name rejected",
    "one value": "do preview, approval, validation and execution use one accepted value",
    "checks": "does what is taken for a check of repeats see them",
    "errors": "do rejections say where, and not what",
    "size": "is size limited, apart from the rest",
    "depth": "is depth limited, apart from the rest",
    "number": "are numbers limited, apart from the rest",
}


def test_a_strict_guard_in_front() -> None:
    found = answers(judged(OF, *rows()))
    assert list(found) == list(QUESTIONS.values())
    said = {short: found[question].answer for short, question in QUESTIONS.items()}
    assert said.pop("alias") == "unknown"  # none is declared
    assert said.pop("size") == "unknown"  # nothing as large was asked
    assert set(said.values()) == {"yes"}


@pytest.mark.parametrize(
    ("changed", "short", "witness"),
    [
        ({"repeated_q": passes('{"quantity":20}')}, "objects", "repeated/q"),
        ({"repeated_q": passes('{"quantity":20}')}, "repeat", "repeated/q"),
        ({"repeated_nested": passes('{"o":{"q":1}}')}, "nested", "repeated/nested"),
        ({"repeated_nested": passes('{"o":{"q":1}}')}, "escaped", "repeated/nested"),
        ({"repeated_nested": passes('{"o":{"q":1}}')}, "equal", "repeated/nested"),
        ({"control_two": [no(reason="#1"), BLOCKED]}, "objects apart", "control/two"),
        ({"case_pair": passes('{"q":2}')}, "case", "case/pair"),
        ({"repeated_q": passes('{"quantity":20}')}, "checks", "repeated/q"),
        ({"repeated_q": [no(reason='"quantity" at byte 14'), BLOCKED]}, "errors", "repeated/q"),
        ({"repeated_q": [no(reason="duplicate"), BLOCKED]}, "errors", "repeated/q"),
        ({"depth_deep": [failed(), BLOCKED]}, "depth", "depth/deep"),
        ({"number_big": passes(BIG)}, "number", "number/big"),
    ],
)
def test_each_no_has_its_witness(changed: dict[str, list[Passage]], short: str, witness: str) -> None:
    line = answers(judged(OF, *rows(**changed)))[QUESTIONS[short]]
    assert (line.answer, line.witness) == ("no", witness)


def test_another_value_is_a_no_of_verdict_1() -> None:
    changed = {"control_two": [took("[3]", '[{"q":1},{"q":2}]'), ran('[{"q":1},{"q":2}]')]}
    line = answers(judged(OF, *rows(**changed)))[QUESTIONS["one value"]]
    assert (line.answer, line.witness) == ("no", "control/two")


def test_who_rejects_the_twin_too_shows_nothing_of_the_repeat() -> None:
    stopped = [no(), BLOCKED]
    found = answers(judged(OF, *rows(repeated_q__twin=stopped, repeated_nested__twin=stopped)))
    assert found[QUESTIONS["repeat"]].answer == "unknown"
    assert found[QUESTIONS["checks"]].answer == "unknown"


def test_a_check_behind_one_that_writes_anew() -> None:
    of = stack(
        boundary("gateway", "logger"),
        boundary("schema", "validator", reads="gateway"),
        boundary("tool", "executor", reads="schema"),
    )
    left = '{"quantity":20}'
    result = judged(
        of,
        ("repeated/q", REPEAT, [took(left, left), took(left, left), ran(left)]),
        ("repeated/q~twin", TWIN, [took(TWIN, TWIN), took(TWIN, TWIN), ran(TWIN)]),
    )
    line = answers(result)[QUESTIONS["checks"]]
    assert (line.answer, line.said) == ("no", "schema accepts what gateway wrote anew")


@pytest.mark.parametrize(
    ("row", "other", "answer"),
    [
        ([no(), BLOCKED], passes('{"q":2}'), "yes"),
        (passes('{"qty":1,"q":2}'), passes('{"q":2}'), "no"),
        ([no(), BLOCKED], [no(), BLOCKED], "unknown"),  # what rejects all tells nothing apart
        ([no(), no()._replace(executions=None)], passes('{"q":2}'), "unknown"),
    ],
)
def test_aliases(row: list[Passage], other: list[Passage], answer: str) -> None:
    of = replace(OF, policy=Policy(aliases={"qty": "q"}))
    found = judged(of, ("alias/both", '{"qty":1,"q":2}', row), ("alias/one", '{"q":2}', other))
    assert answers(found)[QUESTIONS["alias"]].answer == answer


def test_nothing_asked_nothing_said() -> None:
    found = checklist(judged(OF, ("control/n", "[1]", passes("[1]"))))
    assert {each.answer for each in found if each.question != QUESTIONS["one value"]} == {"unknown"}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1,"b":1}', set()),
        (b'{"a":1,"a":2}', {"repeat"}),
        (b'{"a":1,"\\u0061":1.0}', {"repeat", "escaped"}),
        (
            b'[{"a":1,"a":1}]',
            {
                "repeat",
                "nested",
                "equal",
            },
        ),
        (b'{"a":1,"o":{"a":1}}', {"shared name"}),
        (b'{"a":1,"A":1}', {"case pair"}),
        (b'{"\xff":1,"\xfe":1}', set()),
        (b"[1e400]", {"number"}),
        (b"[" * 66, {"depth"}),
        (b"[1", set()),
    ],
)
def test_traits(data: bytes, expected: set[str]) -> None:
    assert traits(data) == expected
