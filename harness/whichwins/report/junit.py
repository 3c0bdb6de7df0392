"""A judged change as JUnit XML, for build services that show tests.

A subject is a suite, a change a failing test, an excused change a skipped one; a subject without a finding
has one test that passes. Exceptions that are findings stand in the suite `exceptions`, what was not
measured in the suite `measurement`. There are no times, hosts or files in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from whichwins.analysis.change_result import Change, Excused, Gate
from whichwins.analysis.counting import plural
from whichwins.report import lapses
from whichwins.report.change import (
    at,
    cause_said,
    details,
    gravest_first,
    kind_said,
    place_of,
    short,
    verdict,
)
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.suites import LISTED, Suite, Test, incomplete, left_out, xml
from whichwins.report.text import spelled


def junit(gate: Gate) -> str:
    """The gate as a JUnit XML document, in ASCII."""
    changes = gravest_first(gate.changes.changes, lambda change: change.kind)
    failing = _by_subject(changes)
    excused = [(one, change) for one in gate.excused for change in one.changes]
    skipped = _by_subject(change for _, change in excused)
    compared = {pairing.subject: pairing.compared for pairing in gate.changes.pairings}
    shown_failing = _by_subject(changes[:LISTED])
    shown_skipped: dict[str, list[tuple[Excused, Change]]] = {}
    for one, change in excused[:LISTED]:
        shown_skipped.setdefault(change.subject, []).append((one, change))
    suites: list[Suite] = []
    for subject in dict.fromkeys([*compared, *sorted({*failing, *skipped})]):
        tests = [_failing(gate, change) for change in shown_failing.get(subject, ())]
        if left := len(failing.get(subject, ())) - len(tests):
            tests.append(left_out(plural(left, "change")))
        elif not tests:
            tests.append(Test(f"{plural(compared.get(subject, 0), 'case')} compared"))
        there = shown_skipped.get(subject, ())
        tests += [_skipped(one, change) for one, change in there]
        if left := len(skipped.get(subject, ())) - len(there):
            tests.append(left_out(plural(left, "excused change"), "skipped"))
        suites.append(Suite(subject or "all subjects", tests))
    if gate.lapses:
        suites.append(lapses.suite(gate.lapses))
    if gate.changes.incomplete:
        suites.append(incomplete(gate.changes.incomplete))
    if not suites:
        suites.append(Suite("whichwins", [Test(verdict(gate))]))
    return xml(f"whichwins {gate.verb}", suites)


def _by_subject(changes: Iterable[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.subject, []).append(change)
    return found


def _name(change: Change) -> str:
    return f"{short(change.case, 300)}: {kind_said(change.kind)}"


def _failing(gate: Gate, change: Change) -> Test:
    message = f"{kind_said(change.kind)}: {cause_said(change.cause)}"
    rows = [(name, "".join(map(spelled, spans_of(cell)))) for name, cell in details(change)]
    if change.cause.why:
        rows.append(("cause", plain(short(change.cause.why))))
    if place := place_of(gate, change.subject):
        rows.append(("version at", plain(at(place))))
    body = "\n".join(f"{name + ':':12}{said}" for name, said in rows)
    return Test(_name(change), "failure", change.kind, message, body)


def _skipped(one: Excused, change: Change) -> Test:
    return Test(_name(change), "skipped", change.kind, lapses.excused_message(one.allow))
