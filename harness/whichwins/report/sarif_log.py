"""SARIF 2.1.0, for services that show alerts on code: one run, within what GitHub takes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote

from whichwins import __version__
from whichwins.analysis.counting import plural
from whichwins.model import Place
from whichwins.report.change import short
from whichwins.report.json import dump
from whichwins.report.safe import markdown, plain

RESULTS = 25_000
"""Results of a run that GitHub takes (it shows the 5,000 gravest)."""
COMPRESSED = 10_000_000
"""Bytes of a file that GitHub takes, compressed with gzip."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_NOTIFICATIONS = 100
_LEFT_OUT = "left-out"


class Rule(NamedTuple):
    """`about` is what the rule says of itself, `help` what to do."""

    id: str
    level: str
    short: str
    about: str
    help: tuple[str, ...]


class Result(NamedTuple):
    """One finding; `prints` are what it is told apart by, `justification` why it is accepted."""

    rule: Rule
    level: str
    message: str
    place: Place | None
    prints: tuple[str, ...]
    properties: dict[str, str]
    justification: str | None = None


class Log(NamedTuple):
    """A run: what it is (`upgrade`), its title, the gravest results first, and where nothing else stands."""

    name: str
    title: str
    results: Sequence[Result]
    incomplete: Sequence[str]
    notes: Sequence[str]
    place: Place | None


def sarif(log: Log) -> str:
    """The log, within GitHub's limits; what is left out is said in a result."""
    keep = RESULTS if len(log.results) <= RESULTS else RESULTS - 1
    while True:
        text = dump(_document(log, log.results[:keep], len(log.results) - keep))
        if keep == 0 or len(text) <= COMPRESSED or len(zlib.compress(text.encode("ascii"))) <= COMPRESSED:
            return text
        keep = min(keep, len(log.results)) // 2


def _document(log: Log, results: Sequence[Result], left_out: int) -> dict[str, Any]:
    if left_out > 0:
        said = f"{plural(left_out, 'result')} more: the JSON report has all."
        about = "A file has room for so many results only."
        rule = Rule(_LEFT_OUT, "warning", "Results left out", about, ())
        results = [*results, Result(rule, "warning", said, log.place, (_LEFT_OUT,), {})]
    rules = list(dict.fromkeys(result.rule for result in results))
    places = {rule: place for place, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "whichwins",
                "version": __version__,
                "rules": list(map(_rule, rules)),
            }
        },
        "automationDetails": {"id": f"whichwins/{log.name}/", "description": _message(log.title)},
        "invocations": [
            {
                "executionSuccessful": not log.incomplete,
                "toolExecutionNotifications": [
                    *_notifications("error", log.incomplete),
                    *_notifications("note", log.notes),
                ],
            }
        ],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "results": [_result(result, places[result.rule]) for result in results],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
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


def _result(result: Result, index: int) -> dict[str, Any]:
    digest = sha256("\0".join(result.prints).encode("utf-8", "surrogatepass")).hexdigest()
    shown: dict[str, Any] = {
        "ruleId": result.rule.id,
        "ruleIndex": index,
        "level": result.level,
        "message": _message(result.message),
        # GitHub tells alerts apart by the second: many results stand at one line.
        "partialFingerprints": {"whichwins/v1": digest, "primaryLocationLineHash": f"{digest[:16]}:1"},
    }
    if result.place is not None:
        shown["locations"] = [{"physicalLocation": _physical(result.place)}]
    if result.justification is not None:
        said = {"kind": "external", "status": "accepted", "justification": plain(result.justification)}
        shown["suppressions"] = [said]
    if result.properties:
        shown["properties"] = result.properties
    return shown


def _physical(place: Place) -> dict[str, Any]:
    # Only ASCII bytes are spelled as they are; a lone surrogate of a file name is a byte.
    uri = quote(place.file.encode("utf-8", "surrogatepass"), safe="/")
    return {
        "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": place.line},
    }


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


def slug(text: str) -> str:
    """A text as a part of a rule's id."""
    return re.sub("[^a-z0-9]+", "-", short(text, 60).lower()).strip("-") or "other"
