"""The path of one request: what each boundary did with it, in order."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from tests.report.audits import REPEAT, boundary, finding, hostile, line, order, result, stack
from tests.report.hostile import PACKED, TEXTS, seen
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.result import AuditResult, CaseLine
from whichwins.model import BadInput
from whichwins.report import audit_path

PATH = """\
repeated/quantity
=================

input                {"quantity":2,"quantity":20}
bytes                7b 22 71 75 61 6e 74 69 74 79 22 3a 32 2c 22 71 75 61 6e 74 69 74 79 22 3a 32
                     30 7d
length               28 bytes
strict-tool-input/1  reject (strict-tool-input: names once per object)

1. preview, reviewer: accepted
------------------------------

is           subject python/sqlite3-extract
read         the original request
understood   {"quantity":2}
showed       {"quantity":2}
first lossy  an occurrence of a repeated name is lost here

2. executor, executor: accepted
-------------------------------

is           subject python/json
read         the original request
understood   {"quantity":20}
executed     {"quantity":20}
first lossy  an occurrence of a repeated name is lost here

What it breaks
--------------

- verdict 1 (all who decide held the value that was executed): values differ, executor against
  preview, cause repeated name (different winners)
- verdict 3 (what the policy rejects is rejected before anything of it is lost): passed what the
  policy rejects, executor, cause repeated name
"""


def test_by_hand() -> None:
    assert audit_path(order(), "repeated/quantity", "text", 100, True) == PATH


def test_values_are_hidden_unless_asked_for() -> None:
    text = audit_path(order(), "repeated/quantity", "text")
    assert "input                bytes 1 (28 bytes)\n" in text
    assert "bytes   " not in text
    assert "showed       value 2 (object, 14 characters)\n" in text
    assert "understood   value 2 (object, 14 characters)\n" in text
    assert "executed     value 3 (object, 15 characters)\n" in text
    assert text.endswith("Values are left out, and numbered: equal ones have one number.\n")


SECRET = "hunter2"
VALUE = f'{{"{SECRET}":"{SECRET}"}}'
FOUR = stack(
    boundary("gateway", "store"),
    boundary("screen", "reviewer", reads="gateway"),
    boundary("gate", "approver", reads="gateway", raw=False, guarantee="x"),
    boundary("tool", "executor", reads="gate"),
)


def path_of(*passages: Passage, **more: Any) -> AuditResult:
    names = [each.name for each in FOUR.boundaries]
    known = [line(name, unverified=name == "gate", why="it is fed parsed objects") for name in names]
    given_: dict[str, Any] = {
        "stack": FOUR,
        "lines": tuple(known),
        "passages": {"a/b": dict(zip(names, passages, strict=False))},
        "requests": {"a/b": CaseLine(len(REPEAT), "reject", "", {"gateway": "bytes"}, VALUE.encode())},
    }
    return result(**{**given_, **more})


DEEDS = path_of(
    Passage(Passed.ACCEPTED, VALUE, emitted=VALUE.encode(), decoders=("orjson 3.13.0",)),
    Passage(Passed.ACCEPTED, previews=(Preview("cart", VALUE), Preview("", VALUE)), unstable=True),
    Passage(Passed.REJECTED, signal="http 200 with an error body", reason=f"bad {SECRET}", approved=SECRET),
    Passage(Passed.FAILED, executions=(VALUE, VALUE), signal="exception OSError", executed=(SECRET,)),
)


def blocks(text: str) -> dict[str, dict[str, str]]:
    """The rows of each boundary's table, by heading."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"(?m)^(?=[0-9]+\. )", text)[1:]:
        heading, _, rest = part.partition("\n")
        rows = [re.split(r"  +", each, maxsplit=1) for each in rest.split("\n\n")[1].split("\n")]
        found[heading] = {row[0]: row[1] for row in rows if len(row) == 2}
    return found


def test_everything_that_a_boundary_did() -> None:
    shown = blocks(audit_path(DEEDS, "a/b", "text", 120, True))
    assert shown == {
        "1. gateway, store: accepted": {
            "is": "subject python/json",
            "read": "the original request",
            "understood": VALUE,
            "handed on": VALUE,
            "decoders": "orjson 3.13.0",
            "first lossy": "bytes is lost here",
        },
        "2. screen, reviewer: accepted": {
            "is": "subject python/json",
            "read": f"what gateway handed on: {VALUE}",
            "showed, 1.": f"cart: {VALUE}",
            "showed, 2.": VALUE,
            "unstable": "the answer did not repeat",
        },
        "3. gate, approver: rejected, http 200 with an error body": {
            "is": "subject python/json",
            "read": f"what gateway handed on (in production: objects that somebody else parsed): {VALUE}",
            "because": f"bad {SECRET}",
            "approved": SECRET,
            "unverified": "it is fed parsed objects",
        },
        "4. tool, executor: failed, exception OSError": {
            "is": "subject python/json",
            "read": "what gate handed on: nothing",
            "executed, 1.": VALUE,
            "executed, 2.": VALUE,
            "its digest": SECRET,
        },
    }


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_no_form_tells_a_hidden_value(form: str) -> None:
    for hidden in (audit_path(DEEDS, "a/b", form), audit_path(DEEDS, "a/b", form, key=b"k")):
        assert SECRET not in hidden
        assert SECRET.encode().hex() not in hidden
    shown = audit_path(DEEDS, "a/b", form, show_values=True)
    assert SECRET in shown or SECRET.encode().hex() in shown


