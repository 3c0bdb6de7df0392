"""A change in words: what every report of a gate says alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from posixpath import basename, normpath
from typing import Any, Literal, TypeVar

from whichwins.analysis.change_result import KINDS, Change, ChangeGroup, ChangeKind, Gate, Lapse, Pairing
from whichwins.analysis.counting import plural
from whichwins.analysis.result import Cause
from whichwins.model import Allow, Place
from whichwins.report.comparison import libraries
from whichwins.report.document import Cell, Code, Input

MEANINGS: dict[str, str] = {
    "newly-failing": "Where there was an answer there is now a crash, a time-out, an error that callers do "
    "not expect, or a broken answer.",
    "winner-changed": "Both accept the text, and another occurrence of a repeated name survives.",
    "value-changed": "Both accept the text and hold different values.",
    "newly-accepted": "A text that was refused is now accepted.",
    "newly-rejected": "A text that was accepted is now refused.",
    "recovered": "Where there was a crash, a time-out or an unexpected error there is now an answer.",
    "became-unstable": "The answer is the same, but no longer repeats every time.",
    "refused-otherwise": "There is still no value, and the refusal has another form: callers may catch "
    "another error.",
    "new-split": "Subjects part on a case on which the baseline does not have them part.",
    "input-changed": "The case has other bytes than in the baseline: answers cannot be compared.",
    "vanished": "There was an answer, and now there is none: case, subject or statement is gone.",
}
"""What each kind of change means, the gravest first."""

CAUSES_SAID: dict[str, str] = {
    "repeated name": "a name repeats in its object",
    "binding": "names, null and types where a text meets a declared target",
    "number": "a number's range, precision, type or spelling",
    "unicode": "surrogates, NUL or noncharacters in text",
    "encoding": "bytes that are not UTF-8, another encoding, or a byte order mark",
    "syntax": "text that is not in the grammar",
    "depth": "nesting",
    "trailing data": "text after the value",
    "size": "the size of the text",
    "host key": "names that the host language treats specially",
    "lookup": "access to members by name",
    "other": "something else",
}
"""What each cause is about."""

_RANK = {kind: rank for rank, kind in enumerate(MEANINGS)}
_OF_A_CHECK: dict[ChangeKind, tuple[str, str]] = {
    "new-split": ("new split", "new splits"),
    "input-changed": ("input changed", "inputs changed"),
    "vanished": ("answer vanished", "answers vanished"),
}
_LAPSED: dict[str, tuple[str, str]] = {
    "allow-expired": ("exception expired", "exceptions expired"),
    "allow-unused": ("exception unused", "exceptions unused"),
}
_VALUE = 200
_PATH = 1000
_T = TypeVar("_T")


def short(text: str, limit: int = _VALUE) -> str:
    """Prose that may come from anywhere, its middle left out beyond `limit` characters."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - limit // 3]} ...({len(text) - limit} more)... {text[-(limit // 3) :]}"


def gravest_first(items: Iterable[_T], kind: Callable[[_T], str]) -> list[_T]:
    """In the order of MEANINGS: failures of parsers first; else as they stand."""
    return sorted(items, key=lambda item: _RANK.get(kind(item), len(_RANK)))


def level(kind: str) -> Literal["error", "warning"]:
    """How grave services show a change: whoever answers again is to be looked at, and no error."""
    return "warning" if kind == "recovered" else "error"


def kind_said(kind: str) -> str:
    """`newly rejected`."""
    return kind.replace("-", " ")


def turn_said(group: ChangeGroup) -> str:
    """`newly failing (accept to fault)`; without the turn where the kind says it."""
    return kind_said(group.kind) + (f" ({group.turn})" if group.turn else "")


def cause_said(cause: Cause) -> str:
    """`number (range)`."""
    return short(f"{cause.name} ({cause.kind})" if cause.kind else cause.name)


def title(gate: Gate) -> str:
    """The first line of a report: the verdict, then what was compared."""
    return f"{verdict(gate)}: {short(gate.title)}" if gate.title else verdict(gate)


def verdict(gate: Gate) -> str:
    """`3 of 1,999 cases read differently, 1 exception expired`."""
    changes = gate.changes
    counts = Counter(change.kind for change in changes.changes)
    compared = sum(pairing.compared for pairing in changes.pairings)
    unit = "case" if len(changes.pairings) < 2 else "answer"
    read = sum(count for kind, count in counts.items() if kind not in _OF_A_CHECK)
    said: list[str] = []
    if read:
        all_of_them = f" of {plural(compared, unit)}" if compared >= read else f" {unit}{'s' * (read != 1)}"
        said.append(f"{read:,}{all_of_them} read{'s' * (read == 1)} differently")
    said += [plural(counts[kind], *words) for kind, words in _OF_A_CHECK.items() if counts[kind]]
    lapsed = Counter[str](lapse.kind for lapse in gate.lapses)
    said += [plural(lapsed[kind], *words) for kind, words in _LAPSED.items() if lapsed[kind]]
    if not said and not compared:
        said.append("nothing was compared")
    elif not said:
        said.append(f"nothing reads differently in {plural(compared, unit)}")
        if excused := excused_said(gate):
            said.append(f"but for {excused}")
    if changes.incomplete:
        said.append("not everything was measured")
    line = ", ".join(said)
    return line[0].upper() + line[1:]


