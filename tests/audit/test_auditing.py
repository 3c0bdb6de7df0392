"""What holds for every stack, whatever it does."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.audit.toys import (
    BAD,
    BIG,
    NUL,
    PLAIN,
    REPEAT,
    TWIN,
    boundary,
    cases,
    failed,
    no,
    ran,
    showed,
    stack,
    took,
)
from whichwins.audit.auditing import audit
from whichwins.audit.look import Looks
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.stack import Boundary

CASES = cases(
    ("bytes/bad", BAD),
    ("control/plain", PLAIN),
    ("number/big", BIG),
    ("repeated/q", REPEAT),
    ("trailing/nul", NUL),
)
VALUES = ('{"quantity":2}', '{"quantity":20}', '{"quantity":9007199254740992.0}', BIG, TWIN)
SIDE_BY_SIDE = (
    boundary("a", "executor"),
    boundary("b", "reviewer"),
    boundary("c", "approver"),
    boundary("d", "executor"),
    boundary("e", "validator"),
)


PASSAGES = (
    *map(took, VALUES),
    *map(showed, VALUES),
    *map(ran, VALUES),
    ran(PLAIN, PLAIN),
    ran(*VALUES[:2]),
    no(),
    no("http 500"),
    failed(),
    failed(executions=(PLAIN,)),
    Passage(Passed.ACCEPTED, executions=None),
    Passage(Passed.UNSUPPORTED),
    Passage(Passed.ABSENT),
)
CELLS = [(key, each.name) for key in CASES for each in SIDE_BY_SIDE]


def asked() -> st.SearchStrategy[dict[str, dict[str, Passage]]]:
    """Anything, by anybody, for any request."""
    rows = st.lists(st.integers(0, len(PASSAGES) - 1), min_size=len(CELLS), max_size=len(CELLS))
    return rows.map(_placed)


def _placed(picks: list[int]) -> dict[str, dict[str, Passage]]:
    found: dict[str, dict[str, Passage]] = {key: {} for key in CASES}
    for (key, name), pick in zip(CELLS, picks, strict=True):
        found[key][name] = PASSAGES[pick]
    return found


@given(asked(), st.permutations(SIDE_BY_SIDE))
def test_the_order_of_boundaries_side_by_side_says_nothing(
    given_passages: dict[str, dict[str, Passage]], order: list[Boundary]
) -> None:
    of = stack(*SIDE_BY_SIDE)
    one = audit(of, CASES, given_passages, {})
    other = audit(replace(of, boundaries=tuple(order)), CASES, given_passages, {})
    assert one.findings == other.findings
    assert one.groups == other.groups
    assert one.verdicts == other.verdicts
    assert sorted(one.unknown) == sorted(other.unknown)
    assert sorted(one.notes) == sorted(other.notes)


@given(asked(), asked())
def test_what_is_looked_at_early_changes_nothing(
    given_passages: dict[str, dict[str, Passage]], early: dict[str, dict[str, Passage]]
) -> None:
    of = stack(*SIDE_BY_SIDE)
    looks = Looks(of, CASES)
    for case, row in early.items():  # also of answers that nobody gave in the end
        for number, found in enumerate(row.values()):
            looks.ahead(case, found, lookup=bool(number % 2))
    assert audit(of, CASES, given_passages, {}, looks=looks) == audit(of, CASES, given_passages, {})


@given(st.fixed_dictionaries({key: st.sampled_from(VALUES) for key in CASES}))
def test_who_all_agree_break_no_first_verdict(values: dict[str, str]) -> None:
    of = stack(*SIDE_BY_SIDE)
    agreeing = {
        key: {each.name: ran(value) if each.role == "executor" else took(value) for each in SIDE_BY_SIDE}
        for key, value in values.items()
    }
    result = audit(of, CASES, agreeing, {})
    assert result.verdicts[1] == "holds"
    assert not {"value-differs", "digest-differs"} & {each.fault for each in result.findings}


@given(asked())
def test_twins_are_only_ever_controls(given_passages: dict[str, dict[str, Passage]]) -> None:
    result = audit(stack(*SIDE_BY_SIDE), CASES, given_passages, {})
    twins = {each.fault for each in result.findings if each.case.endswith("~twin")}
    assert twins <= {"control-rejected"}


@given(asked())
def test_findings_are_counted_once_in_groups_and_families(
    given_passages: dict[str, dict[str, Passage]],
) -> None:
    result = audit(stack(*SIDE_BY_SIDE), CASES, given_passages, {})
    assert sum(group.count for group in result.groups) == len(result.findings)
    assert sum(sum(row.values()) for row in result.families.values()) == len(result.findings)
