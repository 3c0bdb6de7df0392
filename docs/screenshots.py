"""Pictures of the HTML report for the documents: `docs/screenshots.py REPORT` writes docs/images/."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parent / "images"
SHOTS = {"names": "#names", "pairs": "#pairs", "alike": "#alike"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def main() -> None:
    """A picture of each view, 1,100 pixels wide."""
    page_of = Path(sys.argv[1]).resolve().as_uri()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1100, "height": 760})
        page.goto(page_of)
        for name, place in SHOTS.items():
            page.evaluate("where => { location.hash = where }", place)
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / f"report-{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
