"""A judged change as SARIF 2.1.0, for services that show alerts on code.

A rule is a kind of change with its cause, a result one change. It stands at the line that names the
subject's version (a lock file, the configuration); where none is known, at the first line of the file
that was checked against. No place is made up: a result without one has none (GitHub takes only those with).
"""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.change_result import Change, Excused, Gate
from whichwins.model import Place
from whichwins.report import lapses, sarif_log
from whichwins.report.change import (
    CAUSES_SAID,
    MEANINGS,
    cause_said,
    details,
    gravest_first,
    kind_said,
    level,
    named,
    place_of,
    short,
    title,
)
from whichwins.report.document import spans_of
from whichwins.report.safe import plain
from whichwins.report.sarif_log import Log, Result, Rule, slug
from whichwins.report.text import spelled


def sarif(gate: Gate) -> str:
    """The gate as a SARIF log with one run, within GitHub's limits; what is left out is said in a result."""
    changes = gate.changes
    return sarif_log.sarif(
        Log(gate.verb, title(gate), list(_results(gate)), changes.incomplete, changes.notes, _own(gate))
    )


def _results(gate: Gate) -> Iterator[Result]:
    for change in gravest_first(gate.changes.changes, lambda change: change.kind):
        yield _change(gate, change, level(change.kind))
    for lapse in gate.lapses:
        yield lapses.result(lapse)
    for one in gate.excused:
        for change in one.changes:
            yield _change(gate, change, "note", one)


def _change(gate: Gate, change: Change, grave: str, excused: Excused | None = None) -> Result:
    facts = {name: "".join(map(spelled, spans_of(cell))) for name, cell in details(change)}
    who = f"{short(change.subject)}: " if change.subject else ""
    said = "; ".join(f"{name} {fact}" for name, fact in facts.items())
    message = f"{who}{kind_said(change.kind)}, {cause_said(change.cause)}: {said}."
    facts |= {
        "subject": plain(short(change.subject)),
        "kind": change.kind,
        "cause": plain(cause_said(change.cause)),
    }
    place = place_of(gate, change.subject)
    justification = None
    if excused is not None:
        place = named(excused.allow.place)
        justification = lapses.justification(excused.allow)
    prints = (change.subject, change.case, change.kind)
    return Result(_change_rule(change), grave, message, place or _own(gate), prints, facts, justification)


def _change_rule(change: Change) -> Rule:
    cause = change.cause.name
    about = CAUSES_SAID.get(cause, "something else")
    return Rule(
        f"{slug(change.kind)}/{slug(cause)}",
        level(change.kind),
        short(f"{kind_said(change.kind).capitalize()}: {cause}", 100),
        f"{MEANINGS.get(change.kind, '')} The cause: {about}.",
        (
            "Look whether your data can hold such a text: whichwins explain shows who reads what.",
            "Where the report names an option or entry point that keeps the old behaviour, use it; or keep "
            "the old version.",
            "A change that you accept is declared in whichwins.toml as an exception, with the reason: "
            "a table [[allow]] with subject, case, kind and reason.",
        ),
    )


def _own(gate: Gate) -> Place | None:
    """Where a finding stands whose subject has no place: the first known place, else the gate's own file."""
    known = sorted((place.file, place.line) for place in map(named, (gate.places or {}).values()))
    if known:
        return Place(*known[0])
    return None if gate.home is None else named(gate.home)
