"""What the script of a page reads: the sheets of a comparison as JSON, what repeats written once.

Everything is in arrays, never under names from outside, so that no name (`__proto__`) means anything to the
reader. All texts but the notation of values are made printable ASCII here; inputs are hex.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whichwins.analysis.casebook import READ_AT_MOST, CaseSheet
from whichwins.analysis.result import WINNERS, Comparison, SubjectLine
from whichwins.model import Outcome
from whichwins.report.comparison import entry_point, libraries
from whichwins.report.safe import plain
from whichwins.report.shell import Pool

INPUT_BYTES = 1024
"""Bytes of an input that a page has; of a longer one the beginning."""
VALUE_LENGTH = 400
OUTCOMES = tuple(outcome.value for outcome in Outcome)


def page_data(result: Comparison, sheets: Iterable[CaseSheet]) -> dict[str, Any]:
    """The whole of it, for `page_of`."""
    words, rows = Pool(), Pool()
    cases = [_case(sheet, words, rows) for sheet in sheets]
    lines = {line.key: line for line in result.subjects}
    places = {key: place for place, key in enumerate(result.pairs.subjects)}
    return {
        "lens": result.lens,
        "subjects": [_subject(lines[key]) for key in result.pairs.subjects],
        "order": [places[key] for key in result.order],
        "pairs": [
            [cell and [cell.compared, cell.value, cell.row_only, cell.column_only] for cell in row]
            for row in result.pairs.cells
        ],
        "winners": WINNERS,
        "outcomes": OUTCOMES,
        "layers": [_layer(result, place) for place in range(len(result.layers))],
        "words": words.things,
        "rows": rows.things,
        "cases": cases,
        "readAtMost": READ_AT_MOST,
    }


def language(key: str) -> str:
    """The language, or the kit, of a subject: what its key begins with."""
    return key.partition("/")[0]


def _subject(line: SubjectLine) -> list[Any]:
    identity = line.identity
    details = identity.get("details")
    told: list[tuple[str, Any]] = [
        ("version", libraries(identity)),
        ("runtime", identity.get("runtime", "")),
        ("entry point", entry_point(identity)),
        ("bytes decoded by", identity.get("decode", "")),
        *(sorted(details.items()) if isinstance(details, dict) else ()),
        ("files", identity.get("digest", "")),
    ]
    return [
        plain(line.key),
        plain(language(line.key)),
        [[plain(str(name)), plain(str(said), VALUE_LENGTH)] for name, said in told if said],
        [[name, line.outcomes[name]] for name in OUTCOMES if line.outcomes.get(name)],
        line.unstable,
    ]


def _layer(result: Comparison, place: int) -> list[Any]:
    layer = result.layers[place]
    return [
        layer.layer,
        [[plain(r.subject), r.judged, r.accepts, r.rejects, r.limit, r.fails] for r in layer.rows],
        [
            [plain(c.subject), c.breach, plain(c.clause, VALUE_LENGTH), c.cases, plain(c.witness)]
            for c in layer.clauses
        ],
    ]


def _case(sheet: CaseSheet, words: Pool, rows: Pool) -> list[Any]:
    record, case = sheet.record, sheet.record.case
    data = record.data
    cause = sheet.cause
    winners = sheet.winners
    return [
        plain(case.id),
        words(plain(case.family)),
        record.length,
        None if data is None else data[:INPUT_BYTES].hex(),
        plain(case.why, VALUE_LENGTH),
        [plain(ref, VALUE_LENGTH) for ref in case.refs],
        case.twin_of and plain(case.twin_of),
        sheet.twin and plain(sheet.twin),
        None if sheet.reading is None else plain(sheet.reading, VALUE_LENGTH),
        [words(plain(problem, VALUE_LENGTH)) for problem in sheet.problems],
        [[words(e.layer), words(e.expectation), words(plain(e.clause))] for e in sheet.expectations],
        [plain(text, VALUE_LENGTH) for text in sheet.texts],
        rows(sheet.classes),
        rows(sheet.answers),
        rows(tuple(OUTCOMES.index(outcome.value) for outcome in sheet.outcomes)),
        rows(tuple(words(plain(note, VALUE_LENGTH)) for note in sheet.notes)),
        [[each.one, each.other, plain(each.pointer)] for each in sheet.partings],
        (1 if sheet.value else 0) + (2 if sheet.verdict else 0),
        None if cause is None else [words(cause.name), words(cause.kind), words(plain(cause.why))],
        None if winners is None else rows(tuple(WINNERS.index(winner) for winner in winners)),
    ]
