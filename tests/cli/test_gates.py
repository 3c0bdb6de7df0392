"""What `upgrade`, `diff` and `check` share: configuration, exceptions, reports, what is trusted."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.cli import fleet
from tests.cli.conftest import CONFIG
from tests.cli.fleet import gate, refused, said
from tests.cli.test_check import allow
from whichwins import workers
from whichwins.cli import gates, main
from whichwins.provision.provide import PROVIDERS, Order
from whichwins.workers import Limits, WorkerPool

UPGRADE = ["upgrade", "lib/one", "1.0", "2.0"]
CHECK = ["check", "-s", "lib/one@2.0"]
DIFF = ["diff", "before", "after"]
GATES = (UPGRADE, DIFF, CHECK)
BY_VERB = pytest.mark.parametrize("words", GATES, ids=[words[0] for words in GATES])


def configure(text: str) -> None:
    Path("whichwins.toml").write_text(text, encoding="utf-8")


# -- the command line, the configuration, the default ------------------------------------------------------


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    found: list[Limits] = []

    class Pool(WorkerPool):
        def __init__(self, subjects: Any, launches: Any, limits: Limits, **more: Any) -> None:
            found.append(limits)
            super().__init__(subjects, launches, limits, **more)

    monkeypatch.setattr(workers, "WorkerPool", Pool)
    return found


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    found: list[Order] = []

    def provide(order: Order) -> Any:
        found.append(order)
        return fleet.versions(order)

    monkeypatch.setitem(PROVIDERS, "python", provide)
    return found


@pytest.mark.parametrize("words", [UPGRADE, CHECK], ids=["upgrade", "check"])
def test_limits(
    gated: Path, capsys: pytest.CaptureFixture[str], limits: list[Limits], words: list[str]
) -> None:
    said(capsys, *words, code=1)
    configure(f"timeout = 3.5\nmemory = 300\n{CONFIG}")
    said(capsys, *words, code=1)
    said(capsys, *words, "--timeout", "4", "--memory", "400", code=1)
    assert [(each.case_seconds, each.memory_mb) for each in limits] == [(10.0, 2048), (3.5, 300), (4.0, 400)]


@pytest.mark.parametrize("words", [UPGRADE, CHECK], ids=["upgrade", "check"])
def test_sources(
    gated: Path, capsys: pytest.CaptureFixture[str], orders: list[Order], words: list[str]
) -> None:
    Path("ours.txt").write_text("", encoding="utf-8")
    Path("theirs.txt").write_text("", encoding="utf-8")
    said(capsys, *words, code=1)
    said(capsys, *words, "--index", "https://example.test/a", "--constraints", "ours.txt", code=1)
    configure(f'index = "https://example.test/b"\nconstraints = "theirs.txt"\nallow-build = true\n{CONFIG}')
    said(capsys, *words, code=1)
    said(capsys, *words, "--index", "https://example.test/a", "--constraints", "ours.txt", code=1)
    assert [tuple(vars_of(order)) for order in orders] == [
        (None, None, False),
        ("https://example.test/a", "ours.txt", False),
        ("https://example.test/b", "theirs.txt", True),
        ("https://example.test/a", "ours.txt", True),
    ]


def vars_of(order: Order) -> Iterable[object]:
    sources = order.sources
    return sources.index, str(sources.constraints) if sources.constraints else None, sources.allow_build


@pytest.mark.parametrize("words", [UPGRADE, CHECK], ids=["upgrade", "check"])
def test_the_interpreter(
    gated: Path, capsys: pytest.CaptureFixture[str], orders: list[Order], words: list[str]
) -> None:
    configure(f'python = "nowhere/python"\n{CONFIG}')
    assert refused(capsys, *words).startswith("whichwins.toml:1: `python`: nowhere/python is no program")
    said(capsys, *words, "--python", sys.executable, code=1)
    assert [order.runtimes.python_named for order in orders] == [sys.executable]


@BY_VERB
def test_the_lens(gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert gate(capsys, *words, code=1)["changes"]["lens"] == "value/1"
    configure(f'lens = "exact/1"\n{CONFIG}')
    if words is CHECK:
        assert main(["check", "--update", "-s", "lib/one@1.0"]) == 0
        capsys.readouterr()
    assert gate(capsys, *words, code=1)["changes"]["lens"] == "exact/1"
    if words is not CHECK:
        assert gate(capsys, *words, "--lens", "binary64/1", code=1)["changes"]["lens"] == "binary64/1"
    configure(f'lens = "exact/9"\n{CONFIG}')
    line = refused(capsys, *DIFF if words is CHECK else words)
    assert line.startswith("whichwins.toml:1: unknown lens 'exact/9'")


@pytest.mark.parametrize("words", [UPGRADE, CHECK], ids=["upgrade", "check"])
def test_cases(gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    def asked(*more: str, code: int) -> int:
        corpora = gate(capsys, *words, *more, code=code)["changes"]["corpora"]
        assert isinstance(corpora["after_cases"], int)
        return corpora["after_cases"]

    other = fleet.FAMILY.replace('"q":2', '"r":2')
    Path("other.toml").write_text(other, encoding="utf-8")
    assert asked(code=1) == 2
    assert asked("--corpus", "other.toml", code=1) == 4
    configure('builtin = false\nfilter = ["*/plain"]\ncorpus = ["small.toml"]\nadapters = ["adapters"]\n')
    assert asked(code=0 if words is UPGRADE else 1) == 1  # what the baseline has beside it vanished
    configure('builtin = false\nadapters = ["adapters"]\n')
    leaves = "leaves no cases: name yours with --corpus, or as `corpus`"
    assert refused(capsys, *words) == f"whichwins.toml:1: `builtin`: false {leaves}"
    assert refused(capsys, *words, "--no-builtin") == f"--no-builtin {leaves}"
    configure('adapters = ["adapters"]\n')
    assert asked("--no-builtin", "--corpus", "small.toml", code=1) == 2
    if words is UPGRADE:
        assert asked("--no-builtin", "--corpus", "small.toml", "-f", "*/plain", code=0) == 1
        assert "no case matches" in refused(capsys, *words, "-f", "nothing/*", code=3)


@BY_VERB
def test_adapters_of_both(gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    configure('builtin = false\ncorpus = ["small.toml"]\nadapters = ["nowhere"]\n')
    assert refused(capsys, *words).startswith("whichwins.toml:3: `adapters`: nowhere is not there")
    configure('builtin = false\ncorpus = ["small.toml"]\n')
    said(capsys, *words, "--adapters", "adapters", code=1)


def test_where_the_configuration_is(gated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("adapters", "small.toml", "whichwins.lock"):
        Path("deep").mkdir(exist_ok=True)
        Path(name).rename(f"deep/{name}")
    Path("whichwins.toml").rename("deep/ours.toml")
    # Its paths are relative to its own folder.
    said(capsys, *CHECK, "--config", "deep/ours.toml", code=1)
    Path("pyproject.toml").write_text(
        '[tool.whichwins]\nbuiltin = false\ncorpus = ["deep/small.toml"]\nadapters = ["deep/adapters"]\n'
        'baseline = "deep/whichwins.lock"\n',
        encoding="utf-8",
    )
    said(capsys, *CHECK, code=1)
    configure(CONFIG)
    assert "keep one" in refused(capsys, *CHECK)


@BY_VERB
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("lens = 3\n", "whichwins.toml:1: `lens` must be a string"),
        ("\nlense = ''\n", "whichwins.toml:2: unknown key `lense`: did you mean `lens`?"),
        ("[[allow]]\n", "whichwins.toml:1: [[allow]] 1: `subject` is missing"),
        (allow(kind="reorder"), "whichwins.toml:4: [[allow]] 1: `kind`: no kind is called so"),
        (allow(reason=" "), "whichwins.toml:5: [[allow]] 1: `reason` is empty"),
        ("<<<<<<< HEAD\n", "whichwins.toml:1"),
    ],
)
def test_a_bad_configuration(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str], text: str, line: str
) -> None:
    configure(text)
    assert refused(capsys, *words).startswith(line)


# -- exceptions --------------------------------------------------------------------------------------------


@BY_VERB
def test_exceptions(gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    configure(CONFIG + allow() + allow(subject="python/other"))
    found = gate(capsys, *words)
    assert (found["found"], found["changes"]["changes"], found["lapses"]) == (False, [], [])
    assert [each["allow"]["reason"] for each in found["excused"]] == ["seen"]
    for form in gates.FORMATS:
        assert "seen" in said(capsys, *words, "--format", form)
    configure(CONFIG + allow(expires="2000-01-01"))
    found = gate(capsys, *words, code=1)
    assert [each["kind"] for each in found["lapses"]] == ["allow-expired"]
    assert len(found["changes"]["changes"]) == 1


# -- who is trusted ----------------------------------------------------------------------------------------


@BY_VERB
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('adapters = ["adapters"]', "adapters"),
        ('python = "python3"', "python"),
        ('index = "https://example.test/simple"', "index"),
        ('constraints = "c.txt"', "constraints"),
        ("allow-build = true", "allow-build"),
        ('subjects = ["lib/one@./evil.whl"]', "subjects"),
        ('subjects = ["lib/one@evil.tar.gz"]', "subjects"),
        ('subjects = ["lib/one@git+https://example.test/x"]', "subjects"),
        ('corpus = ["../outside"]', "corpus"),
        ('baseline = "/etc/hostname"', "baseline"),
    ],
)
def test_a_configuration_that_names_code_is_refused(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str], text: str, key: str
) -> None:
    configure(f"\n{text}\n")
    line = refused(capsys, *words, "--untrusted")
    assert line.startswith(f"whichwins.toml:2: `{key}`")
    assert line.endswith("leave it out, or trust the file (no --untrusted)")


@BY_VERB
def test_the_command_line_is_trusted(
    gated: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    configure('builtin = false\ncorpus = ["small.toml"]\nlens = "value/1"\n' + allow())
    assert gate(capsys, *words, "--untrusted", "--adapters", "adapters")["excused"]


def test_a_package_of_the_checkout_is_not_loaded(gated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = gated / "adapters" / "lib" / "adapter.toml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace('toolchain = "python"', 'toolchain = "node"'), encoding="utf-8")
    configure('builtin = false\ncorpus = ["small.toml"]\n')
    words = ["check", "-s", "lib/one", "--adapters", "adapters"]
    said(capsys, *words, code=1)
    line = refused(capsys, *words, "--untrusted", code=3)
    assert "--untrusted loads no package from the working directory" in line


@pytest.mark.parametrize(
    ("word", "link"),
    [
        ("report.md", "report.md"),
        ("out/report.md", "out"),
        ("./out/deep/report.md", "out"),
        ("../shared/report.md", "shared"),
        ("{here}/report.md", "report.md"),
        ("{apart}/report.md", "report.md"),
    ],
)
@pytest.mark.parametrize("flag", ["-o", "--ledger"])
def test_an_untrusted_checkout_does_not_say_where_output_goes(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, word: str, link: str, flag: str,
) -> None:  # fmt: skip
    outside = tmp_path_factory.mktemp("outside")
    precious = outside / "precious"
    precious.write_text("mine")
    here = project / "here"
    here.mkdir()
    for name in ("adapters", "small.toml"):
        if (project / name).exists():
            (here / name).symlink_to(project / name)
    monkeypatch.chdir(here)
    apart = tmp_path_factory.mktemp("apart") if "apart" in word else here
    path = Path(word.format(here=here, apart=apart))
    target = precious if link == path.name else outside
    place = path if link == path.name else Path(word.split(link)[0]) / link
    place.symlink_to(target)
    words = ["upgrade", "python/json", "python/orjson", "--untrusted", flag, str(path)]
    line = refused(capsys, *words)
    assert line == f"{path}: {link} is a link, and --untrusted writes through none: name another place"
    assert precious.read_text() == "mine"
    assert [each.name for each in outside.iterdir()] == ["precious"]


@pytest.mark.parametrize("flag", ["--index", "--constraints", "--python"])
@pytest.mark.parametrize("verb", ["try", "run", "upgrade", "check"])
def test_an_empty_value_is_a_variable_that_was_not_set(
    project: Path, capsys: pytest.CaptureFixture[str], flag: str, verb: str
) -> None:
    for value in ("", " "):
        line = refused(capsys, verb, flag, value)
        assert f"argument {flag}: is empty: give a value, or leave the flag out" in line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('corpus = ["nope"]', "`corpus`: nope is not there"),
        ('filter = ["zzz*"]', "`filter`: corpus small: no case matches 'zzz*': correct it"),
        ("builtin = false", "`builtin`: false leaves no cases: name yours"),
        ('index = "nowhere"', "`index`: is neither an address (https://...) nor a folder"),
        ('subjects = ["fake/none"]', "no subject fake/none: "),
        ('subjects = ["lib/one@zz"]', "lib/one@zz: "),
    ],
)
def test_what_the_configuration_says_wrong_is_said_of_its_line(
    gated: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    """Nobody wrote a flag: the file, the line and the key are named."""
    key = line.partition(" ")[0]
    gone = ("builtin", "corpus") if key == "builtin" else (key,)
    kept = "".join(each for each in CONFIG.splitlines(keepends=True) if not each.startswith(gone))
    configure(f"\n{line}\n{kept}" if "subjects" in line else f"\n{line}\nsubjects = ['lib/one@2.0']\n{kept}")
    words = refused(capsys, "check")
    assert words.startswith(f"whichwins.toml:2: {said}")


@pytest.mark.parametrize(
    "words",
    [
        ("upgrade", "lib/one", "1.0", "2.0", "--ledger", "y.md", "-o", "y.md"),
        ("upgrade", "lib/one", "1.0", "2.0", "-o", "y.md", "-o", "./y.md"),
        ("upgrade", "--lock", "old.txt", "new.txt", "-o", "new.txt"),
        ("check", "-o", "whichwins.lock"),
        ("check", "--ledger", "y.xml", "-o", "y.xml"),
        ("diff", "before", "after", "-o", "before"),
        ("compare", "before", "-o", "before"),
        ("report", "before", "-o", "before"),
        ("explain", "before", "small/a", "-o", "before"),
        ("run", "small.toml", "-o", "small.toml"),
    ],
)
def test_nothing_is_written_over_what_is_read_or_written(
    gated: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    for name in ("old.txt", "new.txt"):
        Path(name).write_text("lib==1.0", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in gated.iterdir() if path.is_file()}
    said = refused(capsys, *words)
    assert "is read by this command" in said or "is written twice" in said
    assert {path.name: path.read_bytes() for path in gated.iterdir() if path.is_file()} == before
