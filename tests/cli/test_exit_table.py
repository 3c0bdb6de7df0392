"""Every verb in every format, under everything that can happen: the verdict alone makes the exit code."""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.cli import table
from tests.cli.fleet import NOT_TO_BE_HAD
from tests.cli.table import (
    CELLS,
    CONDITIONS,
    FAKE,
    GATES,
    MAPS_A_FINDING,
    NONE,
    OTHER,
    REPEAT,
    SMALL,
    TABLE,
    beside,
    both,
    words,
)
from whichwins import cli
from whichwins.analysis.change_result import Gate
from whichwins.cli import gates, main
from whichwins.corpus import load
from whichwins.subjects import load_adapters


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    table.make(folder)
    return folder


@pytest.fixture
def home(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    table.surroundings(monkeypatch, made)
    return made


@pytest.fixture
def scene(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """What else a cell needs: `init` asks all that is installed about everything, `install` builds."""

    def prepare(verb: str, condition: str) -> None:
        if condition == "timeout":
            once(monkeypatch, "whichwins.run.run_to_view")
            once(monkeypatch, "whichwins.run.doctor.examine")
        if verb == "corpus export":
            shutil.rmtree("exported", ignore_errors=True)
        if verb == "init" and condition != "bad_input":
            monkeypatch.chdir(tmp_path)
            monkeypatch.setenv("LIB_VERSION", OTHER[condition])
            library, small = load_adapters([home / "adapters"]), load([home / "small.toml"])
            only = [adapter for adapter in library if adapter.name == "lib"]
            monkeypatch.setattr("whichwins.subjects.load_adapters", lambda _: only)
            monkeypatch.setattr("whichwins.corpus.load", lambda _: small)
        if verb == "install" and condition == "clean":
            monkeypatch.setattr("whichwins.provision.build_ruby_wasm", lambda _say: home)
        if verb == "install" and condition == "absent":
            monkeypatch.setenv("PATH", str(tmp_path))
            monkeypatch.setattr("whichwins.provision.runtimes.wheel_node", lambda: None)

    return prepare


def once(patch: pytest.MonkeyPatch, name: str) -> None:
    """A worker that hangs costs its time once a cell: the formats after the first get what the first got."""
    real = resolve_name(name)
    got: list[object] = []

    def again(*args: object, **more: object) -> object:
        if not got:
            got.append(real(*args, **more))
        return got[0]

    patch.setattr(name, again)


# -- the codes are those of the table ----------------------------------------------------------------------


def well_formed(form: str, out: str) -> None:
    """A report is what its format says; `-` says nothing."""
    assert out.isascii()
    if form in ("json", "sarif"):
        json.loads(out)
    elif form == "html":
        assert out.startswith("<!DOCTYPE html>")
        assert out.endswith("</html>\n")
    elif form == "junit":
        ElementTree.fromstring(out)
    elif form == "github":
        assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in out.splitlines())


def ended(capsys: pytest.CaptureFixture[str], words: Sequence[str], formats: Sequence[str]) -> dict[str, int]:
    """The exit code of a command by format; what it says goes with the code."""
    codes = {}
    for form in formats:
        codes[form] = main([*words, *(["--format", form] if form != "-" else [])])
        out, err = capsys.readouterr()
        lines = err.splitlines()
        if codes[form] < 2:
            assert lines == []
            well_formed(form, out)
        else:
            assert lines
            assert all(line.startswith("whichwins") for line in lines)
            if codes[form] == 2:
                assert (len(lines), out) == (1, "")
    return codes


def wrong(
    capsys: pytest.CaptureFixture[str], scene: Callable[[str, str], None], verb: str, condition: str
) -> dict[str, int]:
    """The formats in which the code of a cell is not that of the table."""
    scene(verb, condition)
    row = TABLE[verb]
    codes = ended(capsys, words(verb, condition), row.formats)
    return {form: code for form, code in codes.items() if code != getattr(row, condition)}


@pytest.mark.parametrize(("verb", "condition"), CELLS, ids=[" ".join(cell) for cell in CELLS])
def test_the_code_is_that_of_the_table_in_every_format(
    scene: Callable[[str, str], None], capsys: pytest.CaptureFixture[str], verb: str, condition: str
) -> None:
    assert wrong(capsys, scene, verb, condition) == {}
    assert not list(Path().rglob("*.part"))
    assert not Path("none").exists()


def test_a_cell_that_is_not_there_has_its_reason() -> None:
    for row in TABLE.values():
        for condition in CONDITIONS:
            cell = getattr(row, condition)
            assert cell in (0, 1, 2, 3) if isinstance(cell, int) else len(cell.split()) > 3


# -- nothing is left out -----------------------------------------------------------------------------------


def offered() -> dict[str, tuple[tuple[str, ...], bool]]:
    """The formats of every verb and of its actions, and whether it has --exit-zero, as the parsers say."""
    found: dict[str, tuple[tuple[str, ...], bool]] = {}
    for verb, (module, _) in cli.VERBS.items():
        parser = argparse.ArgumentParser()
        importlib.import_module(f"whichwins.cli.{module}").configure(parser)
        found.update(_offered(verb, parser))
    return found


def _offered(
    name: str, parser: argparse.ArgumentParser
) -> Iterator[tuple[str, tuple[tuple[str, ...], bool]]]:
    formats: tuple[str, ...] = NONE
    for option in parser._actions:
        if isinstance(option, argparse._SubParsersAction):
            formats = ()
            for action, inner in option.choices.items():
                yield from _offered(f"{name} {action}", inner)
        elif option.dest == "format":
            formats = tuple(option.choices or ())
    yield name, (formats, any(option.dest == "exit_zero" for option in parser._actions))


def without_a_row() -> set[str]:
    """The verbs of which the table and the parsers do not say the same."""
    said = {verb: (row.formats, verb in MAPS_A_FINDING) for verb, row in TABLE.items()}
    return {verb for verb, _ in set(offered().items()) ^ set(said.items())}


def test_the_table_has_every_verb_action_and_format() -> None:
    assert without_a_row() == set()
    assert {verb for verb, row in TABLE.items() if 1 in row} == {*MAPS_A_FINDING, "corpus check"}


def test_a_new_verb_or_format_without_a_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.VERBS, "newer", ("report", "a verb without a row"))
    assert without_a_row() == {"newer"}
    monkeypatch.delitem(cli.VERBS, "newer")
    monkeypatch.setattr(gates, "FORMATS", (*GATES, "pdf"))
    assert without_a_row() == {"upgrade", "diff", "check", "audit"}


