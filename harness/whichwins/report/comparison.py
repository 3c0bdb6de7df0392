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
    WinnerMatrix,
)
from whichwins.report.binding import binding_part
from whichwins.report.document import Block, Cell, Code, Document, Heading, Items, Table, paragraph
from whichwins.report.expectations import layers_part
from whichwins.report.safe import plain

OUTCOMES = ("accept", "reject", "fault", "crash", "timeout", "garbled", "unsupported")


_MORE = "Clauses, witnesses, entry points, every pair and split: --all, or -o report.md."


def comparison(result: Comparison, listed: int | None = None) -> Document:
    """The whole comparison; with `listed` a digest: lists are cut there and counted, clauses left out."""
    whole = listed is None
    return [
        Heading("Which value reaches which parser", 1),
        *_summary(result),
        *_subjects(result, whole),
        *_winners(result.winners, result.content),
        *binding_part(result.binding),
        *_pairs(result.pairs, listed),
        *layers_part(result.layers, whole),
        *(_splits(result.splits) if whole else (paragraph(_MORE),)),
    ]


def _summary(result: Comparison) -> Iterator[Block]:
    summary = result.summary
    live = sum(line.live for line in result.subjects)
    yield paragraph(
        f"{plural(summary.cases, 'case')} (and {plural(summary.twins, 'twin')}, repeated names renamed "
        f"apart), {plural(live, 'subject')}, lens {result.lens}. Corpus ",
        Code(result.corpus),
        f", whichwins {result.tool}.",
    )
    yield paragraph(
        f"Split: {plural(summary.split, 'case')}. Value splits, where all or some accept and the values "
        f"differ in silence: {summary.value:,}. Verdict splits, where some accept and some do not: "
        f"{summary.verdict:,}. Both: {summary.both:,}."
    )
    if summary.by_cause:
        yield cause_table(summary.by_cause)
    if summary.dimensions:
        said = ", ".join(f"{name} {count:,}" for name, count in summary.dimensions.items())
        yield paragraph(f"Equal under the lens and yet different in: {said}.")
    if not result.content:
        yield paragraph("The ledger holds no inputs: winners are left out and causes are coarse.")
    if result.incomplete:
        yield Heading("Not measured", 3)
        yield Items(tuple((line,) for line in result.incomplete))


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


def short(cell: WinnerCell) -> str:
    """The winners of a cell, the frequent first: `last`, `last+other`."""
    if cell.label != "mixed":
        return cell.label
    telling = [name for name in cell.counts if name not in ("equal", "n/a")]
    return "+".join(sorted(telling, key=lambda name: (-cell.counts[name], name))) or cell.label


def _winners(matrix: WinnerMatrix, content: bool) -> Iterator[Block]:
    if not matrix.families:
        if content:
            yield Heading("Repeated names: who wins")
            yield paragraph("No case of this run repeats a name.")
        return
    yield Heading("Repeated names: who wins")
    yield paragraph(
        "first, last, all, merge, collect: which occurrence survives. reject: refused, while the twin is "
        "accepted. equal: the surviving value does not tell. n/a: no statement. a+b: several, the more "
        "frequent first."
    )
    rows = tuple(
        (subject, short(total), *(short(cell) for cell in cells))
        for subject, cells, total in zip(matrix.subjects, matrix.cells, matrix.totals, strict=True)
    )
    names = [name.removeprefix("repeated-") for name in matrix.families]
    counts = ("cases", f"{sum(matrix.cases):,}", *(f"{count:,}" for count in matrix.cases))
    yield Table(("subject", "all\nfamilies", *map(_hyphen_breaks, names)), (counts, *rows))
    mixed = [
        (subject, total)
        for subject, total in zip(matrix.subjects, matrix.totals, strict=True)
        if total.label == "mixed"
    ]
    if mixed:
        yield Items(tuple(_mixed_item(subject, total) for subject, total in mixed))


def _mixed_item(subject: str, cell: WinnerCell) -> tuple[str | Code, ...]:
    spans: list[str | Code] = [f"{subject}: "]
    for index, name in enumerate(name for name in WINNERS if name in cell.counts):
        spans.append(f"{', ' if index else ''}{name} {cell.counts[name]:,}")
        if name not in ("equal", "n/a") and name in cell.witnesses:
            spans += [" such as ", Code(cell.witnesses[name])]
    return tuple(spans)


def _pairs(matrix: PairMatrix, listed: int | None) -> Iterator[Block]:
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
    pairs = [cell for i, row in enumerate(matrix.cells) for cell in row[i + 1 :] if cell is not None]
    parted = [cell for cell in pairs if cell.value or cell.row_only or cell.column_only]
    parted.sort(key=lambda cell: (-cell.value, -(cell.row_only + cell.column_only), cell.row, cell.column))
    if not parted:
        yield paragraph("No two subjects part on any case.")
        return
    if listed is None:
        yield Table(
            (
                *("one", "other", "value", "witness"),
                *("only one\naccepts", "witness", "only other\naccepts", "witness"),
            ),
            tuple(_pair_row(cell) for cell in parted),
            frozenset({2, 4, 6}),
            keep=frozenset({0, 1}),
        )
        return
    yield Table(
        ("one", "other", "value", "witness"),
        tuple(_pair_row(cell)[:4] for cell in parted[:listed]),
        frozenset({2}),
        keep=frozenset({0, 1}),
    )
    if len(parted) > listed:
        yield paragraph(f"{len(parted) - listed:,} more pairs part.")


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


def _splits(splits: tuple[Split, ...]) -> Iterator[Block]:
    if not splits:
        return
    yield Heading("Split cases")
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
            for split in splits
        ),
        frozenset({1, 3}),
    )
