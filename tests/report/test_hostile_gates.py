"""Gates full of hostile texts as text, Markdown and JSON."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings

from tests.report.gates import hostile
from tests.report.hostile import PACKED, TEXTS, seen
from whichwins.report import gate_report, github_summary


@pytest.mark.parametrize("odd", PACKED)
def test_text_and_markdown(odd: str) -> None:
    check(odd)


@given(TEXTS)
@settings(max_examples=50, deadline=None)
def test_any_text(text: str) -> None:
    check(text)


def check(odd: str) -> None:
    judged = hostile(odd)
    for everything in (False, True):
        text = gate_report(judged, "text", 80, everything=everything)
        assert re.fullmatch(r"[ -~\n]*", text)
        assert not re.search(r"^\s*::|##\[|##vso\[", text, re.MULTILINE)
    for shown in (gate_report(judged, "markdown"), github_summary(judged, 200_000)):
        assert re.fullmatch(r"[ -~\n]*", shown)
        kinds = [block.kind for block in seen(shown, folds=True)]
        assert kinds[0] == "h1"
        assert kinds.count("fold") <= 2
        assert set(kinds) <= {"h1", "h2", "h3", "p", "li", "table", "fold", "end of fold"}
        for block in seen(shown, folds=True):
            assert len({len(row) for row in block.rows}) == 1


@pytest.mark.parametrize("odd", PACKED)
def test_json_gives_texts_back(odd: str) -> None:
    text = gate_report(hostile(odd), "json")
    assert re.fullmatch(r"[ -~\n]*", text)
    assert not re.search(r"^\s*::|##", text, re.MULTILINE)
    said = json.loads(text)
    if "\ud83d\ude00" not in odd:  # no JSON can say these two
        assert said["title"] == odd
        assert said["changes"]["changes"][0]["before"] == odd
        assert said["excused"][0]["allow"]["reason"] == odd


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "junit", "github", "sarif"])
def test_no_form_raises_on_or_repeats_differently_any_content(form: str) -> None:
    for odd in PACKED:
        assert gate_report(hostile(odd), form, 1) == gate_report(hostile(odd), form, 1)
