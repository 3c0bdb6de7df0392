"""docs/testing.md: its examples do what the page says, its tables name what there is."""

from __future__ import annotations

import inspect
import re

import pytest

from tests.docs.pages import DOCS, blocks, read
from whichwins.testing import DecoderCase, assert_decoder, cases

pytest_plugins = "pytester"

PAGE = read(DOCS / "testing.md")
ONE_LINE, EACH = (block.text for block in blocks(PAGE) if block.language == "python")


def test_the_one_line_fails_as_shown(pytester: pytest.Pytester) -> None:
    (shown,) = (block.text for block in blocks(PAGE) if block.language == "text")
    pytester.makepyfile(ONE_LINE)
    result = pytester.runpytest("-W", "error", "-p", "no:hypothesispytest")
    result.assert_outcomes(failed=1)
    said = [line.removeprefix("E").strip() for line in result.outlines if line.startswith("E ")]
    assert said == [line.strip() for line in shown.splitlines()]


def test_a_test_for_each_case_passes_as_said(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(EACH)
    result = pytester.runpytest("-W", "error", "-p", "no:hypothesispytest", "--strict-markers", "-v")
    result.assert_outcomes(passed=len(cases(families="repeated-*")))
    (name,) = re.findall(r"`(test_each\[.*?\])`", PAGE)
    assert any(name in line for line in result.outlines)


def test_without_the_hook_the_second_example_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(EACH.replace(", object_pairs_hook=once", ""))
    assert pytester.runpytest("-W", "error", "-p", "no:hypothesispytest").parseoutcomes()["failed"] > 200


def test_every_argument_is_explained() -> None:
    (table,) = re.findall(r"^## What may be chosen\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    explained = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    taken = {
        name
        for call in (assert_decoder, cases, DecoderCase.check)
        for name in inspect.signature(call).parameters
    }
    assert explained == taken - {"self", "decode"}
    fields = set(DecoderCase.__dataclass_fields__)
    assert fields == set(re.findall(r"`(\w+)`", PAGE)) & fields
