"""What a judged change says, as text, Markdown and JSON, by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from tests.report.gates import allow, change, every_kind, gate, many, pairing
from tests.report.hostile import seen
from whichwins.analysis.change_result import KINDS, Excused, Gate, Lapse
from whichwins.analysis.result import CAUSES, Cause
from whichwins.model import Place
from whichwins.report import gate_report
from whichwins.report.change import CAUSES_SAID, MEANINGS, named, verdict

RANGE = Cause("number", "range", "a number whose range some do not take")
DEPTH = Cause("depth", "", "nesting is deeper than some accept")
WINNERS = Cause("repeated name", "different winners", "a name repeats in its object: first, last")
REJECT = "reject parse JSONDecodeError"


def typical() -> Gate:
    """An upgrade with four findings in three groups, one change excused."""
    changes = [
        change(
            "repeated/q",
            "winner-changed",
            '{"q":1}',
            '{"q":2}',
            WINNERS,
            data=b'{"q":1,"q":2}',
            pointer="/q",
            winners=("first", "last"),
        ),
        change("numbers/2-64", "newly-rejected", "[1.8e+19]", REJECT, RANGE, data=b"[18446744073709551616]"),
        change("numbers/2-65", "newly-rejected", "[3.7e+19]", REJECT, RANGE, data=b"[36893488147419103232 ]"),
        change("depth/4", "newly-failing", "[[[[]]]]", "crash SIGSEGV", DEPTH, data=b"[[[[]]]]"),
    ]
    lone = change("surrogates/a", "newly-rejected", '"\\ud800"', REJECT)
    until = allow("no lone surrogates here", case="surrogates/*", expires=date(2027, 3, 31))
    return gate(
        changes,
        pairings=[pairing(changed=5, dimensions={"type": 3})],
        keeps={"number": ("orjson.loads(data, big=True)",)},
        excused=(Excused(until, (lone,)),),
        notes=("12 % slower",),
        places={"python/orjson": Place("requirements.txt", 14)},
    )


def test_an_upgrade_as_text() -> None:
    assert (
        gate_report(typical(), "text", 100)
        == """\
4 of 1,999 cases read differently: python/orjson 3.9.15 to 3.13.0
=================================================================

1 newly failing, 1 winner changed, 2 newly rejected, 1 excused.

        subject               version                        entry point          compared  changed
------  --------------------  -----------------------------  -------------------  --------  -------
before  python/orjson@3.9.15  orjson 3.9.15, CPython 3.11.7  orjson.loads(bytes)
after   python/orjson@3.13.0  orjson 3.13.0, CPython 3.11.7  orjson.loads(bytes)     1,999        5

Compared under value/1. Equal under it and yet different in: type 3.

What changed
------------

change          cause                              cases  smallest witness
--------------  ---------------------------------  -----  ----------------
newly failing   depth                                  1  depth/4
winner changed  repeated name (different winners)      1  repeated/q
newly rejected  number (range)                         2  numbers/2-64

Newly failing, depth: 1 case
----------------------------

case    depth/4
input   [[[[]]]]
before  [[[[]]]]
after   crash SIGSEGV
cause   nesting is deeper than some accept

Winner changed, repeated name (different winners): 1 case
---------------------------------------------------------

case        repeated/q
input       {"q":1,"q":2}
before      {"q":1}
after       {"q":2}
differs at  /q
winner      first -> last
cause       a name repeats in its object: first, last

Newly rejected, number (range): 2 cases
---------------------------------------

case          numbers/2-64
input         [18446744073709551616]
before        [1.8e+19]
after         reject parse JSONDecodeError
cause         a number whose range some do not take
keep the old  orjson.loads(data, big=True)

Excused
-------

