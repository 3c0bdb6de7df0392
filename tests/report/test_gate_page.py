"""The HTML page of a judged change in a real browser: before and after, marked, filtered, hostile texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.report.browsing import SCHEMES, stands_alone, to, violations
from tests.report.gates import change, every_kind, gate, hostile, many
from tests.report.hostile import PACKED
from whichwins.analysis.change_result import KINDS
from whichwins.report import gate_report
from whichwins.report.gate_page import gate_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLACES = ("#overview", "#changes", "#compared", "#change=python/orjson,c/00-winner-changed")
NASTY = '</script><img src=x onerror=alert(1)>"\u2028__proto__\0'


@pytest.mark.parametrize("odd", PACKED)
def test_any_content_is_the_same_bytes_twice(odd: str) -> None:
    text = gate_report(hostile(odd), "html")
    assert text == gate_report(hostile(odd), "html")
    assert stands_alone(text)
    assert "##" not in text


def test_each_kind_with_its_witness_side_by_side(opened: Callable[[str], Page]) -> None:
    page = opened(gate_report(every_kind(), "html"))
    text = page.inner_text("main")
    assert page.locator("article.change").count() == len(KINDS)
    assert "1 answer vanished" in text
    assert "python/ujson: absent: no module named ujson" in text
    first = page.locator("article.change", has_text="Winner changed").first
    # A repeated name: the input, who won before and after, and the place, marked on both sides.
    assert "first -> last" in first.inner_text()
    assert first.locator("mark").all_inner_texts() == ["1", "2"]
    assert "until the migration" in text  # an exception that has ended
    assert "known since May" in text  # and one that holds


def test_a_group_leads_to_its_changes_and_a_change_to_its_page(opened: Callable[[str], Page]) -> None:
    changes = [
        change("n/a", "newly-rejected", "[1]", "reject parse E"),
        change("n/b", "newly-rejected", "[1]", "reject parse E"),
        change("v/c", "value-changed", '{"a":[1,2]}', '{"a":[1,3]}', pointer="/a/1"),
    ]
    page = opened(gate_report(gate(changes), "html"))
    page.locator("a.to-changes", has_text="2 cases").click()
    page.wait_for_timeout(50)
    assert page.inner_text("#f-count") == "2 changes of 3"
    page.locator("#filters button").click()
    page.wait_for_timeout(50)
    assert page.inner_text("#f-count") == "3 changes of 3"
    page.fill("#f-text", "[1,3]")
    assert page.inner_text("#f-count") == "1 change of 3"
    page.locator("#change-list a").click()
    page.wait_for_timeout(50)
    assert page.locator("#detail mark").all_inner_texts() == ["2", "3"]
    assert "/a/1" in page.inner_text("#detail")
    page.keyboard.press("Escape")
    page.wait_for_timeout(50)
    assert page.url.endswith("#changes")


@pytest.mark.parametrize(
    ("before", "after", "pointer", "marks"),
    [
        ('{"q":2}', '{"q":20}', "/q", ["2", "20"]),
        ('{"q":2}', '{"q":2,"q":20}', "/q", ["20"]),  # the second one is only there
        ('{"q":2,"q":20}', '{"q":2,"q":21}', "/q", ["20", "21"]),
        ('{"q":2,"q":1}', '{"q":2.0,"q":3}', "/q", []),  # 2 and 2.0 may be equal: nobody guesses
        ('{"a/b":{"~":[]}}', '{"a/b":{"~":[0]}}', "/a~1b/~0", ["[]", "[0]"]),
        ('{"a":{"x":1},"a":{"x":2}}', '{"a":{"x":3}}', "/a/x", []),  # which `a`, nobody knows
        ('{b"ff":1}', '{b"ff":2}', '/b"ff"', ["1", "2"]),
        ('{"\\u00e9":1}', '{"\\u00e9":2}', "/\u00e9", ["1", "2"]),
        ('{"\\ud800":1}', '{"\\ud800":2}', '/"\\ud800"', ["1", "2"]),
        ('["\\"],1",1]', '["\\"],1",2]', "/1", ["1", "2"]),
        ("[1,2]", "[1]", "/1", ["2"]),
        ('{"x":NaN}', "reject parse E", "/x", []),
        ("1", "2", "", []),
        ('["' + "a" * 600 + '",1]', '["' + "a" * 600 + '",2]', "/1", []),  # cut: not to be told
        ('{"__proto__":1}', '{"__proto__":2}', "/__proto__", ["1", "2"]),
    ],
)
def test_the_first_differing_place_is_marked(
    opened: Callable[[str], Page], before: str, after: str, pointer: str, marks: list[str]
) -> None:
    page = opened(gate_report(gate([change("c/1", "value-changed", before, after, pointer=pointer)]), "html"))
    assert page.locator("#overview mark").all_inner_texts() == marks


def test_hostile_texts_are_text(opened: Callable[[str], Page]) -> None:
    page = opened(gate_report(hostile(NASTY), "html"))
    for place in ("#overview", "#changes", "#compared"):
        to(page, place)
        assert (page.locator("script").count(), page.locator("img").count()) == (2, 0)
    to(page, "#changes")
    page.locator("#change-list a").first.click()
    page.wait_for_timeout(50)
    assert "</script><img" in page.inner_text("#detail")
    assert page.locator("img").count() == 0


def test_what_is_not_listed_is_counted(opened: Callable[[str], Page]) -> None:
    page = opened(gate_page(many(7), listed=3))
    text = to(page, "#changes")
    assert "4 changes more" in text
    assert "report.json" in text
    assert "3 changes of 3" in text
    assert "Not listed" not in gate_page(many(3), listed=3)


def test_nothing_changed(opened: Callable[[str], Page]) -> None:
    page = opened(gate_report(gate(), "html"))
    assert "Nothing reads differently in 1,999 cases" in page.inner_text("main")
    assert "0 changes of 0" in to(page, "#changes")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_axe_finds_nothing(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    text = gate_report(every_kind(), "html")
    assert violations(browser, tmp_path / "report.html", text, PLACES, width, scheme) == []


def test_long_texts_widen_no_page(browser: Browser, tmp_path: Path) -> None:
    text = gate_report(hostile("x" * 300), "html")
    found = violations(browser, tmp_path / "report.html", text, PLACES[:3], 390, "light")
    assert [each for each in found if each[0] == "wider than the screen"] == []
