"""The exit codes of every verb under everything that can happen, and the command lines that lead there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli import fleet
from tests.cli.fleet import NOT_TO_BE_HAD
from tests.doctor import test_cli as doctor
from whichwins.cli import main
from whichwins.provision.provide import PROVIDERS

# -- the table ---------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """The formats of a verb (`-`: it has none), and its exit codes. A text says why there is no such cell."""

    formats: tuple[str, ...]
    clean: int | str
    finding: int | str
    crash: int | str
    timeout: int | str
    absent: int | str
    bad_input: int | str


REPORTS = ("text", "markdown", "json")
PAGES = (*REPORTS, "html")
GATES = (*PAGES, "junit", "github", "sarif")
NONE = ("-",)
ONE_CASE = "it shows cases and judges nothing"
STARTS = "it starts no worker"
NO_ACTION = "its actions have the rows"
BUILDS = "it builds, and compares nothing"
NOT_OF_SUBJECTS = "it asks about no case: a subject lives or is absent"

TABLE: Mapping[str, Row] = {
    # formats; clean, finding, crash, timeout, absent, bad input
    "try": Row(REPORTS, 0, 1, 1, 1, 3, 2),
    "pair": Row(REPORTS, 0, 1, 1, 1, 3, 2),
    "run": Row(NONE, 0, 0, 0, 0, 3, 2),
    "compare": Row(PAGES, 0, 1, 1, 1, 3, 2),
    "explain": Row(REPORTS, 0, 0, 0, 0, 0, 2),
    "report": Row(PAGES, 0, 0, 0, 0, 3, 2),
    "subjects": Row(REPORTS, 0, NOT_OF_SUBJECTS, 0, 0, 0, 2),
    "corpus": Row((), *(NO_ACTION,) * 6),
    "corpus list": Row(REPORTS, 0, ONE_CASE, STARTS, STARTS, STARTS, 2),
    "corpus show": Row(REPORTS, 0, ONE_CASE, STARTS, STARTS, STARTS, 2),
    "corpus export": Row(NONE, 0, ONE_CASE, STARTS, STARTS, STARTS, 2),
    "corpus check": Row(REPORTS, 0, 1, STARTS, STARTS, STARTS, 2),
    "doctor": Row(REPORTS, 0, 1, 1, 1, 3, 2),
    "upgrade": Row(GATES, 0, 1, 1, 1, 3, 2),
    "diff": Row(GATES, 0, 1, 1, 1, 3, 2),
    "check": Row(GATES, 0, 1, 1, 1, 3, 2),
    "audit": Row(GATES, 0, 1, 1, 1, 3, 2),
    "init": Row(NONE, 0, 0, 0, 0, 3, 2),
    "env": Row((), *(NO_ACTION,) * 6),
    "env list": Row(REPORTS, 0, BUILDS, STARTS, STARTS, STARTS, 2),
    "env prune": Row(REPORTS, 0, BUILDS, STARTS, STARTS, STARTS, 2),
    "env path": Row(NONE, 0, BUILDS, STARTS, STARTS, STARTS, 2),
    "install": Row(NONE, 0, BUILDS, STARTS, STARTS, 3, 2),
}
CONDITIONS = Row._fields[1:]
CELLS = [
    (verb, condition)
    for verb, row in TABLE.items()
    for condition in CONDITIONS
    if isinstance(getattr(row, condition), int)
]
MAPS_A_FINDING = ("try", "pair", "compare", "doctor", "upgrade", "diff", "check", "audit")
"""The verbs with --exit-zero."""

# -- how to get there --------------------------------------------------------------------------------------

ILL = """
plain = parse
def parse(data):
    if data.startswith(b'{"a":1,"a"'):
        %s
    return plain(data)
