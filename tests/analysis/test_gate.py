from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.analysis.views import view
from whichwins.analysis.change import changes, nothing
from whichwins.analysis.change_result import Changes, Gate
from whichwins.analysis.gate import judge
from whichwins.model import Allow, Keep, Place

TODAY = date(2025, 6, 15)
RUN = view(
    ("lib/x@1", "lib/x@2", "lib/xy@1", "lib/xy@2"),
    ("n/big", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]", "[1]", "[1]"]),
    ("s/comma", "[1,]", ["-", "[1]", "-", "[1]"]),
    ("s/comma-2", "[11,]", ["-", "[11]", "-", "-"]),
    ("s/stray", "[,]", ["-", "[]", "-", "-"]),
)
PAIRS = [("lib/x@1", "lib/x@2"), ("lib/xy@1", "lib/xy@2")]
IDENTITIES = {"lib/x@2": {"library": "x", "libraries": {"x": "3.10"}}}
RUN = replace(RUN, header={**RUN.header, "subjects": IDENTITIES})
ALL = {("lib/x", "n/big"), ("lib/x", "s/comma"), ("lib/x", "s/comma-2"), ("lib/x", "s/stray")}
ALL |= {("lib/xy", "s/comma")}


def found(keep: Keep | None = None) -> Changes:
    return changes(RUN, RUN, pairs=PAIRS, keeps={"lib/x": [keep]} if keep else {})


def allow(subject: str = "lib/x", case: str = "*", kind: str = "*", line: int = 1, **more: Any) -> Allow:
    file = more.pop("file", "whichwins.toml")
    return Allow(subject, case, kind, "known", Place(file, line), **more)


def judged(*allows: Allow, today: date = TODAY, **more: Any) -> Gate:
    given = {"demand_use": True, **more}
    return judge("check", "a title", found(), allows, today, **given)


def left(gate: Gate) -> set[tuple[str, str]]:
    return {(each.subject, each.case) for each in gate.changes.changes}


def test_without_exceptions_everything_is_a_finding() -> None:
    gate = judged()
    assert (gate.verb, gate.title, gate.excused, gate.lapses) == ("check", "a title", (), ())
    assert gate.changes == found()
    assert left(gate) == ALL
    assert gate.found
    assert not judge("diff", "t", nothing(), [], TODAY, demand_use=True).found


@pytest.mark.parametrize(
    ("entry", "covered"),
    [
        (allow(), {each for each in ALL if each[0] == "lib/x"}),
        (allow("lib/*"), ALL),
        (allow("lib/x?"), {("lib/xy", "s/comma")}),
        (allow(case="s/comma"), {("lib/x", "s/comma")}),
        (allow(case="s/comma*"), {("lib/x", "s/comma"), ("lib/x", "s/comma-2")}),
        (allow(kind="value-changed"), {("lib/x", "n/big")}),
        (allow(cause="number"), {("lib/x", "n/big")}),
        (allow("*", kind="newly-accepted", cause="syntax"), ALL - {("lib/x", "n/big")}),
        # What an exception that matches too much would cover:
        (allow("x"), set()),
        (allow("lib/"), set()),
        (allow("LIB/X"), set()),
        (allow("lib/x@2"), set()),
        (allow(case="comma"), set()),
        (allow(case="s"), set()),
        (allow(case="S/*"), set()),
        (allow(kind="newly-rejected"), set()),
        (allow(kind="newly"), set()),
        (allow(cause="syntax", kind="value-changed"), set()),
        (allow(cause="trailing comma"), set()),
    ],
)
def test_an_entry_covers_what_it_names_and_no_more(entry: Allow, covered: set[tuple[str, str]]) -> None:
    gate = judged(entry)
    assert left(gate) == ALL - covered
    excused = {(each.subject, each.case) for held in gate.excused for each in held.changes}
    assert excused == covered
    assert [lapse.kind for lapse in gate.lapses] == ([] if covered else ["allow-unused"])
    assert gate.found == (covered != ALL)


def test_groups_hold_what_is_left() -> None:
    keep = Keep("syntax", "use strict")
    gate = judge("upgrade", "t", found(keep), [allow(case="s/comma")], TODAY, demand_use=False)
    assert [(each.subject, each.cause.kind, each.count) for each in gate.changes.groups] == [
        ("lib/x", "precision", 1),
        ("lib/x", "stray comma", 1),
        ("lib/x", "trailing comma", 1),
        ("lib/xy", "trailing comma", 1),
    ]
    trailing = gate.changes.groups[2]
    assert (trailing.witness.case, trailing.keeps) == ("s/comma-2", ("use strict",))
    assert gate.changes.pairings == found().pairings
    everything = judged(allow("*"))
    assert (everything.changes.groups, everything.found) == ((), False)


