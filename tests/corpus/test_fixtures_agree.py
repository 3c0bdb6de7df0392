"""The hand-written expectations and the reference reader are independent: they must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from whichwins.analysis.agreement import disagreements, judge
from whichwins.corpus import load
from whichwins.model import LAYERS, Case, Expectation


@cache
def built_in() -> tuple[Case, ...]:
    return load(None).cases


def test_every_fixture_agrees_with_the_reference() -> None:
    assert disagreements(built_in()) == []


def test_a_wrong_expectation_is_found() -> None:
    case = next(case for case in built_in() if case.id == "controls/order")
    wrong = replace(case, expect={**case.expect, "i-json/1": "free"})
    assert disagreements([wrong]) == [("controls/order", "i-json/1", "free", "accept", "")]


def test_a_damaged_reader_is_found() -> None:
    """A reader that takes leading zeros (`01` read as `1`) must not pass."""

    def damaged(data: bytes) -> Mapping[str, tuple[Expectation, str]]:
        return judge(data.replace(b"[01]", b"[1]"))

    numbers = [case for case in built_in() if case.family == "numbers-leniencies"]
    found = {each.case for each in disagreements(numbers, damaged)}
    assert found == {"numbers-leniencies/leading-zero"}


def test_every_case_states_every_layer_and_a_reason_of_its_own() -> None:
    reasons: dict[tuple[str, str], str] = {}
    for case in built_in():
        assert tuple(case.expect) == LAYERS, case.id
        assert reasons.setdefault((case.family, case.why), case.id) == case.id
        assert len(case.why) >= 5, case.id


def test_a_verdict_that_is_not_accept_cites_its_clause() -> None:
    for case in built_in():
        for layer, verdict in case.expect.items():
            assert verdict == "accept" or case.clauses.get(layer), (case.id, layer)


def test_narrower_layers_reject_what_wider_ones_reject() -> None:
    for case in built_in():
        if case.expect["rfc8259/1"] == "reject":
            assert set(case.expect.values()) == {"reject"}, case.id
        if case.expect["i-json/1"] == "reject":
            assert case.expect["jcs-input/1"] == "reject", case.id
        assert case.expect["strict-tool-input/1"] != "free", case.id


@pytest.mark.parametrize(
    ("family", "at_least"),
    [
        ("numbers-integers", 50),
        ("numbers-fractions", 60),
        ("numbers-leniencies", 70),
        ("strings-escapes", 110),
        ("strings-controls", 40),
        ("strings-surrogates", 25),
        ("strings-noncharacters", 20),
        ("encodings-bom", 50),
        ("invalid-utf8", 80),
        ("literals", 55),
        ("structure", 90),
        ("white-space", 60),
        ("leniencies", 70),
        ("trailing-data", 55),
        ("depth", 80),
        ("tool-call-arguments", 90),
        ("controls", 70),
        ("size", 20),
    ],
)
def test_no_family_shrinks_unnoticed(family: str, at_least: int) -> None:
    assert sum(case.family == family for case in built_in()) >= at_least


def test_the_corpus_is_large_and_distinct() -> None:
    """Bytes are shared on purpose only (`same_bytes_as`), between a report and a systematic family."""
    shared = Counter(case.data for case in built_in())
    assert len(shared) >= 1500
    assert max(shared.values()) <= 2
    assert sum(count > 1 for count in shared.values()) <= 40
