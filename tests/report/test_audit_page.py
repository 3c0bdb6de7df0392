"""The HTML page of an audit in a real browser: the stack, a request on its way, hidden values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.report.audits import boundary, everything, finding, hostile, line, order, result, stack
from tests.report.browsing import SCHEMES, stands_alone, to, violations
from tests.report.hostile import PACKED
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.result import AuditResult, CaseLine
from whichwins.report import audit_report
from whichwins.report.audit_page import audit_page
from whichwins.report.veil import Veil

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NASTY = '</script><img src=x onerror=alert(1)>"\u2028__proto__\0'


def html(of: AuditResult, **more: Any) -> str:
    return audit_report(of, "html", **more)


def walked() -> AuditResult:
    """A gateway that hands on, a screen and a tool behind it that runs twice, a log that cannot be seen."""
    boundaries = (
        boundary("gateway", "store"),
        boundary("screen", "reviewer", reads="gateway"),
        boundary("tool", "executor", reads="gateway"),
        boundary("log", "logger", raw=False, guarantee="one parse"),
    )
    passages = {
        "c/twice": {
            "gateway": Passage(Passed.ACCEPTED, '{"secret":20}', emitted=b'{"secret":20}'),
            "screen": Passage(Passed.REJECTED, signal="http 400"),
            "tool": Passage(Passed.ACCEPTED, '{"secret":20}', executions=('{"secret":20}',) * 2),
            "log": Passage(Passed.ACCEPTED, executions=None),
        },
        "c/never": {"gateway": Passage(Passed.REJECTED)},
    }
    return result(
        finding("ran-not-once", "c/twice", boundary="tool"),
        stack=stack(*boundaries),
        lines=(
            line("gateway", "store", losses={"occurrence": 1}),
            line("screen", reads="gateway"),
            line("tool", "executor", reads="gateway", executions=2),
            line("log", "logger", executions=None, unverified=True, why="it is fed parsed objects"),
        ),
        verdicts={1: "holds", 2: "broken", 3: "holds", 4: "unknown", 5: "holds"},
        passages=passages,
        requests={
            "c/twice": CaseLine(
                28, "reject", "names once", {"gateway": "occurrence"}, b'{"secret":2,"secret":20}'
            ),
            "c/never": CaseLine(2, "reject", "", {}, b"{]"),
        },
    )


@pytest.mark.parametrize("odd", PACKED)
def test_any_content_is_the_same_bytes_twice(odd: str) -> None:
    for shown in (True, False):
        text = html(hostile(odd), show_values=shown)
        assert text == html(hostile(odd), show_values=shown)
        assert stands_alone(text)
        assert "##" not in text


def test_verdicts_are_told_apart_by_more_than_colour(opened: Callable[[str], Page]) -> None:
    page = opened(html(walked()))
    said = [each.inner_text().split()[:2] for each in page.locator(".verdicts .state").all()]
    assert said == [
        ["\u2713", "holds"],
        ["\u2715", "broken"],
        ["\u2713", "holds"],
        ["?", "unknown"],
        ["\u2713", "holds"],
    ]
    page.locator(".verdicts a").click()
    page.wait_for_timeout(50)
    assert page.inner_text("#h-detail") == "c/twice"


def test_the_stack_is_a_path(opened: Callable[[str], Page]) -> None:
    page = opened(html(walked()))
    # Two read the request; two read what the gateway handed on.
    names = "#stack > .stack > ol > li > .box .who b"
    assert page.locator(names).all_inner_texts() == ["gateway", "log"]
    under = "#stack > .stack > ol > li > ol > li > .box .who b"
    assert page.locator(under).all_inner_texts() == ["screen", "tool"]
    assert "executions: unknown" in page.locator("#stack li", has_text="log").last.inner_text()
    assert "unverified: it is fed parsed objects" in page.inner_text("#stack")


def test_a_request_walks_through_the_stack(opened: Callable[[str], Page]) -> None:
    page = opened(html(walked(), show_values=True))
    to(page, "#request=c/twice")
    boxes = {box.locator(".who b").inner_text(): box for box in page.locator("#detail li > .box").all()}
    assert list(boxes) == ["gateway", "screen", "tool", "log"]
    # The first lossy boundary alone is marked.
    assert [name for name, box in boxes.items() if box.get_attribute("data-lost")] == ["gateway"]
    assert "an occurrence of a repeated name is lost here" in boxes["gateway"].inner_text()
    assert "executed 2 times" in boxes["tool"].inner_text()
    assert "executions unknown" in boxes["log"].inner_text()
    assert "rejected, http 400" in boxes["screen"].inner_text()
    assert "executed" not in boxes["screen"].inner_text()
    assert '{"secret":20}' in boxes["gateway"].inner_text()
    assert "verdict 2" in page.inner_text("#detail")
    # On to the next one, which got no further than the gateway.
    page.locator(".steps a", has_text="next").click()
    page.wait_for_timeout(50)
    assert page.inner_text("#h-detail") == "c/never"
    assert page.locator("#detail .box[data-lost]").count() == 0
    assert "executed" not in page.locator("#detail li > .box", has_text="tool").inner_text()


def test_requests_are_found_by_what_they_break(opened: Callable[[str], Page]) -> None:
    page = opened(html(walked()))
    to(page, "#path")
    assert page.inner_text("#f-count") == "2 requests of 2"
    page.select_option("#f-verdict", "2")
    assert page.inner_text("#f-count") == "1 request of 2"
    page.select_option("#f-verdict", "1")
    assert page.inner_text("#f-count") == "0 requests of 2"
    page.select_option("#f-verdict", "none")
    assert "c/never" in page.inner_text("#request-list")
    page.select_option("#f-verdict", "")
    page.select_option("#f-lost", label="gateway")
    assert page.inner_text("#f-count") == "1 request of 2"


@pytest.mark.parametrize("of", [walked(), order(), everything()])
def test_nothing_is_in_the_page_that_the_other_formats_hide(of: AuditResult) -> None:
    hidden, shown = html(of), html(of, show_values=True)
    for text in ("secret", '"quantity', "&#34;quantity", '\\"quantity', "7b2273", "7b2271", "7b 22 71"):
        assert text not in hidden
    assert "--show-values" in hidden
    assert "--show-values" not in shown.partition("<script")[0].partition("Values are left out")[2]


def test_hidden_values_are_named_as_in_the_other_formats(opened: Callable[[str], Page]) -> None:
    key = b"0123456789abcdef"
    page = opened(html(order(), key=key))
    text = to(page, "#request=repeated/quantity")
    said = json.loads(audit_report(order(), "json", everything=True, key=key))
    ran = said["passages"]["repeated/quantity"]["executor"]["executions"][0]
    assert ran.startswith("value ")
    assert ran in text


def test_hostile_texts_are_text(opened: Callable[[str], Page]) -> None:
    page = opened(html(hostile(NASTY), show_values=True))
    for place in ("#overview", "#path", "#findings", "#boundaries"):
        to(page, place)
        assert (page.locator("script").count(), page.locator("img").count()) == (2, 0)
    to(page, "#path")
    page.locator("#request-list a").first.click()
    page.wait_for_timeout(50)
    assert "</script><img" in page.inner_text("#detail")
    assert page.locator("img").count() == 0


def test_what_is_not_listed_is_counted(opened: Callable[[str], Page]) -> None:
    page = opened(audit_page(walked(), Veil(False), listed=1))
    text = to(page, "#path")
    assert "1 request more" in text
    assert "c/twice" in text  # what breaks something comes first
    assert "c/never" not in text


def test_no_path_where_nothing_was_kept(opened: Callable[[str], Page]) -> None:
    page = opened(html(replace(everything(), passages={})))
    assert "0 requests of 0" in to(page, "#path")
    assert "verdicts are broken" in to(page, "#overview")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_axe_finds_nothing(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    path = tmp_path / "report.html"
    places = ("#overview", "#path", "#findings", "#boundaries", "#request=c/twice")
    assert violations(browser, path, html(walked()), places, width, scheme) == []
    assert violations(browser, path, html(everything()), places[:4], width, scheme) == []


def test_long_texts_widen_no_page(browser: Browser, tmp_path: Path) -> None:
    text = html(hostile("x" * 300), show_values=True)
    places = ("#overview", "#path", "#findings", "#boundaries")
    found = violations(browser, tmp_path / "report.html", text, places, 390, "light")
    assert [each for each in found if each[0] == "wider than the screen"] == []
