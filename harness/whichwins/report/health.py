"""What an examination of adapters found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whichwins.analysis.counting import plural
from whichwins.report.document import Block, Cell, Code, Document, Heading, Items, Span, Table, paragraph
from whichwins.run.doctor import CHECKS, FOUND, OK, Check, Checkup


def health(checkups: Sequence[Checkup], installs: Mapping[str, str], everything: bool) -> Document:
    """A table of checks, then what is wrong, then who is absent; parsers' own ways for `everything`."""
    there = [checkup for checkup in checkups if checkup.absent is None]
    absent = [checkup for checkup in checkups if checkup.absent is not None]
    blocks: list[Block] = []
    if there:
        rows: list[tuple[Cell, ...]] = [(c.subject, *(_state(check) for check in c.checks)) for c in there]
        blocks.append(Table(("subject", *CHECKS), tuple(rows)))
    ill = [checkup for checkup in checkups if not checkup.healthy]
    for checkup in ill:
        blocks.append(Heading(checkup.subject))
        blocks.append(_list(checkup, "findings"))
        if left_out := sorted({c.why for c in checkup.checks if c.why and c.state not in (OK, FOUND)}):
            blocks.append(paragraph(f"Some checks were not made: {', '.join(left_out)}."))
    if everything:
        noted = [checkup for checkup in there if any(check.notes for check in checkup.checks)]
        blocks += [
            block
            for checkup in noted
            for block in (Heading(f"{checkup.subject}: own ways, no fault"), _list(checkup, "notes"))
        ]
    if absent:
        lines = tuple((c.subject, c.absent or "", Code(installs.get(c.subject, ""))) for c in absent)
        blocks.append(Table(("absent", "why", "install"), lines))
    verdict = f"{len(ill)} of them with findings" if ill else "all well"
    blocks.append(paragraph(f"{len(there)} of {plural(len(checkups), 'subject')} examined, {verdict}."))
    return blocks


def health_data(checkups: Sequence[Checkup], installs: Mapping[str, str]) -> dict[str, Any]:
    """The same for machines."""
    return {
        "healthy": all(checkup.healthy for checkup in checkups),
        "subjects": {
            c.subject: {
                "absent": c.absent,
                "install": installs.get(c.subject, ""),
                "healthy": c.healthy,
                "checks": c.checks,
            }
            for c in checkups
        },
    }


def _state(check: Check) -> str:
    if check.state == FOUND:
        return f"{len(check.findings)} wrong"
    return "ok" if check.state == OK else "-"


def _list(checkup: Checkup, which: str) -> Items:
    lines: list[tuple[Span, ...]] = []
    for check in checkup.checks:
        for finding in check.findings if which == "findings" else check.notes:
            lines.append((f"{check.name}: ", Code(finding.about), ": ", finding.text))
    return Items(tuple(lines))
