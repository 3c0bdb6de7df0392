"""The report of an audit: by hand, and what must never be said."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.report.audits import (
    REPEAT,
    allow,
    boundary,
    everything,
    finding,
    line,
    many,
    order,
    result,
    stack,
)
from tests.report.hostile import seen
from whichwins.audit.result import FAULTS, AuditResult, ExcusedFindings
from whichwins.audit.stack import Policy
from whichwins.model import Place
from whichwins.reference.reader import Limits
from whichwins.report import audit_report, audit_summary
from whichwins.report.audit_words import FAULTS_SAID, VERDICTS, verdict

ORDER = """\
2 of 5 verdicts are broken: a reviewer can approve what the executor does not run
=================================================================================

Stack orders in stack.toml: policy strict-tool-input/1; 3 cases of corpus built-in; values compared
under value/1.

   verdict                                                               findings  smallest witness
-  ------------------------------------------------------------  ------  --------  -----------------
1  all who decide held the value that was executed               broken         2  repeated/quantity
2  what is accepted is executed once, what is not accepted       holds          0
   never
3  what the policy rejects is rejected before anything of it is  broken         1  repeated/quantity
   lost
4  success means that it was done, and a rejection looks like    holds          0
   one
5  what the policy accepts gets through                          holds          0

Boundaries
----------

boundary  role      accepted  rejected  executions  first lost here
--------  --------  --------  --------  ----------  ---------------
preview   reviewer         3         0           0  occurrence 2
executor  executor         3         0           3  occurrence 2

preview   subject python/sqlite3-extract, sqlite 3.40.1, CPython 3.11.7
executor  subject python/json, json 2.0.9, CPython 3.11.7

Findings by family and boundary
-------------------------------

family    preview  executor
--------  -------  --------
repeated        -         3

1 family without a finding.

Findings
--------

fault                           boundary                  cause          cases
------------------------------  ------------------------  -------------  -----
values differ                   executor against preview  repeated name      2
passed what the policy rejects  executor                  repeated name      1

- values differ: Two boundaries held different values for a request that was executed: what was
  shown, checked or approved is not what ran.
- passed what the policy rejects: A request that the policy rejects was executed or accepted, or was
  stopped only behind the first boundary that loses something of it, where nobody can see any more
  what was wrong.

executor against preview: values differ, repeated name: 2 cases
---------------------------------------------------------------

case           repeated/quantity
input          {"quantity":2,"quantity":20}
policy says    reject (strict-tool-input: names once per object)
preview held   2
executor held  20
differs at     /quantity
first lost     an occurrence of a repeated name, at executor
cause          repeated name (different winners)
declared at    stack.toml:10

executor: passed what the policy rejects, repeated name: 1 case
---------------------------------------------------------------

case         repeated/quantity
input        {"quantity":2,"quantity":20}
policy says  reject (strict-tool-input: names once per object)
expected     rejected
seen         executed once
cause        repeated name
declared at  stack.toml:10

