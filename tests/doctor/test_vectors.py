"""What may be held against a kit, and what is its parser's own affair."""

from __future__ import annotations

import pytest

from whichwins.model import Observation, Outcome
from whichwins.run.doctor.vectors import Vector, as_doubles, by_value, held_against, number_model, vectors


def accept(text: str) -> Observation:
    return Observation(Outcome.ACCEPT, text)


def answers(changed: dict[str, str], column: str = "integers") -> list[tuple[Vector, Observation]]:
    return [
        (vector, accept(changed.get(vector.data.decode(), getattr(vector, column)))) for vector in vectors()
    ]


def test_the_core() -> None:
    core = {vector.data.decode() for vector in vectors() if vector.core}
    assert {
        "20",
        "20.0",
        "0.1",
        "1e21",
        "-0",
        '"\\ud83d\\ude00"',
        '{"b":"x","a":"y"}',
    } <= core
    assert not core & {"1e23", "9007199254740993", "1e400", "5e-324", '"\\ud800"', "0.30000000000000004"}
    assert not core & {
        '"\\u0000\\u0001\\u000b\\u001f"',
        '{"\\u00e9\\"\\\\\\n":true}',
        '{"\\u0000a":"\\u0000"}',
    }
    assert len(core) > 50
    assert {vector.data.decode() for vector in vectors() if vector.digits} == {
        "0.30000000000000004",
        "1.7976931348623157e308",
        "2.2250738585072014e-308",
    }


@pytest.mark.parametrize("column", ["integers", "doubles"])
def test_the_vectors_themselves_are_right(column: str) -> None:
    assert held_against(answers({}, column)) == ([], [])
    assert number_model(answers({}, column)) == column


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"-1": "-1.0"}, "-1"),  # the host has integers
        ({"1.50": "D1.50"}, "1.50"),
        ({"1E+2": "1000.0"}, "1E+2"),
        ({"true": "1"}, "true"),
        ({"{}": "[]"}, "{}"),
        ({'""': "null"}, '""'),
        ({'{"a":null}': "{}"}, '{"a":null}'),
        ({"-0.0": "0.0"}, "-0.0"),
        ({"0.1": "0.10000000149011612"}, "0.1"),
    ],
)
def test_the_core_must_be_right(changed: dict[str, str], about: str) -> None:
    findings, notes = held_against(answers(changed))
    assert ([finding.about for finding in findings], notes) == ([about], [])


@pytest.mark.parametrize(
    "changed",
    [
        {"9007199254740993": "9.007199254740992e+15"},
        {"0.30000000000000004": "0.3"},  # one of those with 17 digits
        {"5e-324": "0.0"},
        {'{"\\u0000a":"\\u0000"}': '{"":""}'},
    ],
)
def test_the_rest_is_noted(changed: dict[str, str]) -> None:
    findings, notes = held_against(answers(changed))
    assert (findings, [note.about for note in notes]) == ([], list(changed))


def test_a_host_with_integers_may_read_an_exponent_as_one() -> None:
    assert held_against(answers({"2e1": "20", "1E+2": "100"})) == ([], [])


def test_alternatives_that_the_vectors_name_are_not_even_noted() -> None:
    said = {"-0": "-0.0", '{"b":"x","a":"y"}': '{"a":"y","b":"x"}', '"\\ud800"': '"\\ufffd"'}
    assert held_against(answers(said)) == ([], [])


@pytest.mark.parametrize("outcome", [Outcome.CRASH, Outcome.TIMEOUT, Outcome.GARBLED])
def test_form_counts_everywhere(outcome: Outcome) -> None:
    given = [(v, Observation(outcome) if v.data == b"1e400" else said) for v, said in answers({})]
    assert [finding.about for finding in held_against(given)[0]] == ["1e400"]


@pytest.mark.parametrize("outcome", [Outcome.REJECT, Outcome.FAULT, Outcome.UNSUPPORTED])
def test_a_parser_may_refuse_outside_the_core(outcome: Outcome) -> None:
    given = [(v, Observation(outcome) if v.data == b"5e-324" else said) for v, said in answers({})]
    findings, notes = held_against(given)
    assert (findings, [note.about for note in notes]) == ([], ["5e-324"])
    given = [(v, Observation(outcome) if v.data == b"0.1" else said) for v, said in answers({})]
    assert [finding.about for finding in held_against(given)[0]] == ["0.1"]


