"""What a comparison says, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.analysis.counting import plural
from whichwins.analysis.result import (
    WINNERS,
    CauseCount,
    Comparison,
    PairCell,
    PairMatrix,
    Split,
    WinnerCell,
)
from whichwins.report.arranged import arranged, parted, short, winner_rows
from whichwins.report.binding import binding_part
from whichwins.report.document import Block, Cell, Code, Document, Heading, Items, Table, paragraph
from whichwins.report.expectations import layers_part
from whichwins.report.pictures import alike_part, limits_part
from whichwins.report.safe import plain

OUTCOMES = ("accept", "reject", "fault", "crash", "timeout", "garbled", "unsupported")


TITLE = "Which value reaches which parser"
_MORE = "Clauses, witnesses, entry points, every pair and split: --all, or -o report.md."


def comparison(result: Comparison, listed: int | None = None) -> Document:
    """The whole comparison; with `listed` a digest: lists are cut there and counted, clauses left out.

    Sections, subjects and groups stand as on the HTML page.
    """
    whole = listed is None
    result = arranged(result)
    return [
        Heading(TITLE, 1),
        *_summary(result),
        *_winners(result),
        *binding_part(result.binding),
        *_pairs(result, listed),
        *alike_part(result.trees[0]),
        *_splits(result.splits, listed),
        *_subjects(result, whole),
        *layers_part(result.layers, whole),
        *limits_part(result),
        *(() if whole else (paragraph(_MORE),)),
    ]


def verdict(result: Comparison) -> str:
    """The verdict in a sentence."""
    summary = result.summary
    subjects, cases = plural(summary.subjects, "subject"), plural(summary.cases, "case")
    if not summary.split:
        return f"All {subjects} agree on {cases}."
    return f"{subjects} part on {summary.split:,} of {cases}."


def dimensions(result: Comparison) -> str:
    """What accepters differ in that the lens holds equal; empty where in nothing."""
    said = ", ".join(f"{name} {count:,}" for name, count in result.summary.dimensions.items())
    return said and f"Equal under the lens and yet different in: {said}."


def _summary(result: Comparison) -> Iterator[Block]:
    summary = result.summary
    yield paragraph(verdict(result))
    yield paragraph(
        f"Value splits, where all or some accept and the values differ in silence: {summary.value:,}. "
        f"Verdict splits, where some accept and some do not: {summary.verdict:,}. Both: {summary.both:,}. "
        f"{plural(summary.twins, 'twin')}, repeated names renamed apart, as controls."
    )
    if summary.by_cause:
        yield Heading("Why they part")
        yield cause_table(summary.by_cause)
    if said := dimensions(result):
        yield paragraph(said)
    if not result.content:
        yield paragraph("The ledger holds no inputs: winners are left out and causes are coarse.")
    if result.incomplete:
        yield Heading("Not measured")
        yield Items(tuple((line,) for line in result.incomplete))
    yield Heading("How it was measured")
    facts: tuple[tuple[Cell, ...], ...] = (
        ("lens", result.lens),
        ("whichwins", result.tool),
        ("corpus", Code(result.corpus)),
        ("this report", Code(command(result))),
    )
    yield Table(("", ""), facts)


def command(result: Comparison) -> str:
    """What makes this report of its ledger."""
    return f"whichwins report LEDGER --lens {result.lens}"


def cause_table(counts: tuple[CauseCount, ...]) -> Table:
    """Splits by cause, with the smallest witness of each."""
    return Table(
        ("cause", "cases", "value", "verdict", "smallest witness"),
        tuple((c.name, f"{c.cases:,}", f"{c.value:,}", f"{c.verdict:,}", Code(c.witness)) for c in counts),
        frozenset({1, 2, 3}),
    )


def libraries(identity: Mapping[str, Any]) -> str:
    """`orjson 3.13.0`: the libraries of a subject with their versions; its runtime where there are none."""
    known = identity.get("libraries", {})
    named = [f"{name} {version}" for name, version in known.items()] if isinstance(known, dict) else []
    return ", ".join(named) or str(identity.get("runtime", ""))


def versions(identity: Mapping[str, Any]) -> str:
    """`orjson 3.13.0, CPython 3.11.7`: what a subject turned out to be."""
    runtime, named = str(identity.get("runtime", "")), libraries(identity)
    return named if runtime in ("", named) else f"{named}, {runtime}"


def entry_point(identity: Mapping[str, Any]) -> str:
    """The entry point, its options in it, as the manifest has it."""
    return str(identity.get("entry", ""))


def _subjects(result: Comparison, whole: bool) -> Iterator[Block]:
    yield Heading("Subjects")
    shown = [name for name in OUTCOMES if any(line.outcomes.get(name) for line in result.subjects)]
    rows: list[tuple[Cell, ...]] = []
    for line in result.subjects:
        if line.live:
            rows.append(
                (
                    line.key,
                    versions(line.identity),
                    *(f"{line.outcomes.get(name, 0):,}" for name in shown),
                    *(
                        (Code(entry_point(line.identity)), str(line.identity.get("decode", "")))
                        if whole
                        else ()
                    ),
                )
            )
    right = frozenset(range(2, 2 + len(shown)))
    more = ("entry point", "bytes decoded by") if whole else ()
    yield Table(("subject", "version", *shown, *more), tuple(rows), right)


def _hyphen_breaks(name: str) -> str:
    return plain(name).replace("-", "-\n")


def _winners(result: Comparison) -> Iterator[Block]:
    matrix = result.winners
    if not matrix.families:
        if result.content:
            yield Heading("Repeated names: who wins")
            yield paragraph("No case of this run repeats a name.")
        return
    yield Heading("Repeated names: who wins")
    yield paragraph(
        "first, last, all, merge, collect: which occurrence survives. reject: refused, while the twin is "
        "accepted. equal: the surviving value does not tell. n/a: no statement. a+b: several, the more "
        "frequent first. Subjects of one group are alike in every family."
    )
    rows = winner_rows(result)
    names = [name.removeprefix("repeated-") for name in matrix.families]
    counts = ("cases", "", f"{sum(matrix.cases):,}", *(f"{count:,}" for count in matrix.cases))
    said = tuple((row.subject, str(row.group), *map(short, (row.total, *row.cells))) for row in rows)
    yield Table(
        ("subject", "group", "all\nfamilies", *map(_hyphen_breaks, names)),
        (counts, *said),
        frozenset({1}),
        keep=frozenset({0, 1}),
        apart=frozenset(place + 1 for place in _stand_off([row.group for row in rows])),
    )
    mixed = [row for row in rows if row.total.label == "mixed"]
    if mixed:
        lines = (line for row in mixed for line in _mixed(row.subject, row.total))
        yield Table(("subject", "winner", "cases", "smallest witness"), tuple(lines), frozenset({2}))


def _stand_off(groups: list[int]) -> Iterator[int]:
    """The places at which a group begins, other than one alone after one alone."""
    for place, group in enumerate(groups):
        before = groups[place - 1] if place else None
        if group != before and (before is None or max(groups.count(group), groups.count(before)) > 1):
            yield place


def _mixed(subject: str, cell: WinnerCell) -> Iterator[tuple[Cell, ...]]:
    for name in (name for name in WINNERS if name in cell.counts):
        telling = name not in ("equal", "n/a") and name in cell.witnesses
        yield subject, name, f"{cell.counts[name]:,}", Code(cell.witnesses[name]) if telling else ""


def _pairs(result: Comparison, listed: int | None) -> Iterator[Block]:
    matrix = result.pairs
    yield Heading("Preview versus executor")
    yield paragraph(
        "Row: the preview. Column: the executor, by number. value splits / cases that the executor accepts "
        "and the preview does not. A value split is silent: both say valid, and hold different values."
        + (" n/a: no case was put to both." if _apart(matrix) else "")
    )
    numbers = [str(index + 1) for index in range(len(matrix.subjects))]
    yield Table(
        ("preview \\ executor", *numbers),
        tuple(
            (
                f"{number} {subject}",
                *(_parts(cell) if cell else "-" for cell in row),
            )
            for number, subject, row in zip(numbers, matrix.subjects, matrix.cells, strict=True)
        ),
        frozenset(range(1, len(numbers) + 1)),
    )
    pairs = parted(result)
    if not pairs:
        yield paragraph("No two subjects part on any case.")
        return
    if listed is None:
        yield Table(
            (
                *("one", "other", "value", "witness"),
                *("only one\naccepts", "witness", "only other\naccepts", "witness"),
            ),
            tuple(_pair_row(cell) for cell in pairs),
            frozenset({2, 4, 6}),
            keep=frozenset({0, 1}),
        )
        return
    yield Table(
        ("one", "other", "value", "witness"),
        tuple(_pair_row(cell)[:4] for cell in pairs[:listed]),
        frozenset({2}),
        keep=frozenset({0, 1}),
    )
    if len(pairs) > listed:
        yield paragraph(f"{len(pairs) - listed:,} more pairs part.")


def _apart(matrix: PairMatrix) -> bool:
    return any(cell is not None and not cell.compared for row in matrix.cells for cell in row)


def _parts(cell: PairCell) -> str:
    """How often two part; no figures where they were asked nothing in common, which is no agreement."""
    return f"{cell.value}/{cell.column_only}" if cell.compared else "n/a"


def _pair_row(cell: PairCell) -> tuple[Cell, ...]:
    return (
        cell.row,
        cell.column,
        f"{cell.value:,}",
        _witness(cell.value_witness),
        f"{cell.row_only:,}",
        _witness(cell.row_only_witness),
        f"{cell.column_only:,}",
        _witness(cell.column_only_witness),
    )


def _witness(case: str | None) -> Cell:
    return "" if case is None else Code(case)


def _splits(splits: tuple[Split, ...], listed: int | None) -> Iterator[Block]:
    yield Heading("Cases")
    if not splits:
        yield paragraph("No case splits.")
        return
    yield Table(
        ("case", "bytes", "split", "values", "differs at", "cause"),
        tuple(
            (
                Code(split.case),
                f"{split.length:,}",
                " and ".join(
                    name for name, is_it in (("value", split.value), ("verdict", split.verdict)) if is_it
                ),
                f"{split.values:,}",
                "" if split.pointer is None else Code(split.pointer or "(root)", 40),
                split.cause.name + (f": {split.cause.kind}" if split.cause.kind else ""),
            )
            for split in splits[:listed]
        ),
        frozenset({1, 3}),
    )
    if listed is not None and len(splits) > listed:
        yield paragraph(
            f"{plural(len(splits) - listed, 'more case')} split{'s' if len(splits) - listed == 1 else ''}."
        )