The path of one request: --case CASE. Every finding: --all, or -o report.md.
"""


def test_by_hand() -> None:
    assert audit_report(order(), "text", 100, show_values=True) == ORDER


def test_values_are_hidden_unless_asked_for() -> None:
    text = audit_report(order(), "text", 100)
    assert "input          bytes 1 (28 bytes)\n" in text
    assert "preview held   value 2 (number, 1 character)\n" in text
    assert "executor held  value 3 (number, 2 characters)\n" in text
    assert "differs at     #0\n" in text
    assert "Values are left out, and numbered: --show-values shows them." in text


SECRET = "hunter2"


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "junit", "github", "sarif"])
@pytest.mark.parametrize("every", [False, True])
def test_no_form_tells_a_hidden_value(form: str, every: bool) -> None:
    held = f'"{SECRET}"'
    data = f'{{"{SECRET}":{held},"{SECRET}":1}}'.encode()
    found = [
        finding(fault, case=f"{fault}/{place}", left=held, right=held, data=data, pointer=f"/{SECRET}/0")
        for fault in FAULTS
        for place in range(2)
    ]
    excused = ExcusedFindings(allow(), (found[0],))
    audit = replace(order(), findings=tuple(found), groups=result(*found).groups, excused=(excused,))
    shown = audit_report(audit, form, everything=every, show_values=True)
    assert SECRET in shown or SECRET.encode().hex() in shown
    hidden = audit_report(audit, form, everything=every)
    assert SECRET not in hidden
    assert SECRET.encode().hex() not in hidden


def test_a_key_names_values_alike_in_every_report() -> None:
    one = audit_report(order(), "text", key=b"k" * 32)
    # HMAC-SHA256 of `20` under that key, by openssl: the digest's first twelve digits.
    assert "executor held  value e250012529ec (number, 2 characters)" in one
    other = audit_report(result(finding(left="7", right="20")), "json", key=b"k" * 32)
    assert json.loads(other)["findings"][0]["right"] == "value e250012529ec (number, 2 characters)"
    assert "e250012529ec" not in audit_report(order(), "text", key=b"K" * 32)


def states(*broken: int, unknown: tuple[int, ...] = ()) -> dict[int, str]:
    return {
        number: "broken" if number in broken else "unknown" if number in unknown else "holds"
        for number in range(1, 6)
    }


APPROVER = stack(boundary("gate", "approver"), boundary("executor", "executor"))


@pytest.mark.parametrize(
    ("audit", "said"),
    [
        (result(), "All 5 verdicts hold"),
        (result(cases=0), "Nothing was asked"),
        (result(verdicts=states(unknown=(1, 2))), "No verdict is broken, 2 of 5 are unknown"),
        (result(verdicts=states(unknown=(2,))), "No verdict is broken, 1 of 5 is unknown"),
        (result(verdicts={}), "No verdict is broken, 5 of 5 are unknown"),
        (
            result(finding()),
            "1 of 5 verdicts is broken: a reviewer can approve what the executor does not run",
        ),
        (
            result(finding(other="gate"), stack=APPROVER),
            "1 of 5 verdicts is broken: what runs is not what was approved",
        ),
        (
            result(finding(other="executor2")),
            "1 of 5 verdicts is broken: two boundaries hold different values of what runs",
        ),
        (
            result(finding("ran-not-once"), verdicts=states(2, unknown=(3,))),
            "1 of 5 verdicts is broken, 1 is unknown: what is accepted does not run once",
        ),
        (
            result(finding("control-rejected"), finding("false-success")),
            "2 of 5 verdicts are broken: success is reported for what was not done",
        ),
        (
            result(excused=(ExcusedFindings(allow(), (finding(), finding())),)),
            "All 5 verdicts hold, but for 2 excused findings",
        ),
        (result(incomplete=("x",)), "All 5 verdicts hold, not everything was measured"),
        (
            everything(),
            "4 of 5 verdicts are broken, 1 is unknown: a reviewer can approve what the executor does not "
            "run, 1 exception expired, 1 exception unused, not everything was measured",
        ),
    ],
)
def test_the_verdict(audit: AuditResult, said: str) -> None:
    assert verdict(audit) == said
    assert audit_report(audit, "markdown").startswith("# ")
    assert json.loads(audit_report(audit, "json"))["verdict"] == said


def test_every_fault_has_its_words() -> None:
    assert list(FAULTS_SAID) == list(FAULTS)
    assert list(VERDICTS) == [1, 2, 3, 4, 5]
    for said in FAULTS_SAID.values():
        assert said.about.endswith(".")
        assert said.help


def rows(text: str, first: str) -> list[list[str]]:
    """The rows of a table in text whose lines begin so."""
    return [re.split(r"  +", found) for found in text.split("\n") if found.startswith(first)]


def test_unknown_is_said_and_never_zero() -> None:
    text = audit_report(everything(), "text", 140)
    assert "Unknown\n-------\n\n- tool: executions cannot be seen, 3 of 3 requests\n" in text
    (tool,) = rows(text, "tool      executor")
    assert tool[2:] == ["gateway", "2", "0", "1", "0", "unknown", "yes"]
    assert rows(text, "2  what is accepted")[0][2:] == ["unknown", "2", "c/02"]
    said = json.loads(audit_report(everything(), "json"))
    assert [each["executions"] for each in said["boundaries"]] == [0, 0, None, None]
    assert said["verdicts"][1]["is"] == "unknown"


def test_unverified_is_never_green() -> None:
    audit = result(
        lines=(line("preview", unverified=True, why="fed objects"), line("executor", "executor")),
        verdicts=states(unknown=(1, 2, 3, 4, 5)),
    )
    text = audit_report(audit, "text", 120)
    assert rows(text, "preview   reviewer")[0][-1] == "unverified"
    assert "unverified: fed objects" in text
    xml = audit_report(audit, "junit")
    assert '<testcase name="unverified" classname="boundary preview">\n<skipped message="fed objects"' in xml
    assert xml.count("<skipped") == 6
    assert "::warning file=stack.toml,line=5,title=Unverified%3A preview::fed objects" in audit_report(
        audit, "github"
    )
    results = json.loads(audit_report(audit, "sarif"))["runs"][0]["results"]
    assert [(each["ruleId"], each["level"]) for each in results] == [("unverified-boundary", "warning")]


def test_no_finding_of_an_unverified_boundary_says_nothing() -> None:
    text = audit_report(everything(), "text", 140)
    assert rows(text, "c ") == [["c", "-", "-", "?", "8"]]
    assert "?: unverified, so that no finding there says nothing." in text


def test_every_list_that_is_cut_says_so() -> None:
    lots = tuple(finding(case=f"f{n}/x", boundary=f"b{n}") for n in range(30))
    audit = result(*lots, lines=tuple(line(f"b{n}") for n in range(30)), notes=tuple(map(str, range(30))))
    text = audit_report(audit, "text")
    for said in ("10 boundaries", "10 families", "10 groups with 10 cases", "10 lines"):
        assert f"{said} more: --all lists them." in text
    whole = audit_report(audit, "text", everything=True)
    assert "more:" not in whole
    assert all(re.search(f"^case +f{n}/x$", whole, re.MULTILINE) for n in range(30))
    assert "Every finding" in audit_report(many(3), "text", everything=True)
    assert "Every finding\n" not in audit_report(many(3), "text")


def test_markdown_fits_a_comment() -> None:
    audit = many(5000)
    shown = audit_report(audit, "markdown")
    assert 50_000 < len(shown) <= 65_000
    assert "Shortened to fit where it is posted: each list has " in shown
    assert re.search(r"4,[0-9]{3} findings more: the JSON report has all\.", shown)
    seen(shown, folds=True)
    assert audit_summary(audit, 300).startswith("# 1 of 5 verdicts is broken: a reviewer can approve")
    assert audit_summary(audit, 10) == ""
    assert len(json.loads(audit_report(audit, "json"))["findings"]) == 5000


def test_what_a_policy_has_of_its_own_is_said() -> None:
    own = Policy(limits=Limits(4096, 64, 17), names=frozenset({"a", "b"}), aliases={"x": "a"})
    text = audit_report(result(stack=stack(policy=own)), "text", 200)
    assert "/1, at most bytes 4,096, characters of a number 17, 2 declared names, 1 alias; 3 cases" in text


def test_no_path_of_this_machine() -> None:
    from pathlib import Path

    here = Path("/home/me/project")
    audit = replace(
        order(),
        stack=stack(
            boundary("preview", "reviewer", place=Place("/home/me/project/stack.toml", 5)),
            boundary("executor", "executor", place=Place("/home/me/project/stack.toml", 10)),
            folder=here,
            place="/home/me/project/stack.toml",
            python="/home/me/.venv/bin/python",
        ),
        lines=(line("preview", what="command /home/me/project/bin/x --y"), line("executor", "executor")),
    )
    for form in ("text", "markdown", "json", "html", "junit", "github", "sarif"):
        shown = audit_report(audit, form, everything=True, show_values=True)
        assert "/home/me" not in shown
        assert "stack.toml" in shown


def test_json_is_whole() -> None:
    said: dict[str, Any] = json.loads(audit_report(everything(), "json", show_values=True))
    assert (said["report"], said["version"], said["values_shown"]) == ("audit", 1, True)
    assert [each["fault"] for each in said["findings"]] == list(FAULTS)
    assert said["findings"][0]["left"] == "2"
    assert said["findings"][0]["data"] == {"hex": REPEAT.hex()}
    assert said["boundaries"][0]["place"] == {"file": "stack.toml", "line": 5}
    assert said["excused"][0]["allow"]["expires"] == "2027-03-31"
    assert [each["kind"] for each in said["lapses"]] == ["allow-expired", "allow-unused"]
    assert "passages" not in said
    whole = json.loads(audit_report(order(), "json", everything=True, show_values=True))
    assert whole["passages"]["repeated/quantity"]["executor"]["executions"] == ['{"quantity":20}']
    assert said["stack"]["policy"]["limits"] == {"max_bytes": 1048576, "max_depth": 64, "max_number": 400}


def test_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="pdf"):
        audit_report(order(), "pdf")
