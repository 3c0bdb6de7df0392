"""Workflow commands: read back as GitHub's runner reads them; and the step's summary."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.gates import allow, change, every_kind, gate, hostile, many, pairing
from tests.report.hostile import ODD, TEXTS, seen
from whichwins.analysis.change_result import Excused, Lapse
from whichwins.analysis.result import CAUSES, Cause
from whichwins.model import Place
from whichwins.report import gate_report, github_summary

MIB = 1_048_576


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    message: str


def unescaped(text: str, *more: tuple[str, str]) -> str:
    for spelled, meant in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(spelled, meant)
    return text


def commands(output: str) -> list[Command]:
    """The commands in a step's output, as the runner takes lines apart. AssertionError for any other line."""
    assert re.fullmatch(r"[ -~\n]*", output)
    assert output.endswith("\n")
    found = []
    for line in output.removesuffix("\n").split("\n"):
        assert line.startswith("::"), line
        head, end, message = line[2:].partition("::")
        assert end
        assert "::" not in message, "the start of a command within a line"
        assert not re.search(r"##[\[A-Za-z]", line)
        name, _, rest = head.partition(" ")
        properties = {}
        for part in filter(None, rest.split(",")):
            key, equals, value = part.partition("=")
            assert equals
            assert key not in properties
            properties[key] = unescaped(value, ("%3A", ":"), ("%2C", ","))
        assert set(properties) <= {"file", "line", "title"}
        found.append(Command(name, properties, unescaped(message)))
    return found


def test_by_hand() -> None:
    cause = Cause("number", "range", "")
    judged = gate(
        [change("n/a", "newly-rejected", "[1, 100%]", "reject parse E", cause, data=b"[1]\n", pointer="/0")],
        keeps={"number": ("loads(big=True)",)},
        places={"python/orjson": Place("a,b:c.lock", 9)},
        excused=(Excused(allow("we know"), (change("n/b", "recovered", "1", "2"),)),),
        lapses=(Lapse("allow-expired", allow(line=30), "since May"),),
        notes=("slower",),
    )
    assert gate_report(judged, "github") == (
        "::error file=a%2Cb%3Ac.lock,line=9,title=python/orjson%3A newly rejected%2C number (range)%3A 1 case"
        "::case: n/a%0Ainput: [1]\\u{A}%0Abefore: [1, 100%25]%0Aafter: reject parse E%0Adiffers at: /0%0A"
        "to keep the old: loads(big=True)\n"
        "::warning file=whichwins.toml,line=30,title=Exception expired::"
        "this exception is no longer valid: since May%0Acovers: newly-rejected of python/orjson in numbers/*"
        "%0Areason: known since May\n"
        "::notice file=whichwins.toml,line=12,title=1 change excused::"
        "reason: we know%0Acovers: newly-rejected of python/orjson in numbers/*\n"
        "::notice title=Notes::slower\n"
    )
    first = commands(gate_report(judged, "github"))[0]
    assert first.properties["file"] == "a,b:c.lock"
    assert first.message.split("\n")[1:3] == ["input: [1]\\u{A}", "before: [1, 100%]"]


def test_nothing_changed_is_a_notice() -> None:
    (one,) = commands(gate_report(gate(pairings=[pairing()]), "github"))
    assert one == (
        "notice",
        {"title": "whichwins"},
        "Nothing reads differently in 1,999 cases: python/orjson 3.9.15 to 3.13.0\n"
        "CPython 3.11.7: orjson 3.9.15 to orjson 3.13.0",
    )


def test_what_was_not_measured_is_an_error() -> None:
    lines = tuple(f"python/p{n}: absent" for n in range(8))
    (one,) = commands(gate_report(gate(pairings=[pairing()], incomplete=lines), "github"))
    assert (one.name, one.properties["title"]) == ("error", "Not everything was measured")
    assert one.message.split("\n") == [*lines[:5], "3 lines more."]


