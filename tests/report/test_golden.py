"""Small reports written by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.analysis.views import case, view
from tests.workers.scripted import subject
from whichwins.analysis import compare, explain, pair
from whichwins.analysis.agreement import Disagreement
from whichwins.model import Case, Source
from whichwins.report import (
    cases_report,
    check_report,
    comparison_report,
    explanation_report,
    list_report,
    pair_report,
    subjects_report,
)

CLAUSE = "RFC 8259 section 5: arrays"
REPEATS = case("r/q", '{"q":2,"q":20}', expect={}, clauses={})
COMMA = case("s/x", "[1,]", expect={"rfc8259/1": "reject"}, clauses={"rfc8259/1": CLAUSE})
TWO = view(["a/one", "b/two"], ("r/q", REPEATS, ['{"q":2}', '{"q":20}']), ("s/x", COMMA, ["[1]", "-"]))
"""Two subjects, two cases: the first parts them by value, the second by verdict. All accept the twin."""


def test_a_comparison_as_text() -> None:
    assert (
        comparison_report(compare(TWO), "text", 80, everything=True)
        == """\
Which value reaches which parser
================================

2 subjects part on 2 of 2 cases.

Value splits, where all or some accept and the values differ in silence: 1.
Verdict splits, where some accept and some do not: 1. Both: 0. 1 twin, repeated
names renamed apart, as controls.

Why they part
-------------

cause          cases  value  verdict  smallest witness
-------------  -----  -----  -------  ----------------
repeated name      1      1        0  r/q
syntax             1      0        1  s/x

How it was measured
-------------------

lens         value/1
whichwins    0.1.0
corpus       sha256:00
this report  whichwins report LEDGER --lens value/1

Repeated names: who wins
------------------------

first, last, all, merge, collect: which occurrence survives. reject: refused,
while the twin is accepted. equal: the surviving value does not tell. n/a: no
statement. a+b: several, the more frequent first. Subjects of one group are
alike in every family.

subject  group  all       r
                families
-------  -----  --------  -----
cases           1         1

a/one        1  first     first
b/two        2  last      last

Preview versus executor
-----------------------

Row: the preview. Column: the executor, by number. value splits / cases that the
executor accepts and the preview does not. A value split is silent: both say
valid, and hold different values.

preview \\ executor    1    2
------------------  ---  ---
1 a/one               -  1/0
2 b/two             1/1    -

one    other  value  witness  only one  witness  only other  witness
                               accepts              accepts
-----  -----  -----  -------  --------  -------  ----------  -------
a/one  b/two      1  r/q             1  s/x               0

Who reads alike
---------------

Clusters by the share of their common cases on which two subjects part: the
nearest are joined first, a cluster is as far as its members on average. The
order is that of every table of subjects.

subject  joins those  parts             on
            above at  least from
-------  -----------  ----------  --------
a/one                 b/two       100.00 %
b/two       100.00 %  a/one       100.00 %

Cases
-----

case  bytes  split    values  differs at  cause
----  -----  -------  ------  ----------  --------------------------------
r/q      14  value         2  /q          repeated name: different winners
s/x       4  verdict       1              syntax: trailing comma

Subjects
--------

subject  version  accept  reject  entry point  bytes decoded by
-------  -------  ------  ------  -----------  ----------------
a/one                  3       0
b/two                  2       1

Expectation layers
------------------

accepts: accepts what the layer rejects (RFC 8259 section 9 permits extensions;
a strict profile does not). rejects: rejects what the layer accepts. limit: a
rejection that range, size or depth limits permit. fails: fault, crash, timeout
or a broken answer.

rfc8259/1
---------

accept 0, reject 1, free 0 cases.

subject  judged  accepts  rejects  limit  fails
-------  ------  -------  -------  -----  -----
a/one         1        1        0      0      0
b/two         1        0        0      0      0

breach   clause                              subject  cases  smallest witness
-------  ----------------------------------  -------  -----  ----------------
accepts  RFC 8259 sections 2, 4, 5: values,  a/one        1  s/x
         objects and arrays
"""
    )


def test_an_explanation_as_text() -> None:
    identities: dict[str, dict[str, Any]] = {
        "a/one": {"entry": "one.loads(bytes)", "libraries": {"one": "1.0"}, "runtime": "CPython 3.12.1"},
        "b/two": {"entry": "two(bytes)", "runtime": "Node.js 20.1.0"},
    }
    assert (
        explanation_report(explain(TWO, "r/q"), identities, "text", 80)
        == """\
r/q
===

a reason

input     {"q":2,"q":20}
bytes     7b 22 71 22 3a 32 2c 22 71 22 3a 32 30 7d
length    14
its twin  r/q~twin

Who sees what
-------------

{"q":2}   seen by 1 subject

subject  winner  version  entry point
-------  ------  -------  ----------------
a/one    first   one 1.0  one.loads(bytes)

{"q":20}   seen by 1 subject

subject  winner  version         entry point
-------  ------  --------------  -----------
b/two    last    Node.js 20.1.0  two(bytes)

Runtimes: CPython 3.12.1, Node.js 20.1.0.

Value split: all who answer accept, and hold different values.

first difference  one class  the next class
----------------  ---------  --------------
/q                2          20

Cause: repeated name (different winners). a name repeats in its object: first,
last

What the reference reads
------------------------

{"q":2,"q":20}

- repeated-name at byte 7: RFC 8259 section 4: names SHOULD be unique

