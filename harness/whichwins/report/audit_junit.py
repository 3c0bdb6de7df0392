"""An audit as JUnit XML: a suite for the verdicts, one for each boundary.

A verdict that holds passes, one that is broken fails, one that is unknown is skipped. A finding is a failing
test of its boundary, an excused one a skipped test. A boundary without a finding has one test: it passes,
unless nothing is proven of it; then it is skipped, never passed.
"""

from __future__ import annotations

from whichwins.analysis.counting import plural
from whichwins.audit.result import AuditResult, BoundaryLine, Finding
from whichwins.report import lapses
from whichwins.report.audit_words import (
    FAULTS_SAID,
    VERDICTS,
    cause_said,
    details,
    executions_said,
    of_verdict,
    place_of,
    state_of,
    verdict,
)
from whichwins.report.change import at, short
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.suites import LISTED, Suite, Test, incomplete, left_out, xml
from whichwins.report.text import spelled
from whichwins.report.veil import Veil


def audit_junit(result: AuditResult, veil: Veil) -> str:
    """The audit as a JUnit XML document, in ASCII."""
    suites = [Suite("verdicts", [_verdict(result, number) for number in VERDICTS])]
    lines = {line.name: line for line in result.lines}
    excused = [(one.allow, finding) for one in result.excused for finding in one.findings]
    shown, skipped = result.findings[:LISTED], excused[:LISTED]
    at_fault = {finding.boundary for finding in result.findings} | {each.boundary for _, each in excused}
    for name in dict.fromkeys([*lines, *sorted(at_fault)]):
        tests = [_failing(result, finding, veil) for finding in shown if finding.boundary == name]
        if left := sum(each.boundary == name for each in result.findings) - len(tests):
            tests.append(left_out(plural(left, "finding")))
        line = lines.get(name)
        if line is not None and (not tests or line.unverified):
            tests.append(_seen(line))
        there = [pair for pair in skipped if pair[1].boundary == name]
        tests += [
            Test(_name(each), "skipped", each.fault, lapses.excused_message(allow)) for allow, each in there
        ]
        if left := sum(each.boundary == name for _, each in excused) - len(there):
            tests.append(left_out(plural(left, "excused finding"), "skipped"))
        suites.append(Suite(f"boundary {short(name)}", tests))
    if result.lapses:
        suites.append(lapses.suite(result.lapses))
    if result.incomplete:
        suites.append(incomplete(result.incomplete))
    return xml("whichwins audit", suites)


def _verdict(result: AuditResult, number: int) -> Test:
    name = f"{number}: {VERDICTS[number]}"
    state = state_of(result, number)
    if state == "holds":
        return Test(name)
    if state == "broken":
        mine = of_verdict(result, number)
        said = f"{plural(len(mine), 'finding')}"
        said += f", smallest witness {short(mine[0].case, 300)}" if mine else ""
        return Test(name, "failure", "broken", said)
    why = "; ".join(short(line) for line in result.unknown) or verdict(result)
    return Test(name, "skipped", "unknown", f"unknown: {why}")


def _seen(line: BoundaryLine) -> Test:
    """A boundary's own test: green only where everything was seen."""
    if line.unverified:
        return Test("unverified", "skipped", "unverified", line.why or "nothing is proven")
    asked = sum(line.outcomes.values())
    return Test(f"{plural(asked, 'request')}, executions {executions_said(line.executions)}, no finding")


def _name(finding: Finding) -> str:
    other = f" against {short(finding.other, 60)}" if finding.other else ""
    return f"{short(finding.case, 300)}: {FAULTS_SAID[finding.fault].name}{other}"


def _failing(result: AuditResult, finding: Finding, veil: Veil) -> Test:
    message = f"{FAULTS_SAID[finding.fault].name}: {cause_said(finding)}"
    rows = [(plain(name), "".join(map(spelled, spans_of(cell)))) for name, cell in details(finding, veil)]
    rows.append(("declared at", plain(at(place_of(result.stack, finding.boundary)))))
    body = "\n".join(f"{name + ':':14}{said}" for name, said in rows)
    return Test(_name(finding), "failure", finding.fault, message, body)