def test_ten_of_each_type_and_the_last_counts_the_rest() -> None:
    changes = [change(f"n/{c}", "value-changed", "1", "2", c) for c in CAUSES]
    changes += [change(f"m/{c}", "newly-failing", "1", "2", c) for c in CAUSES]
    changes.append(change("n/second", "value-changed", "1", "2", CAUSES[-1]))
    lapses = tuple(Lapse("allow-unused", allow(line=n), "") for n in range(1, 13))
    excused = tuple(Excused(allow(line=n), ()) for n in range(1, 11))
    found = commands(gate_report(gate(changes, lapses=lapses, excused=excused), "github"))
    assert [one.name for one in found] == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10
    titles = [one.properties["title"] for one in found]
    assert all("newly failing" in title for title in titles[:9])
    assert titles[9] == "15 more"
    assert found[9].message == "15 annotations more, for 16 findings: the summary has them."
    assert found[19].message == "3 annotations more, for 3 findings: the summary has them."
    assert titles[29] == "0 changes excused"  # ten exactly: none is left out


@pytest.mark.parametrize("odd", ODD)
def test_each_odd_text_stays_in_its_place(odd: str) -> None:
    harmless = [(one.name, set(one.properties)) for one in commands(gate_report(hostile("x"), "github"))]
    assert [
        (one.name, set(one.properties)) for one in commands(gate_report(hostile(odd), "github"))
    ] == harmless


@given(TEXTS | st.text(":%#,=[]\r\n", max_size=12))
@settings(max_examples=150, deadline=None)
def test_any_text_stays_in_its_place(text: str) -> None:
    expected = [name for name in ("error", "warning", "notice") for _ in range(10)]
    found = [one.name for one in commands(gate_report(hostile(text), "github"))]
    assert found == [*expected[:10], "warning", "warning", "warning", "notice", "notice"]


FAULTS = ["::stop::x\n", "::error::a::error::b\n", "x\n", "::error title=a,title=b::c\n", "::error ::##[x]\n"]


@pytest.mark.parametrize("fault", FAULTS[1:])
def test_the_reader_finds_planted_faults(fault: str) -> None:
    commands(FAULTS[0])
    with pytest.raises(AssertionError):
        commands(fault)


def test_a_huge_value_makes_no_huge_annotation() -> None:
    output = gate_report(hostile("\U0010ffff" * 200_000), "github")
    assert all(len(line) < 32_768 for line in output.split("\n"))


def test_a_summary_of_many_changes_is_cut_and_says_so() -> None:
    whole = github_summary(every_kind(), MIB)
    assert "Shortened" not in whole
    assert whole.count("before") > 11
    judged = many(100_000)
    for limit in (MIB, 100_000):
        shown = github_summary(judged, limit)
        assert limit * 0.8 < len(shown.encode()) <= limit
        listed = len(re.findall(r"^\| `n/[0-9]+` +\| value changed, number ", shown, re.MULTILINE))
        assert f"{100_000 - listed:,} changes more: the JSON report has all." in shown
        assert "Shortened to fit where it is posted: each list has " in shown
    rows = [row for block in seen(shown, folds=True) for row in block.rows]
    assert sum(row[0].startswith("n/") for row in rows) == listed


@pytest.mark.parametrize("odd", ["\U0010ffff", "`", "|", "@x ", "::error::", "</details>\n", "<"])
def test_a_summary_of_huge_hostile_values(odd: str) -> None:
    judged = hostile(odd * 100_000)
    for limit in (MIB, 30_000, 5_000):
        shown = github_summary(judged, limit)
        assert 0 < len(shown.encode()) <= limit
        seen(shown, folds=True)
        assert "## What changed" in shown or limit < MIB


@given(st.integers(-10, 6000), st.sampled_from(["x", "|`", "</details>", "\U0010ffff" * 50]))
@settings(max_examples=60, deadline=None)
def test_a_summary_is_never_longer_than_its_limit(limit: int, odd: str) -> None:
    for judged in (hostile(odd), many(40)):
        shown = github_summary(judged, limit)
        assert len(shown.encode()) <= max(limit, 0)
        seen(shown, folds=True)
        assert shown.startswith("# ") or not shown


def test_the_verdict_survives_the_longest() -> None:
    shown = github_summary(many(40), 200)
    assert shown.startswith("# 40 of 40 cases read differently: python/orjson 3.9.15 to 3.13.0\n")
    assert "the JSON report has all" in shown
    assert github_summary(many(40), 10) == ""
