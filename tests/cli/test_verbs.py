"""What the verbs say when all is well: a run, its reports, one input, a pair, the subjects."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli import fleet
from whichwins.cli import main

REPEAT = '{"q":2,"q":20}'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    fleet.adapters(folder / "adapters")
    fleet.family(folder)
    return folder


def fake(home: Path, *keys: str) -> list[str]:
    return ["--adapters", str(home / "adapters"), *(word for key in keys for word in ("-s", f"fake/{key}"))]


def out(capsys: pytest.CaptureFixture[str], words: list[str], code: int = 0) -> str:
    assert main(words) == code
    said, err = capsys.readouterr()
    assert err == ""
    assert isinstance(said, str)
    return said


def test_run_says_what_it_came_to(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "new folder" / "l"
    words = ["run", str(home / "small.toml"), *fake(home, "first", "gon*", "strict"), "-o", str(ledger)]
    assert out(capsys, words) == (
        "cases 2, twins 1, subjects 2 of 3: absent 3, accept 5, reject 1\n"
        "absent: fake/gone: no program no-such-program-anywhere: get gone\n"
        f"ledger: {ledger}\n"
    )
    assert ledger.is_file()
    report = out(capsys, ["report", str(ledger)])
    assert "- fake/gone is absent: no program no-such-program-anywhere: get gone" in report
    assert re.search(r"fake/first +1 +first +first", report)
    assert re.search(r"fake/strict +2 +reject +reject", report)


def test_no_twins(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(home / "small.toml"), *fake(home, "first", "strict"), "-o", str(tmp_path / "l")]
    assert "cases 2, twins 0" in out(capsys, [*words, "--no-twins"])
    # Without the control nobody knows why it rejects.
    assert re.search(r"fake/strict +2 +n/a +n/a", out(capsys, ["report", str(tmp_path / "l")]))


def test_no_content(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(home / "small.toml"), *fake(home, "first", "last"), "--no-content", "-o"]
    texts = []
    for name in ("one", "two"):
        assert main([*words, str(tmp_path / name)]) == 0
        key = re.fullmatch(r"digest key \(kept nowhere else\): ([0-9a-f]{64})\n", capsys.readouterr().err)
        assert key is not None
        texts.append((tmp_path / name).read_text("ascii"))
        assert main([*words, str(tmp_path / "again"), "--digest-key", key[1]]) == 0
        assert capsys.readouterr().err == ""
        assert (tmp_path / "again").read_text("ascii") == texts[-1]
    assert texts[0] != texts[1]  # a fresh key each time
    assert '"q' not in texts[0].replace('"q"', "")
    assert "quantity" not in texts[0]
    report = out(capsys, ["compare", str(tmp_path / "one")], 1)
    assert "The ledger holds no inputs: winners are left out and causes are coarse." in report
    assert "not in the ledger" in out(capsys, ["explain", str(tmp_path / "one"), "small/repeat"])


def test_compare_some(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = str(tmp_path / "l")
    main(["run", str(home / "small.toml"), *fake(home, "first", "last", "also-last"), "-o", ledger])
    capsys.readouterr()
    out(capsys, ["compare", ledger], 1)
    out(capsys, ["compare", ledger, "-s", "fake/last", "-s", "fake/also*"], 0)
    said = json.loads(out(capsys, ["compare", ledger, "-s", "fake/*last", "--format", "json"], 0))
    assert [line["key"] for line in said["subjects"]] == ["fake/also-last", "fake/last"]


def test_try(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(
        out(capsys, ["try", REPEAT, *fake(home, "first", "last", "strict"), "--format", "json"], 1)
    )
    groups = [(g["outcome"], g["members"], g["value"]) for g in said["groups"]]
    assert groups == [
        ("accept", ["fake/first"], '{"q":2}'),
        ("accept", ["fake/last"], '{"q":20}'),
        ("reject", ["fake/strict"], None),
    ]
    assert said["winners"] == {"fake/first": "first", "fake/last": "last", "fake/strict": "reject"}
    assert (said["value"], said["verdict"], said["pointer"]) == (True, True, "/q")
    (tmp_path / "input").write_bytes(REPEAT.encode())
    both = fake(home, "first", "last")
    shown = out(capsys, ["try", REPEAT, *both], 1)
    assert out(capsys, ["try", "--hex", REPEAT.encode().hex(" "), *both], 1) == shown
    assert out(capsys, ["try", "--file", str(tmp_path / "input"), *both], 1) == shown


def test_try_under_a_lens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = fake(home, "first", "last")
    repeat = '{"b":1,"a":2}'  # the one that turns its pairs round returns another order
    out(capsys, ["try", repeat, *both], 0)
    out(capsys, ["try", repeat, *both, "--lens", "exact/1"], 1)


def test_a_report_goes_into_a_file_whole(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = fake(home, "first", "last")
    shown = out(capsys, ["try", REPEAT, *both], 1)
    assert out(capsys, ["try", REPEAT, *both, "-o", str(tmp_path / "report")], 1) == ""
    assert (tmp_path / "report").read_text("ascii") == shown


def test_pair(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["pair", "fake/last", "fake/first", str(home / "small.toml"), *fake(home)]
    said: dict[str, Any] = json.loads(out(capsys, [*words, "--format", "json"], 1))
    assert (said["cell"]["row"], said["cell"]["column"]) == ("fake/last", "fake/first")
    assert [(c["case"], c["row"], c["column"]) for c in said["cases"]] == [
        ("small/repeat", '{"q":20}', '{"q":2}')
    ]
    assert out(capsys, words, 1).startswith("fake/last and fake/first: what they read differently\n")


def test_subjects(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = out(capsys, ["subjects", *fake(home, "first", "gone", "broken")])
    assert re.search(r"fake/first +fake +scripted 0.1, Scripted 1.0 +first\(bytes\)", said)
    assert re.search(r"fake/broken +failed the canary '{\"a\":1}'", said)
    assert "get gone" in said
    assert said.endswith("1 of 3 subjects can be asked.\n")
    listed = json.loads(out(capsys, ["subjects", *fake(home, "gone"), "--format", "json"]))["subjects"]
    assert listed["fake/gone"]["install"] == "get gone"
    assert listed["fake/gone"]["absent"].startswith("no program no-such-program-anywhere")