cases  reason                   how long          covers                           exception
-----  -----------------------  ----------------  -------------------------------  -----------------
    1  no lone surrogates here  until 2027-03-31  newly-rejected of python/orjson  whichwins.toml:12
                                                  in surrogates/*

Notes
-----

- 12 % slower

Every change: --all, or -o report.md.
"""
    )


def test_everything_lists_every_change() -> None:
    whole = gate_report(typical(), "text", 110, everything=True)
    digest = gate_report(typical(), "text", 110)
    assert digest.removesuffix("Every change: --all, or -o report.md.\n") in whole
    assert whole.endswith(
        """\
Every change
------------

case          change                                                     sees
------------  -------------------------------------------------  ------  ----------------------------
depth/4       newly failing, depth                               before  [[[[]]]]
                                                                 after   crash SIGSEGV
repeated/q    winner changed, repeated name (different winners)  before  {"q":1}
                                                                 after   {"q":2}
numbers/2-64  newly rejected, number (range)                     before  [1.8e+19]
                                                                 after   reject parse JSONDecodeError
numbers/2-65  newly rejected, number (range)                     before  [3.7e+19]
                                                                 after   reject parse JSONDecodeError
"""
    )


def test_an_upgrade_as_markdown() -> None:
    short = [replace(pairing("a/b", "1", "2", 10, 1), before_identity={}, after_identity={"runtime": "R 2"})]
    lone = change("x/y", "value-changed", "[1]", "[2]", RANGE, data=b"[1 ]", pointer="/0", subject="a/b")
    small = gate([lone], pairings=short, title="a/b 1 to 2")
    assert (
        gate_report(small, "markdown")
        == """\
# 1 of 10 cases reads differently: a/b 1 to 2

|        | subject   | version   | entry point   |   compared |   changed |
|:-------|:----------|:----------|:--------------|-----------:|----------:|
| before | `a/b@1`   |           | (empty)       |            |           |
| after  | `a/b@2`   | R 2       | (empty)       |         10 |         1 |

Compared under value/1.

## What changed

| change        | cause          |   cases | smallest witness   |
|:--------------|:---------------|--------:|:-------------------|
| value changed | number (range) |       1 | `x/y`              |

<details>
<summary>The smallest witness of each</summary>

### Value changed, number (range): 1 case

|            |                                       |
|:-----------|:--------------------------------------|
| case       | `x/y`                                 |
| input      | `[1 ]`                                |
| before     | `[1]`                                 |
| after      | `[2]`                                 |
| differs at | `/0`                                  |
| cause      | a number whose range some do not take |

</details>
"""
    )


def test_nothing_changed() -> None:
    quiet = gate(pairings=[pairing()])
    assert (
        gate_report(quiet, "text", 100)
        == """\
Nothing reads differently in 1,999 cases: python/orjson 3.9.15 to 3.13.0
========================================================================

        subject               version                        entry point          compared  changed
------  --------------------  -----------------------------  -------------------  --------  -------
before  python/orjson@3.9.15  orjson 3.9.15, CPython 3.11.7  orjson.loads(bytes)
after   python/orjson@3.13.0  orjson 3.13.0, CPython 3.11.7  orjson.loads(bytes)     1,999        0

Compared under value/1.
"""
    )


def test_a_green_gate_says_what_it_stood_for() -> None:
    """Versions and interpreters, of every subject, in the digest of a check in which nothing changed."""
    some = [
        pairing("python/orjson", "3.13.0", "3.13.0"),
        pairing("python/orjson-more", "3.13.0", "3.13.0"),
        pairing("python/ujson", "5.7.0", "6.1.0"),
        replace(pairing("node/json"), before_identity={}, after_identity={"runtime": "Node.js 20.1.0"}),
    ]
    judged = gate(pairings=some, verb="check", title="whichwins.lock")
    assert (
        "4 subjects without a change.\n\n- CPython 3.11.7: orjson 3.13.0, orjson 5.7.0 to orjson 6.1.0\n"
        in (gate_report(judged, "text", 100))
    )
    assert "- Node.js 20.1.0: node/json\n" in gate_report(judged, "text", 100)
    assert "%0ACPython 3.11.7: orjson 3.13.0, orjson 5.7.0 to orjson 6.1.0%0ANode.js 20.1.0: node/json\n" in (
        gate_report(judged, "github")
    )
    for form in ("markdown", "json"):
        assert all(
            said in gate_report(judged, form) for said in ("3.13.0", "CPython 3.11.7", "Node.js 20.1.0")
        )


def test_a_digest_leaves_out_subjects_without_a_change() -> None:
    keys = ("a/one", "b/two", "c/three")
    some = [pairing(key, "1", "1", 10, int(key == "b/two")) for key in keys]
    some = [replace(one, before=one.subject, after=one.subject) for one in some]
    judged = gate(
        [change("x/y", "recovered", "crash", "[1]", subject="b/two")], pairings=some, title="3 subjects"
    )
    text = gate_report(judged, "text", 100)
    assert text.startswith("1 of 30 answers reads differently: 3 subjects\n")
    assert "both  b/two    orjson 1, CPython 3.11.7  orjson.loads(bytes)        10        1" in text
    assert "2 subjects without a change." in text
    assert "b/two    recovered  number      1  x/y" in text
    assert "b/two: recovered, number: 1 case\n" in text
    assert "a/one" not in text
    assert "a/one" in gate_report(judged, "text", 100, everything=True)
    assert "a/one" in gate_report(judged, "markdown")


WORDS = [
    (gate(pairings=[]), "Nothing was compared"),
    (gate(pairings=[pairing(compared=1)]), "Nothing reads differently in 1 case"),
    (gate(pairings=[pairing(), pairing("x/y")]), "Nothing reads differently in 3,998 answers"),
    (
        gate(pairings=[pairing()], excused=(Excused(allow(), (change("a/b", "vanished", "1", ""),)),)),
        "Nothing reads differently in 1,999 cases, but for 1 excused",
    ),
    (
        gate(pairings=[pairing()], incomplete=("x",)),
        "Nothing reads differently in 1,999 cases, not everything was measured",
    ),
    (gate(pairings=[pairing()], lapses=(Lapse("allow-unused", allow(), ""),)), "1 exception unused"),
    (gate([change("a/b", "new-split", "", "")]), "1 new split"),
    (gate([change(f"a/{n}", "input-changed", "", "") for n in "bc"]), "2 inputs changed"),
    (gate([change(f"a/{n}", "vanished", "[1]", "") for n in "bc"]), "2 answers vanished"),
    (
        gate([change("a/b", "vanished", "", ""), change("a/c", "refused-otherwise", "", "")]),
        "1 of 1,999 cases reads differently, 1 answer vanished",
    ),
    (gate([change("a/b", "recovered", "", "")], pairings=[]), "1 case reads differently"),
]


@pytest.mark.parametrize(("judged", "said"), WORDS)
def test_the_verdict_stands_in_the_first_line(judged: Gate, said: str) -> None:
    assert verdict(judged) == said
    assert gate_report(judged, "text", 120).startswith(f"{said}: python/orjson 3.9.15 to 3.13.0\n")
    assert gate_report(judged, "markdown").startswith(f"# {said}: python/orjson 3.9.15 to 3.13.0\n")
    assert json.loads(gate_report(judged, "json"))["verdict"] == said


def test_every_kind_is_reported() -> None:
    text = gate_report(every_kind(), "text", 120, everything=True)
    for place, kind in enumerate(KINDS):
        words = kind.replace("-", " ")
        cause = CAUSES[place]
        assert f"{words[0].upper()}{words[1:]}, {cause}: 1 case\n" in text
        assert f"c/{place:02}-{kind}" in text
    for said in (
        "8 of 1,999 cases read differently, 1 new split, 1 input changed, 1 answer vanished, ",
        "1 exception expired, 1 exception unused, not everything was measured",
        "Not measured\n------------\n\n- python/ujson: absent: no module named ujson",
        "The corpora differ. Before: 10 cases, sha256:1; after: 12 cases, sha256:2; 9 are in both.",
        "memory   1       (none)",
        "timeout  10      20",
        "Exceptions to look at",
        "whichwins.toml:20  this exception is no longer valid: since 2026-01-03",
        "whichwins.toml:25  this exception is not needed: it covers no change",
        "until 2027-03-31, before version 3.14",
        "- the interpreters differ",
        "input   3 bytes, left out",
        "after   (nothing)",
    ):
        assert said in text or said in text.replace("\n", " "), said


def test_failures_come_first() -> None:
    text = gate_report(every_kind(), "text", everything=True)
    titles = [line for line in text.split("\n") if line.endswith(": 1 case")]
    assert [line.partition(",")[0] for line in titles[:2]] == ["Newly failing", "Winner changed"]
    assert len(titles) == len(KINDS) == len(MEANINGS)
    assert set(KINDS) == set(MEANINGS)
    assert set(CAUSES) == set(CAUSES_SAID)


def test_a_digest_is_cut_and_says_so() -> None:
    causes = [Cause("number", f"k{n:02}", "") for n in range(30)]
    judged = gate([change(f"n/{c.kind}", "value-changed", "1", "2", c) for c in causes])
    text = gate_report(judged, "text")
    assert "10 groups with 10 cases more: --all lists them." in text
    assert "n/k19" in text
    assert "n/k20" not in text
    assert "n/k29" in gate_report(judged, "text", everything=True)


def test_a_comment_fits_github_and_says_what_it_cut() -> None:
    for count in (100, 1000, 20_000):
        shown = gate_report(many(count), "markdown")
        assert len(shown) < 65_536
        assert shown.startswith(f"# {count:,} of {count:,} cases read differently: ")
        lines = [row for block in seen(shown, folds=True) for row in block.rows]
        left = count - sum(row[0].startswith("n/") for row in lines)
        if count == 100:
            assert left == 0
            assert "Shortened" not in shown
        else:
            assert f"{left:,} changes more: the JSON report has all." in shown
            assert len(shown) > 50_000
            assert "Shortened to fit where it is posted: each list has " in shown


def test_json_is_whole() -> None:
    said = json.loads(gate_report(every_kind(), "json"))
    assert (said["report"], said["version"], said["verb"], said["found"]) == ("gate", 1, "check", True)
    assert [one["kind"] for one in said["changes"]["changes"]] == list(KINDS)
    assert said["changes"]["changes"][0]["data"] == {"hex": b'{"q":1,"q":2}'.hex()}
    assert said["changes"]["changes"][0]["winners"] == ["first", "last"]
    assert said["excused"][0]["allow"]["expires"] == "2027-03-31"
    assert said["excused"][0]["allow"]["place"] == {"file": "whichwins.toml", "line": 12}
    assert said["excused"][0]["changes"][0]["case"] == "numbers/known"
    assert [one["kind"] for one in said["lapses"]] == ["allow-expired", "allow-unused"]
    assert said["places"] == {"python/orjson": {"file": "requirements/prod.txt", "line": 7}}
    assert len(json.loads(gate_report(many(5000), "json"))["changes"]["changes"]) == 5000
    quiet = json.loads(gate_report(gate(pairings=[pairing()]), "json"))
    assert (quiet["found"], quiet["places"], quiet["changes"]["changes"]) == (False, {}, [])


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("uv.lock", "uv.lock"),
        ("./a/uv.lock", "a/uv.lock"),
        ("a/./b//uv.lock", "a/b/uv.lock"),
        ("/home/me/project/uv.lock", "uv.lock"),
        ("../other/uv.lock", "uv.lock"),
        ("C:/work/uv.lock", "uv.lock"),
        ("C:\\work\\uv.lock", "uv.lock"),
        ("a/../../uv.lock", "uv.lock"),
        ("", "whichwins.toml"),
        ("/", "whichwins.toml"),
        ("..", "whichwins.toml"),
        (".", "whichwins.toml"),
    ],
)
def test_a_place_is_relative(file: str, shown: str) -> None:
    assert named(Place(file, 3)) == Place(shown, 3)
    assert named(Place(file, 0)).line == 1


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "junit", "github", "sarif"])
def test_no_form_shows_an_absolute_path(form: str) -> None:
    far = Place("/home/me/secret/whichwins.toml", 3)
    judged = replace(
        every_kind(),
        places={"python/orjson": far},
        lapses=(Lapse("allow-unused", allow(place=far), "unused"),),
        excused=(Excused(allow(place=far), (change("a/b", "newly-rejected", "1", "2"),)),),
    )
    shown = gate_report(judged, form, everything=True)
    assert "/home" not in shown
    assert "secret" not in shown
    assert "whichwins.toml" in shown
    assert shown == gate_report(judged, form, everything=True)


def test_an_unknown_form() -> None:
    with pytest.raises(ValueError, match="pdf"):
        gate_report(every_kind(), "pdf")


def test_a_long_line_is_cut_and_pushes_nothing_out() -> None:
    long = ("x" * 100_000,)
    judged = gate([change("a/b", "recovered", "1", "2")], notes=long, incomplete=long, title="y" * 100_000)
    for form in ("text", "markdown", "github", "junit"):
        shown = gate_report(judged, form)
        assert len(shown) < 6000
        assert shown.count("more)...") >= 1 + (form != "junit")
        assert "a/b" in shown
