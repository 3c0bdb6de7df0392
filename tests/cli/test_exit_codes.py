"""Every verb, every way to end: the exit code, and one line on stderr that names place and remedy."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import fleet
from whichwins.cli import VERBS, main


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with adapters, a corpus, good and bad ledgers, that the commands run in."""
    folder = tmp_path_factory.mktemp("home")
    fleet.adapters(folder / "adapters")
    fleet.family(folder)
    (folder / "plain.toml").write_text(
        fleet.FAMILY.replace("""text = '{"q":2,"q":20}\'""", """text = '{"q":20}\'""").replace(
            'why = "a repeat"',
            'why = "none"\nexpect = { rfc8259 = "accept", i-json = "accept", jcs-input = "accept", '
            'strict-tool-input = "accept" }',
        ),
        encoding="utf-8",
    )
    (folder / "wrong.toml").write_text(
        fleet.FAMILY.replace("reject: RFC 7493", "accept: RFC 7493"), encoding="utf-8"
    )
    (folder / "broken.toml").write_text("about = \n", encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "raw").mkdir()
    (folder / "raw" / "one.json").write_bytes(b"[1]")
    (folder / "full").mkdir()
    (folder / "full" / "x").write_bytes(b"")
    (folder / "text").write_text("hello\n", encoding="utf-8")
    (folder / "input").write_bytes(b'{"q":2,"q":20}')
    old = Path.cwd()
    os.chdir(folder)
    try:
        for name, corpus, keys in (
            ("parted", "small.toml", ("fake/first", "fake/last")),
            ("agreed", "small.toml", ("fake/last", "fake/also-last")),
            ("lonely", "small.toml", ("fake/last",)),
            ("absent", "small.toml", ("fake/[lg]*",)),
        ):
            assert main(["run", corpus, "--adapters", "adapters", *subjects(*keys), "-o", name]) == 0
        whole = Path("parted").read_text(encoding="ascii")
        Path("cut").write_text(whole[: len(whole) // 2].rpartition("\n")[0] + "\n", encoding="ascii")
        bad = whole.replace('"value":"{\\"q\\":2}"', '"value":"{"', 1)
        assert bad != whole
        Path("bad-value").write_text(bad, encoding="ascii")
        Path("bad-long").write_text(with_long_value(whole, "[" * 5000), encoding="ascii")
        Path("good-long").write_text(with_long_value(whole, "[" * 3000 + "]" * 3000), encoding="ascii")
        yield folder
    finally:
        os.chdir(old)


def with_long_value(ledger: str, text: str) -> str:
    """`ledger` with the first value `{"q":2}` replaced by a long one, which stands once under its digest."""
    digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    header, rest = ledger.split("\n", 1)
    value = json.dumps({"kind": "value", "digest": digest, "text": text})
    return "\n".join([header, value, rest.replace('"value":"{\\"q\\":2}"', f'"value_digest":"{digest}"', 1)])


def subjects(*keys: str) -> list[str]:
    return [word for key in keys for word in ("-s", key)]


FAKE = ["--adapters", "adapters"]
BOTH = [*FAKE, *subjects("fake/first", "fake/last")]
SAME = [*FAKE, *subjects("fake/last", "fake/also-last")]
WITH_GONE = [*FAKE, *subjects("fake/last", "fake/also-last", "fake/gone")]
ONE_LIVES = [*FAKE, *subjects("fake/gone*", "fake/las*")]
NONE_LIVES = [*FAKE, *subjects("fake/gone")]
BROKEN = [*FAKE, *subjects("fake/last", "fake/broken")]

TABLE: list[tuple[str, list[str], int, str]] = [
    # what, words, code, a piece of the line on stderr
    ("try: clean", ["try", "[1]", *SAME], 0, ""),
    ("try: finding", ["try", '{"q":1,"q":2}', *BOTH], 1, ""),
    ("try: finding, exit zero", ["try", '{"q":1,"q":2}', *BOTH, "--exit-zero"], 0, ""),
    ("try: a finding under no lens but exact", ["try", '{"q":1,"q":1}', *BOTH], 0, ""),
    ("try: an empty input", ["try", "", *SAME], 0, ""),
    ("try: hex", ["try", "--hex", "7b 7d", *SAME], 0, ""),
    ("try: no byte in hex", ["try", "--hex", "", *SAME], 0, ""),
    ("try: file", ["try", "--file", "input", *BOTH], 1, ""),
    ("try: one subject is a question", ["try", "[1]", *FAKE, *subjects("fake/last")], 0, ""),
    (
        "try: absent required",
        ["try", "[1]", *WITH_GONE],
        3,
        "required subject fake/gone is absent (no program",
    ),
    ("try: absent required, exit zero", ["try", "[1]", *WITH_GONE, "--exit-zero"], 3, "fake/gone"),
    ("try: failed before a finding", ["try", '{"q":1,"q":2}', *BOTH, "-s", "fake/gone"], 3, "fake/gone"),
    ("try: broken adapter", ["try", "[1]", *BROKEN], 3, "fake/broken is absent (failed the canary"),
    ("try: one live subject", ["try", "[1]", *ONE_LIVES], 3, "two live subjects"),
    ("try: no live subject", ["try", "[1]", *NONE_LIVES], 3, "no subject could be started (fake/gone: "),
    ("try: bad hex", ["try", "--hex", "7", *SAME], 2, "--hex '7': not pairs of hex digits"),
    ("try: no such file", ["try", "--file", "nothing", *SAME], 2, "nothing: cannot be read"),
    ("try: a folder", ["try", "--file", "raw", *SAME], 2, "raw: cannot be read (Is a directory)"),
    ("try: nothing given", ["try", *SAME], 2, "one of the arguments INPUT --file --hex is required"),
    ("try: two given", ["try", "[1]", "--hex", "5b", *SAME], 2, "not allowed with argument"),
    ("try: bad lens", ["try", "[1]", *SAME, "--lens", "value/9"], 2, "value/9"),
    ("try: unknown subject", ["try", "[1]", *FAKE, *subjects("fake/lst")], 2, "did you mean fake/last"),
    ("try: pattern of nothing", ["try", "[1]", *FAKE, *subjects("fake/x*")], 2, "no subject fake/x*"),
    (
        "try: no such adapters",
        ["try", "[1]", "--adapters", "nowhere"],
        2,
        "--adapters nowhere: no such folder",
    ),
    ("try: no manifest", ["try", "[1]", "--adapters", "raw"], 2, "it has no adapter.toml"),
    ("try: no such python", ["try", "[1]", *SAME, "--python", "/nowhere/python"], 2, "/nowhere/python"),
    ("try: bad flag", ["try", "[1]", "--colour"], 2, "unrecognized arguments: --colour"),
    ("try: abbreviated flag", ["try", "[1]", "--form", "json"], 2, "--form"),
    ("try: bad jobs", ["try", "[1]", *SAME, "--jobs", "0"], 2, "'0' is not a whole number of at least 1"),
    ("try: bad timeout", ["try", "[1]", *SAME, "--timeout", "nan"], 2, "'nan' is not a number of seconds"),
    ("try: bad memory", ["try", "[1]", *SAME, "--memory", "-1"], 2, "'-1' is not a whole number"),
    ("try: bad format", ["try", "[1]", *SAME, "--format", "xml"], 2, "invalid choice: 'xml'"),
    ("try: output into nothing", ["try", "[1]", *SAME, "-o", "text/x"], 2, "text/x: cannot be written"),
    ("pair: clean", ["pair", "fake/last", "fake/also-last", "small.toml", *FAKE], 0, ""),
    ("pair: finding", ["pair", "fake/first", "fake/last", "small.toml", *FAKE], 1, ""),
    ("pair: exit zero", ["pair", "fake/first", "fake/last", "small.toml", *FAKE, "--exit-zero"], 0, ""),
    ("pair: one absent", ["pair", "fake/gone", "fake/last", "small.toml", *FAKE], 3, "fake/gone is absent"),
    (
        "pair: both absent",
        ["pair", "fake/gone", "fake/broken", "small.toml", *FAKE],
        3,
        "no subject could be",
    ),
    ("pair: twice the same", ["pair", "fake/last", "fake/last", *FAKE], 2, "name two different subjects"),
    ("pair: a pattern", ["pair", "fake/l*", "fake/first", *FAKE], 2, "without patterns"),
    ("pair: unknown", ["pair", "fake/x", "fake/last", *FAKE], 2, "no subject fake/x"),
    (
        "pair: filter of nothing",
        ["pair", "fake/first", "fake/last", "small.toml", *FAKE, "-f", "x*"],
        3,
        "'x*'",
    ),
    ("pair: bad lens", ["pair", "fake/first", "fake/last", "small.toml", *FAKE, "--lens", "x"], 2, "lens"),
    ("pair: one missing", ["pair", "fake/first", *FAKE], 2, "required: B"),
    ("run: complete", ["run", "small.toml", *BOTH, "-o", "out"], 0, ""),
    ("run: complete with an absent one", ["run", "small.toml", *ONE_LIVES, "-o", "out"], 0, ""),
    ("run: raw files", ["run", "raw", *SAME, "-o", "out"], 0, ""),
    ("run: absent required", ["run", "small.toml", *WITH_GONE, "-o", "out"], 3, "required subject fake/gone"),
    (
        "run: no live subject",
        ["run", "small.toml", *NONE_LIVES, "-o", "none"],
        3,
        "no subject could be started",
    ),
    ("run: empty corpus", ["run", "empty", *SAME, "-o", "none"], 3, "corpus empty: no cases"),
    (
        "run: filter of nothing",
        ["run", "small.toml", *SAME, "-o", "none", "-f", "x*"],
        3,
        "no case matches 'x*'",
    ),
    ("run: no such corpus", ["run", "nowhere", *SAME, "-o", "none"], 2, "nowhere: there is no such file"),
    ("run: broken family", ["run", "broken.toml", *SAME, "-o", "none"], 2, "broken.toml"),
    ("run: a text file", ["run", "text", *SAME, "-o", "none"], 2, "text: no corpus"),
    (
        "run: output into nothing",
        ["run", "small.toml", *SAME, "-o", "text/x"],
        2,
        "text/x: cannot be written",
    ),
    ("run: output is a folder", ["run", "small.toml", *SAME, "-o", "raw"], 2, "raw: is a folder"),
    (
        "run: key without cause",
        ["run", "small.toml", *SAME, "-o", "none", "--digest-key", ""],
        2,
        "--no-content",
    ),
    (
        "run: short key",
        ["run", "small.toml", *SAME, "-o", "none", "--no-content", "--digest-key", "00"],
        2,
        "at least 16 bytes in hex",
    ),
    ("compare: clean", ["compare", "agreed"], 0, ""),
    ("compare: finding", ["compare", "parted"], 1, ""),
    ("compare: exit zero", ["compare", "parted", "--exit-zero"], 0, ""),
    ("compare: finding as json", ["compare", "parted", "--format", "json", "-o", "out"], 1, ""),
    ("compare: one live subject", ["compare", "absent"], 3, "fake/gone is absent"),
    ("compare: one subject", ["compare", "lonely"], 3, "two live subjects, there is 1"),
    ("compare: one of two chosen", ["compare", "parted", "-s", "fake/last"], 3, "two live subjects"),
    ("compare: one subject, exit zero", ["compare", "lonely", "--exit-zero"], 3, "two live subjects"),
    ("compare: incomplete", ["compare", "cut"], 3, "cut: incomplete (no footer"),
    ("compare: no ledger", ["compare", "text"], 2, "text: line 1 is no ledger line"),
    ("compare: a bad value", ["compare", "bad-value"], 2, "a value is not in the notation"),
    ("compare: a long bad value", ["compare", "bad-long"], 2, "bad-long: a value is not in the notation"),
    ("explain: a long bad value", ["explain", "bad-long", "small/plain"], 2, "not in the notation"),
    ("compare: a long good value", ["compare", "good-long"], 1, ""),
    ("compare: no such file", ["compare", "nowhere"], 2, "nowhere: cannot be read"),
    ("compare: a folder", ["compare", "raw"], 2, "raw: cannot be read"),
    ("compare: empty file", ["compare", "full/x"], 2, "empty, not a ledger"),
    ("compare: bad lens", ["compare", "parted", "--lens", "value/2"], 2, "value/2"),
    ("compare: unknown subject", ["compare", "parted", "-s", "x"], 2, "no subject 'x' in this ledger"),
    ("report: clean", ["report", "agreed"], 0, ""),
    ("report: parted", ["report", "parted"], 0, ""),
    ("report: one live subject", ["report", "absent"], 3, "two live subjects"),
    ("report: incomplete", ["report", "cut"], 3, "cut: incomplete"),
    ("report: no ledger", ["report", "text"], 2, "no ledger line"),
    ("report: output into nothing", ["report", "parted", "-o", "text/x"], 2, "text/x"),
    ("report: finds nothing, so has no exit zero", ["report", "parted", "--exit-zero"], 2, "--exit-zero"),
    ("explain: a case", ["explain", "parted", "small/repeat"], 0, ""),
    ("explain: a twin", ["explain", "parted", "small/repeat~twin"], 0, ""),
    ("explain: with one live subject", ["explain", "absent", "small/repeat"], 0, ""),
    ("explain: unknown case", ["explain", "parted", "small/repat"], 2, "did you mean small/repeat"),
    ("explain: bad lens", ["explain", "parted", "small/repeat", "--lens", "x"], 2, "lens"),
    ("explain: incomplete", ["explain", "cut", "small/repeat"], 3, "incomplete"),
    ("explain: no ledger", ["explain", "text", "x"], 2, "no ledger line"),
    ("subjects: some", ["subjects", *FAKE, *subjects("fake/l*", "fake/gone")], 0, ""),
    ("subjects: unknown", ["subjects", *FAKE, *subjects("fake/x")], 2, "no subject fake/x"),
    ("corpus list", ["corpus", "list", "small.toml"], 0, ""),
    ("corpus list: empty", ["corpus", "list", "empty"], 3, "no cases"),
    ("corpus list: filter of nothing", ["corpus", "list", "small.toml", "-f", "x"], 3, "no case matches 'x'"),
    ("corpus list: bad family", ["corpus", "list", "broken.toml"], 2, "broken.toml"),
    ("corpus show", ["corpus", "show", "*/repeat", "small.toml"], 0, ""),
    ("corpus show: unknown", ["corpus", "show", "x", "small.toml"], 3, "no case matches 'x'"),
    ("corpus check: clean", ["corpus", "check", "small.toml"], 0, ""),
    ("corpus check: finding", ["corpus", "check", "wrong.toml"], 1, ""),
    (
        "corpus export: not empty",
        ["corpus", "export", "full", "small.toml"],
        2,
        "full: is there and not empty",
    ),
    ("corpus: no action", ["corpus"], 2, "required: ACTION"),
    ("corpus: bad action", ["corpus", "burn"], 2, "invalid choice: 'burn'"),
    ("install: unknown", ["install", "perl"], 2, "invalid choice: 'perl'"),
    ("no verb", [], 2, "required: VERB"),
    ("unknown verb", ["differ"], 2, "invalid choice: 'differ'"),
    ("a bad option and no verb", ["--nope"], 2, "required: VERB"),
    ("help", ["--help"], 0, ""),
    ("version", ["--version"], 0, ""),
    *((f"{verb}: help", [verb, "--help"], 0, "") for verb in VERBS),
    *(
        (f"corpus {action}: help", ["corpus", action, "--help"], 0, "")
        for action in ("list", "show", "export", "check")
    ),
]


@pytest.mark.parametrize(("words", "code", "said"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_exit_codes(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    before = {path.name for path in home.iterdir()}
    assert main(words) == code
    out, err = capsys.readouterr()
    lines = err.splitlines()
    if code in (0, 1):
        assert lines == []
        assert out or "-o" in words
    else:
        assert said in err
        assert all(line.startswith("whichwins") for line in lines)
        assert len(lines) == 1
        assert len(lines[0]) < 500
    assert out.isascii()
    assert "none" not in {path.name for path in home.iterdir()}, "a file of a run that failed"
    assert {path.name for path in home.iterdir()} - before <= {"out"}
    assert not list(home.glob("**/*.part"))


def test_the_table_has_every_verb() -> None:
    tried = {row[1][0] for row in TABLE if row[1]}
    assert tried >= set(VERBS)
    for verb in ("try", "pair", "run", "compare", "report", "explain", "corpus"):
        codes = {row[2] for row in TABLE if row[1] and row[1][0] == verb}
        assert codes >= {0, 2, 3}, verb


def test_the_exit_code_is_the_same_in_every_format(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("text", "markdown", "json"):
        assert main(["compare", "parted", "--format", form]) == 1
        assert main(["compare", "agreed", "--format", form]) == 0
        assert main(["try", '{"q":1,"q":2}', *BOTH, "--format", form]) == 1
        assert main(["pair", "fake/first", "fake/last", "small.toml", *FAKE, "--format", form]) == 1
    capsys.readouterr()
    assert home


def test_more_memory_than_a_machine_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["try", "[1]", "--memory", "9" * 20]) == 2
    assert "is more MiB than a machine has" in capsys.readouterr().err
