"""Subjects and cases with a shape at the command line: never beside each other without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli import fleet
from whichwins.cli import main
from whichwins.run import read_ledger

APART = "read no case in common: one binds to a target"
DIGEST = "sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"  # of "1"
CORPUS = {"digest": DIGEST, "cases": 2, "twins": 0}
PLAIN = {"family": "f", "library": "l", "entry": "e", "decode": "d", "runtime": "R 1", "libraries": {}}
SUBJECTS = {"a/one": PLAIN, "a/two": PLAIN, "b/binds": {**PLAIN, "shape": "order"}}
STACK = """
[stack]
name = "s"
policy = "strict-tool-input"

[[boundary]]
name = "bound"
role = "reviewer"
subject = "binders/zod"

[[boundary]]
name = "read"
role = "executor"
subject = "python/json"
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["try", "{}", "-s", "binders/zod", "-s", "python/json"], "some subjects bind to a target"),
        (["try", "{}", "-s", "binders/zod", "-s", "binders/protobuf-onto"], "some subjects bind to a target"),
        (["pair", "python/json", "binders/zod"], f"python/json and binders/zod {APART}"),
        (["upgrade", "python/json", "binders/zod"], f"python/json and binders/zod {APART}"),
        (["audit", "stack.toml"], "boundary bound: binders/zod binds to the target order of its own"),
    ],
)
def test_what_reads_nothing_in_common_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stack.toml").write_text(STACK)
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, said in err) == ("", True), err


ADAPTER = """
protocol = 1
name = "mixed"

[[launch]]
command = ["/nowhere/no-such-program"]

[[canary]]
text = "1"
expect = ["1"]

[[canary]]
text = "["
expect = ["reject"]
"""
SUBJECT = """
[[subject]]
key = "mixed/{name}"
family = "f"
library = "l"
entry = "e"
shim = "s"
decode = "library"
rejects = ["E"]
shape = "{shape}"
"""
MIXED = {"plain": "", "order": "order", "order-too": "order", "onto": "order-onto"}
OF_THEIR_OWN = "left out, since they bind to a target of their own: "


@pytest.mark.parametrize(
    ("asked", "kept", "said"),
    [
        (["mixed/*"], {"plain"}, OF_THEIR_OWN + "mixed/onto, mixed/order, mixed/order-too"),
        (["mixed/o*"], {"order", "order-too"}, "left out, since they read other cases: mixed/onto"),
        (
            ["mixed/*", "mixed/order"],
            {"order", "order-too"},
            "left out, since they read other cases: mixed/onto, mixed/plain",
        ),
        (["mixed/plain", "mixed/o?t?"], {"plain"}, OF_THEIR_OWN + "mixed/onto"),
        (["mixed/plain"], {"plain"}, ""),
        (["mixed/order*"], {"order", "order-too"}, ""),
    ],
)
def test_a_pattern_takes_those_that_read_the_same_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str], kept: set[str], said: str
) -> None:
    subjects = "".join(SUBJECT.format(name=name, shape=shape) for name, shape in MIXED.items())
    (tmp_path / "adapter.toml").write_text(ADAPTER + subjects)
    words = [word for key in asked for word in ("-s", key)]
    assert main(["try", "--adapters", str(tmp_path), *words, "{}"]) == 3  # none of them can be started
    _, err = capsys.readouterr()
    told = [line for line in err.splitlines() if line.startswith("left out")]
    assert told == ([said] if said else [])
    assert {key for key in MIXED if f"mixed/{key}: " in err} == kept


def test_own_cases_with_a_shape_are_put_to_no_parser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shaped = fleet.FAMILY + 'shape = "order"\n'
    ledger = tmp_path / "out.jsonl"
    words = [str(fleet.family(tmp_path, shaped)), "-s", "python/json", "-s", "python/json-pure"]
    assert main(["run", *words, "-o", str(ledger), "--no-twins"]) == 0
    view = read_ledger(ledger)
    (record,) = [record for record in view.cases.values() if record.case.shape]
    assert {each.outcome.value for each in view.observations[record.case.id]} == {"unsupported"}
    others = [key for key in view.cases if key != record.case.id]
    assert all(each.outcome.value != "unsupported" for key in others for each in view.observations[key])


def test_pairs_that_were_asked_nothing_in_common_do_not_look_like_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = {"tool": "0.1.0", "policies": {}, "corpus": CORPUS, "subjects": SUBJECTS}
    lines: list[dict[str, Any]] = [{"kind": "header", "ledger": 1, **head}]
    rows = {
        "c/plain": ("accept", "accept", "unsupported"),
        "c/order": ("unsupported", "unsupported", "accept"),
    }
    for case, answers in rows.items():
        bytes_ = {"input": DIGEST, "length": 1, "text": "1"}
        lines.append({"kind": "case", "case": case, "family": "c", **bytes_, "why": "w", "expect": {}})
        for subject, outcome in zip(sorted(SUBJECTS), answers, strict=True):
            value = {"value": "1"} if outcome == "accept" else {"reason": "r"}
            lines.append(
                {"kind": "observation", "case": case, "subject": subject, "outcome": outcome, **value}
            )
    lines.append({"kind": "footer", "observations": 6, "by_outcome": {"accept": 3, "unsupported": 3}})
    ledger = tmp_path / "mixed.jsonl"
    ledger.write_text("".join(json.dumps(line) + "\n" for line in lines))
    main(["compare", str(ledger)])
    out, _ = capsys.readouterr()
    shown = [line.split()[2:] for line in out.splitlines() if line[2:4] in ("a/", "b/")]
    assert shown == [["-", "0/0", "n/a"], ["0/0", "-", "n/a"], ["n/a", "n/a", "-"]]
    assert "n/a: no case was put to both" in " ".join(out.split())
