"""Text, Markdown and HTML of one ledger: the same sections, the same order of subjects, the same groups."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest

from tests.analysis.views import view
from tests.report.test_page import html
from whichwins.analysis import compare
from whichwins.report import comparison_report
from whichwins.run.view import LedgerView

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEYS = ("a/last", "b/first", "c/last", "d/strict", "e/last", "f/gone")
GONE = "!absent"
TWINS = ["{}"] * 5 + [GONE]
TWO, TWENTY = '{"q":2}', '{"q":20}'
LONE = "[9007199254740992.0]"

Part = tuple[str, list[str]]
"""A title, and the first column of the first table below it."""

COLUMNS = """() => {
  const found = [];
  for (const each of document.querySelectorAll("main h1, main h2, main table")) {
    if (each.closest("#detail") || each.closest("#alike .off")) continue;
    if (each.tagName !== "TABLE") { found.push([each.textContent, []]); continue; }
    const rows = [...each.tBodies].flatMap((body) => [...body.rows]).map((row) => row.cells[0].textContent);
    if (!found.at(-1)[1].length) found.at(-1)[1] = rows;
  }
  return found;
}"""


def ledger() -> LedgerView:
    """Those who read alike are not those whose names stand together, and one is absent."""
    return view(
        KEYS,
        ("repeated-a/q", '{"q":2,"q":20}', [TWENTY, TWO, TWENTY, "-", TWENTY, GONE], TWINS),
        ("repeated-b/r", '{"r":{"q":2,"q":20}}', [TWENTY, TWO, TWENTY, "-", TWENTY, GONE], TWINS),
        ("depth/1", "[]", ["[]", "[]", "[]", "[]", "[]", GONE]),
        ("depth/2", "[[]]", ["[[]]", "-", "[[]]", "!fault", "[[]]", GONE]),
        ("depth/3", '{"a":1}', ['{"a":1}'] * 5 + [GONE]),
        ("numbers-x/odd", "[9007199254740993]", [LONE, LONE, "[9007199254740993]", LONE, LONE, GONE]),
        ("syntax/comma", "[1,]", ["-", "[1]", "-", "-", "-", GONE]),
        ("syntax/nothing", "", ["-", "-", "-", "-", "null", GONE]),
    )


def of_text(said: str) -> list[Part]:
    lines = said.split("\n")
    found: list[Part] = []
    width = 0
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and re.fullmatch("=+|-+", below) and len(below) == len(line):
            found.append((line, []))
            width = -1
        elif re.fullmatch("-+(  +-+)+", line):
            width = len(line.split()[0]) if width < 0 else 0
        elif width > 0 and line.strip():
            # What follows the table: a paragraph, or the pairs one by one.
            width = 0 if line[width : width + 2].strip() or line.startswith("one ") else width
            if width:
                found[-1][1].append(line[:width].strip())
    return found


def of_markdown(said: str) -> list[Part]:
    found: list[Part] = []
    for line in said.split("\n"):
        if line.startswith("#"):
            found.append((line.lstrip("# ").replace("\\", ""), []))
            state = "before"
        elif not line.startswith("|"):
            state = "after" if found[-1][1] else "before"
        elif state == "before":
            state = "head"
        elif state == "head":
            state = "body"
        elif state == "body":
            found[-1][1].append(line.strip("| ").split("|")[0].strip(" `"))
    return found


def of_page(page: Page) -> list[Part]:
    page.emulate_media(media="print")  # draws what is drawn when it is looked at
    page.wait_for_selector("table.heat", state="attached")
    page.wait_for_selector("#case-list table", state="attached")
    return [(title, rows) for title, rows in page.evaluate(COLUMNS)]


def comparable(parts: list[Part]) -> list[Part]:
    """Without the line of counts of the winners, the numbers of the matrix, and the list of facts."""
    return [
        (
            title,
            [re.sub(r"^\d+ ", "", row) for row in rows if row != "cases"]
            if not title.startswith("How it")
            else [],
        )
        for title, rows in parts
    ]


@pytest.fixture
def three(opened: Callable[[str], Page]) -> dict[str, list[Part]]:
    result = compare(ledger())
    return {
        "text": comparable(of_text(comparison_report(result, "text", 200, everything=True))),
        "digest": comparable(of_text(comparison_report(result, "text", 200))),
        "markdown": comparable(of_markdown(comparison_report(result, "markdown"))),
        "html": comparable(of_page(opened(html(ledger())))),
    }


LAYERS = ("rfc8259/1", "i-json/1", "jcs-input/1", "strict-tool-input/1")
TITLES = [
    "Which value reaches which parser",
    "Why they part",
    "Not measured",
    "How it was measured",
    "Repeated names: who wins",
    "Preview versus executor",
    "Who reads alike",
    "Cases",
    "Subjects",
    "Expectation layers",
    *LAYERS,
    "Limits",
    "How deep it reads: arrays",
    "How deep it reads: objects",
    "What of a number survives",
]


def test_sections_stand_in_one_order(three: dict[str, list[Part]]) -> None:
    for form in ("html", "markdown", "text"):
        assert [title for title, _ in three[form]] == TITLES
    # A terminal gets one table of all layers.
    assert [title for title, _ in three["digest"]] == [title for title in TITLES if title not in LAYERS]


def test_rows_stand_in_one_order(three: dict[str, list[Part]]) -> None:
    page = dict(three["html"])
    # Of 8 cases a parts from c on one, then from e on one: c, a by the first id, and e, which is nearer to a.
    # d and b part on three, and from those on three to six; d is nearer to them.
    assert page["Who reads alike"] == ["c/last", "a/last", "e/last", "d/strict", "b/first"]
    for title in ("Preview versus executor", "Subjects", *LAYERS):
        assert page[title] == page["Who reads alike"]
    for form in ("markdown", "text", "digest"):
        for title, rows in three[form]:
            if (form, title) != ("digest", "Expectation layers"):
                assert (title, rows) == (title, page[title])
    assert dict(three["digest"])["Expectation layers"] == page["Who reads alike"]


def test_groups_have_the_same_members(opened: Callable[[str], Page]) -> None:
    result: Any = compare(ledger())
    written = comparison_report(result, "markdown").split("\n## Repeated")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([a-f]/\w+) *\| *(\d+) ", written, re.MULTILINE)
    text = comparison_report(result, "text", 200).split("Repeated names: who wins")[1].split("Preview")[0]
    told = re.findall(r"^([a-f]/\w+) +(\d+) ", text, re.MULTILINE)
    drawn = opened(html(ledger())).evaluate(
        "() => [...document.querySelector('table.winners').tBodies].map("
        "(body) => [...body.rows].map((row) => row.cells[0].textContent))"
    )

    def groups(found: list[Any]) -> list[list[str]]:
        return [[row[0] for row in inside] for _, inside in groupby(found, key=lambda row: row[1])]

    assert sorted(map(len, drawn)) == [1, 1, 3]
    assert groups(rows) == groups(told) == drawn
    assert drawn[0] == ["b/first"]  # on top
    assert sorted(drawn[1]) == ["a/last", "c/last", "e/last"]


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("width", [40, 41, 60, 79, 100])
def test_a_report_fits_the_terminal(width: int, everything: bool) -> None:
    long = view(
        ("a-language/a-library-with-options", "b/short", "python/simplejson-decimal"),
        ("repeated-several/escaped-only-in-second-of-two", '{"q":2,"q":20}', [TWO, TWENTY, "-"]),
        ("numbers-x/" + "odd-" * 12, "[9007199254740993]", [LONE, "[9007199254740993]", "-"]),
    )
    for of in (long, ledger()):
        said = comparison_report(compare(of), "text", width, everything=everything)
        assert [line for line in said.split("\n") if len(line) > width] == []
