"""`whichwins diff`: two ledgers, matched by subject and case, never by version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import fleet
from tests.cli.fleet import gate, refused, said
from whichwins.cli import main


def ran(name: str, *keys: str, corpus: str = "small.toml", more: tuple[str, ...] = (), code: int = 0) -> None:
    words = [word for key in keys for word in ("-s", key)]
    assert main(["run", corpus, "--adapters", "adapters", *words, "-o", name, *more]) == code


def kinds(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> list[tuple[str, str, str]]:
    capsys.readouterr()
    found = gate(capsys, "diff", *words, code=code)["changes"]["changes"]
    return [(each["subject"], each["case"], each["kind"]) for each in found]


def test_by_subject_not_by_version(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran("one", "lib/one@1.0", "fake/strict")
    ran("same", "lib/one@1.1", "fake/strict")
    ran("two", "lib/one", "fake/strict")
    assert kinds(capsys, "one", "same", code=0) == []
    assert kinds(capsys, "one", "two", code=1) == [("lib/one", "small/repeat", "winner-changed")]
    assert kinds(capsys, "two", "one", code=1) == [("lib/one", "small/repeat", "winner-changed")]
    assert kinds(capsys, "one", "one", code=0) == []
    ran("both", "lib/one@1.1", "lib/one@2.0", "fake/strict")
    capsys.readouterr()
    assert "which became which cannot be told" in refused(capsys, "diff", "one", "both")
    out = said(capsys, "diff", "one", "two", code=1)
    assert out.startswith("1 of 4 answers reads differently: one to two\n")


def test_other_corpora(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran("one", "lib/one@1.0")
    Path("more").mkdir()
    fleet.family(Path("more"), fleet.FAMILY.replace('"plain"', '"plainer"').replace('"q":20', '"q":21'))
    ran("two", "lib/one@1.0", corpus="more/small.toml")
    capsys.readouterr()
    assert kinds(capsys, "one", "two", code=1) == [("lib/one", "small/repeat", "input-changed")]
    changes = gate(capsys, "diff", "one", "two", code=1)["changes"]
    # The id of a case is another one; its bytes are the same.
    assert changes["corpora"]["shared"] == 1
    assert "1 case has another id: matched by its input" in changes["notes"]
    assert "The corpora differ." in said(capsys, "diff", "one", "two", code=1)


def test_what_keeps_it_from_being_whole(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran("one", "lib/one@1.0", "fake/strict")
    ran("fewer", "lib/one@1.0")
    ran("other", "fake/last")
    ran("gone", "lib/on[e]@9.9", "fake/strict")
    ran("keyed", "lib/one@1.0", more=("--no-content",))
    ran("keyed-too", "lib/one@1.0", more=("--no-content",))
    text = Path("one").read_text("ascii")
    Path("cut").write_text(text[: text[:-1].rindex("\n") + 1], encoding="ascii")
    capsys.readouterr()
    # What is compared is reported; that it is not everything decides.
    assert main(["diff", "one", "fewer", "-o", "report.json"]) == 3
    assert capsys.readouterr().err == "whichwins: fake/strict is only in the run before: not compared\n"
    assert '"found": false' in Path("report.json").read_text("ascii")
    said(capsys, "diff", "fewer", "one")  # a subject that is new was never asked before
    for words, line in (
        (["one", "other"], "no subject is in both"),
        (["one", "gone"], "lib/one@9.9 is absent after: no wheel fits"),
        (["gone", "one"], "lib/one@9.9 is absent before"),
        (["one", "cut"], "cut: incomplete (no footer"),
        (["cut", "one"], "cut: incomplete"),
        (["fewer", "keyed"], "are left out after only"),
        (["keyed-too", "keyed"], "different keys"),
    ):
        assert line in refused(capsys, "diff", *words, code=3)


def test_wrong_words(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran("one", "lib/one@1.0")
    capsys.readouterr()
    for words, line in (
        ([], "required: BEFORE, AFTER"),
        (["one"], "required: AFTER"),
        (["one", "one", "one"], "unrecognized arguments: one"),
        (["one", "nowhere"], "nowhere: cannot be read"),
        (["one", "adapters"], "adapters: cannot be read"),
        (["one", "small.toml"], "small.toml: line 1 is no ledger line"),
        (["one", "one", "--lens", "other"], "unknown lens 'other'"),
    ):
        assert line in refused(capsys, "diff", *words)