# -- what decides, when several apply ----------------------------------------------------------------------

PARTS_AND_GONE = [*both("finding"), "-s", "fake/gone"]
PRECEDENCE: Mapping[str, tuple[int, list[str]]] = {
    # 3 before 1: what parts, and a required subject is absent
    "try: parts, absent": (3, ["try", REPEAT, *FAKE, *PARTS_AND_GONE]),
    "check: changed, absent": (3, ["check", "--baseline", "one.lock", *SMALL, *PARTS_AND_GONE]),
    "diff: changed, a subject is gone": (3, ["diff", "one-clean", "alone", "--adapters", "adapters"]),
    # 2 before 1: what parts, and the report cannot be written
    "try: parts, no place": (2, ["try", REPEAT, *FAKE, *both("finding"), "-o", "text/x"]),
    "pair: parts, no place": (2, ["pair", *beside("finding"), "small.toml", *FAKE, "-o", "text/x"]),
    "compare: parts, no place": (2, ["compare", "both-finding", "-o", "text/x"]),
    "upgrade: changed, no place": (2, ["upgrade", "lib/one", "1.0", "2.0", *SMALL, "-o", "text/x"]),
    "check: changed, no place": (2, [*words("check", "finding"), "-o", "text/x"]),
    "diff: changed, no place": (2, [*words("diff", "finding"), "-o", "text/x"]),
    # 2 before 3: a subject is absent, and a file is bad
    "try: absent, no place": (2, ["try", REPEAT, *FAKE, *PARTS_AND_GONE, "-o", "text/x"]),
    "check: absent, bad baseline": (2, ["check", "--baseline", "text", *SMALL, *PARTS_AND_GONE]),
    "check: absent, bad configuration": (
        2,
        ["check", "--baseline", "one.lock", *SMALL, *PARTS_AND_GONE, "--config", "broken.toml"],
    ),
    "diff: gone, no ledger": (2, ["diff", "one-absent", "text"]),
    "run: absent, bad corpus": (2, ["run", "broken.toml", *FAKE, *PARTS_AND_GONE, "-o", "none"]),
    "upgrade: not to be had, bad corpus": (
        2,
        ["upgrade", "lib/one", "1.0", NOT_TO_BE_HAD, *FAKE, "--corpus", "broken.toml"],
    ),
    "upgrade: not to be had, bad lens": (2, [*words("upgrade", "absent"), "--lens", "value/9"]),
    "check: absent, bad lens": (2, [*words("check", "absent"), "--update", "--lens", "value/9"]),
    "diff: cut short, bad lens": (2, ["diff", "cut", "one-clean", "--lens", "value/9"]),
    # a crash that was there before is none of an upgrade
    "upgrade: crashes as before": (0, ["upgrade", "lib/one@3.0", "lib/one-more@3.0", *SMALL]),
}


@pytest.mark.parametrize("what", PRECEDENCE)
def test_the_gravest_code_decides(home: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    code, said = PRECEDENCE[what]
    forms = TABLE[said[0]].formats
    for exit_zero in ([], ["--exit-zero"] if said[0] in MAPS_A_FINDING else []):
        assert ended(capsys, [*said, *exit_zero], forms[:1] + forms[-1:]) == dict.fromkeys(
            forms[:1] + forms[-1:], code
        )


# -- the test itself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", GATES)
def test_a_renderer_that_fails_is_noticed(
    scene: Callable[[str, str], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    form: str,
) -> None:
    from whichwins import report

    plain = report.gate_report

    def fails(gate: Gate, which: str, *args: int, **more: bool) -> str:
        if which == form:
            raise KeyError(which)
        return plain(gate, which, *args, **more)

    monkeypatch.setattr(report, "gate_report", fails)
    with pytest.raises(AssertionError):
        wrong(capsys, scene, "diff", "finding")
    capsys.readouterr()
    assert main([*words("diff", "finding"), "--format", form]) == 3  # and is no finding
    assert capsys.readouterr().err.endswith("internal error: please report the lines above\n")


def test_a_format_that_changes_the_code_is_noticed(
    scene: Callable[[str, str], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = gates.finish

    def lenient(args: argparse.Namespace, gate: Gate) -> int:
        code = plain(args, gate)
        return 0 if args.format in ("junit", "sarif") else code

    monkeypatch.setattr(gates, "finish", lenient)
    assert wrong(capsys, scene, "diff", "finding") == {"junit": 0, "sarif": 0}
    assert wrong(capsys, scene, "diff", "clean") == {}


@pytest.mark.parametrize("verb", MAPS_A_FINDING)
def test_exit_zero_maps_a_finding_and_nothing_else(
    home: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    row = TABLE[verb]
    for condition in ("clean", "finding", "absent", "bad_input"):
        code = getattr(row, condition)
        for form in row.formats[-1:]:
            said = ended(capsys, [*words(verb, condition), "--exit-zero"], [form])
            assert said == {form: 0 if code == 1 else code}, condition
