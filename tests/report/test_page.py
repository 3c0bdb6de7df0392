"""The HTML report in a real browser: every view, hostile inputs as text, no error, nothing that axe finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.analysis.views import view
from tests.report.browsing import SCHEMES, stands_alone, to, violations
from whichwins.analysis import casebook, compare
from whichwins.report import comparison_page
from whichwins.report.shell import embedded
from whichwins.run.view import LedgerView

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPT = '{"</script><script>document.title=1</script>":"<img src=x onerror=alert(1)>"}'
LINES = '{"\u2028":"\u2029","__proto__":{"polluted":true}}'
ROWS = [
    ("repeats/two-or-twenty", '{"q":2,"q":20}', ['{"q":2}', '{"q":20}', "-"]),
    ("hostile/script", SCRIPT, [SCRIPT, "-", "-"]),
    ("hostile/lines", LINES, ["1", "1", "-"]),
    ("hostile/nul", b'"\x00\xff"', ["-", 'b"00ff"', "-"]),
    ("__proto__/constructor", "1", ["1", "1", "-"]),
    ("depth/one", "[]", ["[]", "[]", "[]"]),
    ("depth/ten", "[" * 10 + "]" * 10, ["[" * 10 + "]" * 10, "!fault", "[" * 10 + "]" * 10]),
    ("numbers-x/odd", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]", "-"]),
]


def ledger() -> LedgerView:
    return view(("a/first", "b/last", "c/none"), *ROWS)


def html(of: LedgerView) -> str:
    result = compare(of)
    return comparison_page(result, casebook(of, result))


@pytest.fixture
def page(opened: Callable[[str], Page]) -> Page:
    return opened(html(ledger()))


def test_two_renderings_are_the_same_bytes() -> None:
    one = html(ledger())
    assert one == html(ledger())
    assert stands_alone(one)


def test_data_end_no_element() -> None:
    text = embedded(["</script>", "<!--", "&amp;", "##vso[x]", "\u2028", "__proto__"])
    assert not re.search(r"[<>&]|##", text)
    assert text.isascii()


def test_the_verdict_is_the_first_screen(page: Page) -> None:
    assert "3 subjects part on" in page.inner_text("main")


def test_a_repeat_is_seen_from_across_the_room(page: Page) -> None:
    text = to(page, "#names")
    assert "a/first" in text
    assert page.locator('table.winners a[data-w="first"]').count() >= 1
    assert page.locator('table.winners a[data-w="last"]').count() >= 1


def test_a_cell_of_the_map_leads_to_its_cases(page: Page) -> None:
    to(page, "#pairs")
    cell = page.locator('a.cell[href="#pair=a/first,b/last"]')
    assert cell.inner_text() == "2"  # the repeat, and the number that is rounded
    cell.click()
    page.wait_for_timeout(50)
    text = page.inner_text("main")
    assert "repeats/two-or-twenty" in text
    assert '{"q":2}' in text
    assert '{"q":20}' in text
    assert "/q" in text


def test_a_case_has_a_link_of_its_own(page: Page) -> None:
    text = to(page, "#case=repeats/two-or-twenty")
    assert '{"q":2,"q":20}' in text
    assert "14 bytes" in text
    assert to(page, "#case=nobody/knows") != text


@pytest.mark.parametrize("key", [row[0] for row in ROWS])
def test_hostile_texts_are_text(page: Page, key: str) -> None:
    before = page.locator("script").count(), page.locator("img").count()
    text = to(page, f"#case={key}")
    assert key in text
    assert (page.locator("script").count(), page.locator("img").count()) == before
    assert page.evaluate("({}).polluted") is None
    assert page.title().startswith(key)


def test_a_subject_has_its_page(page: Page) -> None:
    text = to(page, "#subject=b/last")
    assert "Neighbours" in text
    assert "a/first" in text


def test_filters_narrow_the_list(page: Page) -> None:
    to(page, "#cases")
    page.fill("#f-text", "script")
    assert page.inner_text("#f-count") == "1 case of 8"
    page.fill("#f-text", "nothing like it")
    assert page.inner_text("#f-count") == "0 cases of 8"


def test_a_layer_filters(page: Page) -> None:
    to(page, "#cases")
    page.select_option("#f-split", "")
    page.select_option("#f-layer", "i-json/1 reject")
    # The repeat, and the text that is not UTF-8.
    assert page.inner_text("#f-count") == "2 cases of 8"
    page.select_option("#f-layer", "rfc8259/1 free")
    assert "repeats/two-or-twenty" in page.inner_text("#case-list")
    assert page.inner_text("#f-count") == "1 case of 8"


def test_limits_are_pictures_and_numbers(page: Page) -> None:
    text = to(page, "#limits")
    row = page.locator("#limits tr", has_text="b/last").first
    assert row.inner_text().split() == ["b/last", "1", "10", "fault"]
    # 1 stands at 0 on a logarithmic scale, and 10 at a sixth of the way to a million.
    assert row.locator("rect.p-between").get_attribute("width") == "40.0"
    assert "all that was asked" in text
    last = page.locator("#limits .scroll").last.locator("tbody tr")
    assert [line.split() for line in last.all_inner_texts()] == [
        ["a/first", "1", "0", "0", "0", "0"],
        ["b/last", "0", "1", "0", "0", "0"],
        ["c/none", "0", "0", "0", "1", "0"],
    ]


def test_who_reads_alike_is_a_picture_and_numbers(page: Page) -> None:
    # Of 8 cases a and b part on 5, a and c on 5, b and c on 6: a joins b, and on average they are 5.5 from c.
    to(page, "#alike")
    rows = page.locator("#tree-split tbody tr")
    assert [row.split() for row in rows.all_inner_texts()] == [
        ["b/last", "a/first", "62.50", "%"],
        ["a/first", "62.50", "%", "b/last", "62.50", "%"],
        ["c/none", "68.75", "%", "a/first", "62.50", "%"],
    ]
    drawn = rows.locator("path:not(.tick)")
    assert [drawn.nth(place).get_attribute("d") for place in range(3)] == [
        "M0 5H909.1M909.1 5V10M909.1 10H1000",
        "M0 15H909.1M909.1 10V15M909.1 10H1000M1000 10V20",
        "M0 25H1000M1000 20V25",
    ]
    page.locator("input[name=tree][value=value]").check()
    assert page.locator("#tree-split").is_hidden()
    # They part in silence on two of 8, and c from nobody.
    assert [row.split() for row in page.locator("#tree-value tbody tr").all_inner_texts()] == [
        ["a/first", "c/none", "0.00", "%"],
        ["c/none", "0.00", "%", "a/first", "0.00", "%"],
        ["b/last", "12.50", "%", "c/none", "0.00", "%"],
    ]


def test_a_leaf_leads_to_its_subject_and_the_map_has_its_order(page: Page) -> None:
    to(page, "#pairs")
    rows = page.locator("table.heat tbody th").all_inner_texts()
    assert rows == ["b/last", "a/first", "c/none"]
    to(page, "#alike")
    leaf = page.locator("#tree-split tbody th a").first
    leaf.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert page.inner_text("#h-detail") == "b/last"


def test_on_paper_every_section_stands(page: Page) -> None:
    page.emulate_media(media="print")
    text = page.inner_text("main")
    for said in (
        "Repeated names: who wins",
        "Preview versus executor",
        "Who reads alike",
        "Subjects",
        "Expectation layers",
        "Limits",
    ):
        assert said in text
    assert page.locator("nav").is_hidden()
    assert page.locator("fieldset:visible").count() == 0
    # Heads that stay in sight would lie over the rows of a table that is not scrolled.
    tops = page.locator(".tall th, .tall thead td").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).position)"
    )
    assert set(tops) == {"static"}
    assert page.locator("#cases").is_hidden()


def test_the_whole_page_is_reached_from_the_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for tab in ("overview", "names", "pairs"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.hash") == f"#{tab}"
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert page.evaluate("document.activeElement.id") == "h-pairs"
    page.locator("a.cell[tabindex='0']").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert page.evaluate("document.activeElement.id") == "h-detail"
    page.keyboard.press("Escape")
    page.wait_for_timeout(50)
    assert page.url.endswith("#pairs")


def test_an_input_and_a_command_are_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    to(page, "#case=repeats/two-or-twenty")
    for name, copied in (
        ("copy text", '{"q":2,"q":20}'),
        ("copy hex", "7b2271223a322c2271223a32307d"),
        ("copy command", "whichwins try --hex 7b2271223a322c2271223a32307d"),
    ):
        page.get_by_role("button", name=name).first.click()
        page.get_by_role("button", name="copied").first.wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == copied


def test_where_values_part_is_marked(page: Page) -> None:
    to(page, "#case=repeats/two-or-twenty")
    assert page.locator("#detail mark").all_inner_texts() == ["2", "20"]
    to(page, "#pair=a/first,b/last")
    assert page.locator("#detail mark").all_inner_texts()[:2] == ["2", "20"]


def test_the_map_is_walked_with_arrows(page: Page) -> None:
    to(page, "#pairs")
    page.locator("a.cell").first.focus()
    seen = [page.evaluate("document.activeElement.getAttribute('href')")]
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        seen.append(page.evaluate("document.activeElement.getAttribute('href')"))
    assert all(each.startswith("#pair=") for each in seen)
    assert len(set(seen)) > 1


def many() -> LedgerView:
    """45 subjects: of two languages, and each of the last 40 reads one more text than the one before it."""
    keys = [f"a/{place:02}" for place in range(5)] + [f"b/{place:02}" for place in range(40)]
    rows = [("r/q", '{"q":2,"q":20}', ['{"q":2}'] * 5 + ['{"q":20}'] * 40)]
    rows += [
        (f"n/{n:02}", f"{n}", [str(n)] * 5 + [str(n) if n <= m else "-" for m in range(40)])
        for n in range(40)
    ]
    return view(keys, *rows)


def test_a_map_of_many_has_colours_and_one_cell_that_is_walked(opened: Callable[[str], Page]) -> None:
    page = opened(html(many()))
    to(page, "#pairs")
    assert page.locator("a.cell").count() == 1
    heads = page.locator("table.heat thead th").all_inner_texts()[1:]
    rows = page.locator("table.heat tbody th").all_inner_texts()
    assert rows == heads
    assert len(rows) == 45
    # All the row of one that reads the first occurrence has one colour against those that read the last.
    strip = page.locator("table.heat tbody td").nth(rows.index("a/00"))
    assert "var(--h" in (strip.get_attribute("style") or "")
    box = strip.bounding_box()
    assert box is not None
    place = heads.index("b/07")
    page.mouse.move(box["x"] + box["width"] * (place + 0.5) / 45, box["y"] + box["height"] / 2)
    said = "a/00 as preview, b/07 as executor: 1 of 41 cases"
    assert page.inner_text("#heat-said") == said
    assert page.locator("table.heat th.on").all_inner_texts() == ["b/07", "a/00"]
    page.locator("a.cell").focus()
    assert page.locator("a.cell").get_attribute("aria-label") == said
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    right, below = heads[place + 1], rows[rows.index("a/00") + 1]
    assert page.evaluate("document.activeElement.getAttribute('href')") == f"#pair={below},{right}"
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert page.inner_text("#h-detail") == f"{below} and {right}"


def test_fewer_of_many_have_numbers(opened: Callable[[str], Page]) -> None:
    page = opened(html(many()))
    to(page, "#pairs")
    assert page.locator("#heat-many").is_visible()
    page.select_option("#pair-language", "b")
    assert page.locator("#heat-many").is_hidden()
    assert page.locator("a.cell").count() == 40 * 39
    page.locator("input[name=measure][value=verdict]").check()
    assert page.locator('a.cell[href="#pair=b/00,b/39"]').inner_text() == "39"


@pytest.mark.parametrize(
    ("place", "table"), [("#pairs", "table.heat"), ("#names", "table.winners"), ("#alike", "table.tree")]
)
def test_names_stay_in_sight(opened: Callable[[str], Page], place: str, table: str) -> None:
    page = opened(html(many()))
    page.set_viewport_size({"width": 390, "height": 600})
    to(page, place)
    box = page.locator(".scroll", has=page.locator(f"{table}:visible"))
    box.evaluate("each => { each.scrollIntoView(); each.scrollTo(150, 300); }")
    top = box.evaluate("each => each.getBoundingClientRect().top")
    left = box.evaluate("each => each.getBoundingClientRect().left")
    assert page.locator(f"{table}:visible thead th").nth(1).evaluate(
        "e => e.getBoundingClientRect().top"
    ) == pytest.approx(top, abs=2)
    assert page.locator(f"{table}:visible tbody th").last.evaluate(
        "e => e.getBoundingClientRect().left"
    ) == pytest.approx(left, abs=2)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_a_map_of_many(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]
) -> None:
    assert (
        violations(browser, tmp_path / "report.html", html(many()), ("#pairs", "#names"), 1280, scheme) == []
    )


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_axe_finds_nothing(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    places = (
        "#overview",
        "#names",
        "#pairs",
        "#alike",
        "#cases",
        "#subjects",
        "#layers",
        "#limits",
        "#case=repeats/two-or-twenty",
    )
    assert violations(browser, tmp_path / "report.html", html(ledger()), places, width, scheme) == []


def test_names_of_subjects_can_be_read_on_a_phone_and_tables_are_whole_on_a_big_screen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for place, table in (("#names", "table.winners"), ("#pairs", "table.heat"), ("#alike", "#tree-split")):
        to(page, place)
        box = page.locator(f"{table} tbody th").first.bounding_box()
        assert box is not None
        assert box["width"] >= 100
    page.set_viewport_size({"width": 2560, "height": 1440})
    box = page.locator("main").bounding_box()
    assert box is not None
    assert box["width"] >= 2300


def test_no_word_of_the_page_depends_on_the_theme(page: Page) -> None:
    assert not re.search("darker|lighter", to(page, "#pairs"), re.IGNORECASE)


def test_what_the_policy_does_not_know_does_not_run(browser: Browser, tmp_path: Path) -> None:
    """A script that got into the page after all: planted, and refused."""
    path = tmp_path / "report.html"
    planted = html(ledger()).replace("</body>", "<script>document.title='ran'</script></body>")
    path.write_text(planted, encoding="ascii")
    opened = browser.new_page()
    opened.goto(path.as_uri())
    assert opened.title() != "ran"
    opened.close()
