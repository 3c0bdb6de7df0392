"""An audit in words: what every report of one says alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from whichwins.analysis.counting import plural
from whichwins.audit.result import VERDICT_OF, AuditResult, BoundaryLine, Fault, Finding, FindingGroup, Loss
from whichwins.audit.stack import Stack
from whichwins.model import Place
from whichwins.report.change import named, short
from whichwins.report.document import Cell, Code
from whichwins.report.veil import Veil

VERDICTS: Mapping[int, str] = {
    1: "all who decide held the value that was executed",
    2: "what is accepted is executed once, what is not accepted never",
    3: "what the policy rejects is rejected before anything of it is lost",
    4: "success means that it was done, and a rejection looks like one",
    5: "what the policy accepts gets through",
}
"""What each verdict says where it holds."""

_ALLOW = (
    "A finding that you accept is declared in the stack file as an exception, with the reason: a table "
    "[[allow]] with boundary, case, kind and reason."
)
_FRONT = (
    "Put a strict reader in front of everything else, so that each boundary reads what has one reading: "
    "whichwins.reference.guard, or a parser that rejects repeated names."
)


class Said(NamedTuple):
    """A fault for people: its name, what it means, what to do."""

    name: str
    about: str
    help: tuple[str, ...]


FAULTS_SAID: Mapping[Fault, Said] = {
    "value-differs": Said(
        "values differ",
        "Two boundaries held different values for a request that was executed: what was shown, checked or "
        "approved is not what ran.",
        ("Parse once, and hand on the value that was accepted instead of the text.", _FRONT, _ALLOW),
    ),
    "digest-differs": Said(
        "digest differs",
        "What was executed is not what was approved.",
        ("Execute the very value whose digest was approved; do not parse the text again.", _FRONT, _ALLOW),
    ),
    "ran-though-not-accepted": Said(
        "ran, though not accepted",
        "A request was executed although a boundary did not accept it.",
        ("Finish reading and checking before anything is executed.", _ALLOW),
    ),
    "ran-not-once": Said(
        "ran, not once",
        "One accepted request was executed several times, or by a boundary that should execute nothing.",
        ("Execute in one place, and do not try again what may have been executed.", _ALLOW),
    ),
    "passed-what-policy-rejects": Said(
        "passed what the policy rejects",
        "A request that the policy rejects was executed or accepted, or was stopped only behind the first "
        "boundary that loses something of it, where nobody can see any more what was wrong.",
        ("Reject it at, or before, the boundary that is named.", _FRONT, _ALLOW),
    ),
    "false-success": Said(
        "false success",
        "A boundary said that it accepted a request, and nothing was executed.",
        ("Answer with success only when it is done.", _ALLOW),
    ),
    "rejection-as-error": Said(
        "rejection looks like an error",
        "A request that the policy does not want ended in a server error, or the boundary gave up, died or "
        "hung: callers cannot tell that from a broken server, try again, and alarms ring.",
        ("Catch what the parser raises, limit size and depth before it, and answer 400.", _ALLOW),
    ),
    "control-rejected": Said(
        "control rejected",
        "A request that the policy accepts was not accepted: what rejects everything is safe, and of no use. "
        "Twins, whose repeated names are renamed apart, count too.",
        ("Look at what the boundary wants of a request: its template, headers and schema.", _ALLOW),
    ),
}

LOST: Mapping[Loss, str] = {
    "occurrence": "an occurrence of a repeated name",
    "number": "a number's value",
    "bytes": "bytes",
    "truncation": "text left unread",
    "other": "something",
}
"""What a boundary loses."""

_BROKEN_BY_ROLE = {
    "reviewer": "a reviewer can approve what the executor does not run",
    "approver": "what runs is not what was approved",
    "validator": "what was validated is not what runs",
    "executor": "two executors run different values of one request",
}
_BROKEN: Mapping[Fault, str] = {
    "value-differs": "two boundaries hold different values of what runs",
    "digest-differs": "what runs is not what was approved",
    "ran-though-not-accepted": "what is not accepted runs all the same",
    "ran-not-once": "what is accepted does not run once",
    "passed-what-policy-rejects": "what the policy rejects is not rejected in time",
    "false-success": "success is reported for what was not done",
    "rejection-as-error": "rejections look like errors",
    "control-rejected": "what the policy accepts is rejected",
}


def verdict(result: AuditResult) -> str:
    """`3 of 5 verdicts are broken: a reviewer can approve what the executor does not run`."""
    states = [state_of(result, number) for number in VERDICTS]
    broken, unknown = states.count("broken"), states.count("unknown")
    total = len(states)
    if not result.cases:
        said = "Nothing was asked"
    elif broken:
        said = f"{broken} of {total} verdicts {_are(broken)} broken"
        said += f", {unknown} {_are(unknown)} unknown" if unknown else ""
        said += f": {_broken_said(result)}" if result.findings else ""
    elif unknown:
        said = f"No verdict is broken, {unknown} of {total} {_are(unknown)} unknown"
    else:
        said = f"All {total} verdicts hold"
    more = []
    if not broken and (excused := sum(len(one.findings) for one in result.excused)):
        more.append(f"but for {plural(excused, 'excused finding')}")
    lapsed = Counter[str](lapse.kind for lapse in result.lapses)
    for kind, words in (("allow-expired", "expired"), ("allow-unused", "unused")):
        if lapsed[kind]:
            more.append(f"{plural(lapsed[kind], 'exception')} {words}")
    if result.incomplete:
        more.append("not everything was measured")
    return ", ".join([said, *more])


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def state_of(result: AuditResult, number: int) -> str:
    """`holds`, `broken` or `unknown`: what is not said is unknown."""
    return result.verdicts.get(number, "unknown")


def _broken_said(result: AuditResult) -> str:
    first = min(result.findings, key=lambda finding: VERDICT_OF[finding.fault])
    if first.fault != "value-differs":
        return _BROKEN[first.fault]
    roles = {boundary.name: boundary.role for boundary in result.stack.boundaries}
    parted = {roles.get(each.other) for each in result.findings if each.fault == "value-differs"}
    return next((said for role, said in _BROKEN_BY_ROLE.items() if role in parted), _BROKEN[first.fault])


def of_verdict(result: AuditResult, number: int) -> list[Finding]:
    """The findings that break a verdict, the smallest input first."""
    mine = [finding for finding in result.findings if VERDICT_OF[finding.fault] == number]
    return sorted(mine, key=lambda finding: (finding.length, finding.case))


def title(result: AuditResult) -> str:
    """The verdict and the stack's name, for formats with one line."""
    return f"{verdict(result)} ({short(result.stack.name)})"


