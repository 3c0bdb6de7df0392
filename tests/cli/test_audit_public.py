"""What an audit shows by default: the cases that everybody has, and nothing of anybody's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from whichwins.cli import main

STACK = """
[stack]
name = "orders"
corpus = ["mine.jsonl"]

[[boundary]]
name = "screen"
role = "reviewer"
call = "shop:screen"

[[boundary]]
name = "reader"
role = "validator"
subject = "python/sqlite3-extract"

[[boundary]]
name = "tool"
role = "executor"
call = "shop:tool"
"""
SHOP = """
import json

def screen(raw, ctx):
    ctx.preview({{"quantity": 2}}, "cart")
    {screen}

def tool(raw, ctx):
    order = json.loads(raw)
    {tool}
    ctx.execute(order)
"""
CASE = "repeated-conflicting/quantity-2-20"
MINE = '{"pin":7351,"pin":7352}'
FORMS = ("txt", "md", "json", "html", "xml", "sarif")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "stack.toml").write_text(STACK, encoding="utf-8")
    (tmp_path / "mine.jsonl").write_text(json.dumps({"id": "a", "text": MINE}) + "\n", encoding="utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str, screen: str = "", tool: str = "") -> dict[str, str]:
    """Every format of one run, and the path of the case."""
    Path("shop.py").write_text(SHOP.format(screen=screen, tool=tool), encoding="utf-8")
    outputs = [word for form in FORMS for word in ("-o", f"out.{form}")]
    asked = words or ("--filter", CASE, "--filter", "mine/*")
    assert main(["audit", "stack.toml", *asked, *outputs]) == 1
    found = {form: Path(f"out.{form}").read_text(encoding="utf-8") for form in FORMS}
    capsys.readouterr()
    assert main(["audit", "stack.toml", *asked, "--format", "github"]) == 1
    found["github"] = capsys.readouterr().out
    if not words:
        assert main(["audit", "stack.toml", "--case", CASE]) == 1
        found["path"] = capsys.readouterr().out
        assert main(["audit", "stack.toml", "--case", CASE, "--format", "json"]) == 1
        found["path.json"] = capsys.readouterr().out
    return found


def test_the_smallest_stack_says_two_and_twenty(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = STACK.replace('corpus = ["mine.jsonl"]', "")
    small = small.replace('call = "shop:screen"', 'subject = "python/sqlite3-extract"')
    small = small.replace('call = "shop:tool"', 'subject = "python/json"')
    Path("stack.toml").write_text(small, encoding="utf-8")
    assert main(["audit", "stack.toml", "--filter", CASE]) == 1
    text = capsys.readouterr().out
    for row in (
        'input {"quantity":2,"quantity":20}',
        "screen held 2",
        "tool held 20",
        "differs at /quantity",
    ):
        assert row in [" ".join(line.split()) for line in text.splitlines()]
    assert "left out" not in text


def test_what_stands_in_a_public_case_is_shown_whoever_read_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys)
    rows_of_path = [" ".join(line.split()) for line in found["path"].splitlines()]
    for row in (
        'input {"quantity":2,"quantity":20}',
        'showed cart: {"quantity":2}',
        'executed {"quantity":20}',
    ):
        assert row in rows_of_path
    rows = {each["boundary"]: each for each in json.loads(found["path.json"])["path"]}
    assert rows["tool"]["executions"] == ['{"quantity":20}']
    found = told(capsys, "--filter", CASE)
    for form in ("txt", "md", "xml", "sarif", "github"):
        assert re.search(r"held\W+20\W", found[form]), form


@pytest.mark.parametrize(
    "tool",
    [
        "order['quantity'] = 7351",
        "order = {'secret-7351': 2}",
        "order = [2, {'quantity': '7351'}]",
        "order = '7351'",
        "order = b'\\xff7351'",
        "order = 7351.5",
    ],
)
def test_what_somebodys_code_made_of_a_public_case_is_not(
    place: Path, capsys: pytest.CaptureFixture[str], tool: str
) -> None:
    shown = told(capsys, "--filter", CASE, "--show-values", tool=tool)["json"]
    assert "7351" in shown or "37333531" in shown
    for form, text in told(capsys, "--filter", CASE, tool=tool).items():
        assert "7351" not in text, form
        assert "37333531" not in text, form


def test_a_case_of_ones_own_is_never_shown(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Neither as it was read by a parser of whichwins, nor in a family called as one of the built-in ones.
    Path("repeated-conflicting.jsonl").write_text(Path("mine.jsonl").read_text().replace("a", "own"))
    for form, text in told(capsys).items():
        assert "735" not in text, form
        assert "/pin" not in text, form
    stack = STACK.replace("mine.jsonl", "repeated-conflicting.jsonl")
    Path("stack.toml").write_text(stack, encoding="utf-8")
    for form, text in told(capsys, "--filter", "repeated-conflicting/own", "--filter", CASE).items():
        assert "735" not in text, form


def test_requests_that_came_are_never_shown(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Not even the very bytes of a public case.
    lines = [json.dumps({"text": text}) for text in (MINE, '{"quantity":2,"quantity":20}')]
    Path("came.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for form, text in told(capsys, "--requests", "came.jsonl").items():
        assert "735" not in text, form
        assert not re.search(r"held\W+20\W", text), form
        assert '"quantity' not in text, form


def test_where_something_was_shown_may_be_what_was_sent(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = "\n    ".join(
        (
            'ctx.preview(1, "row of " + json.loads(raw).popitem()[0] + " 81")',
            'ctx.preview(2, "the list, page 82")',
            'ctx.preview(3, "a" * 41)',
        )
    )
    found = told(capsys, screen=screen)["json"]
    places = {
        each["where"] for row in json.loads(found)["passages"].values() for each in row["screen"]["previews"]
    }
    assert places == {
        "cart",
        "the list, page 82",  # said twice
        "a" * 41,
        "(18 characters of text)",
        "(13 characters of text)",
        "(20 characters of text)",  # and of the twins: quantity~2, pin~2
        "(15 characters of text)",
    }
    alone = told(capsys, "--filter", CASE, screen=screen)["json"]
    assert "page 82" not in alone
    assert "a" * 41 not in alone


def test_a_word_of_where_it_was_shown_may_be_what_was_received(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        json.dumps({"text": text}) for text in ('{"q":"Hunter"}', '{"q":"Secret"}', '{"q":"Secret","r":1}')
    ]
    Path("came.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for form, text in told(
        capsys, "--requests", "came.jsonl", screen='ctx.preview(1, json.loads(raw)["q"])'
    ).items():
        assert "Hunter" not in text, form


def test_a_class_that_is_named_after_what_was_sent(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = "raise type(raw.decode(), (ValueError,), {})()"
    evidence = ("--filter", CASE, "--evidence", "evidence.jsonl", "--digest-key", "ab" * 16)
    for text in (*told(capsys, *evidence, tool=tool).values(), Path("evidence.jsonl").read_text()):
        assert 'exception {"' not in text
        assert 'exception {\\"' not in text
    report = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert report["passages"][CASE]["tool"]["signal"] == "exception ValueError"