def test_hidden_values_that_are_equal_are_seen_to_be() -> None:
    shown = blocks(audit_path(DEEDS, "a/b", "text", 120))
    said = f"value 1 (object, {len(VALUE)} characters)"
    assert shown["1. gateway, store: accepted"]["understood"] == said
    assert shown["4. tool, executor: failed, exception OSError"]["executed, 2."] == said
    assert shown["3. gate, approver: rejected, http 200 with an error body"]["approved"] == "digest 2"
    assert shown["4. tool, executor: failed, exception OSError"]["its digest"] == "digest 2"


def test_unknown_executions_are_unknown_and_none_is_never() -> None:
    unseen = Passage(Passed.ACCEPTED, executions=None)
    blocked = Passage(Passed.BLOCKED)
    audit = path_of(unseen, blocked, blocked, unseen)
    shown = blocks(audit_path(audit, "a/b", "text"))
    assert shown["4. tool, executor: accepted"]["executed"] == "unknown: it cannot be seen"
    assert "executed" not in shown["2. screen, reviewer: blocked"]
    said = json.loads(audit_path(audit, "a/b", "json"))
    assert [step["executions"] for step in said["path"]] == [None, [], [], None]
    nothing = path_of(*[Passage(Passed.ACCEPTED)] * 4)
    assert blocks(audit_path(nothing, "a/b", "text"))["4. tool, executor: accepted"]["executed"] == "never"
    absent = path_of(*[Passage(Passed.ABSENT, reason="no module named x")] * 4)
    shown = blocks(audit_path(absent, "a/b", "text"))
    assert shown["4. tool, executor: absent"]["because"] == "no module named x"
    assert "executed" not in shown["4. tool, executor: absent"]


def test_json() -> None:
    said = json.loads(audit_path(order(), "repeated/quantity", "json", show_values=True))
    assert (said["report"], said["stack"], said["case"]) == ("path", "orders", "repeated/quantity")
    assert (said["expected"], said["input"]) == ("reject", {"hex": REPEAT.hex()})
    assert [step["first_lost"] for step in said["path"]] == ["occurrence", "occurrence"]
    assert said["path"][0]["previews"] == [{"where": "", "value": '{"quantity":2}'}]
    assert said["broken"] == [
        {"verdict": 1, "fault": "value-differs", "boundary": "executor", "other": "preview"},
        {"verdict": 3, "fault": "passed-what-policy-rejects", "boundary": "executor", "other": ""},
    ]
    hidden = json.loads(audit_path(order(), "repeated/quantity", "json"))
    assert hidden["input"] == {"left_out": 28}


def test_a_case_that_breaks_nothing() -> None:
    audit = path_of(*[Passage(Passed.ACCEPTED)] * 4)
    assert audit_path(audit, "a/b", "text").count("\nNothing.\n") == 1
    bare = replace(audit, requests={})
    assert "The bytes are not kept, and nothing is broken.\n" in audit_path(bare, "a/b", "text")
    told = replace(bare, findings=(finding(case="a/b", boundary="tool", lossy="screen"),))
    shown = blocks(audit_path(told, "a/b", "text"))
    assert shown["2. screen, reviewer: accepted"]["first lossy"].startswith("an occurrence")


def test_long_lists_are_cut_and_counted() -> None:
    values = tuple(f'"{n}"' for n in range(25))
    audit = path_of(
        *[Passage(Passed.ACCEPTED, executions=values, previews=tuple(Preview("", v) for v in values))] * 4
    )
    text = audit_path(audit, "a/b", "text", show_values=True)
    assert text.count("5 previews more") == text.count("5 executions more") == 4
    assert len(json.loads(audit_path(audit, "a/b", "json"))["path"][0]["executions"]) == 25


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (
            "repeated/quantty",
            "--case repeated/quantty: this audit has no such case: did you mean repeated/quantity?",
        ),
        ("x", "--case x: this audit has no such case: `whichwins corpus list` lists those of the corpus"),
        ("a\nb", "--case 'a\\nb': this audit has no such case: `whichwins"),
    ],
)
def test_a_case_that_is_not_there(case: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        audit_path(order(), case, "text")
    assert str(caught.value).startswith(said)


def test_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="sarif"):
        audit_path(order(), "repeated/quantity", "sarif")


@given(TEXTS)
@settings(max_examples=40, deadline=None)
def test_any_text(text: str) -> None:
    check(text, True)


@pytest.mark.parametrize("show", [False, True])
@pytest.mark.parametrize("odd", PACKED)
def test_odd_texts(odd: str, show: bool) -> None:
    check(odd, show)


def check(odd: str, show: bool) -> None:
    text = audit_path(hostile(odd), odd, "text", 80, show)
    assert re.fullmatch(r"[ -~\n]*", text)
    assert not re.search(r"^\s*::|##\[|##vso\[", text, re.MULTILINE)
    shown = audit_path(hostile(odd), odd, "markdown", show_values=show)
    assert re.fullmatch(r"[ -~\n]*", shown)
    kinds = [block.kind for block in seen(shown)]
    assert set(kinds) <= {"h1", "h2", "h3", "p", "li", "table"}
    assert kinds.count("h3") == 2
    assert re.fullmatch(r"[ -~\n]*", audit_path(hostile(odd), odd, "json", show_values=show))
