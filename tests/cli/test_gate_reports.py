"""The reports of `upgrade`, `diff` and `check`: several files of one verdict, summaries, ledgers."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli import fleet
from tests.cli.fleet import gate, refused, said
from tests.cli.test_gates import BY_VERB, CHECK, DIFF, GATES, UPGRADE
from tests.devices import full_device
from whichwins.cli import gates

# -- reports -----------------------------------------------------------------------------------------------


@BY_VERB
def test_many_files_one_verdict(gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    names = [f"out/report{ending}" for ending in (".txt", ".md", ".json", ".xml", ".sarif", ".log", "")]
    files = [word for name in names for word in ("-o", name)]
    out = said(capsys, *words, *files, "--format", "github", code=1)
    assert out.startswith("1 of 2 cases reads differently: ")
    assert out.count("\n") == 1
    texts = {Path(name).suffix or "none": Path(name).read_text("ascii") for name in names}
    assert texts[".txt"].startswith("1 of 2 cases reads differently: ")
    assert texts[".md"].startswith("# 1 of 2 cases reads differently: ")
    assert json.loads(texts[".json"])["found"] is True
    assert ElementTree.fromstring(texts[".xml"]).get("failures") == "1"
    assert len(json.loads(texts[".sarif"])["runs"][0]["results"]) == 1
    # Endings that say nothing take the format that was named.
    assert texts[".log"] == texts["none"]
    assert texts[".log"].startswith("::error ")
    # Stdout beside files, under either name.
    for name in ("-", "/dev/stdout"):
        out = said(capsys, *words, "-o", "again.md", "-o", name, "--format", "junit", code=1)
        assert ElementTree.fromstring(out).get("failures") == "1"
        assert Path("again.md").read_text("ascii") == texts[".md"]
    assert not Path("-").exists()


@BY_VERB
def test_text_on_stdout_is_a_digest(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    said(capsys, *words, "-o", "report.txt", code=1)
    assert said(capsys, *words, "--all", code=1) == Path("report.txt").read_text("ascii")


@BY_VERB
def test_a_file_that_cannot_be_written(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert refused(capsys, *words, "-o", "small.toml/x.md").startswith("small.toml/x.md: cannot be written")
    full = full_device(gated)
    assert "No space left on device" in refused(capsys, *words, "-o", str(full), code=3)


@pytest.mark.parametrize("columns", ["1", "40", "0", "many", "1000"])
def test_any_width(
    gated: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for words in GATES:
        out = said(capsys, *words, code=1)
        if columns == "40":
            # Tables fold; what stands outside of them is as long as it is.
            assert max(map(len, out.splitlines())) <= 100
        assert "winner" in out


# -- the summary of a step ---------------------------------------------------------------------------------


@pytest.fixture
def summary(gated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = gated / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


@BY_VERB
def test_the_summary(summary: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    said(capsys, *words, "-o", "report.md", "--format", "json", code=1)
    assert not summary.exists()  # of annotations only
    said(capsys, *words, "--format", "github", code=1)
    once = summary.read_text("ascii")
    assert once.startswith("# 1 of 2 cases reads differently")
    said(capsys, *words, "--format", "github", "-o", "-", "-o", "annotations", "-o", "more.log", code=1)
    assert summary.read_text("ascii") == f"{once}\n{once}"  # a run, a summary
    said(capsys, *words, "--format", "github", "--exit-zero")
    assert summary.read_text("ascii") == "\n".join([once] * 3)


@pytest.mark.parametrize("room", [0, 1, 100, 1_000, 5_000])
def test_the_summary_stays_below_a_mebibyte(
    summary: Path, capsys: pytest.CaptureFixture[str], room: int
) -> None:
    there = b"\xe2\x82\xac" * ((1024 * 1024 - room) // 3)
    summary.write_bytes(there)
    said(capsys, *DIFF, "--format", "github", code=1)
    data = summary.read_bytes()
    assert data.startswith(there)
    assert data[len(there) : len(there) + 3] in (b"", b"\n# ")  # though what was there ends within a line
    assert len(data) <= 1024 * 1024
    assert (len(data) > len(there)) == (room >= 100)
    summary.write_bytes(there + b"beyond it already" * 1000)
    said(capsys, *DIFF, "--format", "github", code=1)
    assert summary.stat().st_size == len(there) + 17_000


def test_a_long_summary_is_cut(summary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = "".join(
        f'[[case]]\nid = "r{number}"\ntext = \'{{"q":{number},"q":-1}}\'\nwhy = "{"long " * 30}"\n'
        for number in range(6_000)
    )
    head = fleet.FAMILY[: fleet.FAMILY.index("[[case]]")]
    Path("small.toml").write_text(head + cases, encoding="utf-8")
    said(capsys, *UPGRADE, "--format", "github", code=1)
    assert 500_000 < summary.stat().st_size <= 1024 * 1024
    assert "Shortened to fit " in summary.read_text("ascii")[:1000]


def test_a_summary_that_cannot_be_written(
    gated: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, code, line in (
        (str(gated), 2, "GITHUB_STEP_SUMMARY: cannot be written (Is a directory): unset it"),
        (str(full_device(gated)), 3, "GITHUB_STEP_SUMMARY: cannot be written (No space left on device)"),
    ):
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", path)
        assert refused(capsys, *DIFF, "--format", "github", "-o", "annotations", code=code).startswith(line)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    said(capsys, *DIFF, "--format", "github", code=1)


def test_what_does_not_fit_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    gates.append_whole(path, lambda room: "x" * room, 10)
    assert path.read_text() == "x" * 10
    path.write_text("there")
    asked: list[int] = []
    for made in ("1234", "12345", ""):
        gates.append_whole(path, lambda room, made=made: asked.append(room) or made, 10)  # type: ignore[misc,func-returns-value]
    # A line end goes between; of five characters one would be too many, and then nothing fits.
    assert path.read_text() == "there\n1234"
    assert asked == [4, -1, -1]


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), OSError(5, "I/O"), KeyboardInterrupt()]
)
def test_a_summary_is_never_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "summary"
    path.write_text("of a step before\n")
    opened = Path.open

    class Tiring:
        """Takes three bytes, then fails."""

        def __init__(self, stream: Any) -> None:
            self.stream, self.left = stream, 1

        def __enter__(self) -> Tiring:
            return self

        def __exit__(self, *_: object) -> None:
            self.stream.close()

        def write(self, data: Any) -> int:
            if not self.left:
                raise error
            self.left -= 1
            return int(self.stream.write(data[:3]))

    monkeypatch.setattr(Path, "open", lambda *words, **more: Tiring(opened(*words, **more)))
    with pytest.raises(type(error)):
        gates.append_whole(path, lambda room: "# a report\n", 1000)
    monkeypatch.undo()
    assert path.read_text() == "of a step before\n"


# -- what stands where -------------------------------------------------------------------------------------


@BY_VERB
def test_only_files_leave_the_verdict_on_stdout(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    out = said(capsys, *words, "-o", "a.xml", "-o", "b.sarif", code=1)
    assert re.fullmatch(r"1 of 2 (cases|answers) reads differently: .* \(a\.xml, b\.sarif\)\n", out)
    assert "\n\n" in said(capsys, *words, "-o", "a.xml", "-o", "-", code=1)


@BY_VERB
def test_sarif_names_files_that_are_there(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    said(capsys, *words, "-o", "it.sarif", code=1)
    (run,) = json.loads(Path("it.sarif").read_text())["runs"]
    places = [
        each["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"] for each in r["locations"]
    ]
    assert places
    assert all(Path(place).is_file() for place in places)


def test_an_upgrade_without_any_file_has_no_place(gated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("whichwins.toml").unlink()
    words = ["--adapters", "adapters", "--no-builtin", "--corpus", "small.toml", "-o", "it.sarif"]
    said(capsys, "upgrade", "lib/one", "1.0", "2.0", *words, code=1)
    (run,) = json.loads(Path("it.sarif").read_text())["runs"]
    assert [each.get("locations") for each in run["results"]] == [None]


def test_in_a_folder_of_a_repository_places_are_seen_from_its_root(
    gated: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The services look for files from there. Elsewhere, and in other formats, nothing changes."""
    text = 'subjects = ["lib/one@2.0"]\n' + Path("whichwins.toml").read_text()
    Path("whichwins.toml").write_text(text)

    def uri() -> str:
        said(capsys, "check", "-o", "it.sarif", code=1)
        (run,) = json.loads(Path("it.sarif").read_text())["runs"]
        (result,) = run["results"]
        return str(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])

    for workspace, prefix in (
        (gated.parent, f"{gated.name}/"),
        (gated, ""),
        (gated / "adapters", ""),
        ("", ""),
    ):
        monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
        assert uri() == f"{prefix}whichwins.toml"
        out = said(capsys, "check", "--format", "github", code=1)
        assert out.startswith(f"::error file={prefix}whichwins.toml,line=1,")
        assert '"whichwins.toml"' in said(capsys, "check", "--format", "json", code=1)


# -- a run that is kept ------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [UPGRADE, [*CHECK, "-s", "fake/first"]], ids=["upgrade", "check"])
def test_the_ledger_is_read_by_others(
    gated: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str]
) -> None:
    said(capsys, *words, "--ledger", "kept/run", code=1)
    assert '{"q":20}' in said(capsys, "explain", "kept/run", "small/repeat")
    said(capsys, "compare", "kept/run", code=1)
    if words[0] == "check":
        assert gate(capsys, "check", "kept/run", code=1)["found"]
        assert gate(capsys, "diff", "before", "kept/run", code=1)["changes"]["pairings"]
    # Written also where the measurement failed, to look at.
    words = ["check", "-s", "fake/gone", "-s", "lib/one@2.0", "--ledger", "kept/failed"]
    refused(capsys, *words, code=3)
    kept = json.loads(said(capsys, "explain", "kept/failed", "small/repeat", "--format", "json"))
    assert [(each["outcome"], each["members"]) for each in kept["groups"]] == [
        ("accept", ["lib/one@2.0"]),
        ("absent", ["fake/gone"]),
    ]
    assert "small.toml/x: cannot be written" in refused(capsys, *CHECK, "--ledger", "small.toml/x")
