"""JUnit XML, for build services that show tests: suites of tests, in ASCII, without times, hosts or files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from whichwins.analysis.counting import plural
from whichwins.report.change import short
from whichwins.report.safe import plain

LISTED = 1000
"""Failing tests in a file at most, and skipped ones; one more in each suite says how many are left out."""

Ending: TypeAlias = Literal["", "failure", "skipped", "error"]


class Test(NamedTuple):
    """A test of a suite: how it ended (empty: it passes), of which kind, and what is said of it.

    `body` is printable ASCII, on lines; everything else is raw.
    """

    name: str
    ending: Ending = ""
    kind: str = ""
    message: str = ""
    body: str = ""


class Suite(NamedTuple):
    """Tests under one name: at least one, for a suite without a test is a failure to some readers."""

    name: str
    tests: Sequence[Test]


def left_out(what: str, ending: Ending = "failure") -> Test:
    """The test that stands for `what` a file has no room for (`3 changes`)."""
    said = f"A file lists {LISTED:,} of a kind at most: the JSON report has all."
    return Test(f"{what} more", ending, "left-out", said)


def incomplete(lines: Sequence[str]) -> Suite:
    """What was not measured, as errors."""
    tests = [
        Test(f"{number} {short(line)}", "error", "incomplete", line)
        for number, line in enumerate(lines[:LISTED], 1)
    ]
    if left := len(lines) - len(tests):
        tests.append(left_out(plural(left, "line"), "error"))
    return Suite("measurement", tests)


def xml(name: str, suites: Sequence[Suite]) -> str:
    """The suites as a JUnit XML document."""
    from junitparser import JUnitXml, TestSuite

    root: Any = JUnitXml(name)
    for suite in suites:
        made: Any = TestSuite(plain(short(suite.name)))
        made.extend([_test(suite.name, test) for test in suite.tests])
        root.append(made)
    root.update_statistics()
    text: str = root.tostring().decode("ascii")
    # No text holds a raw `<` or `>`, so these are tags. With lxml about, an empty one has no space in it.
    text = text.replace(" />", "/>").replace("><", ">\n<")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _test(suite: str, test: Test) -> Any:
    # Everything that reaches the document is printable ASCII on a line, so any byte of an input is valid XML.
    from junitparser import Error, Failure, Skipped, TestCase

    made: Any = TestCase(plain(test.name), plain(short(suite)))
    if test.ending:
        kinds: dict[str, Any] = {"failure": Failure, "skipped": Skipped, "error": Error}
        outcome = kinds[test.ending](plain(short(test.message, 400)) or "(no reason)", plain(test.kind))
        if test.body:
            outcome.text = test.body
        made.append(outcome)
    return made
