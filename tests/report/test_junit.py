"""JUnit XML: by hand, by the rules that its readers share, and for every text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from tests.report.gates import allow, change, every_kind, gate, hostile, many, pairing
from tests.report.hostile import ODD, TEXTS
from whichwins.analysis.change_result import KINDS, Excused, Gate, Lapse
from whichwins.analysis.result import Cause
from whichwins.model import Place
from whichwins.report import gate_report

ATTRIBUTES = {
    "testsuites": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"name"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time"},
        {"name", "tests", "failures", "errors"},
    ),
    "testcase": ({"name", "classname"}, {"name", "classname"}),
    "failure": ({"message", "type"}, {"message", "type"}),
    "error": ({"message", "type"}, {"message", "type"}),
    "skipped": ({"message", "type"}, {"message"}),
}
"""Per element: the attributes that may and that must stand there, as Jenkins' schema has them."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped"},
}


def checked(xml: str) -> ElementTree.Element:
    """The parsed document, held against the rules. AssertionError where one is broken."""
    assert re.fullmatch(r"[ -~\n]*", xml)
    assert xml.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    root = ElementTree.fromstring(xml)
    assert root.tag == "testsuites"
    for element in root.iter():
        may, must = ATTRIBUTES[element.tag]
        assert must <= set(element.attrib) <= may
        assert all(child.tag in CHILDREN.get(element.tag, ()) for child in element)
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        assert cases, "a suite without a test is a failure to some readers"
        assert all(len(case) <= 1 for case in cases)
        assert int(suite.attrib["tests"]) == len(cases)
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == sum(case.find(tag) is not None for case in cases)
    return root


def junit(judged: Gate) -> ElementTree.Element:
    return checked(gate_report(judged, "junit"))


def test_by_hand() -> None:
    cause = Cause("number", "range", "too large")
    judged = gate(
        [change("n/a", "newly-rejected", "[1]", "reject parse E", cause, data=b'[1]<&"]]>', pointer="/0")],
        pairings=[pairing(changed=1), pairing("python/json", compared=10)],
        places={"python/orjson": Place("uv.lock", 9)},
        excused=(Excused(allow("we know"), (change("n/b", "newly-rejected", "[1]", "reject"),)),),
        lapses=(Lapse("allow-unused", allow(line=30), "it covers nothing"),),
        incomplete=("python/ujson: absent",),
    )
    xml = gate_report(judged, "junit")
    checked(xml)
    assert (
        xml
        == """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="whichwins upgrade" tests="5" failures="2" errors="1" skipped="1" time="0.0">
<testsuite name="python/orjson" tests="2" errors="0" failures="1" skipped="1" time="0">
<testcase name="n/a: newly rejected" classname="python/orjson">
<failure message="newly rejected: number (range)" type="newly-rejected">case:       n/a
input:      [1]&lt;&amp;"]]&gt;
before:     [1]
after:      reject parse E
differs at: /0
cause:      too large
version at: uv.lock:9</failure>
</testcase>
<testcase name="n/b: newly rejected" classname="python/orjson">
<skipped message="we know (whichwins.toml:12)" type="newly-rejected"/>
</testcase>
</testsuite>
<testsuite name="python/json" tests="1" errors="0" failures="0" skipped="0" time="0">
<testcase name="10 cases compared" classname="python/json"/>
</testsuite>
<testsuite name="exceptions" tests="1" errors="0" failures="1" skipped="0" time="0">
<testcase name="whichwins.toml:30: newly-rejected of python/orjson in numbers/*" classname="exceptions">
<failure message="this exception is not needed: it covers nothing (made because: known since May)" \
type="allow-unused"/>
</testcase>
</testsuite>
<testsuite name="measurement" tests="1" errors="1" failures="0" skipped="0" time="0">
<testcase name="1 python/ujson: absent" classname="measurement">
<error message="python/ujson: absent" type="incomplete"/>
</testcase>
</testsuite>
</testsuites>
"""
    )