repeated: q in the whole document: 2, 20
"""
    )


COUNTS = (
    "2 cases compared under value/1. Both accept and hold different values: 1. "
    "Only b/two accepts: 0. Only a/one accepts: 1."
)


def test_a_pair_as_markdown() -> None:
    assert (
        pair_report(pair(TWO, "b/two", "a/one"), "markdown")
        == """\
# b/two and a/one: what they read differently

| role     | subject   | version   | entry point   | bytes decoded by   |
|:---------|:----------|:----------|:--------------|:-------------------|
| preview  | b/two     |           | (empty)       |                    |
| executor | a/one     |           | (empty)       |                    |

COUNTS

| cause         |   cases |   value |   verdict | smallest witness   |
|:--------------|--------:|--------:|----------:|:-------------------|
| repeated name |       1 |       1 |         0 | `r/q`              |
| syntax        |       1 |       0 |         1 | `s/x`              |

| case   | cause                 | subject   | sees             |
|:-------|:----------------------|:----------|:-----------------|
| `r/q`  | repeated name at `/q` | b/two     | `{"q":20}`       |
|        |                       | a/one     | `{"q":2}`        |
| `s/x`  | syntax                | b/two     | `reject parse E` |
|        |                       | a/one     | `[1]`            |
""".replace("COUNTS", COUNTS)
    )


def test_a_pair_as_json() -> None:
    said = json.loads(pair_report(pair(TWO, "a/one", "b/two"), "json"))
    assert (said["report"], said["version"], said["lens"]) == ("pair", 1, "value/1")
    assert said["cell"] == {
        "row": "a/one",
        "column": "b/two",
        "compared": 2,
        "value": 1,
        "row_only": 1,
        "column_only": 0,
        "value_witness": "r/q",
        "row_only_witness": "s/x",
        "column_only_witness": None,
    }
    assert [(c["case"], c["kind"], c["row"], c["column"]) for c in said["cases"]] == [
        ("r/q", "value", '{"q":2}', '{"q":20}'),
        ("s/x", "row_only", "[1]", "reject parse E"),
    ]


CASES = [
    Case(
        "x/a",
        "x",
        b"[\xff]",
        "bad UTF-8",
        Source(),
        {"rfc8259/1": "reject"},
        {"rfc8259/1": CLAUSE},
        ("R",),
    ),
    Case("x/b", "x", b"{}", "a control", Source(), {"rfc8259/1": "accept", "i-json/1": "accept"}),
]


def test_cases_as_text() -> None:
    assert (
        list_report(CASES, "text", 80)
        == """\
case  bytes  rfc8259  i-json  jcs-input  strict-tool-input
----  -----  -------  ------  ---------  -----------------
x/a       3  reject   -       -          -
x/b       2  accept   accept  -          -

2 cases.
"""
    )
    assert (
        cases_report(CASES[:1], "text", 80)
        == """\
x/a
---

bad UTF-8 (R)

input   [\\x{FF}]
bytes   5b ff 5d
length  3

layer      expects  clause
---------  -------  --------------------------
rfc8259/1  reject   RFC 8259 section 5: arrays
"""
    )


def test_a_check_as_text() -> None:
    assert check_report(2, [], "text") == "2 cases: every expectation agrees with the reference reader.\n"
    found = [Disagreement("x/a", "rfc8259/1", "accept", "reject", CLAUSE)]
    assert (
        check_report(2, found, "text", 80)
        == """\
case  layer      expected  reference  clause
----  ---------  --------  ---------  --------------------------
x/a   rfc8259/1  accept    reject     RFC 8259 section 5: arrays

Expectations that differ from the reference reader: 1, in 2 cases.
"""
    )


def test_subjects_as_text() -> None:
    chosen = [subject("a/one"), subject("b/two")]
    known: dict[str, dict[str, Any]] = {
        "a/one": {
            "entry": "answer(bytes)",
            "runtime": "R 1",
            "libraries": {"l": "2"},
            "details": {"c": "no"},
        },
        "b/two": {"absent": "no such library"},
    }
    assert (
        subjects_report(chosen, known, "text", 100)
        == """\
subject  family    version   entry point    bytes decoded by  details
-------  --------  --------  -------------  ----------------  -------
a/one    scripted  l 2, R 1  answer(bytes)  library           c=no

absent  why              install
------  ---------------  -------
b/two   no such library

1 of 2 subjects can be asked.
"""
    )


def test_long_lists_are_cut_in_text_and_counted() -> None:
    rows = [(f"f/{n:02}", f"[{n}]", ["[1]", "-"]) for n in range(30)]
    many = view(["a/one", "b/two"], *rows)
    short = pair_report(pair(many, "a/one", "b/two"), "text")
    assert "10 more cases: --all lists them." in short
    assert "f/29" not in short
    for form in ("markdown", "json"):
        assert "f/29" in pair_report(pair(many, "a/one", "b/two"), form)
    assert "f/29" in pair_report(pair(many, "a/one", "b/two"), "text", everything=True)
    assert "f/29" not in comparison_report(compare(many), "text")
    assert "f/29" in comparison_report(compare(many), "text", everything=True)


def test_a_replaced_prototype_is_explained_where_it_is_seen() -> None:
    found = explain(TWO, "r/q")
    said = "an object of JavaScript whose prototype came out of the text"
    assert said not in explanation_report(found, {}, "text", 400)
    first, *others = found.groups
    for value in ('X"Object:prototype replaced"', '[{"a":X"Object:prototype replaced"}]'):
        seen = replace(found, groups=(replace(first, value=value), *others))
        assert said in explanation_report(seen, {}, "text", 400)
        assert said in explanation_report(seen, {}, "markdown")
