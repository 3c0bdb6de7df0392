"""`whichwins check`: the baseline, how it is written, and what a run is held to."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli import fleet
from tests.cli.conftest import CONFIG
from tests.cli.fleet import NOT_TO_BE_HAD, gate, refused, said
from tests.devices import full_device
from whichwins.analysis import baseline as analysis
from whichwins.cli import main
from whichwins.run.baseline import Stream

LOCK = Path("whichwins.lock")
ONE = ["-s", "lib/one@1.0"]
BASELINE = """\
whichwins baseline 2
lens value/1
corpus sha256:DIGEST 2 1
answers 4
policies POLICIES
subject fake/strict {"libraries":{"scripted":"0.1"},"library":"fake","runtime":"Scripted 1.0"}
subject lib/one {"libraries":{"lib":"1.0"},"library":"lib","runtime":"Scripted 1.0"}
small/plain = sha256:f39fb134398474c0c9c4858a795d6f2a 7
small/plain fake/strict accept {"q":2}
small/plain lib/one accept {"q":2}
small/repeat = sha256:6ae4f73a2741e365e45a22e042f4b2f1 14
small/repeat fake/strict reject~ parse ScriptedError
small/repeat lib/one accept {"q":2}
"""


@pytest.fixture
def kept(project: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with a committed baseline of two subjects."""
    said(capsys, "check", "--update", *ONE, "-s", "fake/strict")
    return project


def kinds(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> list[tuple[str, str, str]]:
    found = gate(capsys, "check", *words, code=code)["changes"]["changes"]
    return [(each["subject"], each["case"], each["kind"]) for each in found]


# -- a baseline is written ---------------------------------------------------------------------------------


def test_the_file(kept: Path) -> None:
    text = LOCK.read_text(encoding="ascii")
    text = re.sub(r"(?m)^corpus sha256:[0-9a-f]{64} ", "corpus sha256:DIGEST ", text)
    assert re.sub(r"(?m)^policies \{.*\}$", "policies POLICIES", text) == BASELINE


def test_a_second_time_it_is_the_same(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = LOCK.read_bytes()
    for more in ([], ["--jobs", "1"], ["--jobs", "7"], ["--timeout", "60", "--memory", "1000"]):
        said(capsys, "check", "--update", *ONE, "-s", "fake/strict", *more)
        assert LOCK.read_bytes() == before
    said(capsys, "check", "--update", "-s", "fake/strict", "-s", "lib/on[e]@1.0")
    assert LOCK.read_bytes() == before
    # From a ledger too.
    assert main(["run", "small.toml", "--adapters", "adapters", *ONE, "-s", "fake/strict", "-o", "run"]) == 0
    capsys.readouterr()
    said(capsys, "check", "run", "--update")
    assert LOCK.read_bytes() == before


def test_what_is_said_nowhere_else_stays(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "check", "--update", "-s", "fake/last", "-s", "fake/strict", "--lens", "exact/1")
    before = LOCK.read_bytes()
    said(capsys, "check", "--update")
    assert LOCK.read_bytes() == before
    said(capsys, "check", "--update", "--lens", "value/1")
    assert LOCK.read_bytes() == before.replace(b"lens exact/1", b"lens value/1")
    Path("whichwins.toml").write_text(f'lens = "binary64/1"\nsubjects = ["fake/last"]\n{CONFIG}')
    assert "1 subject, lens binary64/1" in said(capsys, "check", "--update")


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--baseline", "text/x"], 2, "text/x: cannot be written (its folder is a file)"),
        (["--baseline", "adapters"], 2, "adapters: is a folder"),
        (["-s", "fake/gone"], 3, "required subject fake/gone is absent"),
        (["-s", "lib/one@7"], 2, "no such version"),
        (["--lens", "value/3"], 2, "value/3"),
        (["--corpus", "text"], 2, "text: no corpus"),
    ],
)
def test_nothing_is_written_when_it_fails(
    kept: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, line: str
) -> None:
    Path("text").write_text("hello\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in kept.iterdir() if path.is_file()}
    assert line in refused(capsys, "check", "--update", *ONE, *words, code=code)
    assert {path: path.read_bytes() for path in kept.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (RuntimeError, 3), (OSError, 3)])
