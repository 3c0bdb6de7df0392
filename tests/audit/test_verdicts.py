"""The five verdicts on toy stacks: each planted fault is found, by its verdict and no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.audit.toys import (
    ABSENT,
    BAD,
    BIG,
    BLOCKED,
    NUL,
    PLAIN,
    REPEAT,
    TWIN,
    Row,
    boundary,
    broken,
    failed,
    faults,
    judged,
    no,
    ran,
    showed,
    stack,
    took,
)
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.result import AuditResult
from whichwins.audit.stack import Policy, Stack
from whichwins.model import Allow, Place

ORDERS = stack(
    boundary("guard", "validator"),
    boundary("preview", "reviewer", reads="guard"),
    boundary("approver", "approver", reads="guard"),
    boundary("tool", "executor", reads="guard"),
)


def passed(value: str, digest: str = "d1") -> list[Passage]:
    """What all of ORDERS do with what is in order."""
    return [
        took(value, value),
        showed(value),
        took(value, approved=digest),
        ran(value, executed=(digest,)),
    ]


STOPPED = [no(), BLOCKED, BLOCKED, BLOCKED]
CLEAN: dict[str, tuple[str | bytes, list[Passage]]] = {
    "bytes/bad": (BAD, STOPPED),
    "control/list": ('[1,"x"]', passed('[1,"x"]')),
    "control/plain": (PLAIN, passed(PLAIN)),
    "number/big": (BIG, STOPPED),
    "repeated/q": (REPEAT, STOPPED),
    "repeated/q~twin": (TWIN, passed(TWIN)),
    "trailing/nul": (NUL, STOPPED),
}


def with_(**rows: list[Passage]) -> list[Row]:
    """The clean rows, some exchanged: `_` stands for the slash."""
    changed = {key.replace("_", "/").replace("/twin", "~twin"): row for key, row in rows.items()}
    return [(key, data, changed.get(key, row)) for key, (data, row) in CLEAN.items()]


def audited(**rows: list[Passage]) -> AuditResult:
    return judged(ORDERS, *with_(**rows))


def test_a_clean_stack_breaks_nothing() -> None:
    result = audited()
    assert result.findings == ()
    assert result.unknown == ()
    assert result.verdicts == {1: "holds", 2: "holds", 3: "holds", 4: "holds", 5: "holds"}
    assert result.cases == 6
    assert [line.executions for line in result.lines] == [0, 0, 0, 3]
    assert result.lines[0].outcomes == {"accepted": 3, "rejected": 4}


def test_planted_1_a_preview_shows_another_value() -> None:
    row = passed(PLAIN)
    row[1] = showed('{"quantity":4}')
    result = audited(control_plain=row)
    assert faults(result) == [("value-differs", "tool", "control/plain")]
    assert broken(result) == [1]
    (found,) = result.findings
    assert (found.other, found.pointer, found.left, found.right) == ("preview", "/quantity", "4", "3")


def test_planted_1_another_digest_is_executed() -> None:
    row = passed(PLAIN)
    row[2] = took(PLAIN, approved="d2")
    result = audited(control_plain=row)
    assert faults(result) == [("digest-differs", "tool", "control/plain")]
    assert broken(result) == [1]
    (found,) = result.findings
    assert (found.other, found.left, found.right) == ("approver", "d2", "d1")


def test_planted_2_the_tool_runs_and_then_raises() -> None:
    row = [*passed(PLAIN)[:3], failed("exception OSError", executions=(PLAIN,))]
    result = audited(control_plain=row)
    assert faults(result) == [("ran-though-not-accepted", "tool", "control/plain")]
    assert broken(result) == [2]


def test_planted_2_the_tool_runs_twice() -> None:
    result = audited(control_plain=[*passed(PLAIN)[:3], ran(PLAIN, PLAIN)])
    assert faults(result) == [("ran-not-once", "tool", "control/plain")]
    assert broken(result) == [2]


def test_planted_3_the_guard_lets_a_repeat_pass() -> None:
    result = audited(repeated_q=passed('{"quantity":20}'))
    assert faults(result) == [("passed-what-policy-rejects", "guard", "repeated/q")]
    assert broken(result) == [3]
    (found,) = result.findings
    assert (found.lossy, found.loss, found.other) == ("guard", "occurrence", "tool")
    assert (found.cause, found.kind) == ("repeated name", "rejected")
    assert found.clause == "strict-tool-input: names once per object"


def test_planted_4_success_without_an_execution() -> None:
    result = audited(control_plain=[*passed(PLAIN)[:3], took(PLAIN, signal="http 200")])
    assert faults(result) == [("false-success", "tool", "control/plain")]
    assert broken(result) == [4]


def test_planted_4_a_rejection_as_a_server_error() -> None:
    result = audited(repeated_q=[no("http 500"), BLOCKED, BLOCKED, BLOCKED])
    assert faults(result) == [("rejection-as-error", "guard", "repeated/q")]
    assert broken(result) == [4]


@pytest.mark.parametrize(
    "row", [[no("http 422"), *STOPPED[1:]], [no("http 500"), *STOPPED[1:]], [*passed(PLAIN)[:3], failed()]]
)
def test_planted_5_a_control_is_rejected(row: list[Passage]) -> None:
    result = audited(control_plain=row)
    assert [each[0] for each in faults(result)] == ["control-rejected"]
    assert broken(result) == [5]


def test_a_stack_that_rejects_everything() -> None:
    rows: list[Row] = [(key, data, STOPPED) for key, (data, _) in CLEAN.items()]
    result = judged(ORDERS, *rows)
    assert broken(result) == [5]
    assert {each.fault for each in result.findings} == {"control-rejected"}
    assert len(result.findings) == 3  # the twin is a control
    assert result.verdicts[1] == "unknown"  # nothing ran that could have differed
    assert result.unknown == ("no request was executed: verdict 1 is unknown where it is not broken",)


PAIR = stack(boundary("preview", "reviewer"), boundary("executor", "executor"))


def pair(data: str | bytes, one: Passage, other: Passage, key: str = "repeated/q") -> list[Row]:
    rows: list[Row] = [(key, data, [one, other])]
    if data == REPEAT:
        rows.append((key + "~twin", TWIN, [took(TWIN), ran(TWIN)]))
    return rows


def test_first_wins_before_last_wins() -> None:
    result = judged(PAIR, *pair(REPEAT, took('{"quantity":2}'), ran('{"quantity":20}')))
    differs, passed_on = result.findings
    assert (differs.fault, differs.boundary, differs.other) == ("value-differs", "executor", "preview")
    assert (differs.left, differs.right, differs.pointer) == ("2", "20", "/quantity")
    assert (differs.cause, differs.kind) == ("repeated name", "different winners")
    assert (passed_on.fault, passed_on.boundary, passed_on.other) == (
        "passed-what-policy-rejects",
        "executor",
        "",
    )
    assert (passed_on.lossy, passed_on.loss) == ("executor", "occurrence")
    assert result.requests["repeated/q"].losses == {"preview": "occurrence", "executor": "occurrence"}


def test_an_exact_big_number_passes_without_a_loss() -> None:
    result = judged(PAIR, *pair(BIG, took(BIG), ran(BIG), "number/big"))
    assert faults(result) == [("passed-what-policy-rejects", "executor", "number/big")]
    (found,) = result.findings
    assert (found.lossy, found.loss, found.cause) == (None, None, "number")


def test_a_lens_decides_what_differs() -> None:
    rows = pair("[20]", took("[20]"), ran("[20.0]"), "control/n")
    assert judged(PAIR, *rows).findings == ()
    exact = judged(replace(PAIR, lens="exact/1"), *rows)
    assert faults(exact) == [("value-differs", "executor", "control/n")]


def test_a_lookup_fault_is_named() -> None:
    identities = {"preview": {"lookup": "true"}}
    rows = pair('{"a.b":1}', took('{"a.b":null}'), ran('{"a.b":1}'), "names/dot")
    (found,) = judged(PAIR, *rows, identities=identities).findings
    assert (found.fault, found.cause, found.kind) == ("value-differs", "lookup", "value")
    rows = pair('{"a\\"b":1}', no("exception OperationalError"), ran('{"a\\"b":1}'), "names/quote")
    ran_all_the_same, found = judged(PAIR, *rows, identities=identities).findings
    assert (found.fault, found.boundary, found.cause) == ("control-rejected", "preview", "lookup")
    assert (ran_all_the_same.fault, ran_all_the_same.cause) == ("ran-though-not-accepted", "lookup")


def test_a_lookup_that_cuts_accepted_text_has_a_fault_of_its_own() -> None:
    text = '{"a":"x\\u0000y"}'
    rows = pair(text, took('{"a":"x"}'), ran(text), "strings/nul")
    (found,) = judged(PAIR, *rows, identities={"preview": {"lookup": True}}).findings
    assert (found.cause, found.kind, found.lossy, found.loss) == ("lookup", "NUL", "preview", "truncation")
    (found,) = judged(PAIR, *rows).findings
    assert (found.cause, found.kind) == ("unicode", "NUL")


def test_two_executors_of_one_request() -> None:
    two = stack(boundary("b", "executor"), boundary("a", "executor"))
    for of, row in ((two, ["3", "4"]), (replace(two, boundaries=two.boundaries[::-1]), ["4", "3"])):
        result = judged(of, ("control/n", "[3]", [ran(value) for value in row]))
        (found,) = result.findings
        assert (found.boundary, found.other, found.left, found.right) == ("b", "a", "4", "3")


GATEWAY = stack(
    boundary("gateway", "logger"),
    boundary("guard", "validator", reads="gateway"),
    boundary("tool", "executor", reads="guard"),
)


def through(value: str) -> list[Passage]:
    return [took(value, value), took(value, value), ran(value)]


def test_a_guard_one_boundary_too_late_is_blind() -> None:
    left = '{"quantity":20}'
    result = judged(GATEWAY, ("repeated/q", REPEAT, through(left)), ("repeated/q~twin", TWIN, through(TWIN)))
    assert broken(result) == [3]
    (found,) = result.findings
    assert (found.boundary, found.other, found.lossy, found.loss) == (
        "gateway",
        "tool",
        "gateway",
        "occurrence",
    )
    assert found.right == "executed once"
    assert result.requests["repeated/q"].losses == {"gateway": "occurrence"}  # only where it begins
    assert result.notes == (
        "guard: is blind: it reads what gateway left, where an occurrence of a repeated name is gone, "
        "1 of 2 requests (smallest: repeated/q)",
    )


def test_a_guard_behind_a_gateway_that_keeps_the_number_is_in_time() -> None:
    result = judged(
        GATEWAY, ("control/n", "[1]", through("[1]")), ("number/big", BIG, [took(BIG, BIG), no(), BLOCKED])
    )
    assert result.findings == ()


def test_rejected_behind_the_lossy_boundary_is_too_late() -> None:
    lossy = took('{"quantity":9007199254740992.0}', '{"quantity":9007199254740992}')
    result = judged(GATEWAY, ("number/big", BIG, [lossy, no(), BLOCKED]))
    (found,) = result.findings
    assert (found.fault, found.boundary, found.other, found.loss) == (
        "passed-what-policy-rejects",
        "gateway",
        "guard",
        "number",
    )
    assert found.right == "rejected, exception ValueError at guard, behind it"


def test_a_gateway_that_makes_one_name_of_two() -> None:
    data = b'{"a\xff":1,"a\xfe":2}'
    left = '{"a\\ufffd":2}'
    twin = judged_twin(data)
    result = judged(
        GATEWAY,
        ("bytes/names", data, through(left)),
        ("bytes/names~twin", twin, [no(), BLOCKED, BLOCKED]),
    )
    (found,) = result.findings
    assert (found.lossy, found.loss, found.cause, found.kind) == (
        "gateway",
        "bytes",
        "encoding",
        "invalid UTF-8",
    )


def judged_twin(data: bytes) -> bytes:
    return data.replace(b'\xfe"', b'\xfe~2"')


def test_what_is_handed_on_untouched_is_not_lost() -> None:
    # The gateway understands the last value, and passes the text on as it is: the guard sees it all.
    result = judged(
        GATEWAY,
        ("repeated/q", REPEAT, [took('{"quantity":20}', REPEAT), no(), BLOCKED]),
        ("repeated/q~twin", TWIN, through(TWIN)),
    )
    assert result.findings == ()


def test_unread_text_is_a_truncation() -> None:
    (found,) = judged(GATEWAY, ("trailing/nul", NUL, through('{"quantity":2}'))).findings
    assert (found.loss, found.cause, found.kind) == ("truncation", "trailing data", "NUL")


def test_executions_that_cannot_be_seen_are_unknown() -> None:
    unseen = Passage(Passed.ACCEPTED, PLAIN, executions=None)
    result = judged(PAIR, ("control/plain", PLAIN, [took(PLAIN), unseen]))
    assert result.findings == ()
    assert (result.verdicts[2], result.verdicts[4]) == ("unknown", "unknown")
    assert (result.verdicts[1], result.verdicts[5]) == ("holds", "holds")
    assert result.unknown[0] == (
        "executor: executions cannot be seen, 1 of 1 requests: "
        "verdicts 2 and 4 are unknown where they are not broken"
    )
    assert result.lines[1].executions is None
    assert result.lines[1].unverified


def test_what_is_accepted_unseen_still_passed() -> None:
    unseen = Passage(Passed.ACCEPTED, executions=None)
    result = judged(PAIR, ("number/big", BIG, [no(), unseen]))
    assert faults(result) == [("passed-what-policy-rejects", "executor", "number/big")]
    assert result.verdicts[1] == "unknown"
    assert any("did not say what it executed" in line for line in result.unknown)


def test_a_validator_that_does_not_say_what_it_saw() -> None:
    two = stack(boundary("schema", "validator"), boundary("tool", "executor"))
    result = judged(two, ("control/plain", PLAIN, [took(), ran(PLAIN)]))
    assert result.verdicts[1] == "unknown"


def test_who_could_not_be_asked_leaves_everything_open() -> None:
    result = judged(PAIR, ("control/plain", PLAIN, [took(PLAIN), ABSENT]))
    assert set(result.verdicts.values()) == {"unknown"}
    assert "executor: could not be asked (not installed)" in result.unknown[0]


def test_parsed_objects_are_never_green() -> None:
    fed = replace(PAIR.boundaries[0], raw=False, guarantee="a reviewed adapter")
    of = replace(PAIR, boundaries=(fed, PAIR.boundaries[1]))
    result = judged(of, ("control/plain", PLAIN, [took(PLAIN), ran(PLAIN)]))
    assert set(result.verdicts.values()) == {"unknown"}
    assert result.lines[0].unverified
    assert result.lines[0].why == "it is fed parsed objects: a reviewed adapter"


def test_a_stream_may_grow_and_not_change_its_mind() -> None:
    grown = showed("null", '{"to":"re"}', '{"to":"report-A"}')
    assert judged(PAIR, ("control/s", '{"to":"report-A"}', [grown, ran('{"to":"report-A"}')])).findings == ()
    text = '{"to":"report-A","to":"report-B"}'
    changed = showed("null", '{"to":"report-A"}', '{"to":"report-B"}')
    twin = text.replace('"to":"report-B"', '"to~2":"report-B"')
    result = judged(
        PAIR,
        ("repeated/s", text, [changed, ran('{"to":"report-B"}')]),
        ("repeated/s~twin", twin, [took(twin), ran(twin)]),
    )
    assert "value-differs" in {each.fault for each in result.findings}


def test_two_that_becomes_twenty_is_another_value_where_the_name_repeats() -> None:
    grown = showed('{"quantity":2}', '{"quantity":20}')
    repeated = judged(PAIR, *pair(REPEAT, grown, ran('{"quantity":20}')))
    assert "value-differs" in {each.fault for each in repeated.findings}
    assert judged(PAIR, *pair('{"quantity":20}', grown, ran('{"quantity":20}'), "control/n")).findings == ()


def test_a_conversion_is_put_to_the_other_value() -> None:
    of = stack(boundary("preview", "reviewer"), boundary("tool", "executor", transform="toy:cents"))
    row: Row = ("control/n", '{"euro":3}', [took('{"euro":3}'), ran('{"cents":300}')])
    unasked = judged(of, row)
    assert unasked.findings == ()
    assert unasked.verdicts[1] == "unknown"
    assert judged(of, row, convert=lambda _, value: '{"cents":300}').verdicts[1] == "holds"
    wrong = judged(of, row, convert=lambda _, value: '{"cents":30}')
    (found,) = wrong.findings
    assert (found.fault, found.left, found.right) == ("value-differs", "30", "300")


def test_a_judge_who_refuses_what_the_policy_leaves_open_is_not_heeded() -> None:
    of = replace(PAIR, policy=Policy(layer="rfc8259/1"))
    rows = pair(REPEAT, no(), ran('{"quantity":20}'))
    (found,) = judged(of, *rows).findings
    assert (found.fault, found.boundary, found.other) == ("ran-though-not-accepted", "executor", "preview")
    assert found.cause == "repeated name"  # the preview takes the twin


def test_the_policy_of_the_stack_counts() -> None:
    of = replace(PAIR, policy=Policy(aliases={"qty": "quantity"}))
    text = '{"qty":1,"quantity":2}'
    (found,) = judged(of, ("alias/both", text, [took(text), ran(text)])).findings
    assert (found.fault, found.kind) == ("passed-what-policy-rejects", "alias")
    declared = replace(PAIR, policy=Policy(names=frozenset({"quantity"})))
    (found,) = judged(declared, ("alias/both", text, [took(text), ran(text)])).findings
    assert found.kind == "undeclared name"


def test_an_approver_that_reads_only_is_compared_by_value() -> None:
    of = stack(boundary("human", "approver"), boundary("tool", "executor"))
    (found,) = judged(of, ("control/n", "[1]", [took("[1]"), ran("[2]")])).findings
    assert (found.fault, found.left, found.right) == ("value-differs", "1", "2")


def test_groups_have_the_smallest_witness_and_families_count() -> None:
    big, bigger = "[9007199254740993]", "[9007199254740993,   1]"
    result = judged(
        PAIR,
        ("number/large", bigger, [took(bigger.replace(" ", "")), ran(bigger.replace(" ", ""))]),
        ("number/small", big, [took(big), ran(big)]),
    )
    (group,) = result.groups
    assert (group.count, group.witness.case) == (2, "number/small")
    assert result.families == {"number": {"preview": 0, "executor": 2}}


def allow(**more: str) -> Allow:
    words = {"subject": "executor", "case": "number/*", "kind": "passed-what-policy-rejects", "reason": "r"}
    return Allow(**(words | more), place=Place("stack.toml", 9))  # type: ignore[arg-type]


def excused(entry: Allow, of: Stack = PAIR) -> AuditResult:
    rows = pair(BIG, took(BIG), ran(BIG), "number/big")
    return judged(replace(of, allow=(entry,)), *rows, today=date(2026, 1, 2), whole=True)


def test_an_exception_covers_its_findings() -> None:
    result = excused(allow(cause="number"))
    assert (result.findings, result.lapses) == ((), ())
    assert result.verdicts[3] == "holds"
    assert len(result.excused[0].findings) == 1


def test_exceptions_lapse() -> None:
    unused = excused(allow(cause="unicode"))
    assert [each.kind for each in unused.lapses] == ["allow-unused"]
    over = excused(replace(allow(), expires=date(2026, 1, 1)))
    assert [each.kind for each in over.lapses] == ["allow-expired"]
    assert broken(over) == [3]
    last_day = excused(replace(allow(), expires=date(2026, 1, 2)))
    assert (last_day.findings, last_day.lapses) == ((), ())