def test_an_entry_holds_until_its_last_day_is_over() -> None:
    entry = allow("*", expires=TODAY)
    assert not judged(entry).found
    assert not judged(entry, today=date(2025, 6, 14)).found
    late = judged(entry, today=date(2025, 6, 16))
    assert left(late) == ALL
    assert late.excused == ()
    (lapse,) = late.lapses
    assert (lapse.kind, lapse.allow) == ("allow-expired", entry)
    assert lapse.why == "expired: its last day was 2025-06-15"


@pytest.mark.parametrize(
    ("until", "holds"), [("3.11", True), ("3.10.1", True), ("3.10", False), ("3.9", False), ("2", False)]
)
def test_an_entry_holds_while_the_library_is_older(until: str, holds: bool) -> None:
    gate = judged(allow(until_version=until))
    assert (("lib/x", "s/comma") not in left(gate)) == holds
    if holds:
        assert gate.lapses == ()
    else:
        (lapse,) = gate.lapses
        assert lapse.kind == "allow-expired"
        assert lapse.why == f"over: it held until version {until}, and lib/x is 3.10"


def test_versions_that_are_given_count_and_an_unknown_one_has_reached_nothing() -> None:
    entry = allow("lib/*", until_version="4")
    assert left(judged(entry, versions={"lib/x": "4.0", "lib/xy": "3"})) == ALL - {("lib/xy", "s/comma")}
    assert judged(entry, versions={"lib/x": "4.0", "lib/xy": "3"}).lapses == ()
    assert left(judged(entry, versions={"lib/xy": "5"})) == {("lib/xy", "s/comma")}
    both = judged(entry, versions={"lib/x": "4.0", "lib/xy": "5"})
    assert left(both) == ALL
    assert [lapse.why for lapse in both.lapses] == [
        "over: it held until version 4, and lib/x is 4.0, lib/xy is 5"
    ]


def test_the_first_entry_gets_the_change_and_shadows_the_next() -> None:
    first, second = allow("lib/x", line=3), allow("lib/x", "s/*", line=9)
    gate = judged(first, second, allow("lib/*", line=12))
    assert [(each.allow.place.line, len(each.changes)) for each in gate.excused] == [(3, 4), (12, 1)]
    (lapse,) = gate.lapses
    assert (lapse.kind, lapse.allow) == ("allow-unused", second)
    assert lapse.why == "unused: the entry before it in line 3 covers all that it matches"
    assert judged(second, first).lapses == ()


def test_what_shadows_may_be_several_and_in_another_file() -> None:
    entries = (
        allow("lib/x", "s/comma", line=3),
        allow("lib/x", "s/comma-2", file="pyproject.toml", line=5),
        allow("lib/x", "s/comma*", line=9),
    )
    (lapse,) = judged(*entries).lapses
    assert lapse.allow == entries[2]
    assert lapse.why.startswith("unused: the entry before it in line 3 and pyproject.toml, line 5 covers")
    # An entry that is over shadows nothing.
    expired = replace(entries[0], expires=date(2025, 1, 1), case="s/*")
    assert [lapse.kind for lapse in judged(expired, entries[2]).lapses] == ["allow-expired"]


def test_what_covers_nothing_is_a_finding_of_a_check() -> None:
    unused, stranger = allow(case="n/other", line=4), allow("lib/gone", line=5)
    gate = judged(unused, stranger)
    assert [(each.allow.place.line, each.why) for each in gate.lapses] == [
        (4, "unused: no change matches it"),
        (5, "unused: no subject of this run is lib/gone"),
    ]
    clean = judge("check", "t", nothing(), [unused], TODAY, demand_use=True)
    assert clean.found


def test_an_upgrade_asks_for_no_use_and_looks_at_its_own_subjects_only() -> None:
    entries = (
        allow(case="n/other"),
        allow("lib/gone"),
        allow("lib/gone", expires=date(2025, 1, 1)),
        allow("lib/x", "n/other", expires=date(2025, 1, 1), line=7),
    )
    gate = judged(*entries, demand_use=False)
    assert [(each.kind, each.allow.place.line) for each in gate.lapses] == [("allow-expired", 7)]
    assert [each.kind for each in judged(*entries).lapses].count("allow-expired") == 2


def test_places_go_through() -> None:
    places = {"lib/x": Place("requirements.txt", 4)}
    assert judged(places=places).places == places
