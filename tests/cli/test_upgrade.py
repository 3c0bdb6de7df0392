"""`whichwins upgrade`: what is held against what, however it is written."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.fleet import NOT_TO_BE_HAD, WITHOUT_MORE, gate, refused, said
from whichwins.cli import fleet, main
from whichwins.cli.fleet import Asked

ONE, MORE = "lib/one", "lib/one-more"


def pairs(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> list[tuple[str, str]]:
    found = gate(capsys, "upgrade", *words, code=code)
    return [(each["before"], each["after"]) for each in found["changes"]["pairings"]]


@pytest.mark.parametrize(
    ("words", "before", "after", "code"),
    [
        ([ONE, "1.0", "2.0"], f"{ONE}@1.0", f"{ONE}@2.0", 1),
        ([f"{ONE}@1.0", "2.0"], f"{ONE}@1.0", f"{ONE}@2.0", 1),
        ([f"{ONE}@1.0", f"{ONE}@2.0"], f"{ONE}@1.0", f"{ONE}@2.0", 1),
        # Against what is installed, which is 2.0.
        ([ONE, "1.0"], ONE, f"{ONE}@1.0", 1),
        ([ONE, "2.0"], ONE, f"{ONE}@2.0", 0),
        ([f"{ONE}@1.0", ONE], f"{ONE}@1.0", ONE, 1),
        # A migration.
        ([f"{ONE}@1.0", f"{MORE}@2.0"], f"{ONE}@1.0", f"{MORE}@2.0", 1),
        ([f"{ONE}@1.0", "fake/first"], f"{ONE}@1.0", "fake/first", 0),
        (["fake/first", "fake/last"], "fake/first", "fake/last", 1),
    ],
)
def test_forms(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str], before: str, after: str, code: int
) -> None:
    assert pairs(capsys, *words, code=code) == [(before, after)]


def test_every_entry_point_of_a_library(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = pairs(capsys, "lib/*", "1.0", "2.0", code=1)
    assert found == [(f"{ONE}@1.0", f"{ONE}@2.0"), (f"{MORE}@1.0", f"{MORE}@2.0")]
    # Each is held against itself, whatever the order of the keys with and without a version.
    assert pairs(capsys, "lib/*", "1.0", code=1) == [(ONE, f"{ONE}@1.0"), (MORE, f"{MORE}@1.0")]
    title = said(capsys, "upgrade", "lib/*", "1.0", "2.0", code=1).splitlines()[0]
    assert title == f"2 of 4 answers read differently: {ONE} 1.0 to 2.0 (2 entry points)"


def test_what_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (project / "adapters" / "lib" / "adapter.toml").open("a", encoding="utf-8") as manifest:
        manifest.write('[[subject.keeps]]\ncause = "repeated name"\nsay = "more(data, first=True)"\n')
    out = said(capsys, "upgrade", MORE, "1.0", "2.0", code=1)
    assert out.startswith(f"1 of 2 cases reads differently: {MORE} 1.0 to 2.0\n")
    for line in (
        "winner +first -> last",
        r'input +{"q":2,"q":20}',
        r"keep the old +more\(data, first=True\)",
    ):
        assert re.search(f"^{line}$", out, re.MULTILINE), line
    change = gate(capsys, "upgrade", ONE, "2.0", "3.0", code=1)["changes"]["changes"][0]
    assert (change["kind"], change["before"], change["after"]) == (
        "newly-failing",
        '{"q":20}',
        "crash SIGSEGV",
    )
    assert gate(capsys, "upgrade", ONE, "3.0", "2.0", code=1)["changes"]["changes"][0]["kind"] == "recovered"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "upgrade: write SUBJECT OLD NEW, or SUBJECT@OLD OTHER@NEW, or --lock OLD NEW"),
        ([ONE], "write SUBJECT OLD NEW"),
        ([ONE, "1.0", "2.0", "3.0"], "write SUBJECT OLD NEW"),
        ([f"{ONE}@1.0", "1.1", "2.0"], "write SUBJECT OLD NEW"),
        ([ONE, "1.0", "1.0"], f"{ONE}@1.0 twice: name two versions, or two subjects"),
        ([ONE, ONE], f"{ONE} twice"),
        (["fake/last", "fake/last"], "fake/last twice"),
        (["lib/*", f"{ONE}@1.0"], f"lib/* and {ONE}@1.0 name 2 and 1 subjects: name one each"),
        (["fake/*st@1", "lib/*@1"], "fake/*st@1 and lib/*@1 name 3 and 2 subjects"),
        (["fake/[fa]*st", "lib/*@1.0"], "name 2 and 2 subjects: name one each"),
        (["lib/on", "1.0", "2.0"], "no subject lib/on: did you mean lib/one"),
        (["lib/x*", "1.0", "2.0"], "no subject lib/x*"),
        ([ONE, "1.0", "7"], f"{ONE}@7: no such version; there are 1.0, 1.1"),
        ([ONE, "", "1.0"], "version '': write a version"),
        (["fake/last", "1.0", "2.0"], "fake/last@1.0: the adapter fake has no versions; leave out the @"),
        (["-s", ONE], f"-s {ONE}: goes with --lock"),
        ([ONE, "1.0", "2.0", "-s", ONE], f"-s {ONE}: goes with --lock"),
        ([ONE, "--lock", "a", "b"], f"{ONE}: --lock finds the subjects itself"),
        (["--lock", "a", "b"], "a: there is no such file"),
        ([ONE, "1.0", "2.0", "--lens", "value/2"], "value/2"),
        ([ONE, "1.0", "2.0", "--corpus", "nowhere"], "nowhere: there is no such file"),
        ([ONE, "1.0", "2.0", "--config", "nowhere"], "nowhere: there is no such file"),
    ],
)
def test_wrong_words(project: Path, capsys: pytest.CaptureFixture[str], words: list[str], line: str) -> None:
    assert line in refused(capsys, "upgrade", *words)
    assert not (project / "cache").exists()


def test_what_cannot_be_had(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "upgrade", ONE, "1.0", NOT_TO_BE_HAD, "-o", "report.md", code=3)
    assert line.startswith(f"required subject {ONE}@9.9 is absent (no wheel fits: get another Python)")
    assert not (project / "report.md").exists()
    assert "get lib" not in line  # that would install another version
    assert "no subject could be started" in refused(capsys, "upgrade", "fake/gone", "fake/broken", code=3)


def test_an_entry_point_that_a_version_does_not_have(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The old one does not have it: it is new, nothing is lost.
    found = gate(capsys, "upgrade", "lib/*", WITHOUT_MORE, "1.0")
    assert [each["subject"] for each in found["changes"]["pairings"]] == [ONE]
    assert [note for note in found["changes"]["notes"] if note.startswith(f"not compared: {MORE}@1.2")]
    # The new one does not: whoever uses it is broken by the upgrade.
    assert MORE in refused(capsys, "upgrade", "lib/*", "1.0", WITHOUT_MORE, code=3)
    assert MORE in refused(capsys, "upgrade", MORE, "1.0", WITHOUT_MORE, code=3)


def test_slower_is_no_finding(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = fleet.ask
    took: dict[str, float] = {}

    def ask(*args: object) -> Asked:
        return plain(*args)._replace(seconds=took)  # type: ignore[arg-type]

    monkeypatch.setattr(fleet, "ask", ask)
    for before, after, slower in ((1.0, 2.0, True), (1.0, 1.4, False), (0.01, 0.1, False), (2.0, 1.0, False)):
        took.update({f"{ONE}@1.0": before, f"{ONE}@1.1": after})
        notes = gate(capsys, "upgrade", ONE, "1.0", "1.1")["changes"]["notes"]
        assert any(note.startswith("slower: ") for note in notes) == slower, (before, after)


# -- lock files --------------------------------------------------------------------------------------------


@pytest.fixture
def locks(project: Path) -> Path:
    for name, version in (("old", "1.0"), ("same", "1.1"), ("new", "2.0"), ("bad", NOT_TO_BE_HAD)):
        (project / f"{name}.txt").write_text(f"flask==3.0.0\n\nlib=={version}\n", encoding="utf-8")
    return project


def test_lock_files(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = gate(capsys, "upgrade", "--lock", "old.txt", "new.txt", code=1)
    assert [each["subject"] for each in found["changes"]["pairings"]] == [ONE, MORE]
    assert found["places"] == {each: {"file": "new.txt", "line": 3} for each in (ONE, MORE)}
    (alone,) = gate(capsys, "upgrade", "--lock", "old.txt", "new.txt", "-s", ONE, code=1)["changes"][
        "pairings"
    ]
    assert (alone["before"], alone["after"]) == (f"{ONE}@1.0", f"{ONE}@2.0")
    sarif = json.loads(
        said(capsys, "upgrade", "--lock", "old.txt", "new.txt", "-s", ONE, "--format", "sarif", code=1)
    )
    where = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert (where["artifactLocation"]["uri"], where["region"]["startLine"]) == ("new.txt", 3)
    said(capsys, "upgrade", "--lock", "old.txt", "same.txt")
    assert NOT_TO_BE_HAD in _lines(capsys, "upgrade", "--lock", "old.txt", "bad.txt", code=3)


def _lines(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> str:
    from whichwins.cli import main

    assert main(list(words)) == code
    return capsys.readouterr().err


def test_no_json_library_differs(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["old.txt", "old.txt"], ["old.txt", "new.txt", "-s", "python/*"]):
        for form in ("text", "markdown", "json", "html", "junit", "github", "sarif"):
            said(capsys, "upgrade", "--lock", *words, "--format", form)
    assert "no JSON library differs" in said(capsys, "upgrade", "--lock", "old.txt", "old.txt")
    Path("loose.txt").write_text("lib>=1\n", encoding="utf-8")
    assert main(["upgrade", "--lock", "old.txt", "loose.txt", "--format", "json"]) == 3
    out, err = capsys.readouterr()
    (line,) = json.loads(out)["changes"]["incomplete"]
    assert line.startswith("loose.txt:1: lib is not pinned")
    assert err == f"whichwins: {line}\n"


@pytest.mark.parametrize(
    ("old", "new", "title", "code"),
    [
        ("flask==1", "flask==2", "no JSON library differs", 0),
        # New, or gone: nobody reads with another one.
        ("flask==1", "lib==1.0", "lib cannot be compared", 0),
        ("lib==1.0", "flask==1", "lib cannot be compared", 0),
        ("lib>=1", "flask==1", "lib cannot be compared", 0),
        ("lib>=1", "lib>=1", "of lib nothing is known", 0),
        ("lib @ https://a.invalid/1", "lib @ https://a.invalid/1", "of lib nothing is known", 0),
        ("lib==1 --hash=md5:aa", "lib==1 --hash=md5:aa --hash=md5:bb", "lib cannot be compared", 0),
        # It changed under those who use it, and nobody compared: a gate must not let it through.
        ("lib==1.0", "lib>=1", "lib cannot be compared", 3),
        ("lib>=1", "lib>=2", "lib cannot be compared", 3),
        ("lib>=1", "lib==2.0", "lib cannot be compared", 3),
        ("lib==1.0", "./lib-1.1.tar.gz", "lib cannot be compared", 3),
        ("lib==1.0", "-e ./lib", "lib cannot be compared", 3),
        ("nujson==1\nlib", "nujson==2\nlib", "nujson cannot be compared, of lib nothing is known", 3),
        ("nujson==1", "nujson==2", "nujson cannot be compared", 3),
        ("lib==1.0 --hash=sha256:aa", "lib==1.0 --hash=sha256:bb", "lib cannot be compared", 3),
        ("lib @ https://a.invalid/1", "lib @ https://a.invalid/2", "lib cannot be compared", 3),
        (
            "hyperjson==1\norjson==1",
            "nujson==1\nssrjson==1",
            "hyperjson, nujson, orjson and 1 more cannot be compared",
            3,
        ),
        ("nujson==1", "nujson==2\nlib>=1", "lib, nujson cannot be compared", 3),
    ],
)
def test_the_title_says_what_differs_though_nothing_is_compared(
    project: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, title: str, code: int
) -> None:
    for name, text in (("old.txt", old), ("new.txt", new)):
        Path(name).write_text(text, encoding="utf-8")
    assert main(["upgrade", "--lock", "old.txt", "new.txt", "-o", "-", "-o", "report.sarif"]) == code
    out, err = capsys.readouterr()
    missing = ", not everything was measured" if code else ""
    assert out.splitlines()[0] == f"Nothing was compared{missing}: {title}"
    assert bool(err) == bool(code)
    run = json.loads(Path("report.sarif").read_text(encoding="ascii"))["runs"][0]
    assert run["invocations"][0]["executionSuccessful"] is not bool(code)


def test_the_title_says_what_is_not_compared_beside_what_is(
    locks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("more.txt").write_text("lib==2.0\nnujson==2", encoding="utf-8")
    title = said(capsys, "upgrade", "--lock", "old.txt", "more.txt", code=1).splitlines()[0]
    assert title.endswith(f": {ONE} 1.0 to 2.0 (2 entry points); nujson cannot be compared")
    # nujson is new there; where it changed, -s says that it is not asked for.
    for name, version in (("a.txt", 1), ("b.txt", 2)):
        Path(name).write_text(f"lib=={version}.0\nnujson=={version}", encoding="utf-8")
    assert main(["upgrade", "--lock", "a.txt", "b.txt"]) == 3
    capsys.readouterr()
    said(capsys, "upgrade", "--lock", "a.txt", "b.txt", "-s", f"{ONE}*", code=1)
    title = said(capsys, "upgrade", "--lock", "old.txt", "new.txt", "-s", "fake/*").splitlines()[0]
    assert title == "Nothing was compared: -s leaves out lib"


def test_a_state_of_version_control(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("base.txt").write_text("lib==1.0\n", encoding="utf-8")
    Path("r.txt").write_text("-r base.txt\n", encoding="utf-8")
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid")
    for words in (("init", "-q"), ("add", "r.txt", "base.txt"), ("commit", "-q", "-m", "old")):
        subprocess.run([*git, *words], check=True, capture_output=True)
    Path("base.txt").write_text("lib==2.0\n", encoding="utf-8")
    found = gate(capsys, "upgrade", "--lock", "HEAD:r.txt", "r.txt", code=1)
    assert {(each["before"], each["after"]) for each in found["changes"]["pairings"]} == {
        (f"{one}@1.0", f"{one}@2.0") for one in (ONE, MORE)
    }
    assert "HEAD:no.txt: there is no such file" in refused(
        capsys, "upgrade", "--lock", "HEAD:no.txt", "r.txt"
    )
    assert "nowhere: is neither a file nor" in refused(capsys, "upgrade", "--lock", "nowhere:r.txt", "r.txt")


def test_bad_lock_files(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("conflict.txt").write_text("lib==1.0\n<<<<<<< a\n=======\n>>>>>>> b\n", encoding="utf-8")
    Path("package-lock.json").write_text('{"lockfileVersion": 3, "packages": {}}', encoding="utf-8")
    Path("cut.json").write_text('{"lockfileVersion": 3, "packa', encoding="utf-8")
    for new, line in (
        ("conflict.txt", "conflict.txt:2: an unresolved merge conflict"),
        ("package-lock.json", "give two states of one file"),
        ("cut.json", "cut.json"),
        ("nowhere.txt", "nowhere.txt: there is no such file"),
        ("adapters", "adapters"),
        ("whichwins.lock", "whichwins.lock"),
    ):
        assert line in refused(capsys, "upgrade", "--lock", "old.txt", new)