def test_a_manifest_may_say_that_a_parser_refuses_and_the_claim_must_hold() -> None:
    declared = {"true": "reject"}
    for said, blamed in (
        (Observation(Outcome.REJECT), False),
        (Observation(Outcome.FAULT), True),
        (Observation(Outcome.ACCEPT, value="true"), True),
    ):
        given = [(v, said if v.data == b"true" else right) for v, right in answers({})]
        findings, notes = held_against(given, declared)
        assert [each.about for each in findings] == (["true"] if blamed else [])
        assert [each.about for each in notes] == ([] if blamed else ["true"])


def test_who_reads_nothing_but_objects_and_arrays_is_not_blamed_for_the_rest() -> None:
    refused = Observation(Outcome.REJECT)
    every = answers({})
    by_4627 = [(v, said if v.data.lstrip()[:1] in (b"[", b"{") else refused) for v, said in every]
    assert held_against(by_4627)[0] == []
    but_one = [(v, refused if v.data == b"true" else said) for v, said in every]
    assert [finding.about for finding in held_against(but_one)[0]] == ["true"]


def test_names_that_a_parser_may_forbid_are_its_own_affair() -> None:
    proto = '{"__proto__":{"a":1}}'
    findings, notes = held_against(answers({proto: '{"a":1}'}))
    assert (findings, [note.about for note in notes]) == ([], [proto])


def test_seventeen_digits_come_back_right_or_are_kept() -> None:
    long = [vector.data.decode() for vector in vectors() if vector.digits]
    cut = {text: repr(float(f"{float(text):.13g}")) for text in long}
    assert [finding.about for finding in held_against(answers(cut))[0]] == ["binary64 of 17 digits"]
    assert held_against(answers(cut | {long[0]: long[0]}))[0] == []
    assert held_against(answers({text: f"D{text}" for text in long}, "doubles"))[0] == []
    assert held_against(answers({text: f"D{cut[text]}" for text in long}, "doubles"))[0] != []


def test_values() -> None:
    assert by_value('{"b":[1,1.0,D1E0],"a":-0.0}') == by_value('{"a":0,"b":[D1.00,1,1.0]}')
    assert by_value("1") != by_value("2")
    assert by_value('"1"') != by_value("1")
    assert by_value("NaN") == by_value("NaN") != by_value("Infinity")
    assert by_value('{"a":1,"a":2}') != by_value('{"a":2,"a":1}')
    assert by_value("D1E+999999") != by_value("1")
    assert as_doubles('[1,{"a":12345678901234567890}]') == '[1.0,{"a":1.2345678901234567e+19}]'


def test_a_declared_way_is_a_note_and_held_to_be_so() -> None:
    """One library drops the sign of zero; the vector stays as strict for everybody else."""
    way = {"-0.0": "0.0"}
    lost = answers({"-0.0": "0.0"})
    findings, _ = held_against(lost)
    assert [each.about for each in findings] == ["-0.0"]
    findings, notes = held_against(lost, way)
    assert (findings, [each.about for each in notes]) == ([], ["-0.0"])
    findings, _ = held_against(answers({}), way)  # it keeps the sign: the claim is stale
    assert [each.about for each in findings] == ["-0.0"]
    findings, _ = held_against(answers({"-0.0": "0"}), way)
    assert [each.about for each in findings] == ["-0.0"]


def test_what_the_manifest_declares_is_wanted_just_so() -> None:
    declared = {"2e1": '"2e1"', "0.1": "reject"}
    said = [
        (v, Observation(Outcome.REJECT) if v.data == b"0.1" else each)
        for v, each in answers({"2e1": '"2e1"'})
    ]
    findings, notes = held_against(said, declared)
    assert (findings, [note.about for note in notes]) == ([], ["2e1", "0.1"])
    assert [finding.about for finding in held_against(answers({}), declared)[0]] == ["2e1", "0.1"]
