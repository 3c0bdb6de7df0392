"""What docs/auditing.md lists is what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.audit.test_checklist import QUESTIONS
from whichwins.audit.result import FAULTS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "auditing.md").read_text(encoding="utf-8")


def test_the_kinds_of_exceptions_are_those_of_findings() -> None:
    said = PAGE.partition("A `kind` is ")[2].partition(".")[0]
    assert re.findall("`([a-z-]+)`", said) == list(FAULTS)


def test_the_checklist_is_told_whole() -> None:
    asked = PAGE.partition("`--checklist` answers")[2].partition("```")[0].lower()
    for short, question in QUESTIONS.items():
        words = question.replace("does every entry reject them ", "").replace(" too", "")
        for word in re.findall("[a-z]{4,}", words):
            assert word in asked, (short, word)
