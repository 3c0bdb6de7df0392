"""One case explained, and what two subjects read differently, as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.analysis.counting import plural
from whichwins.analysis.result import Explanation, Group, PairCase, PairDifference
from whichwins.model import Outcome
from whichwins.report.comparison import cause_table, entry_point, libraries, versions
from whichwins.report.document import Block, Cell, Code, Document, Heading, Input, Items, Table, paragraph
from whichwins.report.safe import hex_bytes

HEX_BYTES = 96
VALUE_LIMIT = 400

Identities = Mapping[str, Mapping[str, Any]]

_REPLACED = 'X"Object:prototype replaced"'
_REPLACED_SAID = (
    ": an object of JavaScript whose prototype came out of the text, by way of a name such as __proto__. "
    "What it seems to hold may not be its own, so its members are not shown."
)


def explanation(result: Explanation, identities: Identities) -> Document:
    """The bytes, each class and who is in it, the reference's reading, what the layers expect."""
    return [
        Heading(result.case, 1),
        *_about(result),
        *seen(result, identities),
        *_reference(result),
        *_expectations(result),
    ]


def _about(result: Explanation) -> Iterator[Block]:
    if result.why:
        yield paragraph(result.why + ("" if not result.refs else " (" + ", ".join(result.refs) + ")"))
    if result.data is None:
        yield paragraph(f"{plural(result.length, 'byte')}, not in the ledger; ", Code(result.digest))
        return
    rows: list[tuple[Cell, ...]] = [("input", Input(result.data, VALUE_LIMIT))]
    rows.append(("bytes", Code(hex_bytes(result.data, HEX_BYTES), 4 * HEX_BYTES)))
    rows.append(("length", f"{result.length:,}"))
    if result.twin_of:
        rows.append(("twin of", Code(result.twin_of)))
    if result.twin:
        rows.append(("its twin", Code(result.twin)))
    yield Table(("", ""), tuple(rows))


def _reference(result: Explanation) -> Iterator[Block]:
    yield Heading("What the reference reads")
    if result.reading is not None:
        yield paragraph(Code(result.reading, VALUE_LIMIT))
    elif result.data is not None:
        yield paragraph("No JSON text.")
    if result.problems:
        yield Items(tuple((problem,) for problem in result.problems))
    for repeat in result.repeats:
        where = repeat.pointer or "the whole document"
        spans: list[str | Code] = ["repeated: ", Code(repeat.name), " in ", Code(where), ": "]
        for index, spelling in enumerate(repeat.spellings):
            spans += [", " if index else "", Code(spelling, 60)]
        yield paragraph(*spans)


def _expectations(result: Explanation) -> Iterator[Block]:
    if result.expectations:
        yield Heading("What the layers expect")
        yield Table(
            ("layer", "expects", "clause"),
            tuple((line.layer, line.expectation, line.clause) for line in result.expectations),
        )


def seen(result: Explanation, identities: Identities) -> Iterator[Block]:
    """The classes of one case, and who is in each."""
    yield Heading("Who sees what")
    for group in result.groups:
        told = group.outcome is Outcome.ACCEPT
        rows: list[tuple[Cell, ...]] = []
        for member in group.members:
            identity = identities.get(member, {})
            note = result.winners.get(member, "") if told else _note(group, member, result.winners)
            rows.append((member, note, libraries(identity), Code(entry_point(identity), 120)))
        many = plural(len(rows), "subject")
        if told:
            yield paragraph(Code(group.value or "", VALUE_LIMIT), f"   seen by {many}")
        else:
            yield paragraph(f"{group.outcome.value}: {many}")
        headers: tuple[str, ...] = ("subject", "winner" if told else "how", "version", "entry point")
        if not any(row[1] for row in rows):
            headers, rows = (headers[0], *headers[2:]), [(row[0], *row[2:]) for row in rows]
        yield Table(headers, tuple(rows))
    runtimes = {str(identities.get(key, {}).get("runtime")) for g in result.groups for key in g.members}
    if runtimes := runtimes - {"None"}:
        yield paragraph("Runtimes: " + ", ".join(sorted(runtimes)) + ".")
    if any(_REPLACED in (group.value or "") for group in result.groups):
        yield paragraph(Code(_REPLACED), _REPLACED_SAID)
    yield paragraph(_verdict(result))
    if result.value and result.pointer is not None:
        left: Cell = "(nothing)" if result.left is None else Code(result.left, VALUE_LIMIT)
        right: Cell = "(nothing)" if result.right is None else Code(result.right, VALUE_LIMIT)
        where: Cell = "the whole document" if result.pointer == "" else Code(result.pointer)
        yield Table(("first difference", "one class", "the next class"), ((where, left, right),))
    if result.cause is not None:
        kind = f" ({result.cause.kind})" if result.cause.kind else ""
        yield paragraph(f"Cause: {result.cause.name}{kind}. {result.cause.why}")


def _note(group: Group, member: str, winners: Mapping[str, str]) -> str:
    # "n/a" of someone who did not accept says nothing that the outcome does not.
    note, winner = group.notes.get(member, ""), winners.get(member, "n/a")
    return note if winner == "n/a" else f"{winner}: {note}" if note else winner


def _verdict(result: Explanation) -> str:
    if result.value and result.verdict:
        return "Value split and verdict split: some accept, and those who accept hold different values."
    if result.value:
        return "Value split: all who answer accept, and hold different values."
    if result.verdict:
        return "Verdict split: some accept, some do not."
    return "No split: all who make a statement agree."


def pair_difference(result: PairDifference, listed: int | None = None) -> Document:
    """What two subjects read differently; `listed` caps the cases shown."""
    row, column = result.row, result.column
    cell = result.cell
    blocks: list[Block] = [
        Heading(f"{row.key} and {column.key}: what they read differently", 1),
        Table(
            ("role", "subject", "version", "entry point", "bytes decoded by"),
            tuple(
                (
                    role,
                    line.key,
                    versions(line.identity),
                    Code(entry_point(line.identity)),
                    str(line.identity.get("decode", "")),
                )
                for role, line in (("preview", row), ("executor", column))
            ),
            keep=frozenset({0, 1}),
        ),
        paragraph(
            f"{plural(cell.compared, 'case')} compared under {result.lens}. Both accept and hold different "
            f"values: {cell.value:,}. Only {row.key} accepts: {cell.row_only:,}. Only {column.key} accepts: "
            f"{cell.column_only:,}."
        ),
    ]
    if result.by_cause:
        blocks.append(cause_table(result.by_cause))
    if result.dimensions:
        said = ", ".join(f"{name} {count:,}" for name, count in result.dimensions.items())
        blocks.append(paragraph(f"Equal under the lens and yet different in: {said}."))
    cases = result.cases if listed is None else result.cases[:listed]
    if cases:
        blocks.append(
            Table(
                ("case", "cause", "subject", "sees"),
                tuple(line for case in cases for line in _pair_lines(case, row.key, column.key)),
                values=frozenset({3}),
                keep=frozenset({0, 2}),
            )
        )
    if len(cases) < len(result.cases):
        more = plural(len(result.cases) - len(cases), "more case")
        blocks.append(paragraph(f"{more}: --all lists them."))
    return blocks


def _pair_lines(case: PairCase, row: str, column: str) -> tuple[tuple[Cell, ...], ...]:
    where: Cell = case.cause.name
    if case.pointer is not None:
        where = (f"{case.cause.name} at ", Code(case.pointer or "(root)", 24))
    return (
        (Code(case.case), where, row, Code(case.row, 60)),
        ("", "", column, Code(case.column, 60)),
    )
