"""A judged change as SARIF 2.1.0, for services that show alerts on code.

A rule is a kind of change with its cause, a result one change. It stands at the line that names the
subject's version (a lock file, the configuration); where none is known, at the first line of a file of
whichwins' own, because GitHub takes no result without a place.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote

from whichwins import __version__
from whichwins.analysis.change_result import Change, Excused, Gate, Lapse
from whichwins.model import Place
from whichwins.report.change import (
    CAUSES_SAID,
    MEANINGS,
    allow_said,
    cause_said,
    details,
    gravest_first,
    kind_said,
    lapse_said,
    named,
    place_of,
    short,
    title,
    until_said,
)
from whichwins.report.comparison import plural
from whichwins.report.document import spans_of
from whichwins.report.json import dump
from whichwins.report.safe import markdown, plain
from whichwins.report.text import spelled

RESULTS = 25_000
"""Results of a run that GitHub takes (it shows the 5,000 gravest)."""
COMPRESSED = 10_000_000
"""Bytes of a file that GitHub takes, compressed with gzip."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_NOTIFICATIONS = 100
_LAPSES = {
    "allow-expired": (
        "Exception expired",
        "The day or the version up to which an exception holds has passed.",
    ),
    "allow-unused": ("Exception unused", "An exception covers no change any more."),
}
_LEFT_OUT = "left-out"


class _Rule(NamedTuple):
    """`about` is what the rule says of itself, `help` what to do."""

    id: str
    level: str
    short: str
    about: str
    help: tuple[str, ...]


class _Finding(NamedTuple):
    rule: _Rule
    level: str
    message: str
    place: Place
    prints: tuple[str, ...]
    properties: dict[str, str]
    justification: str | None = None


def sarif(gate: Gate) -> str:
    """The gate as a SARIF log with one run, within GitHub's limits; what is left out is said in a result."""
    findings = list(_findings(gate))
    keep = RESULTS if len(findings) <= RESULTS else RESULTS - 1
    while True:
        text = dump(_log(gate, findings[:keep], len(findings) - keep))
        if keep == 0 or len(text) <= COMPRESSED or len(zlib.compress(text.encode("ascii"))) <= COMPRESSED:
            return text
        keep = min(keep, len(findings)) // 2


def _log(gate: Gate, findings: Sequence[_Finding], left_out: int) -> dict[str, Any]:
    if left_out > 0:
        said = f"{plural(left_out, 'result')} more: the JSON report has all."
        rule = _Rule(
            _LEFT_OUT, "warning", "Results left out", "A file has room for so many results only.", ()
        )
        findings = [*findings, _Finding(rule, "warning", said, _own(gate), (_LEFT_OUT,), {})]
    rules = list(dict.fromkeys(finding.rule for finding in findings))
    places = {rule: place for place, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "whichwins",
                "version": __version__,
                "rules": list(map(_rule, rules)),
            }
        },
        "automationDetails": {"id": f"whichwins/{gate.verb}/", "description": _message(title(gate))},
        "invocations": [
            {
                "executionSuccessful": not gate.changes.incomplete,
                "toolExecutionNotifications": [
                    *_notifications("error", gate.changes.incomplete),
                    *_notifications("note", gate.changes.notes),
                ],
            }
        ],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "results": [_result(finding, places[finding.rule]) for finding in findings],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _findings(gate: Gate) -> Iterator[_Finding]:
    for change in gravest_first(gate.changes.changes, lambda change: change.kind):
        yield _change(gate, change, "error")
    for lapse in gate.lapses:
        yield _lapse(lapse)
    for one in gate.excused:
        for change in one.changes:
            yield _change(gate, change, "note", one)


def _change(gate: Gate, change: Change, level: str, excused: Excused | None = None) -> _Finding:
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
        until = until_said(excused.allow)
        justification = short(excused.allow.reason, 400) + (f" ({until})" if until else "")
    prints = (change.subject, change.case, change.kind)
    return _Finding(_change_rule(change), level, message, place or _own(gate), prints, facts, justification)


def _change_rule(change: Change) -> _Rule:
    cause = change.cause.name
    about = CAUSES_SAID.get(cause, "something else")
    return _Rule(
        f"{_slug(change.kind)}/{_slug(cause)}",
        "error",
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


def _lapse(lapse: Lapse) -> _Finding:
    name, about = _LAPSES[lapse.kind]
    rule = _Rule(lapse.kind, "warning", name, about, ("Remove the exception, or renew it with a reason.",))
    allow = lapse.allow
    message = f"{lapse_said(lapse)}. It covers {allow_said(allow)}; made because: {short(allow.reason)}."
    prints = (lapse.kind, allow.subject, allow.case, allow.kind, allow.cause or "")
    return _Finding(rule, "warning", message[0].upper() + message[1:], named(allow.place), prints, {})


def _rule(rule: _Rule) -> dict[str, Any]:
    listed = "\n".join(f"- {markdown(line)}" for line in rule.help)
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in re.findall("[A-Za-z0-9]+", rule.id)),
        "shortDescription": _message(rule.short),
        "fullDescription": _message(rule.about),
        "help": {
            **_message(" ".join((rule.about, *rule.help))),
            "markdown": f"{markdown(rule.about)}\n\n{listed}".rstrip(),
        },
        "defaultConfiguration": {"level": rule.level},
        "properties": {
            "tags": ["json", "whichwins"],
            "precision": "very-high",
            "problem.severity": rule.level,
        },
    }


def _result(finding: _Finding, index: int) -> dict[str, Any]:
    digest = sha256("\0".join(finding.prints).encode("utf-8", "surrogatepass")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": finding.level,
        "message": _message(finding.message),
        "locations": [{"physicalLocation": _physical(finding.place)}],
        # GitHub tells alerts apart by the second: all changes of a subject stand at one line.
        "partialFingerprints": {"whichwins/v1": digest, "primaryLocationLineHash": f"{digest[:16]}:1"},
    }
    if finding.justification is not None:
        said = {"kind": "external", "status": "accepted", "justification": plain(finding.justification)}
        result["suppressions"] = [said]
    if finding.properties:
        result["properties"] = finding.properties
    return result


def _physical(place: Place) -> dict[str, Any]:
    # Only ASCII bytes are spelled as they are; a lone surrogate of a file name is a byte.
    uri = quote(place.file.encode("utf-8", "surrogatepass"), safe="/")
    return {
        "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": place.line},
    }


def _own(gate: Gate) -> Place:
    """Where a finding stands whose subject has no place: the first known place, else a file of our own."""
    known = sorted((place.file, place.line) for place in map(named, (gate.places or {}).values()))
    return (
        Place(*known[0])
        if known
        else Place("whichwins.lock" if gate.verb == "check" else "whichwins.toml", 1)
    )


def _notifications(level: str, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    for line in lines[:_NOTIFICATIONS]:
        yield {"level": level, "message": _message(short(line, 400))}
    if len(lines) > _NOTIFICATIONS:
        yield {"level": level, "message": _message(f"{plural(len(lines) - _NOTIFICATIONS, 'line')} more.")}


def _message(text: str) -> dict[str, str]:
    # `[text](address)` is a link, also in plain text (section 3.11.6).
    return {"text": _braces(plain(text).replace("](", "]\\u{28}"))}


def _braces(text: str) -> str:
    # Braces enclose placeholders; section 3.11.5 wants others doubled.
    return text.replace("{", "{{").replace("}", "}}")


def _slug(text: str) -> str:
    return re.sub("[^a-z0-9]+", "-", short(text, 60).lower()).strip("-") or "other"