def test_ended_in_the_middle(
    kept: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    code: int,
) -> None:
    before = LOCK.read_bytes()

    def write(_view: object, _lens: str, stream: Stream) -> None:
        stream.write("whichwins baseline 1\n" * 10_000)
        raise error("here")

    monkeypatch.setattr(analysis, "write", write)
    assert main(["check", "--update", "-s", "fake/last"]) == code
    capsys.readouterr()
    assert LOCK.read_bytes() == before
    assert not list(kept.glob(".whichwins-*"))


def test_a_full_disk(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = full_device(kept)
    line = refused(capsys, "check", "--update", *ONE, "--baseline", str(full), code=3)
    assert line.startswith(f"{full}: cannot be written to its end (No space left on device)")


# -- a run is held to it -----------------------------------------------------------------------------------


def test_as_expected(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "check", *ONE, "-s", "fake/strict")
    assert out.startswith("Nothing reads differently in 4 answers: whichwins.lock\n")
    # Another version that reads the same is no finding; the baseline is matched by subject.
    assert kinds(capsys, "-s", "lib/one@1.1", "-s", "fake/strict", code=0) == []
    # What -s leaves out has not vanished.
    assert kinds(capsys, *ONE, code=0) == []
    assert kinds(capsys, "-s", "fake/stri*", code=0) == []


@pytest.mark.parametrize(
    ("version", "kind"), [("2.0", "winner-changed"), ("3.0", "newly-failing"), ("4.0", "newly-failing")]
)
def test_an_answer_changed(kept: Path, capsys: pytest.CaptureFixture[str], version: str, kind: str) -> None:
    words = ["-s", f"lib/one@{version}", "-s", "fake/strict", "--timeout", "0.5"]
    assert kinds(capsys, *words, code=1) == [("lib/one", "small/repeat", kind)]
    assert kinds(capsys, *words, "--exit-zero", code=0) == [("lib/one", "small/repeat", kind)]


def test_without_a_name_those_of_the_baseline_are_asked(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # As they are installed: lib is at 2.0 here.
    assert kinds(capsys, code=1) == [("lib/one", "small/repeat", "winner-changed")]
    said(capsys, "check", "--update", *ONE, "-s", "lib/one@2.0")
    assert kinds(capsys, code=0) == []  # two columns of one subject have their versions
    assert kinds(capsys, *ONE, code=0) == []
    assert kinds(capsys, *ONE, "-s", "lib/one@1.1", code=1) == [("lib/one", "small/repeat", "winner-changed")]


def test_what_vanished_and_what_is_new(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = [*ONE, "-s", "fake/strict"]
    Path("whichwins.toml").write_text(f'subjects = ["fake/strict"]\n{CONFIG}', encoding="utf-8")
    gone = [("lib/one", "small/plain", "vanished"), ("lib/one", "small/repeat", "vanished")]
    assert kinds(capsys, code=1) == gone
    fleet.family(kept, fleet.FAMILY[: fleet.FAMILY.rindex("[[case]]")])
    assert sorted(kinds(capsys, *both, code=1)) == [
        ("fake/strict", "small/plain", "vanished"),
        ("lib/one", "small/plain", "vanished"),
    ]
    more = '[[case]]\nid = "again"\ntext = \'{"q":3,"q":30}\'\nwhy = "another"\n'
    agreed = f'[[case]]\nid = "empty"\ntext = \'{{}}\'\nwhy = "none"\nexpect = {{ {EXPECT} }}\n'
    fleet.family(kept, fleet.FAMILY + agreed)
    notes = gate(capsys, "check", *both)["changes"]["notes"]
    assert "1 new case on which nobody parts: --update adds it" in notes
    fleet.family(kept, fleet.FAMILY + agreed + more)
    assert [each[1:] for each in kinds(capsys, *both, code=1)] == [("small/again", "new-split")]
    fleet.family(kept, fleet.FAMILY.replace('"q":20', '"q":21'))
    changed = kinds(capsys, *both, code=1)
    assert {each[1:] for each in changed} == {("small/repeat", "input-changed")}


EXPECT = ", ".join(f'{layer} = "accept"' for layer in ("rfc8259", "i-json", "jcs-input", "strict-tool-input"))


def test_a_subject_that_the_baseline_does_not_have(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = gate(capsys, "check", *ONE, "-s", "fake/last", code=1)["changes"]
    assert [(each["subject"], each["kind"]) for each in notes["changes"]] == [("fake/last", "new-split")]
    assert kinds(capsys, *ONE, "-s", "fake/first", code=0) == []
    # A gate that compares nothing does not pass.
    line = refused(capsys, "check", "-s", "fake/last", code=3)
    assert line == "fake/last: not in whichwins.lock, so nothing was compared: --update adds it"


def test_what_is_absent(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "-s", f"lib/one@{NOT_TO_BE_HAD}", "-s", "fake/strict"]
    assert "lib/one@9.9 is absent (no wheel fits" in refused(capsys, *words, code=3)
    # A pattern requires nobody; what was kept has to be there all the same.
    words[2] = f"lib/on[e]@{NOT_TO_BE_HAD}"
    assert "lib/one@9.9 is absent" in refused(capsys, *words, code=3)


def test_a_ledger(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "small.toml", "--adapters", "adapters", "-s", "fake/strict"]
    for version, code in (("1.1", 0), ("2.0", 1)):
        assert main([*run, "-s", f"lib/one@{version}", "-o", "run"]) == 0
        capsys.readouterr()
        assert len(kinds(capsys, "run", code=code)) == code
    assert refused(capsys, "check", "run", *ONE).startswith("-s lib/one@1.0: run is checked as it is")
    assert refused(capsys, "check", "run", "--ledger", "x").startswith("--ledger x: run is checked as it is")
    assert main([*run, "-s", "lib/one*@9.9", "-o", "run"]) == 0
    capsys.readouterr()
    assert "lib/one@9.9 is absent" in refused(capsys, "check", "run", code=3)
    text = Path("run").read_text(encoding="ascii")
    Path("run").write_text(text[: text[:-1].rindex("\n") + 1], encoding="ascii")
    assert "run: incomplete (no footer" in refused(capsys, "check", "run", code=3)
    assert main([*run, "--no-content", "-o", "run"]) == 0
    capsys.readouterr()
    assert "are left out after only" in refused(capsys, "check", "run", code=3)


# -- under which lens --------------------------------------------------------------------------------------


def test_another_lens(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "check", *ONE, "--lens", "value/1")
    line = refused(capsys, "check", *ONE, "--lens", "exact/1")
    assert line == "--lens exact/1: whichwins.lock is under value/1: leave it out, or add --update"
    Path("whichwins.toml").write_text(f'\nlens = "exact/1"\n{CONFIG}', encoding="utf-8")
    line = refused(capsys, "check", *ONE)
    assert line.startswith("whichwins.toml:2: lens exact/1: whichwins.lock is under value/1")
    said(capsys, "check", *ONE, "--lens", "value/1")  # the flag counts
    Path("whichwins.toml").write_text(f'\nlens = "exact/7"\n{CONFIG}', encoding="utf-8")
    assert refused(capsys, "check", "--update", *ONE).startswith("whichwins.toml:2: ")


# -- what is no baseline -----------------------------------------------------------------------------------


def test_none_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "check", *ONE)
    assert line.startswith("whichwins.lock: cannot be read (No such file or directory)")
    assert "whichwins check --update" in line
    assert refused(capsys, "check", "--update").startswith("no subjects: name them with -s, or in whichwins")


def test_a_merge_conflict(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = LOCK.read_text(encoding="ascii").splitlines(keepends=True)
    for place in (0, 1, 6, 9, len(lines)):
        inside = [
            *lines[:place],
            "<<<<<<< HEAD\n",
            *lines[place : place + 1],
            "=======\n",
            ">>>>>>> theirs\n",
        ]
        LOCK.write_text("".join([*inside, *lines[place + 1 :]]), encoding="ascii")
        line = refused(capsys, "check", *ONE)
        assert line.startswith(f"whichwins.lock: merge conflict, line {place + 1}: resolve it or run")
    # What it says to do then works.
    said(capsys, "check", "--update")
    said(capsys, "check")


def test_cut_short(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = LOCK.read_bytes()
    places = {*range(0, len(data), 97), *(place for place, byte in enumerate(data) if byte == 10)}
    places |= {place + 1 for place in places} - {len(data)}
    for place in sorted(places):
        LOCK.write_bytes(data[:place])
        assert refused(capsys, "check", *ONE).startswith("whichwins.lock: ")
    LOCK.write_bytes(data)
    said(capsys, "check", *ONE)
    LOCK.write_bytes(data.replace(b"\n", b"\r\n"))  # as some checkouts do
    said(capsys, "check", *ONE)


def test_one_for_the_other(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.toml", "--adapters", "adapters", "-s", "fake/strict", "-o", "run"]) == 0
    capsys.readouterr()
    assert "run: is no baseline" in refused(capsys, "check", *ONE, "--baseline", "run")
    assert "adapters: cannot be read" in refused(capsys, "check", *ONE, "--baseline", "adapters")
    Path("binary").write_bytes(b"whichwins baseline 1\n\xff\xfe\n")
    assert "binary: line 2 is not ASCII" in refused(capsys, "check", *ONE, "--baseline", "binary")
    Path("later").write_text(LOCK.read_text("ascii").replace("baseline 2", "baseline 9", 1), "ascii")
    assert "this whichwins reads 1 and 2" in refused(capsys, "check", *ONE, "--baseline", "later")
    for words in (
        ["check", "whichwins.lock"],
        ["diff", "run", "whichwins.lock"],
        ["diff", "whichwins.lock", "run"],
        ["compare", "whichwins.lock"],
    ):
        assert "whichwins.lock: line 1 is no ledger line" in refused(capsys, *words)


# -- exceptions --------------------------------------------------------------------------------------------


def allow(**more: str) -> str:
    entry = {"subject": "lib/one", "case": "*", "kind": "*", "reason": "seen", **more}
    lines = [f"{key} = {value if key == 'expires' else json.dumps(value)}" for key, value in entry.items()]
    return "\n".join(["[[allow]]", *lines, ""]).replace("until_version", "until-version")


TWO = ["-s", "lib/one@2.0", "-s", "fake/strict"]


@pytest.mark.parametrize(
    ("entries", "code", "lapses"),
    [
        ([{}], 0, []),
        (
            [{"subject": "lib/*", "case": "small/rep*", "kind": "winner-changed", "cause": "repeated name"}],
            0,
            [],
        ),
        ([{"expires": "2999-12-31"}], 0, []),
        ([{"until_version": "2.1"}], 0, []),
        ([{"case": "small/plain"}], 1, ["allow-unused"]),
        ([{"kind": "newly-rejected"}], 1, ["allow-unused"]),
        ([{"subject": "python/none"}, {}], 1, ["allow-unused"]),
        ([{}, {"case": "small/repeat"}], 1, ["allow-unused"]),
        ([{"expires": "2000-01-01"}], 1, ["allow-expired"]),
        ([{"expires": "2000-01-01"}, {}], 1, ["allow-expired"]),
        ([{"until_version": "2.0"}], 1, ["allow-expired"]),
    ],
)
def test_exceptions(
    kept: Path,
    capsys: pytest.CaptureFixture[str],
    entries: list[dict[str, str]],
    code: int,
    lapses: list[str],
) -> None:
    text = 'subjects = ["lib/one@2.0", "fake/strict"]\n' + CONFIG + "".join(allow(**each) for each in entries)
    Path("whichwins.toml").write_text(text, encoding="utf-8")
    found = gate(capsys, "check", code=code)
    assert [each["kind"] for each in found["lapses"]] == lapses
    assert all(each["allow"]["place"]["file"] == "whichwins.toml" for each in found["lapses"])
    if code == 0:
        (one,) = found["excused"]
        assert (one["allow"]["reason"], len(one["changes"]), found["changes"]["changes"]) == ("seen", 1, [])
    # Of a narrowed check an exception that covers nothing is no finding; one that has ended is.
    narrow = found["changes"]["changes"] or "allow-expired" in lapses
    assert bool(gate(capsys, "check", *TWO, code=int(bool(narrow)))["lapses"]) == ("allow-expired" in lapses)


def test_a_baseline_of_a_stranger_names_no_place_to_take_code_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no configuration names subjects, the baseline's are asked: its word is no more trusted."""
    monkeypatch.chdir(tmp_path)
    lines = [
        *(
            "whichwins baseline 1",
            "lens value/1",
            "corpus sha256:" + "0" * 64 + " 1",
            "answers 2",
            "policies {}",
        ),
        *("subject python/json {}", "subject python/orjson@./orjson-9.9-py3-none-any.whl {}"),
        "f/a = sha256:" + "0" * 32 + " 1",
        *("f/a python/json accept 1", "f/a python/orjson@./orjson-9.9-py3-none-any.whl accept 1"),
    ]
    Path("whichwins.lock").write_text("\n".join(lines) + "\n", encoding="ascii")
    assert main(["check", "--untrusted"]) == 2
    assert "whichwins.lock: the subject python/orjson@./orjson-9.9" in capsys.readouterr().err