def test_every_kind() -> None:
    root = junit(every_kind())
    failures = [case for case in root.iter("testcase") if case.find("failure") is not None]
    kinds = [failure.attrib["type"] for failure in root.iter("failure")]
    assert kinds[0] == "newly-failing"
    assert sorted(kinds) == sorted([*KINDS, "allow-expired", "allow-unused"])
    assert len({(case.attrib["classname"], case.attrib["name"]) for case in failures}) == len(failures)


def test_nothing_changed_is_one_test_that_passes() -> None:
    root = junit(gate(pairings=[pairing()]))
    assert [dict(case.attrib) for case in root.iter("testcase")] == [
        {"name": "1,999 cases compared", "classname": "python/orjson"}
    ]
    alone = junit(gate(pairings=[]))
    assert [case.attrib["name"] for case in alone.iter("testcase")] == ["Nothing was compared"]


def test_a_subject_without_a_pairing_has_a_suite() -> None:
    root = junit(gate([change("a/b", "new-split", "", "", subject="")], pairings=[pairing()]))
    assert [suite.attrib["name"] for suite in root] == ["python/orjson", "all subjects"]


def test_what_is_cut_is_said_and_still_fails() -> None:
    root = junit(many(2500))
    assert root.attrib["failures"] == "1001"
    last = list(root.iter("testcase"))[-1]
    assert last.attrib["name"] == "1,500 changes more"
    assert last[0].tag == "failure"

    judged = many(1000)
    assert junit(judged).attrib["failures"] == "1000"

    permit = allow()
    changes = tuple(change(f"n/{n}", "recovered", "1", "2") for n in range(1200))
    root = junit(gate(pairings=[pairing()], excused=(Excused(permit, changes),)))
    assert (root.attrib["failures"], root.attrib["skipped"], root.attrib["tests"]) == ("0", "1001", "1002")

    lapses = tuple(Lapse("allow-unused", permit, "") for _ in range(1200))
    root = junit(gate(pairings=[pairing()], lapses=lapses, incomplete=tuple(map(str, range(1200)))))
    assert (root.attrib["failures"], root.attrib["errors"]) == ("1001", "1001")


def test_the_cut_leaves_no_subject_out() -> None:
    """A subject whose changes are all beyond the limit must not look as if it passed."""
    first = [change(f"n/{n}", "newly-failing", "1", "2", subject="a/a") for n in range(1000)]
    later = [change("n/x", "value-changed", "1", "2", subject="b/b")]
    root = junit(gate([*first, *later], pairings=[pairing("a/a"), pairing("b/b")]))
    assert [suite.attrib["failures"] for suite in root] == ["1000", "1"]


@pytest.mark.parametrize("odd", ODD)
def test_each_odd_text(odd: str) -> None:
    junit(hostile(odd))


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_any_text(text: str) -> None:
    xml = gate_report(hostile(text), "junit")
    checked(xml)
    assert not re.search(r"^\s*::|##\[|##vso\[", xml, re.MULTILINE)


def test_huge_texts_are_cut() -> None:
    assert len(gate_report(hostile("\U0010ffff" * 100_000), "junit")) < 400_000


BROKEN = [
    ("a wrong count", lambda xml: xml.replace('failures="13"', 'failures="12"')),
    ("a control character", lambda xml: xml.replace("the interpreters", "\x0b").replace("case:", "\x0b")),
    ("an attribute of its own", lambda xml: xml.replace("<testcase ", '<testcase file="x" ', 1)),
    ("an unknown element", lambda xml: xml.replace("<failure", "<failed").replace("</failure", "</failed")),
    ("an end within a text", lambda xml: xml.replace("case:", "</failure>", 1)),
    ("no test in a suite", lambda xml: xml.replace("</testsuites>", '<testsuite name="x" /></testsuites>')),
]


@pytest.mark.parametrize(("fault", "plant"), BROKEN, ids=[fault for fault, _ in BROKEN])
def test_the_rules_find_planted_faults(fault: str, plant: object) -> None:
    xml = gate_report(every_kind(), "junit")
    checked(xml)
    damaged = plant(xml)  # type: ignore[operator]
    assert damaged != xml
    with pytest.raises((AssertionError, ElementTree.ParseError, KeyError)):
        checked(damaged)