"""
PATIENTS = {
    "clean": "",
    "finding": "",
    "crash": ILL % "os.abort()",
    "timeout": ILL % "time.sleep(60)",
    "absent": doctor.ABSENT,
}
REPEAT = '{"q":2,"q":20}'
FAKE = ["--adapters", "adapters"]
SMALL = [*FAKE, "--no-builtin", "--corpus", "small.toml"]
OTHER = {"clean": "1.1", "finding": "2.0", "crash": "3.0", "timeout": "4.0", "absent": NOT_TO_BE_HAD}
"""By condition, the version of the library that stands beside 1.0."""

EXECUTORS = {"clean": "strict", "finding": "last", "crash": "crashes", "timeout": "hangs", "absent": "gone"}
STACK = """
[stack]
name = "small"
[[boundary]]
name = "screen"
role = "reviewer"
subject = "fake/strict"
[[boundary]]
name = "tool"
role = "executor"
subject = "fake/%s"
"""


def beside(condition: str) -> tuple[str, str]:
    return "lib/one@1.0", f"lib/one@{OTHER[condition]}"


def short(condition: str) -> list[str]:
    return ["--timeout", "0.3"] if condition == "timeout" else []


def both(condition: str) -> list[str]:
    return [word for key in beside(condition) for word in ("-s", key)]


def words(verb: str, condition: str) -> list[str]:
    """The command line that brings a verb into a condition."""
    if condition == "bad_input":
        return [*verb.split(), *BAD[verb]]
    match verb:
        case "try":
            return ["try", REPEAT, *FAKE, *both(condition), *short(condition)]
        case "pair":
            return ["pair", *beside(condition), "small.toml", *FAKE, *short(condition)]
        case "run":
            return ["run", "small.toml", *FAKE, *both(condition), "-o", "out", *short(condition)]
        case "compare" | "report":
            return [verb, f"both-{condition}"]
        case "explain":
            return [verb, f"both-{condition}", "small/repeat"]
        case "subjects":
            # A worker that ends, or is silent, is told with what is absent.
            ill = {"crash": "fake/dies", "timeout": "fake/silent", "absent": "fake/gone"}
            keys = ["-s", "fake/last", *(["-s", ill[condition]] if condition in ill else [])]
            return ["subjects", *FAKE, *keys, *short(condition)]
        case "doctor":
            return ["doctor", "--adapters", f"doctor-{condition}", *short(condition)]
        case "upgrade":
            return ["upgrade", "lib/one", "1.0", OTHER[condition], *SMALL, *short(condition)]
        case "diff":
            return ["diff", "one-clean", f"one-{condition}", "--adapters", "adapters"]
        case "check":
            key = ["-s", f"lib/one@{OTHER[condition]}"]
            return ["check", "--baseline", "one.lock", *SMALL, *key, *short(condition)]
        case "audit":
            return ["audit", f"stack-{condition}.toml", *SMALL, *short(condition)]
        case "init":
            return ["init", *short(condition)]
        case "corpus check":
            return ["corpus", "check", "wrong.toml" if condition == "finding" else "small.toml"]
    return [*verb.split(), *PLAIN[verb]]


PLAIN = {
    "corpus list": ["small.toml"],
    "corpus show": ["*", "small.toml"],
    "corpus export": ["exported", "small.toml"],
    "env list": [],
    "env prune": [],
    "env path": [],
    "install": ["ruby"],
}
BAD = {
    "try": [REPEAT, *FAKE, "-s", "lib/one@7"],
    "pair": ["lib/one@1.0", "lib/two", "small.toml", *FAKE],
    "run": ["broken.toml", *FAKE, "-s", "lib/one", "-o", "none"],
    "compare": ["text"],
    "explain": ["both-clean", "small/none"],
    "report": ["text"],
    "subjects": [*FAKE, "-s", "lib/two"],
    "corpus list": ["broken.toml"],
    "corpus show": ["*", "broken.toml"],
    "corpus export": ["full", "small.toml"],
    "corpus check": ["broken.toml"],
    "doctor": ["--adapters", "nowhere"],
    "upgrade": ["lib/one", "1.0", "7", *SMALL],
    "diff": ["one-clean", "text"],
    "check": ["--baseline", "conflict.lock", *SMALL, "-s", "lib/one@1.0"],
    "audit": ["broken.toml", *SMALL],
    "init": ["--adapters", "nowhere"],
    "env list": ["all"],
    "env prune": ["--older-than", "0"],
    "env path": ["lib/one@1.0"],
    "install": ["perl"],
}


def make(folder: Path) -> None:
    """Adapters, corpora, ledgers and baselines, good and bad."""
    fleet.adapters(
        folder / "adapters",
        dies="def answer(_):\n    die()\n",
        silent="def answer(_):\n    time.sleep(600)\n",
    )
    fleet.library(folder / "adapters")
    fleet.family(folder)
    (folder / "wrong.toml").write_text(
        fleet.FAMILY.replace("reject: RFC 7493", "accept: RFC 7493"), encoding="utf-8"
    )
    (folder / "broken.toml").write_text("about = \n", encoding="utf-8")
    for condition, name in EXECUTORS.items():
        (folder / f"stack-{condition}.toml").write_text(STACK % name, encoding="utf-8")
    (folder / "text").write_text("hello\n", encoding="utf-8")
    (folder / "full").mkdir()
    (folder / "full" / "x").write_bytes(b"")
    for name, ill in PATIENTS.items():
        (folder / f"doctor-{name}").mkdir()
        doctor.adapter(folder / f"doctor-{name}", ill, "first" if name == "finding" else "last")
    with pytest.MonkeyPatch.context() as patch:
        surroundings(patch, folder)
        for condition in OTHER:
            code = 3 if condition == "absent" else 0
            run = ["run", "small.toml", *FAKE, *short(condition)]
            assert main([*run, *both(condition), "-o", f"both-{condition}"]) == code
            # Beside one that lives; a pattern, for which none has to.
            one = ["-s", f"lib/on*@{OTHER[condition]}", "-s", "fake/last"]
            assert main([*run, *one, "-o", f"one-{condition}"]) == 0
        assert main(["run", "small.toml", *FAKE, "-s", "lib/one@2.0", "-o", "alone"]) == 0
        text = Path("alone").read_text(encoding="ascii")
        Path("cut").write_text(text[: text[:-1].rindex("\n") + 1], encoding="ascii")
        assert main(["check", "--baseline", "one.lock", "--update", *SMALL, "-s", "lib/one@1.0"]) == 0
        lines = Path("one.lock").read_text(encoding="ascii").splitlines()
        lines[4:4] = ["<<<<<<< ours", "=======", ">>>>>>> theirs"]
        Path("conflict.lock").write_text("\n".join(lines) + "\n", encoding="ascii")


def surroundings(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.chdir(folder)
    patch.setitem(PROVIDERS, "python", fleet.versions)
    patch.setenv("WHICHWINS_CACHE", str(folder / "cache"))
    patch.delenv("GITHUB_STEP_SUMMARY", raising=False)  # of the build that runs these tests