def counted(gate: Gate) -> str:
    """`1 newly failing, 2 newly rejected, 4 excused`: the changes by kind."""
    counts = Counter(change.kind for change in gate.changes.changes)
    kinds = [f"{counts[kind]:,} {kind_said(kind)}" for kind in gravest_first(KINDS, str) if counts[kind]]
    return ", ".join([*kinds, *filter(None, [excused_said(gate)])])


def excused_said(gate: Gate) -> str:
    """`4 excused`; empty where nothing is."""
    excused = sum(len(one.changes) for one in gate.excused)
    return f"{excused:,} excused" if excused else ""


def group_title(group: ChangeGroup, with_subject: bool) -> str:
    """`Newly rejected, number (range): 27 cases`."""
    said = f"{turn_said(group)}, {cause_said(group.cause)}: {plural(group.count, 'case')}"
    return f"{short(group.subject)}: {said}" if with_subject and group.subject else said[0].upper() + said[1:]


def stood_for(pairings: Iterable[Pairing]) -> list[str]:
    """On which interpreter which versions were compared, a line for each: `CPython 3.11.7: orjson 3.13.0`."""
    found: dict[str, dict[str, None]] = {}
    for pairing in pairings:
        before, after = pairing.before_identity, pairing.after_identity
        old, new = (libraries(each) if each.get("libraries") else "" for each in (before, after))
        there, here = (str(each.get("runtime", "")) for each in (before, after))
        where = here if here == there or not there else f"{there} and {here}"
        named = f"{old} to {new}" if old and old != new else new or pairing.subject
        found.setdefault(short(where) or "an unknown runtime", {})[short(named)] = None
    return [f"{where}: {', '.join(some)}" for where, some in found.items()]


def details(change: Change) -> list[tuple[str, Cell]]:
    """The facts of a change, each with its name: input, both readings, where they differ, who wins."""
    lines: list[tuple[str, Cell]] = [("case", Code(change.case))]
    if change.data is not None:
        lines.append(("input", Input(change.data, _VALUE)))
    else:
        lines.append(("input", f"{plural(change.length, 'byte')}, left out"))
    lines.append(("before", Code(change.before, _VALUE) if change.before else "(nothing)"))
    lines.append(("after", Code(change.after, _VALUE) if change.after else "(nothing)"))
    if change.pointer is not None:
        where: Cell = Code(change.pointer, _VALUE) if change.pointer else "the whole document"
        lines.append(("differs at", where))
    if change.winners is not None:
        lines.append(("winner", " -> ".join(change.winners)))
    return lines


def lapse_said(lapse: Lapse) -> str:
    """What is wrong with an exception."""
    words = "is no longer valid" if lapse.kind == "allow-expired" else "is not needed"
    return f"this exception {words}: {short(lapse.why)}" if lapse.why else f"this exception {words}"


def allow_said(allow: Allow) -> str:
    """What an exception covers: `newly-rejected of python/orjson in numbers/*, cause number`."""
    cause = f", cause {short(allow.cause)}" if allow.cause else ""
    return f"{short(allow.kind)} of {short(allow.subject)} in {short(allow.case)}{cause}"


def until_said(allow: Allow) -> str:
    """How long an exception holds; empty: for good."""
    said = [f"until {allow.expires.isoformat()}"] if allow.expires is not None else []
    if allow.until_version:
        said.append(f"before version {short(allow.until_version)}")
    return ", ".join(said)


def named(place: Place) -> Place:
    """The place as a report shows it: relative. Of a file outside the folder only the name is left.

    Of a path that no system takes, the end is left.
    """
    path = normpath(place.file.replace("\\", "/")) if place.file else ""
    if path.startswith(("/", "..")) or path[1:2] == ":":
        path = basename(path)
    return Place(path[-_PATH:] if path not in ("", ".", "..") else "whichwins.toml", max(place.line, 1))


def at(place: Place) -> str:
    """`whichwins.toml:12`."""
    shown = named(place)
    return f"{shown.file}:{shown.line}"


def place_of(gate: Gate, subject: str) -> Place | None:
    """Where the version of a subject is written, as a report shows it."""
    place = (gate.places or {}).get(subject)
    return None if place is None else named(place)


def data(gate: Gate) -> dict[str, Any]:
    """The whole gate for JSON."""
    return {
        "verb": gate.verb,
        "title": gate.title,
        "found": gate.found,
        "verdict": verdict(gate),
        "changes": gate.changes,
        "excused": [
            {"allow": replace(one.allow, place=named(one.allow.place)), "changes": one.changes}
            for one in gate.excused
        ],
        "lapses": [
            replace(one, allow=replace(one.allow, place=named(one.allow.place))) for one in gate.lapses
        ],
        "places": {subject: named(place) for subject, place in sorted((gate.places or {}).items())},
    }
