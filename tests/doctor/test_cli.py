"""`whichwins doctor`: a user's adapters, the exit codes, the formats; the adapters that travel along."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adapters.test_docs_example import FILES
from tests.doctor.patients import launch
from whichwins.cli import main

MANIFEST = """
protocol = 1
name = "test"
[[launch]]
command = {command}
[[canary]]
text = '[true]'
expect = ['[true]']
[[canary]]
text = '{{'
expect = ["reject"]
[[subject]]
key = "test/one"
family = "test"
library = "test"
entry = "test.parse"
shim = "one"
decode = "library"
rejects = ["ValueError"]
install = "pip install test"
repeats = "{repeats}"
{more}
"""
ABSENT = "def greet(lines):\n    return frame('fault', 0, b'ImportError none')"


def adapter(folder: Path, ill: str = "", repeats: str = "last", more: str = "") -> list[str]:
    command = json.dumps(list(launch(folder, ill).argv))
    (folder / "adapter.toml").write_text(MANIFEST.format(command=command, repeats=repeats, more=more))
    return ["doctor", "--adapters", str(folder)]


def test_all_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(adapter(tmp_path)) == 0
    out = capsys.readouterr().out
    assert "test/one" in out
    assert "python/json" not in out  # the user's adapters only
    assert out.endswith("1 of 1 subject examined, all well.\n")
    assert "own ways" not in out


def test_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = adapter(tmp_path, repeats="first")
    assert main(words) == 1
    assert 'repeats: {"a":1,"a":2,"a":3}: declares first, observed last' in capsys.readouterr().out
    assert main([*words, "--exit-zero", "--format", "markdown", "--all"]) == 0
    out = capsys.readouterr().out
    assert "observed last" in out
    assert "own ways" in out
    assert main([*words, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["report"], report["healthy"]) == ("doctor", False)
    checks = {each["name"]: each["state"] for each in report["subjects"]["test/one"]["checks"]}
    assert checks == dict.fromkeys(checks, "ok") | {"repeats": "finding"}


def test_hostile_output_is_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ill = (
        "def greet(lines):\n    return frame('ready', 0, b'') + b'\\x1b[31m|`<b>'\ndef other(v, n):\n    pass"
    )
    assert main(adapter(tmp_path, ill)) == 1
    assert capsys.readouterr().out.replace("\n", "").isprintable()


def test_nothing_to_examine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(adapter(tmp_path, ABSENT)) == 3
    said = capsys.readouterr()
    assert "ImportError none" in said.out
    assert "pip install test" in said.out
    assert said.err == "whichwins: no subject could be examined: all are absent (see `whichwins subjects`)\n"


def test_a_required_subject_is_absent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = (
        "default = true\nrequired = true\n[[subject]]\nkey = 'test/two'\nfamily = 't'\nlibrary = 't'\n"
        "entry = 'e'\nshim = 'two'\ndecode = 'library'\nrejects = ['ValueError']\nrepeats = 'first'"
    )
    ill = (
        "def greet(lines, plain=greet):\n"
        "    return plain(lines) if 'shim two' in lines else frame('fault', 0, b'E x')"
    )
    words = adapter(tmp_path, ill, more=more)
    assert main(words) == 3  # before the finding at test/two
    said = capsys.readouterr()
    assert said.err == "whichwins: required subject test/one is absent (E x)\n"
    assert "declares first, observed last" in said.out
    assert main([*words, "-s", "test/two"]) == 1


def test_what_is_no_adapter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--adapters", str(tmp_path)]) == 2
    assert "it has no adapter.toml" in capsys.readouterr().err


def test_the_example_of_the_documentation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    perl = shutil.which("perl")
    if not perl or subprocess.run([perl, "-MJSON::PP", "-e1"], capture_output=True, check=False).returncode:
        pytest.skip("no Perl with JSON::PP here")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    code = main(["doctor", "--adapters", str(tmp_path)])
    assert code == 0, capsys.readouterr().out


def test_the_adapters_that_travel_along(capsys: pytest.CaptureFixture[str]) -> None:
    # Those that are built or need more than the lock are looked at in tests/built.
    main(["doctor", "--format", "json", "-s", "python/*", "-s", "node/*", "-s", "ruby/*"])
    said = json.loads(capsys.readouterr().out)["subjects"]
    wrong = {
        key: [finding for each in one["checks"] for finding in each["findings"]]
        for key, one in said.items()
        if not one["healthy"]
    }
    assert wrong == {}
    examined = {key for key, one in said.items() if one["absent"] is None}
    assert {"python/json", "python/json-unique", "python/sqlite3-extract", "python/guard"} <= examined
