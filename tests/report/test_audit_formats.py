"""An audit as JUnit, annotations and SARIF: by hand, by the formats' rules, and for every text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import fastjsonschema
import pytest
from hypothesis import given, settings

from tests.report.audits import allow, everything, finding, hostile, line, many, order, result
from tests.report.hostile import ODD, PACKED, TEXTS, seen
from tests.report.test_github import commands
from tests.report.test_junit import checked as junit_checked
from tests.report.test_sarif import checked as sarif_checked
from tests.report.test_sarif import valid as valid
from whichwins.audit.result import FAULTS, AuditResult, ExcusedFindings
from whichwins.model import Place
from whichwins.report import audit_report, audit_summary, sarif_log, suites


def test_junit_by_hand() -> None:
    audit = result(
        finding(),
        excused=(ExcusedFindings(allow("we know"), (finding(case="numbers/x"),)),),
        lines=(line("preview"), line("executor", "executor", executions=3), line("log", "logger")),
    )
    xml = audit_report(audit, "junit", show_values=True)
    junit_checked(xml)
    assert (
        xml
        == """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="whichwins audit" tests="9" failures="2" errors="0" skipped="1" time="0.0">
<testsuite name="verdicts" tests="5" errors="0" failures="1" skipped="0" time="0">
<testcase name="1: all who decide held the value that was executed" classname="verdicts">
<failure message="1 finding, smallest witness repeated/quantity" type="broken"/>
</testcase>
<testcase name="2: what is accepted is executed once, what is not accepted never" classname="verdicts"/>
<testcase name="3: what the policy rejects is rejected before anything of it is lost" classname="verdicts"/>
<testcase name="4: success means that it was done, and a rejection looks like one" classname="verdicts"/>
<testcase name="5: what the policy accepts gets through" classname="verdicts"/>
</testsuite>
<testsuite name="boundary preview" tests="1" errors="0" failures="0" skipped="0" time="0">
<testcase name="3 requests, executions 0, no finding" classname="boundary preview"/>
</testsuite>
<testsuite name="boundary executor" tests="2" errors="0" failures="1" skipped="1" time="0">
<testcase name="repeated/quantity: values differ against preview" classname="boundary executor">
<failure message="values differ: repeated name (different winners)" type="value-differs">\
case:         repeated/quantity
input:        {"quantity":2,"quantity":20}
policy says:  reject (strict-tool-input: names once per object)
preview held: 2
executor held:20
differs at:   /quantity
first lost:   an occurrence of a repeated name, at executor
cause:        repeated name (different winners)
declared at:  stack.toml:10</failure>
</testcase>
<testcase name="numbers/x: values differ against preview" classname="boundary executor">
<skipped message="we know (stack.toml:30)" type="value-differs"/>
</testcase>
</testsuite>
<testsuite name="boundary log" tests="1" errors="0" failures="0" skipped="0" time="0">
<testcase name="3 requests, executions 0, no finding" classname="boundary log"/>
</testsuite>
</testsuites>
"""
    )


def test_junit_of_everything() -> None:
    root = junit_checked(audit_report(everything(), "junit"))
    assert [suite.attrib["name"] for suite in root] == [
        "verdicts",
        "boundary gateway",
        "boundary screen",
        "boundary log",
        "boundary tool",
        "exceptions",
        "measurement",
    ]
    kinds = [failure.attrib["type"] for failure in root.iter("failure")]
    assert kinds == ["broken"] * 4 + list(FAULTS) + ["allow-expired", "allow-unused"]
    assert [skip.attrib["type"] for skip in root.iter("skipped")] == [
        "unknown",
        "unverified",
        "value-differs",
    ]
    names = [(case.attrib["classname"], case.attrib["name"]) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)


def test_a_boundary_that_the_lines_do_not_have_still_fails() -> None:
    root = junit_checked(audit_report(result(finding(boundary="ghost")), "junit"))
    assert [suite.attrib["failures"] for suite in root] == ["1", "0", "0", "1"]


def test_junit_cuts_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert suites.LISTED == 1000
    root = junit_checked(audit_report(many(1500), "junit"))
    assert root.attrib["failures"] == "1002"
    assert "500 findings more" in [case.attrib["name"] for case in root.iter("testcase")]
    excused = ExcusedFindings(allow(), tuple(finding(case=f"n/{n}") for n in range(1200)))
    root = junit_checked(audit_report(result(excused=(excused,)), "junit"))
    assert (root.attrib["failures"], root.attrib["skipped"]) == ("0", "1001")


def test_annotations_by_hand() -> None:
    audit = result(
        finding(left="1, 100%"),
        unknown=("log: unseen",),
        excused=(ExcusedFindings(allow("we know"), (finding(case="numbers/x"),)),),
    )
    assert audit_report(audit, "github", show_values=True) == (
        "::error file=stack.toml,line=10,"
        "title=executor against preview%3A values differ%2C repeated name%3A 1 case::"
        'case: repeated/quantity%0Ainput: {"quantity":2,"quantity":20}'
        "%0Apolicy says: reject (strict-tool-input: names once per object)"
        "%0Apreview held: 1, 100%25%0Aexecutor held: 20%0Adiffers at: /quantity"
        "%0Afirst lost: an occurrence of a repeated name, at executor"
        "%0Acause: repeated name (different winners)"
        "%0ATwo boundaries held different values for a request that was executed: what was shown, checked or "
        "approved is not what ran.\n"
        "::warning file=stack.toml,line=1,title=Unknown::log: unseen\n"
        "::notice title=whichwins audit::1 of 5 verdicts is broken: a reviewer can approve what the executor "
        "does not run (orders)\n"
        "::notice file=stack.toml,line=30,title=1 finding excused::reason: we know"
        "%0Acovers: value-differs of executor in numbers/*\n"
    )


def test_annotations_of_everything() -> None:
    found = commands(audit_report(everything(), "github"))
    assert [one.name for one in found] == ["error"] * 9 + ["warning"] * 4 + ["notice"] * 3
    assert found[0].properties == {"title": "Not everything was measured"}
    assert {one.properties["line"] for one in found[1:9]} == {"20"}
    assert [one.properties["title"] for one in found[9:13]] == [
        "Unverified: log",
        "Unknown",
        "Exception expired",
        "Exception unused",
    ]


def log(audit: AuditResult, **more: Any) -> dict[str, Any]:
    text = audit_report(audit, "sarif", **more)
    assert re.fullmatch(r"[ -~\n]*", text)
    assert not re.search(r"^\s*::|##\[|##vso\[", text, re.MULTILINE)
    found: dict[str, Any] = json.loads(text)
    return found


def test_sarif_by_hand(valid: Callable[[Any], Any]) -> None:
    run = sarif_checked(valid(log(result(finding()), show_values=True)))
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("value-differs", "ValueDiffers")
    assert rule["shortDescription"]["text"] == "Values differ"
    assert "boundary, case, kind and reason" in rule["help"]["text"]
    assert [block.kind for block in seen(rule["help"]["markdown"])] == ["p", "li", "li", "li"]
    (found,) = run["results"]
    assert found["level"] == "error"
    assert found["message"]["text"] == (
        "executor against preview: values differ, repeated name (different winners): "
        'case repeated/quantity; input {{"quantity":2,"quantity":20}}; '
        "policy says reject (strict-tool-input: names once per object); "
        "preview held 2; executor held 20; differs at /quantity; "
        "first lost an occurrence of a repeated name, at executor; "
        "cause repeated name (different winners)."
    )
    place = found["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == ("stack.toml", {"startLine": 10})
    assert found["properties"]["fault"] == "value-differs"
    assert run["automationDetails"]["id"] == "whichwins/audit/"
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_of_everything(valid: Callable[[Any], Any]) -> None:
    run = sarif_checked(valid(log(everything())))
    ids = [one["ruleId"] for one in run["results"]]
    assert ids == [*FAULTS, "unverified-boundary", "allow-expired", "allow-unused", "value-differs"]
    assert [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in run["results"]] == (
        [20] * 8 + [15, 40, 45, 30]
    )
    assert run["results"][-1]["suppressions"][0]["justification"] == "cents only (until 2027-03-31)"
    (said,) = run["invocations"]
    assert said["executionSuccessful"] is False
    assert [one["message"]["text"] for one in said["toolExecutionNotifications"]] == [
        "tool: the worker died",
        "tool: executions cannot be seen, 3 of 3 requests",
        "screen: failed",
    ]


def test_nothing_found_closes_the_alerts(valid: Callable[[Any], Any]) -> None:
    assert sarif_checked(valid(log(result())))["results"] == []


def test_a_fingerprint_is_that_of_fault_boundaries_and_case() -> None:
    def fingerprint(*found: Any, **more: Any) -> str:
        (one,) = log(result(*found), **more)["runs"][0]["results"]
        return str(one["partialFingerprints"]["whichwins/v1"])

    first = fingerprint(finding())
    assert fingerprint(finding(left="9", right="8", pointer="", cause="other", data=None)) == first
    assert fingerprint(finding(), show_values=True) == first
    others = [finding(case="x/y"), finding(boundary="b"), finding(other="o"), finding("ran-not-once")]
    assert len({first, *map(fingerprint, others)}) == 5


def test_sarif_is_capped(valid: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "RESULTS", 50)
    results = sarif_checked(valid(log(many(60))))["results"]
    assert len(results) == 50
    assert results[-1]["message"]["text"] == "11 results more: the JSON report has all."


@pytest.mark.parametrize("show", [False, True])
@pytest.mark.parametrize("odd", PACKED)
def test_text_markdown_and_json_of_odd_texts(odd: str, show: bool) -> None:
    check(odd, show)


@given(TEXTS)
@settings(max_examples=40, deadline=None)
def test_any_text(text: str) -> None:
    check(text, True)
    junit_checked(audit_report(hostile(text), "junit", show_values=True))
    assert [one.name for one in commands(audit_report(hostile(text), "github", show_values=True))] == (
        ["error"] * 9 + ["warning"] * 4 + ["notice"] * 3
    )


def check(odd: str, show: bool) -> None:
    audit = hostile(odd)
    for every in (False, True):
        text = audit_report(audit, "text", 80, everything=every, show_values=show)
        assert re.fullmatch(r"[ -~\n]*", text)
        assert not re.search(r"^\s*::|##\[|##vso\[", text, re.MULTILINE)
    shown = audit_report(audit, "markdown", show_values=show)
    assert re.fullmatch(r"[ -~\n]*", shown)
    kinds = [block.kind for block in seen(shown, folds=True)]
    assert kinds[0] == "h1"
    assert kinds.count("fold") <= 2
    assert set(kinds) <= {"h1", "h2", "h3", "p", "li", "table", "fold", "end of fold"}
    for block in seen(shown, folds=True):
        assert len({len(row) for row in block.rows}) == 1
    said = audit_report(audit, "json", everything=True, show_values=show)
    assert re.fullmatch(r"[ -~\n]*", said)
    assert not re.search(r"^\s*::|##", said, re.MULTILINE)
    if show and "\ud83d\ude00" not in odd:  # no JSON can say these two
        assert json.loads(said)["findings"][0]["left"] == odd


@pytest.mark.parametrize("odd", ODD)
def test_each_odd_text_in_tests_and_annotations(odd: str) -> None:
    junit_checked(audit_report(hostile(odd), "junit", show_values=True))
    names = [(one.name, set(one.properties)) for one in commands(audit_report(hostile("x"), "github"))]
    found = commands(audit_report(hostile(odd), "github", show_values=True))
    assert [(one.name, set(one.properties)) for one in found] == names


@pytest.mark.parametrize("odd", PACKED)
def test_each_odd_text_in_sarif(odd: str, valid: Callable[[Any], Any]) -> None:
    sarif_checked(valid(log(hostile(odd), show_values=True)))


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "junit", "github", "sarif"])
def test_no_form_repeats_differently(form: str) -> None:
    for odd in PACKED[:12]:
        assert audit_report(hostile(odd), form, 1) == audit_report(hostile(odd), form, 1)


@pytest.mark.parametrize("odd", ["\U0010ffff", "`", "|", "@x ", "::error::", "</details>\n", "<"])
def test_huge_texts_are_cut(odd: str) -> None:
    audit = hostile(odd * 100_000)
    for form in ("text", "junit", "sarif"):
        shorter = audit_report(hostile(odd * 10_000), form, show_values=True)
        assert len(audit_report(audit, form, show_values=True)) < 1.1 * len(shorter)
    lines = audit_report(audit, "github", show_values=True).split("\n")
    assert all(len(each) < 32_768 for each in lines)
    for limit in (65_000, 5_000):
        shown = audit_summary(audit, limit, show_values=True)
        assert 0 < len(shown) <= limit
        seen(shown, folds=True)


FAULTY = [
    ("a fault in no group", lambda xml: xml.replace('failures="14"', 'failures="13"')),
    ("an end within a text", lambda xml: xml.replace("case:", "</failure>", 1)),
]


@pytest.mark.parametrize(("fault", "plant"), FAULTY, ids=[fault for fault, _ in FAULTY])
def test_the_rules_find_planted_faults(fault: str, plant: Callable[[str], str]) -> None:
    xml = audit_report(everything(), "junit")
    damaged = plant(xml)
    assert damaged != xml
    with pytest.raises((AssertionError, SyntaxError)):
        junit_checked(damaged)


def test_the_schema_finds_a_planted_fault(valid: Callable[[Any], Any]) -> None:
    found = log(order())
    found["runs"][0]["results"][0]["level"] = "failure"
    with pytest.raises(fastjsonschema.JsonSchemaException):
        valid(found)


def test_a_place_without_a_file_is_the_stacks() -> None:
    from tests.report.audits import boundary, stack

    bare = stack(
        boundary("executor", "executor", place=Place("", 7)), boundary("preview", "reviewer"), place=""
    )
    (one,) = log(result(finding(), stack=bare))["runs"][0]["results"]
    place = one["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("stack.toml", 7)


def test_a_finding_does_not_hide_that_a_boundary_is_unverified() -> None:
    doubtful = line("executor", "executor", unverified=True, why="fed objects")
    root = junit_checked(audit_report(result(finding(), lines=(line("preview"), doubtful)), "junit"))
    (suite,) = [each for each in root if each.attrib["name"] == "boundary executor"]
    assert (suite.attrib["failures"], suite.attrib["skipped"], suite.attrib["tests"]) == ("1", "1", "2")
