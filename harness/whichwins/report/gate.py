"""A change, judged, as a document: what reads differently, since when, and what is excused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from whichwins.analysis.change_result import Change, ChangeGroup, Corpora, Gate, Pairing
from whichwins.analysis.counting import plural
from whichwins.report import lapses
from whichwins.report.change import (
    cause_said,
    counted,
    details,
    gravest_first,
    group_title,
    kind_said,
    short,
    stood_for,
    title,
    turn_said,
    verdict,
)
from whichwins.report.comparison import entry_point, versions
from whichwins.report.document import Block, Cell, Code, Document, Fold, Heading, Items, Table, paragraph
from whichwins.report.extent import Extent, first_of, fitted, left_of, listing


def gate_document(gate: Gate, extent: Extent) -> Document:
    """Verdict, who against whom, groups with their witnesses, exceptions, notes; then every change."""
    blocks: list[Block] = [Heading(title(gate), 1)]
    if extent.note:
        blocks.append(paragraph(extent.note))
    if len(gate.changes.groups) > 1 or (gate.changes.groups and gate.excused):
        blocks.append(paragraph(f"{counted(gate)}."))
    blocks += listing("Not measured", gate.changes.incomplete, extent)
    blocks += pairings(gate, extent)
    blocks += _groups(gate, extent)
    blocks += lapses.blocks(gate.lapses, extent)
    blocks += lapses.excused([(one.allow, len(one.changes)) for one in gate.excused], extent)
    blocks += listing("Notes", gate.changes.notes, extent)
    if extent.every:
        blocks += _every(gate, extent)
    elif len(gate.changes.changes) > len(gate.changes.groups):
        blocks.append(paragraph("Every change: --all, or -o report.md."))
    return blocks


def within(gate: Gate, limit: int) -> str:
    """The gate as Markdown in at most `limit` characters, all ASCII; lists are cut, and the cut is said.

    Empty where not even the verdict fits.
    """
    lists: list[Sequence[object]] = [gate.changes.changes, gate.changes.groups, gate.changes.pairings]
    lists += [gate.changes.notes, gate.changes.incomplete, gate.lapses, gate.excused]
    titles = (title(gate), verdict(gate))
    return fitted(lambda shown: gate_document(gate, shown), max(map(len, lists)), limit, titles)


def pairings(gate: Gate, extent: Extent) -> Iterator[Block]:
    """Who was held against whom, under which lens, on which corpora."""
    changes = gate.changes
    shown = [one for one in changes.pairings if one.changed or extent.every]
    quiet = len(changes.pairings) - len(shown)
    if not shown and quiet == 1:
        shown, quiet = list(changes.pairings), 0
    if some := first_of(shown, extent):
        yield Table(
            ("", "subject", "version", "entry point", "compared", "changed"),
            tuple(row for pairing in some for row in _pairing(pairing)),
            frozenset({4, 5}),
            keep=frozenset({0, 1}),
        )
    if quiet:
        yield paragraph(f"{plural(quiet, 'subject')} without a change.")
        yield Items(tuple((line,) for line in stood_for([p for p in changes.pairings if p not in shown])))
    yield from left_of(shown, extent, lambda left: plural(len(left), "subject"))
    said = f"Compared under {short(changes.lens)}."
    dimensions: Counter[str] = Counter()
    for pairing in changes.pairings:
        dimensions.update(pairing.dimensions)
    if named := ", ".join(f"{short(name)} {count:,}" for name, count in dimensions.items() if count):
        said += f" Equal under it and yet different in: {named}."
    yield paragraph(said)
    yield from _corpora(changes.corpora)


def _pairing(pairing: Pairing) -> Iterator[tuple[Cell, ...]]:
    sides = [
        ("before", pairing.before, pairing.before_identity),
        ("after", pairing.after, pairing.after_identity),
    ]
    if sides[0][1:] == sides[1][1:]:
        sides = [("both", *sides[0][1:])]
    for place, (side, column, identity) in enumerate(sides, 1):
        counts = (f"{pairing.compared:,}", f"{pairing.changed:,}") if place == len(sides) else ("", "")
        yield (side, *_who(column, identity), *counts)


def _who(column: str, identity: Any) -> tuple[Cell, ...]:
    return (short(column), short(versions(identity)), Code(entry_point(identity), 60))


def _corpora(corpora: Corpora) -> Iterator[Block]:
    if corpora.same:
        return
    if corpora.before_digest != corpora.after_digest:
        yield paragraph(
            f"The corpora differ. Before: {plural(corpora.before_cases, 'case')}, ",
            Code(corpora.before_digest),
            f"; after: {plural(corpora.after_cases, 'case')}, ",
            Code(corpora.after_digest),
            f"; {corpora.shared:,} are in both.",
        )
    before, after = corpora.before_policies, corpora.after_policies
    rows = [
        (short(name), *(Code(side[name], 60) if name in side else "(none)" for side in (before, after)))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    ]
    if rows:
        yield Table(("policy", "before", "after"), tuple(rows))


def several(gate: Gate) -> bool:
    """Whether a change has to say whose it is."""
    return (
        len({change.subject for change in gate.changes.groups} | {p.subject for p in gate.changes.pairings})
        > 1
    )


def _groups(gate: Gate, extent: Extent) -> Iterator[Block]:
    groups = gravest_first(gate.changes.groups, lambda group: group.kind)
    if not groups:
        return
    with_subject = several(gate)
    some = first_of(groups, extent)
    yield Heading("What changed")
    if some:
        yield Table(
            (*(("subject",) if with_subject else ()), "change", "cause", "cases", "smallest witness"),
            tuple(
                (
                    *((short(group.subject),) if with_subject else ()),
                    turn_said(group),
                    cause_said(group.cause),
                    f"{group.count:,}",
                    Code(group.witness.case),
                )
                for group in some
            ),
            frozenset({3 if with_subject else 2}),
        )
    yield from left_of(
        groups,
        extent,
        lambda left: f"{plural(len(left), 'group')} with {plural(sum(g.count for g in left), 'case')}",
    )
    if some:
        parts = tuple(block for group in some for block in _group(group, with_subject))
        yield Fold("The smallest witness of each", parts)


def _group(group: ChangeGroup, with_subject: bool) -> Iterator[Heading | Table]:
    yield Heading(group_title(group, with_subject), 3)
    rows = details(group.witness)
    if group.cause.why:
        rows.append(("cause", short(group.cause.why)))
    rows += [("keep the old", short(say, 400)) for say in group.keeps]
    yield Table(("", ""), tuple(rows), values=frozenset({1}))


def _every(gate: Gate, extent: Extent) -> Iterator[Block]:
    changes = gravest_first(gate.changes.changes, lambda change: change.kind)
    some = first_of(changes, extent)
    if not some or len(changes) == len(gate.changes.groups):
        return  # each is shown as a witness
    with_subject = several(gate)
    table = Table(
        ("case", "change", "", "sees"),
        tuple(row for change in some for row in _change(change, with_subject)),
        values=frozenset({3}),
        keep=frozenset({0, 2}),
    )
    yield Heading("Every change")
    yield Fold(plural(len(some), "change"), (table,))
    yield from left_of(changes, extent, lambda left: plural(len(left), "change"))


def _change(change: Change, with_subject: bool) -> Iterator[tuple[Cell, ...]]:
    said = f"{kind_said(change.kind)}, {cause_said(change.cause)}"
    if with_subject and change.subject:
        said = f"{short(change.subject)}: {said}"
    yield (Code(change.case), said, "before", Code(change.before, 60) if change.before else "(nothing)")
    yield ("", "", "after", Code(change.after, 60) if change.after else "(nothing)")
