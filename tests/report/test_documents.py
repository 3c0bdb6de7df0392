"""Any document of hostile texts keeps exactly its structure in Markdown, its width in text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.hostile import ODD, TEXTS, seen
from whichwins.report import markdown, text
from whichwins.report.document import (
    Block,
    Cell,
    Code,
    Document,
    Heading,
    Input,
    Items,
    Paragraph,
    Span,
    Table,
    spans_of,
)
from whichwins.report.safe import plain, plain_bytes
from whichwins.report.tables import NARROWEST, text_table

LIMITS = st.sampled_from([20, 200])
SPANS: st.SearchStrategy[Span] = (
    TEXTS | st.builds(Code, TEXTS, LIMITS) | st.builds(Input, st.binary(max_size=30), LIMITS)
)
CELLS: st.SearchStrategy[Cell] = SPANS | st.lists(SPANS, max_size=3).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.integers(1, 5))
    headers = draw(st.lists(TEXTS, min_size=columns, max_size=columns))
    rows = draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns).map(tuple), max_size=3))
    places = st.frozensets(st.integers(0, columns - 1))
    return Table(tuple(headers), tuple(rows), draw(places), draw(places))


BLOCKS: st.SearchStrategy[Block] = (
    st.builds(Heading, TEXTS, st.integers(1, 3))
    | st.lists(SPANS, min_size=1, max_size=4).map(lambda spans: Paragraph(tuple(spans)))
    | st.lists(st.lists(SPANS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(
        lambda items: Items(tuple(items))
    )
    | tables()
)
DOCUMENTS = st.lists(BLOCKS, max_size=5)


def said(cell: Cell, *, in_table: bool = False) -> str:
    """What a reader should see, white space aside."""
    out = ""
    for span in spans_of(cell):
        if isinstance(span, str):
            shown = plain(span)
            if in_table:  # words that call somebody are code
                shown = " ".join(
                    w.replace("\\|", "\\\\u{7C}") if re.search("@|#[0-9]", w) else w for w in shown.split(" ")
                )
        else:
            shown = (
                plain_bytes(span.data, span.limit)
                if isinstance(span, Input)
                else plain(span.text, span.limit)
            )
            shown = (shown.replace("\\|", "\\\\u{7C}") if in_table else shown) or "(empty)"
        out += shown
    return "".join(out.split())


def expected(document: Document) -> list[tuple[str, list[list[str]]]]:
    out: list[tuple[str, list[list[str]]]] = []
    for block in document:
        match block:
            case Heading(title, level):
                out.append((f"h{level}", [[said(title)]]))
            case Paragraph(spans):
                out += [("p", [[said(spans)]])] if said(spans) else []
            case Items(items):
                out += [("li", [[said(item)]]) for item in items if said(item)]
            case Table(headers, rows):
                joined = [h.replace("-\n", "-").replace("\n", " ") for h in headers]
                lines = [[said(h, in_table=True) for h in joined]]
                out.append(("table", lines + [[said(cell, in_table=True) for cell in row] for row in rows]))
    return out


@given(DOCUMENTS)
@settings(max_examples=100, deadline=None)
def test_markdown_has_exactly_the_structure_of_the_document(document: list[Block]) -> None:
    check_markdown(document)


def check_markdown(document: Document) -> None:
    rendered = markdown.render(document)
    assert re.fullmatch(r"[ -~\n]*", rendered)
    found = [
        (block.kind, [["".join(cell.split()) for cell in row] for row in block.rows])
        for block in seen(rendered)
    ]
    # An empty item or paragraph has no text of its own.
    assert [(kind, rows) for kind, rows in found if kind not in ("p", "li") or rows[0][0]] == expected(
        document
    )


@given(DOCUMENTS, st.integers(1, 200))
@settings(max_examples=100, deadline=None)
def test_text_is_printable_ascii_and_commands_nobody(document: list[Block], width: int) -> None:
    check_text(document, width)


def check_text(document: Document, width: int) -> None:
    rendered = text.render(document, width)
    assert re.fullmatch(r"[ -~\n]*", rendered)
    for line in rendered.split("\n"):
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line


WORDS = st.text("abc-/", min_size=0, max_size=60) | st.lists(st.text("ab", max_size=9), max_size=20).map(
    " ".join
)


@st.composite
def grids(draw: st.DrawFn) -> tuple[list[str], list[list[str]], list[int], list[int]]:
    columns = draw(st.integers(1, 8))
    row = st.lists(WORDS, min_size=columns, max_size=columns)
    right = draw(st.lists(st.integers(1, columns), unique=True))
    rows = draw(st.lists(row, max_size=4))
    for line in rows:  # right-aligned columns hold counts
        for place in right:
            if place < columns:
                line[place] = str(len(line[place]))
    headers = [
        draw(st.text("ab\n", max_size=12) if place in right else st.text("ab\n", max_size=12) | WORDS)
        for place in range(columns)
    ]
    return headers, rows, right, draw(st.lists(st.integers(1, columns), unique=True))


@given(grids(), st.integers(40, 200))
@settings(max_examples=120, deadline=None)
def test_tables_stay_within_the_width(
    grid: tuple[list[str], list[list[str]], list[int], list[int]], width: int
) -> None:
    headers, rows, right, values = grid
    table = text_table(headers, rows, width, right=right, values=values)
    # Only a column of counts may leave no room: it is as wide as its header.
    counts = max(
        (len(line) for place in right if place < len(headers) for line in headers[place].split("\n")),
        default=0,
    )
    most = max(width, NARROWEST + 2 + counts)
    assert all(len(line) <= most for line in table.split("\n"))
    # Nothing is lost: letters of each cell, in order.
    for place in range(len(headers)):
        for row in rows:
            assert is_within("".join(row[place].split()), "".join(table.split()))


def is_within(wanted: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in wanted)


def test_ids_and_keys_are_not_broken_where_there_is_room() -> None:
    rows = [["python/simplejson-decimal", "python/sqlite3-extract", "a-family/a-case-with-a-long-name"]]
    for width in range(60, 120):
        table = text_table(["one", "other", "witness"], rows, width)
        assert all(cell in table for cell in rows[0])


def test_ids_that_leave_no_room_are_cut_behind_a_sign() -> None:
    rows = [["repeated-several/escaped-only-in-second", "12", "python/simplejson-decimal"]]
    assert text_table(["case", "n", "subject"], rows, 40, right=[1]) == (
        "case                                n\n"
        "---------------------------------  --\n"
        "repeated-several/escaped-only-in-  12\n"
        "second\n"
        "\n"
        "case                    subject\n"
        "----------------------  -----------\n"
        "repeated-several/       python/\n"
        "escaped-only-in-second  simplejson-\n"
        "                        decimal"
    )


def test_a_value_is_not_broken_in_a_paragraph() -> None:
    value = '{"a": "' + "x y " * 30 + '"}'
    assert value in text.render([Paragraph(("one two three ", Code(value), " four"))], 40)


def test_a_table_by_hand() -> None:
    table = text_table(
        ["case", "n", "a long text that is folded"],
        [["a/b", "1", "one two three four five six"], ["c", "22", "x"]],
        30,
        right=[1],
    )
    assert table == (
        "case   n  a long text that is\n"
        "          folded\n"
        "----  --  -------------------\n"
        "a/b    1  one two three four\n"
        "          five six\n"
        "c     22  x"
    )


def test_values_are_folded_within_words_and_narrower() -> None:
    rows = [["key", "a text of some words", "9" * 60]]
    assert text_table(["k", "words", "value"], rows, 60, values=[2]) == (
        "k    words                 value\n"
        "---  --------------------  ---------------------------------\n"
        f"key  a text of some words  {'9' * 33}\n"
        f"                           {'9' * 27}"
    )


@pytest.mark.parametrize("odd", ODD)
def test_each_odd_text_in_each_place(odd: str) -> None:
    table = Table((odd, "h"), ((odd, Code(odd)), (Input(odd.encode("utf-8", "surrogatepass")), "end")))
    document: list[Block] = [
        Heading(odd, 2),
        Paragraph((odd,)),
        Paragraph((Code(odd), odd)),
        Items(((odd,), ("x", odd))),
        table,
    ]
    check_markdown(document)
    check_text(document, 60)


def test_a_wide_table_becomes_several() -> None:
    table = text_table(["k", "first", "second"], [["key", "x" * 30, "y" * 30]], 40)
    assert table == (
        "k    first\n"
        "---  ------------------------------\n"
        f"key  {'x' * 30}\n"
        "\n"
        "k    second\n"
        "---  ------------------------------\n"
        f"key  {'y' * 30}"
    )


def test_a_list_of_names_has_no_header() -> None:
    assert text_table(["", ""], [["input", "[1]"], ["length", "3"]], 80) == "input   [1]\nlength  3"


def test_what_a_row_is_about_stands_in_every_part() -> None:
    """Of a table in several parts each row can be told by its columns in `keep`."""
    rows = [["preview", "python/json", "a" * 30, "b" * 30], ["executor", "node/json", "c" * 30, "d" * 30]]
    shown = text_table(["role", "subject", "version", "entry"], rows, 60, keep=[0, 1])
    first, second = shown.split("\n\n")
    for part in (first, second):
        assert [line.split()[:2] for line in part.split("\n")] == [
            ["role", "subject"],
            ["--------", "-----------"],
            ["preview", "python/json"],
            ["executor", "node/json"],
        ]
    assert "b" * 30 not in first
    assert "a" * 30 not in second
    # Where they leave no room the first is repeated alone, and nothing is wider than it has to be.
    narrow = text_table(["role", "subject", "version", "entry"], rows, 40, keep=[0, 1])
    assert max(map(len, narrow.split("\n"))) <= 40
