"""A judged change as JUnit XML, for build services that show tests.

A subject is a suite, a change a failing test, an excused change a skipped one; a subject without a finding
has one test that passes. Exceptions that are findings stand in the suite `exceptions`, what was not
measured in the suite `measurement`. There are no times, hosts or files in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from whichwins.analysis.change_result import Change, Excused, Gate
from whichwins.report.change import (
    allow_said,
    at,
    cause_said,
    details,
    gravest_first,
    kind_said,
    lapse_said,
    place_of,
    short,
    until_said,
    verdict,
)
from whichwins.report.comparison import plural
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.text import spelled

LISTED = 1000
"""Failing tests in a file at most, and skipped ones; one more in each suite says how many are left out."""


def junit(gate: Gate) -> str:
    """The gate as a JUnit XML document, in ASCII."""
    from junitparser import JUnitXml, TestSuite

    changes = gravest_first(gate.changes.changes, lambda change: change.kind)
    failing = _by_subject(changes)
    excused = [(one, change) for one in gate.excused for change in one.changes]
    skipped = _by_subject(change for _, change in excused)
    compared = {pairing.subject: pairing.compared for pairing in gate.changes.pairings}
    shown_failing = _by_subject(changes[:LISTED])
    root: Any = JUnitXml(f"whichwins {gate.verb}")

    def suite(name: str, tests: Sequence[Any]) -> None:
        made: Any = TestSuite(plain(short(name)))
        made.extend(tests)
        root.append(made)

    shown_skipped: dict[str, list[tuple[Excused, Change]]] = {}
    for one, change in excused[:LISTED]:
        shown_skipped.setdefault(change.subject, []).append((one, change))
    for subject in dict.fromkeys([*compared, *sorted({*failing, *skipped})]):
        name = subject or "all subjects"
        tests = [_failing(gate, name, change) for change in shown_failing.get(subject, ())]
        if left := len(failing.get(subject, ())) - len(tests):
            tests.append(_test(name, f"{plural(left, 'change')} more", "failure", "left-out", _LEFT_OUT))
        elif not tests:
            tests.append(_test(name, f"{plural(compared.get(subject, 0), 'case')} compared"))
        there = shown_skipped.get(subject, ())
        tests += [_skipped(name, one, change) for one, change in there]
        if left := len(skipped.get(subject, ())) - len(there):
            tests.append(
                _test(name, f"{plural(left, 'excused change')} more", "skipped", "left-out", _LEFT_OUT)
            )
        suite(name, tests)
    if gate.lapses:
        suite("exceptions", list(_lapses(gate)))
    if gate.changes.incomplete:
        lines = enumerate(gate.changes.incomplete[:LISTED], 1)
        tests = [_test("measurement", f"{n} {short(line)}", "error", "incomplete", line) for n, line in lines]
        if left := len(gate.changes.incomplete) - len(tests):
            tests.append(_test("measurement", f"{plural(left, 'line')} more", "error", "left-out", _LEFT_OUT))
        suite("measurement", tests)
    if not len(root):
        suite("whichwins", [_test("whichwins", verdict(gate))])
    root.update_statistics()
    xml: str = root.tostring().decode("ascii")
    # No text holds a raw `<` or `>`, so these are tags. With lxml about, an empty one has no space in it.
    xml = xml.replace(" />", "/>").replace("><", ">\n<")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}\n'


_LEFT_OUT = f"A file lists {LISTED:,} of a kind at most: the JSON report has all."


def _by_subject(changes: Iterator[Change] | Sequence[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.subject, []).append(change)
    return found


def _test(suite: str, name: str, result: str = "", kind: str = "", message: str = "", body: str = "") -> Any:
    # Everything that reaches the document is printable ASCII on a line, so any byte of an input is valid XML.
    from junitparser import Error, Failure, Skipped, TestCase

    test: Any = TestCase(plain(name), plain(short(suite)))
    if result:
        made: Any = {"failure": Failure, "skipped": Skipped, "error": Error}[result]
        outcome = made(plain(short(message, 400)) or "(no reason)", plain(kind))
        if body:
            outcome.text = body
        test.append(outcome)
    return test


def _name(change: Change) -> str:
    return f"{short(change.case, 300)}: {kind_said(change.kind)}"


def _failing(gate: Gate, suite: str, change: Change) -> Any:
    message = f"{kind_said(change.kind)}: {cause_said(change.cause)}"
    rows = [(name, "".join(map(spelled, spans_of(cell)))) for name, cell in details(change)]
    if change.cause.why:
        rows.append(("cause", plain(short(change.cause.why))))
    if place := place_of(gate, change.subject):
        rows.append(("version at", plain(at(place))))
    body = "\n".join(f"{name + ':':12}{said}" for name, said in rows)
    return _test(suite, _name(change), "failure", change.kind, message, body)


def _skipped(suite: str, one: Excused, change: Change) -> Any:
    until = until_said(one.allow)
    message = f"{short(one.allow.reason)} ({f'{until}; ' if until else ''}{at(one.allow.place)})"
    return _test(suite, _name(change), "skipped", change.kind, message)


def _lapses(gate: Gate) -> Iterator[Any]:
    for lapse in gate.lapses[:LISTED]:
        name = f"{at(lapse.allow.place)}: {allow_said(lapse.allow)}"
        message = f"{lapse_said(lapse)} (made because: {short(lapse.allow.reason)})"
        yield _test("exceptions", name, "failure", lapse.kind, message)
    if (left := len(gate.lapses) - LISTED) > 0:
        yield _test("exceptions", f"{plural(left, 'exception')} more", "failure", "left-out", _LEFT_OUT)
