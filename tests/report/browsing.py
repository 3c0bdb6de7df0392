"""What the tests of every page do alike: go to a place, ask axe, look at the markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCHEMES: list[Literal["light", "dark"]] = ["light", "dark"]


LONG_LINES = """() => [...document.querySelectorAll("main p, main li, main dd")]
  .some((each) => !each.closest(".groups, .figures, .legend, .members, .stack, .verdicts, .sides, td")
    && each.getBoundingClientRect().width > 60 * parseFloat(getComputedStyle(each).fontSize))"""
ONE_COLUMN = """() => [...document.querySelectorAll(".beside")].some((each) => each.offsetParent !== null
  && each.children.length > 1 && each.children[0].offsetLeft === each.children[1].offsetLeft)"""


def to(page: Page, place: str) -> str:
    """Go to a place of the page; what a person reads there."""
    page.evaluate("where => { location.hash = where }", place)
    page.wait_for_timeout(50)
    return page.inner_text("main")


def violations(
    browser: Browser,
    path: Path,
    text: str,
    places: Sequence[str],
    width: int,
    scheme: Literal["light", "dark"],
) -> list[tuple[str, str]]:
    """What axe finds, by place, and where the page does not fit the screen."""
    from axe_core_python.sync_playwright import Axe

    path.write_text(text, encoding="ascii")
    # axe brings a script of its own, which the page would not let in.
    context = browser.new_context(
        bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.goto(path.as_uri())
    found: list[tuple[str, str]] = []
    for place in places:
        to(page, place)
        found += [(each["id"], place) for each in Axe().run(page)["violations"]]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(("wider than the screen", place))
        if page.evaluate(LONG_LINES):
            found.append(("lines too long to read", place))
        if width >= 2000 and page.evaluate(ONE_COLUMN):
            found.append(("one column on a wide screen", place))
    context.close()
    return found


def stands_alone(text: str) -> bool:
    """Whether a page is ASCII and refers to nothing but itself."""
    return text.isascii() and not re.search(r"(?:src|href)=\"(?!#)", text)
