"""`whichwins check --update`: nothing is lost that was not asked anew, and what changed is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG
from tests.cli.fleet import FAMILY, refused, said

LOCK = Path("whichwins.lock")
ONE = ["-s", "lib/one@1.0"]
TITLE = "whichwins baseline 2\n"


@pytest.fixture
def kept(project: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A project with a committed baseline of two subjects; its text."""
    said(capsys, "check", "--update", *ONE, "-s", "fake/strict")
    return LOCK.read_text(encoding="ascii")


def update(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    return said(capsys, "check", "--update", *words).splitlines()


def of(subject: str, text: str | None = None) -> list[str]:
    """The lines of a baseline on a subject, its head included."""
    lines = (text or LOCK.read_text(encoding="ascii")).splitlines()
    return [line for line in lines if subject in line.split(" ")[:2]]


# -- what it says ------------------------------------------------------------------------------------------


def test_what_was_not_there_is_not_counted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert update(capsys, *ONE, "-s", "fake/g*") == [
        "whichwins.lock: 2 cases, 1 subject, lens value/1: commit it",
        "not in it: fake/gone: no answer",
    ]


def test_what_changes_is_counted(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    start = "whichwins.lock: 2 cases, 2 subjects, lens value/1; "
    assert update(capsys, *ONE, "-s", "fake/strict") == [f"{start}no answer changed: commit it"]
    # Version 2.0 reads the one repeated name otherwise.
    assert update(capsys, "-s", "lib/one@2.0") == [f"{start}1 answer changed: commit it"]
    Path("whichwins.toml").write_text(f'subjects = ["fake/first", "lib/one@1.0"]\n{CONFIG}')
    assert update(capsys) == [
        f"{start}1 answer changed, 2 new, 2 gone: commit it",
        "no longer in it: fake/strict: not asked",
    ]
    # A case with another input: both answers to it are others.
    Path("small.toml").write_text(FAMILY.replace("""text = '{"q":2}'""", """text = '{"q":3}'"""))
    assert update(capsys) == [f"{start}2 answers changed: commit it"]
    Path("small.toml").write_text(FAMILY.replace('id = "plain"', 'id = "other"'))
    assert update(capsys) == [f"{start}2 answers new, 2 gone: commit it"]


# -- -s ----------------------------------------------------------------------------------------------------


def test_a_subject_that_s_leaves_out_stays_as_it_is(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = update(capsys, "-s", "fake/last")
    assert line == "whichwins.lock: 2 cases, 3 subjects, lens value/1; 2 answers new: commit it"
    for subject in ("fake/strict", "lib/one"):
        assert of(subject) == of(subject, kept)
        assert len(of(subject)) == 3
    assert len(of("fake/last")) == 3
    # The file is one that whichwins reads and writes in the same way.
    said(capsys, "check", *ONE, "-s", "fake/strict", "-s", "fake/last")
    before = LOCK.read_bytes()
    update(capsys, *ONE, "-s", "fake/strict", "-s", "fake/last")
    assert LOCK.read_bytes() == before


def test_a_pattern_and_a_version_replace_what_they_are_of(
    kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    update(capsys, "-s", "lib/on[e]@2.0")
    assert of("fake/strict") == of("fake/strict", kept)
    assert [line.replace('"2.0"', '"1.0"') for line in of("lib/one")] != of("lib/one", kept)
    assert len(of("lib/one")) == 3
    # Two versions stand side by side, and one of them is asked anew.
    update(capsys, *ONE, "-s", "lib/one@2.0")
    two = LOCK.read_text(encoding="ascii")
    assert [len(of(f"lib/one@{version}")) for version in ("1.0", "2.0")] == [3, 3]
    assert update(capsys, *ONE)[0].endswith("; no answer changed: commit it")
    assert LOCK.read_text(encoding="ascii") == two


def test_who_does_not_answer_keeps_what_it_said(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    none = "no answer changed: commit it"
    assert update(capsys, *ONE, "-s", "fake/g*") == [
        f"whichwins.lock: 2 cases, 2 subjects, lens value/1; {none}",
        "not in it: fake/gone: no answer",
    ]
    assert LOCK.read_text(encoding="ascii") == kept
    LOCK.write_text(kept.replace("fake/strict", "fake/gone"))
    assert update(capsys, *ONE, "-s", "fake/g*") == [
        f"whichwins.lock: 2 cases, 2 subjects, lens value/1; {none}",
        "as it was: fake/gone: no answer",
    ]
    assert len(of("fake/gone")) == 3
    refused(capsys, "check", "--update", "-s", "fake/g*", code=3)
    line = refused(capsys, "check", "--update", "-s", "fake/nobody*")
    assert line.startswith("no subject fake/nobody*")
    assert len(of("fake/gone")) == 3


def test_what_cannot_stay_is_not_thrown_away(
    kept: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "check", "--update", *ONE, "--lens", "exact/1")
    assert line == (
        "--lens exact/1: whichwins.lock is under value/1, and the subjects that -s leaves out stay in it: "
        "leave -s out"
    )
    (tmp_path / "more.jsonl").write_text('{"id":"a","text":"[1]"}\n')
    line = refused(capsys, "check", "--update", *ONE, "--corpus", "more.jsonl")
    assert line.startswith("whichwins.lock: has other cases or twins than this run, and what -s leaves out")
    assert LOCK.read_text(encoding="ascii") == kept
    # Nobody is left out: nothing has to stay.
    assert update(capsys, *ONE, "-s", "fake/strict", "--lens", "exact/1")[0].startswith(
        "whichwins.lock: 2 cases"
    )


# -- what cannot be read -----------------------------------------------------------------------------------


def conflicted(text: str) -> str:
    """As git leaves a file in which both sides changed the answer of a case."""
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:-1], "<<<<<<< HEAD\n", lines[-1], "=======\n", lines[-1], ">>>>>>> theirs\n"])


DAMAGED = {
    "a conflict": (conflicted, "merge conflict, line 13"),
    "a conflict at the top": (lambda text: f"<<<<<<< HEAD\n{TITLE}=======\n{text}", "merge conflict, line 1"),
    "a space behind the version": (
        lambda text: text.replace(TITLE, "whichwins baseline 2 \n"),
        "line 1: nothing may stand beside `whichwins baseline 2`",
    ),
    "a byte order mark": (lambda text: "\ufeff" + text, "begins with a byte order mark"),
    "another version": (lambda text: text.replace(TITLE, "whichwins baseline 7\n"), "baseline version '7'"),
    "cut": (lambda text: text[:-5], "cut short"),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_what_cannot_be_read_keeps_lens_and_subjects(
    project: Path, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "check", "--update", *ONE, "-s", "fake/strict", "--lens", "exact/1")
    damage, what = DAMAGED[how]
    whole = LOCK.read_text(encoding="ascii")
    LOCK.write_text(damage(whole), encoding="utf-8")
    damaged = LOCK.read_bytes()
    line = refused(capsys, "check")
    assert line.startswith("whichwins.lock: ")
    assert what in line
    # Not with -s: what the others said would be gone.
    line = refused(capsys, "check", "--update", *ONE)
    assert what in line
    assert line.endswith("; with -s the other subjects' observations would be lost: leave -s out")
    assert LOCK.read_bytes() == damaged
    first, second = update(capsys)
    assert first == "whichwins.lock: 2 cases, 2 subjects, lens exact/1: commit it"
    assert second.startswith("written anew, for it could not be read: whichwins.lock: ")
    assert of("fake/strict") == of("fake/strict", whole)
    assert len(of("lib/one")) == 3


@pytest.mark.parametrize(
    "text", ["important\n", '{"whichwins-ledger":1}\n', "a\nb\nc\nwhichwins baseline 2\n"]
)
def test_another_file_is_not_overwritten(
    project: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("notes.txt").write_text(text)
    line = refused(capsys, "check", "--update", *ONE, "--baseline", "notes.txt")
    assert line == (
        "notes.txt: is no baseline, and --update does not overwrite it: name another file, or take it away"
    )
    assert Path("notes.txt").read_text() == text


def test_an_empty_file_is_filled(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LOCK.write_text("")
    assert update(capsys, *ONE)[0] == "whichwins.lock: 2 cases, 1 subject, lens value/1: commit it"


# -- reports -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["-o", "x.xml"], ["-o", "-"], ["--format", "github"], ["--all"]])
def test_no_report_is_promised(kept: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "check", "--update", *ONE, *words)
    shown = " ".join(words)
    assert line == f"{shown}: --update writes the baseline and makes no report: check first, then update"
    assert not Path("x.xml").exists()
    assert LOCK.read_text(encoding="ascii") == kept
