"""Clauses, places and precedence of verdicts; and every fixture's hand-written expectation."""

from __future__ import annotations

import pytest

from tests.reference.checks import ROOT
from whichwins import corpus, notation
from whichwins.model import LAYERS
from whichwins.reference import read, spelled, value, verdicts


@pytest.mark.parametrize(
    ("data", "layer", "expectation", "clause", "offset", "path"),
    [
        (b'[{"a":1,"a":2}]', "rfc8259/1", "free", "RFC 8259 section 4", 8, "#0/#1"),
        (b'[{"a":1,"a":2}]', "i-json/1", "reject", "RFC 7493 section 2.3", 8, "#0/#1"),
        (b'[{"a":1,"a":2}]', "jcs-input/1", "reject", "RFC 8785 section 3.1", 8, "#0/#1"),
        (b'[{"a":1,"a":2}]', "strict-tool-input/1", "reject", "names once per object", 8, "#0/#1"),
        (b"[1,1e999]", "rfc8259/1", "accept", "section 6: range and precision MAY be limited", 3, "#1"),
        (b"[1,1e999]", "jcs-input/1", "reject", "RFC 8785 section 3.2.2.3", 3, "#1"),
        (b"[0.10000000000000000555]", "i-json/1", "free", "RFC 7493 section 2.2", 1, "#0"),
        (b"5", "i-json/1", "free", "RFC 7493 section 4.1", 0, ""),
        (b'\xef\xbb\xbf{"a":01}', "rfc8259/1", "reject", "RFC 8259 section 6", 8, "#0"),
        (b'{"a":"\\ud800","a":1}', "rfc8259/1", "free", "RFC 8259 section 8.2", 6, "#0"),
        (
            b'{"a":"\\ud800","b":"\xff"}',
            "i-json/1",
            "reject",
            "RFC 7493 section 2.1: MUST NOT include sur",
            6,
            "#0",
        ),
        (b'{"a":"\\ud800","b":"\xff"}', "rfc8259/1", "reject", "RFC 8259 section 8.1", 19, "#1"),
        (b"[]", "rfc8259/1", "accept", "", None, None),
    ],
)
def test_clause_and_place(
    data: bytes, layer: str, expectation: str, clause: str, offset: int | None, path: str | None
) -> None:
    verdict = verdicts(read(data))[layer]
    assert verdict.expectation == expectation
    assert clause in verdict.clause
    assert (verdict.offset, verdict.path) == (offset, path)


def test_every_layer_has_a_verdict() -> None:
    assert tuple(verdicts(read(b""))) == LAYERS


def test_the_strict_layer_never_leaves_free() -> None:
    for data in (
        b'{"a":1,"a":2}',
        b"\xef\xbb\xbf1",
        b'"\\ud800"',
        b"[" * 70 + b"]" * 70,
        b"1e999",
        b'"\\uffff"',
    ):
        assert verdicts(read(data))["strict-tool-input/1"].expectation in ("accept", "reject")


def test_every_fixture_says_the_same() -> None:
    families = sorted(path for path in (ROOT / "fixtures").glob("*.toml") if path.name != "notation.toml")
    cases = corpus.load(families).cases
    assert len(cases) >= 700
    wrong = []
    for case in cases:
        found = verdicts(read(case.data))
        wrong += [
            f"{case.id}: {layer} is {case.expect[layer]}, the reader says {found[layer]}"
            for layer in LAYERS
            if layer in case.expect and case.expect[layer] != found[layer].expectation
        ]
    assert wrong == []


def test_values_keep_all_pairs() -> None:
    root = read(b'{"a":1,"a":[2.50,-0,1e999,1E2],"\xff":"\\ud800"}').root
    assert root is not None
    assert notation.write(value(root)) == '{"a":1,"a":[2.5,0,Infinity,100.0],b"ff":"\\ud800"}'
    assert notation.write(spelled(root)) == '{"a":D1,"a":[D2.50,D-0,D1e999,D1E2],b"ff":"\\ud800"}'