def who(finding: Finding | FindingGroup) -> str:
    """`executor against preview`."""
    return (
        f"{short(finding.boundary)} against {short(finding.other)}"
        if finding.other
        else short(finding.boundary)
    )


def cause_said(finding: Finding) -> str:
    """`number (range)`."""
    return short(f"{finding.cause} ({finding.kind})" if finding.kind else finding.cause)


def group_title(group: FindingGroup) -> str:
    """`executor against preview: values differ, repeated name: 20 cases`."""
    said = f"{FAULTS_SAID[group.fault].name}, {short(group.cause)}: {plural(group.count, 'case')}"
    return f"{who(group)}: {said}"


def details(finding: Finding, veil: Veil) -> list[tuple[str, Cell]]:
    """The facts of a finding, each with its name: input, the policy's word, what each side held, the loss."""
    veil, over_case = over(finding, veil), veil.of(finding.case)
    rows: list[tuple[str, Cell]] = [
        ("case", Code(finding.case)),
        ("input", over_case.input(finding.data, finding.length)),
        ("policy says", policy_says(finding.expected, finding.clause)),
    ]
    sides = ("expected", "seen")
    if finding.fault in ("value-differs", "digest-differs"):
        mine, other = short(finding.boundary, 40), short(finding.other, 40) or "another"
        shown = veil.value if finding.fault == "value-differs" else veil.digest
        verbs = ("held", "held") if finding.fault == "value-differs" else ("approved", "executed")
        rows += [(f"{other} {verbs[0]}", shown(finding.left)), (f"{mine} {verbs[1]}", shown(finding.right))]
    else:
        rows += [
            (side, Code(veil.outcome(text)) if text else "(nothing)")
            for side, text in zip(sides, (finding.left, finding.right), strict=True)
        ]
    if finding.pointer is not None:
        rows.append(("differs at", veil.place(finding.pointer, finding.data)))
    if finding.lossy is not None:
        rows.append(("first lost", lost_said(finding.lossy, finding.loss)))
    rows.append(("cause", cause_said(finding)))
    return rows


def over(finding: Finding, veil: Veil) -> Veil:
    """The veil over the values of a finding."""
    return veil.of(finding.case, *filter(None, (finding.boundary, finding.other)))


def lost_said(boundary: str, loss: Loss | None) -> str:
    """`an occurrence of a repeated name, at gateway`."""
    return f"{'something' if loss is None else LOST[loss]}, at {short(boundary)}"


def policy_says(expected: str, clause: str) -> str:
    """`reject (RFC 7493 section 2.3: ...)`."""
    return f"{expected} ({short(clause)})" if clause else expected


def what(line: BoundaryLine, stack: Stack) -> str:
    """What a boundary is, without the stack's folder."""
    folder = stack.folder.as_posix()
    return short(line.what if folder in ("", ".") else line.what.replace(f"{folder}/", ""))


def executions_said(count: int | None) -> str:
    """A number, or that it cannot be seen."""
    return "unknown" if count is None else f"{count:,}"


def policy_lines(stack: Stack) -> list[str]:
    """What a policy has beyond its layer, in words."""
    from whichwins.audit.stack import Policy

    policy, usual = stack.policy, Policy().limits
    limits = [
        f"{name} {limit:,}"
        for name, limit, default in (
            ("bytes", policy.limits.max_bytes, usual.max_bytes),
            ("depth", policy.limits.max_depth, usual.max_depth),
            ("characters of a number", policy.limits.max_number, usual.max_number),
        )
        if limit != default
    ]
    said = [f"at most {', '.join(limits)}"] if limits else []
    said += [plural(len(policy.names), "declared name")] if policy.names is not None else []
    said += [plural(len(policy.aliases), "alias", "aliases")] if policy.aliases else []
    return said


def place_of(stack: Stack, name: str) -> Place:
    """Where a boundary is declared, as a report shows it; the file's first line for another name."""
    found = next((boundary.place for boundary in stack.boundaries if boundary.name == name), None)
    return shown_place(stack, Place(stack.place, 1) if found is None else found)


def shown_place(stack: Stack, place: Place) -> Place:
    """A place, relative; a file without a name is the stack's."""
    return named(place if place.file else Place(stack.place or "stack.toml", place.line))


def unverified(lines: Sequence[BoundaryLine]) -> list[BoundaryLine]:
    """The boundaries of which nothing is proven."""
    return [line for line in lines if line.unverified]
