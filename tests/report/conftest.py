"""A real browser, and pages in it that may say nothing on their console and ask nobody."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), MAC if Path(MAC).exists() else None)
    if found is None:
        pytest.skip("no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """Opens a page; at the end nothing may have been said on its console."""
    said: list[str] = []
    pages: list[Page] = []

    def show(text: str) -> Page:
        path = tmp_path / f"report{len(pages)}.html"
        path.write_text(text, encoding="ascii")
        page = browser.new_page()
        pages.append(page)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url) if request.url[:5] != "file:" else None)
        page.goto(path.as_uri())
        return page

    yield show
    for page in pages:
        page.close()
    assert said == []
