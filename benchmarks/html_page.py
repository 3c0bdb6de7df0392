"""The HTML page of a run in headless Chromium, beside an empty page; and one of the size of a survey.

python benchmarks/html_page.py [ROUNDS]

The default set over the built-in corpus; then the same ledger widened to 92 and to 150 subjects: copies of
the living ones, each of which answers one case in thirty as another subject does (seeded). Wall time, laid
out.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import measure

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from whichwins.run.view import LedgerView

WIDER = (92, 150)
MOST_MB = 2.0, 15.0
MOST_FIRST = 1500.0
MOST_STEP = 100.0
EMPTY = "<!DOCTYPE html><html lang=en><title>empty</title><p>empty</p></html>"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
]
STEP = """([where, what]) => {
  location.hash = where;
  document.body.offsetHeight;
  return new Promise((done) => setTimeout(() => {
    const begun = performance.now();
    if (what === "filter") {
      const field = document.getElementById("f-text");
      field.value = field.value ? "" : "quantity";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.offsetHeight;
      done(performance.now() - begun);
    } else if (what === "switch") {
      document.querySelector("input[name=measure]:not(:checked)").click();
      document.body.offsetHeight;
      done(performance.now() - begun);
    } else {
      addEventListener("hashchange", () => setTimeout(() => {
        document.body.offsetHeight;
        done(performance.now() - begun);
      }), { once: true });
      const cells = document.querySelectorAll("a.cell");
      cells[Math.min(40, cells.length - 1)].click();
    }
  }, 1000));
}"""


def ledger(folder: Path) -> LedgerView:
    """The default run."""
    from whichwins.cli import main
    from whichwins.run import read_ledger

    path = folder / "ledger.jsonl"
    out, sys.stdout = sys.stdout, sys.stderr
    code = main(["run", "-o", str(path)])
    sys.stdout = out
    if code:
        raise SystemExit(f"the run failed with {code}")
    return read_ledger(path)


def widened(view: LedgerView, count: int) -> LedgerView:
    """The same with so many subjects."""
    from whichwins.model import Outcome

    chance = random.Random(1)
    row = next(iter(view.observations.values()))
    live = [place for place, each in enumerate(row) if each.outcome is not Outcome.ABSENT]
    made = [(view.subjects[place], place) for place in live]
    while len(made) < count:
        place = live[len(made) % len(live)]
        made.append((f"{view.subjects[place]}-{len(made)}", place))
    made.sort()
    names = set(view.subjects)
    observations = {
        case: tuple(
            row[place] if key in names or chance.random() > 1 / 30 else row[chance.choice(live)]
            for key, place in made
        )
        for case, row in view.observations.items()
    }
    subjects = {key: view.identity(view.subjects[place]) for key, place in made}
    header: dict[str, Any] = {**view.header, "subjects": subjects}
    return replace(view, header=header, subjects=tuple(key for key, _ in made), observations=observations)


def opened(page: Page, path: Path) -> float:
    """Milliseconds until a page stands."""
    begun = time.monotonic()
    page.goto(path.as_uri(), wait_until="load")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return 1000 * (time.monotonic() - begun)


def measured(page: Page, empty: Path, path: Path) -> dict[str, float]:
    """One round: the empty page, the first view, a filter, a switch of the map, a click, in milliseconds."""
    found = {"empty": opened(page, empty), "first": opened(page, path)}
    found["filter"] = page.evaluate(STEP, ["#cases", "filter"])
    found["switch"] = page.evaluate(STEP, ["#pairs", "switch"])
    found["click"] = page.evaluate(STEP, ["#pairs", "click"])
    return found


def clustered(count: int = 160) -> float:
    """CPU seconds for the trees of so many subjects, whose pairs part at random (seeded)."""
    from whichwins.analysis.likeness import trees
    from whichwins.analysis.result import PairCell, PairMatrix

    chance = random.Random(1)
    cells: list[list[PairCell | None]] = [[None] * count for _ in range(count)]
    for row in range(count):
        for column in range(row):
            parts = (chance.randrange(400), chance.randrange(100), chance.randrange(100))
            cell = PairCell("a", "b", 2003, *parts, None, None, None)
            cells[row][column], cells[column][row] = cell, cell.flipped()
    matrix = PairMatrix(tuple(f"s/{place:03}" for place in range(count)), tuple(map(tuple, cells)))
    begun = time.process_time()
    trees(matrix)
    return time.process_time() - begun


def report(times: int) -> str:
    """The table."""
    from playwright.sync_api import sync_playwright

    from whichwins.analysis import casebook, compare
    from whichwins.report import comparison_page

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    rows = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        view = ledger(folder)
        (folder / "empty.html").write_text(EMPTY, "ascii")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        made_of = [("the default run", MOST_MB[0], view)]
        made_of += [(f"{count} subjects", MOST_MB[1], widened(view, count)) for count in WIDER]
        for title, most, one in made_of:
            begun = time.process_time()
            result = compare(one)
            path = folder / "report.html"
            path.write_text(comparison_page(result, casebook(one, result)), "ascii")
            made, size = time.process_time() - begun, path.stat().st_size / 1e6
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            measured(page, folder / "empty.html", path)
            rounds = measure.rounds(times, lambda: measured(page, folder / "empty.html", path))  # noqa: B023
            page.close()
            middle = measure.median_of(rounds)
            first = statistics.median(each["first"] - each["empty"] for each in rounds)
            met = all(
                value <= limit
                for value, limit in (
                    (size, most),
                    (first, MOST_FIRST),
                    (middle["filter"], MOST_STEP),
                    (middle["switch"], MOST_STEP),
                    (middle["click"], MOST_STEP),
                )
            )
            shown = [f"{size:.2f}", f"{most:g}", f"{made:.1f}", f"{middle['empty']:.0f}", f"{first:.0f}"]
            shown += [
                *(f"{middle[name]:.0f}" for name in ("filter", "switch", "click")),
                "yes" if met else "NO",
            ]
            rows.append([f"{title}, {len(one.cases):,} cases", *shown])
        browser.close()
    about = (
        f"Milliseconds in headless Chromium, median of {times}. Beyond an empty page at most "
        f"{MOST_FIRST:,.0f} for the first view; at most {MOST_STEP:.0f} for a filter, a switch of the "
        "map or a click on a cell. The wider pages are the first one with copies of its subjects, each "
        f"of which differs in one case of thirty. The trees of 160 subjects take {clustered():.2f} CPU s."
    )
    headers = [
        "",
        "MB",
        "at most",
        "made in CPU s",
        "empty page",
        "first view beyond",
        "filter",
        "switch",
        "cell",
        "met",
    ]
    return f"{about}\n\n{measure.table(rows, headers)}"


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
