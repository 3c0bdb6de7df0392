"""`docs/upgrades.md` is what its results say, and the results are what a new measurement gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.provision.asked import silent
from tests.upgrades.history import environment, here, script
from whichwins.corpus import load

UPGRADES, MISSED = script().known()
RESULTS: dict[str, Any] = script().results(UPGRADES)


def tables(results: dict[str, Any]) -> str:
    return str(script().page(UPGRADES, MISSED, results))


def test_the_page_is_fresh() -> None:
    made = script()
    page = made.PAGE.read_text("utf-8")
    assert made.insert(page, tables(RESULTS)) == page, "make upgrades"
    other = {**RESULTS, UPGRADES[0].id: {**RESULTS[UPGRADES[0].id], "changed": 77}}
    assert made.insert(page, tables(other)) != page


def test_no_result_is_left_over() -> None:
    made = script()
    assert {path.stem for path in made.RESULTS.iterdir()} == {one.id for one in UPGRADES}
    assert sum(path.stat().st_size for path in made.RESULTS.iterdir()) < 100_000


@pytest.mark.parametrize("upgrade", UPGRADES, ids=lambda one: one.id)
def test_the_results_are_true(upgrade: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus, kept = load(None), RESULTS[upgrade.id]
    found = here(upgrade, lambda: script().measure(upgrade, corpus, silent, environment(tmp_path_factory)))
    assert different(upgrade, kept, found) == [], "make upgrades"


def different(upgrade: Any, kept: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What two measurements of an upgrade do not share and should."""
    for side in ("before", "after"):
        was, now = kept[side]["runtime"], found[side]["runtime"]
        # Where the library is not the interpreter's own, its patch release is no matter.
        if was != now and not upgrade.python and was.startswith("CPython"):
            pytest.skip(f"no Python {was.split()[1]} here")
    same = (
        ["cases", "corpus", "compared"]
        if upgrade.varies
        else ["cases", "corpus", "compared", "changed", "groups"]
    )
    wrong = [key for key in same if kept[key] != found[key]]
    wrong += [side for side in ("before", "after") if kept[side]["libraries"] != found[side]["libraries"]]
    changes = any(case.before != case.after for case in upgrade.cases)
    wrong += ["whether anything changes"] if changes != bool(found["changed"]) else []
    return wrong


def test_a_false_result_is_noticed() -> None:
    upgrade = next(one for one in UPGRADES if one.id == "simplejson-3.18-4.3")
    kept = RESULTS[upgrade.id]
    assert different(upgrade, kept, kept) == []
    (group,) = kept["groups"]
    false: list[tuple[dict[str, Any], list[str]]] = [
        ({"changed": 11}, ["changed"]),
        ({"changed": 0}, ["changed", "whether anything changes"]),
        ({"corpus": "sha256:0"}, ["corpus"]),
        ({"groups": [{**group, "count": 11}]}, ["groups"]),
        ({"groups": [{**group, "before": "null"}]}, ["groups"]),
        ({"groups": [{**group, "keeps": []}]}, ["groups"]),
        ({"after": {**kept["after"], "libraries": {"simplejson": "4.2.0"}}}, ["after"]),
    ]
    for change, parts in false:
        assert different(upgrade, kept, {**kept, **change}) == parts
    elsewhere = {**kept, "before": {**kept["before"], "runtime": "CPython 3.11.0"}}
    assert different(upgrade, kept, elsewhere) == []


def test_what_the_page_shows() -> None:
    text = tables(RESULTS)
    lines = text.splitlines()
    (row,) = [line for line in lines if line.startswith("| `python/simplejson` 3.18.4 to 4.3.0 |")]
    for part in ("`NaN`", "10 newly rejected", "allow_nan=True", "SJ-PT-23-107", "CPython 3.11"):
        assert part in row
    (row,) = [line for line in lines if line.startswith("| `python/ujson` 5.3.0 to 5.4.0 |")]
    for part in ('`{"role":"user"}`', "winner changed", "CVE-2022-31116"):
        assert part in row
    assert "| 1,025 times `[`, closed | as it is | `reject parse JSONDecodeError` |" in text
    assert text.index("## Not reproduced") < text.index("json 3.0: the newest")
    # Cells of hostile inputs stay cells.
    widths = {line.replace("\\|", "").count("|") for line in lines if line.startswith("|")}
    assert widths == {8, 7, 5}
