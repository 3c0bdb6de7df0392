"""A judged change as one HTML page: before and after side by side, by cause, with the smallest witness."""

from __future__ import annotations

from collections import Counter
from typing import Any

from whichwins.analysis.change_result import Change, ChangeGroup, Gate
from whichwins.analysis.counting import plural
from whichwins.report import lapses
from whichwins.report.change import (
    MEANINGS,
    cause_said,
    details,
    excused_said,
    gravest_first,
    group_title,
    kind_said,
    short,
    title,
    verdict,
)
from whichwins.report.extent import Extent, listing
from whichwins.report.gate import pairings, several
from whichwins.report.html_blocks import Prepared, cell
from whichwins.report.safe import plain
from whichwins.report.shell import Pool, page_of

LISTED = 20_000
"""Changes that a page lists: more are in the JSON report, and that is said."""
INPUT_BYTES = 1024
_VALUE = 400
_BESIDE = frozenset({"case", "before", "after", "differs at"})


def gate_page(gate: Gate, listed: int = LISTED) -> str:
    """The page; at most `listed` changes beside the witnesses."""
    whole = Extent()
    prepared = Prepared()
    changes = gate.changes.changes
    counts = Counter(change.kind for change in changes)
    groups = gravest_first(gate.changes.groups, lambda group: group.kind)
    excused = [(one.allow, len(one.changes)) for one in gate.excused]
    left = len(changes) - listed
    return page_of(
        "gate",
        _data(gate, listed),
        title=title(gate),
        verdict=verdict(gate),
        about=", ".join(filter(None, (short(gate.title), excused_said(gate)))),
        figures=[(kind_said(kind), counts[kind]) for kind in gravest_first(counts, str)],
        changes=len(changes),
        left="" if left <= 0 else f"{plural(left, 'change')} more: whichwins {gate.verb} ... -o report.json",
        groups=[_group(group, several(gate)) for group in groups],
        missing=prepared(listing("Not measured", gate.changes.incomplete, whole)),
        allowed=prepared([*lapses.blocks(gate.lapses, whole), *lapses.excused(excused, whole)]),
        notes=prepared(listing("Notes", gate.changes.notes, whole)),
        compared=prepared(pairings(gate, whole)),
    )


def _group(group: ChangeGroup, with_subject: bool) -> dict[str, Any]:
    witness = group.witness
    facts = [(name, cell(said)) for name, said in details(witness) if name not in _BESIDE]
    if group.cause.why:
        facts.append(("cause", cell(short(group.cause.why))))
    facts += [("keep the old", cell(short(said, 400))) for said in group.keeps]
    return {
        "title": group_title(group, with_subject),
        "about": MEANINGS.get(group.kind, ""),
        "sides": _sides(witness),
        "pointer": None if witness.pointer is None else plain(witness.pointer),
        "case": witness.case,
        "subject": witness.subject,
        "facts": facts,
        "count": group.count,
        "kind": kind_said(group.kind),
        "cause": cause_said(group.cause),
        "who": plain(group.subject),
    }


def _sides(change: Change) -> list[tuple[str, str]]:
    """What stands on the left and on the right."""
    names = ("most others", "this subject") if change.kind == "new-split" else ("before", "after")
    return [
        (name, plain(text, _VALUE)) for name, text in zip(names, (change.before, change.after), strict=True)
    ]


def _data(gate: Gate, listed: int) -> dict[str, Any]:
    words = Pool()
    changes = gravest_first(gate.changes.changes, lambda change: change.kind)[:listed]
    return {"changes": [_change(change, words) for change in changes], "words": words.things}


def _change(change: Change, words: Pool) -> list[Any]:
    return [
        words(plain(change.subject)),
        plain(change.case),
        words(plain(change.family)),
        change.length,
        words(kind_said(change.kind)),
        [[words(name), words(text)] for name, text in _sides(change)],
        None if change.pointer is None else plain(change.pointer),
        None if change.winners is None else [words(winner) for winner in change.winners],
        words(plain(cause_said(change.cause))),
        words(plain(change.cause.why, _VALUE)),
        None if change.data is None else change.data[:INPUT_BYTES].hex(),
    ]
