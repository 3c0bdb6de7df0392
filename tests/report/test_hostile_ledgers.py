"""A ledger full of hostile texts, through the analysis into every report."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from tests.analysis.views import view
from tests.report.hostile import PACKED, seen
from whichwins.analysis import compare, explain, pair
from whichwins.corpus import source_of_bytes
from whichwins.model import Case, Observation, Outcome
from whichwins.report import cases_report, comparison_report, explanation_report, list_report, pair_report
from whichwins.run.view import LedgerView


def hostile(odd: str) -> LedgerView:
    """Two cases and three subjects, with `odd` wherever a text can stand."""
    raw = odd.encode("utf-8", "surrogatepass")
    keys = sorted({f"a{odd}", f"b/{odd}", f"c|{odd}`"})
    shown = json.dumps({odd: odd})
    made = [
        Case(
            id=name + odd,
            family="fam-" + odd,
            data=data,
            why=odd,
            source=source_of_bytes(data),
            expect={"rfc8259/1": "reject", "strict-tool-input/1": "accept"},
            clauses={"rfc8259/1": odd},
            refs=(odd,),
            headers={odd: odd},
        )
        for name, data in (
            ("x", b'{"q":' + raw + b',"q":2}'),
            ("y", raw),
            ("z", b'{"\\u0071":1,"q":"' + raw + b'"}'),
        )
    ]
    base = view(keys, *((case.id, case, [shown.replace(": ", ":"), "[1]", "-"]) for case in made))
    answers = dict(base.observations)
    rejected = Observation(Outcome.REJECT, stage="parse", error=odd or "E", reason=odd)
    crashed = Observation(Outcome.CRASH, signal=odd, reason=odd)
    for key, row in answers.items():
        answers[key] = (*row[:2], rejected if key.startswith("x") else crashed)
    identity: dict[str, Any] = dict.fromkeys(("family", "library", "entry", "decode", "runtime"), odd)
    identity |= {"libraries": {odd: odd}, "details": {odd: odd}, "options": {odd: odd}}
    header = {**base.header, "tool": odd, "subjects": dict.fromkeys(keys, identity)}
    header["corpus"] = {**header["corpus"], "digest": odd}
    return replace(base, header=header, observations=answers)


def reports(odd: str, form: str) -> list[str]:
    ledger = hostile(odd)
    first, second, _ = ledger.subjects
    cases = [record.case for record in ledger.cases.values()]
    return [
        comparison_report(compare(ledger), form, 80, everything=True),
        pair_report(pair(ledger, first, second), form, 80, everything=True),
        *(
            explanation_report(explain(ledger, key), ledger.header["subjects"], form, 80)
            for key in ledger.cases
        ),
        cases_report(cases, form, 80),
        list_report(cases, form, 80),
    ]


@pytest.mark.parametrize("odd", PACKED)
def test_text_and_markdown(odd: str) -> None:
    for report in reports(odd, "text"):
        assert re.fullmatch(r"[ -~\n]*", report)
        assert not re.search(r"^\s*::|##\[|##vso\[", report, re.MULTILINE)
    for report in reports(odd, "markdown"):
        assert re.fullmatch(r"[ -~\n]*", report)
        for block in seen(report):  # text and code, nothing else
            assert block.kind in ("h1", "h2", "h3", "p", "li", "table")
            assert len({len(row) for row in block.rows}) == 1


def strict(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    return json.loads(text, object_pairs_hook=once, parse_constant=refuse)


def numbers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def test_json_is_strict_and_has_no_large_numbers() -> None:
    texts = [report for odd in PACKED for report in reports(odd, "json")]
    for text in texts:
        assert re.fullmatch(r"[ -~\n]*", text)
        assert not re.search(r"^\s*::|##", text, re.MULTILINE)
        assert all(isinstance(number, int) and abs(number) < 2**53 for number in numbers(strict(text)))


def test_the_texts_come_out_of_json_as_they_went_in() -> None:
    for odd in PACKED:
        if "\ud83d\ude00" in odd:  # no JSON can say these two
            continue
        said = strict(comparison_report(compare(hostile(odd)), "json"))
        assert (said["tool"], said["corpus"]) == (odd, odd)
        assert said["subjects"][0]["identity"]["libraries"] == {odd: odd}


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_json_for_another_reader() -> None:
    texts = [report for odd in PACKED[::3] for report in reports(odd, "json")[:3]]
    read = "JSON.parse(require('fs').readFileSync(0,'utf8')).map(t=>JSON.parse(t))"
    script = f"process.stdout.write(JSON.stringify({read}))"
    done = subprocess.run(
        ["node", "-e", script], input=json.dumps(texts).encode(), capture_output=True, check=True
    )
    assert strict(done.stdout.decode("utf-8", "surrogatepass")) == [strict(text) for text in texts]


def test_huge_numbers_and_deep_values() -> None:
    digits, deep = "9" * 5000, "[" * 20_000 + "]" * 20_000
    made = view(
        ["a/a", "b/b"],
        ("n/n", digits, [digits, "D1e999999999999"]),
        ("d/d", deep, [deep, "-"]),
        ("i/i", '{"q":1,"q":2}', ["NaN", "Infinity"]),
    )
    for form in ("text", "markdown", "json"):
        parts = [comparison_report(compare(made), form), pair_report(pair(made, "a/a", "b/b"), form)]
        parts += [explanation_report(explain(made, key), {}, form) for key in made.cases]
        if form == "json":
            assert all(abs(number) < 2**53 for part in parts for number in numbers(strict(part)))
        elif form == "text":
            assert max(map(len, "".join(parts).split("\n"))) < 600  # cut, whatever it is


def test_every_byte_of_an_input() -> None:
    every = bytes(range(256))
    made = view(
        ["a/a", "b/b"], ("e/e", every, ["-", "-"]), *((f"o/{b:02x}", bytes([b]), ["-", "-"]) for b in every)
    )
    text = explanation_report(explain(made, "o/ff"), {}, "text")
    assert "input   \\x{FF}\nbytes   ff\nlength  1\n" in text
    shown = explanation_report(explain(made, "e/e"), {}, "text", 2000)
    assert "\\u{0}\\u{1}" in shown
    assert " !\"#$%&'()*+,-./0123456789:;<=>?@AB" in shown
    assert "\\x{80}\\x{81}" in shown
    for byte in every:
        said = strict(explanation_report(explain(made, f"o/{byte:02x}"), {}, "json"))
        assert said["data"] == {"hex": f"{byte:02x}"}


@pytest.mark.parametrize("width", [1, 40, 41, 60, 80, 99, 100, 120, 200, 10_000])
def test_any_width(width: int) -> None:
    ledger = hostile("a longer text | of several words, of which one_is_rather_long_for_a_word")
    for report in (
        comparison_report(compare(ledger), "text", width, everything=True),
        explanation_report(explain(ledger, min(ledger.cases)), ledger.header["subjects"], "text", width),
    ):
        lines = [line for line in report.split("\n") if "one_is_rather_long_for_a_word" not in line]
        assert lines
        if width >= 120:  # the first column of tables is a key of more than 70 characters here
            assert all(len(line) <= width for line in lines)
