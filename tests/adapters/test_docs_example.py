"""The example of docs/adapters.md is what it says it is: complete, and it works."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adapters.client import ask, frame, frames, hello, talk
from tests.adapters.python_worker import outcome
from whichwins import notation
from whichwins.model import Subject
from whichwins.subjects import load_adapters, select
from whichwins.subjects.manifest import _ADAPTER_KEYS, _CANARY_KEYS, _KEEP_KEYS, _LAUNCH_KEYS, _SUBJECT_KEYS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\*\*`(.+?)`\*\*\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))

NO = "reject parse JSON::PP"
BY_HAND = [
    (b'{"quantity":2,"quantity":20}', '{"quantity":20}'),
    (b'{"b":1,"a":[1.5,"1.5",true,null,{},[]]}', '{"a":[1.5,"1.5",true,null,{},[]],"b":1}'),
    (b"", NO),
    (b"[1,]", NO),
    (b'"\xff"', NO),
    (b"[0.1,20.0,-1]", "[0.1,20.0,-1]"),
    (b"[1e400,-1e400]", "[Infinity,-Infinity]"),
    (b'"\\ud83d\\ude00\\u0000\x7f\\"\\\\/"', '"\\ud83d\\ude00\\u0000\\u007f\\"\\\\/"'),
    (b"[" * 512 + b"]" * 512, "[" * 512 + "]" * 512),
    (b"[" * 513 + b"]" * 513, NO),
]


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    assert set(FILES) == {"my-perl/adapter.toml", "my-perl/worker.pl"}
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def started(adapters: Path) -> tuple[list[str], bytes, Subject]:
    perl = shutil.which("perl")
    if not perl or subprocess.run([perl, "-MJSON::PP", "-e1"], capture_output=True, check=False).returncode:
        pytest.skip("no Perl with JSON::PP here")
    (subject,) = select(load_adapters([adapters]), ["my-perl/*"])
    argv = [part.replace("{folder}", str(adapters / "my-perl")) for part in subject.launch[0].command]
    return argv, hello(subject.key, subject.shim, subject.rejects), subject


def test_its_manifest_is_valid(adapters: Path) -> None:
    (subject,) = select(load_adapters([adapters]), ["my-perl/*"])
    assert subject.key == "my-perl/json-pp"


def test_its_worker_works(adapters: Path) -> None:
    argv, greeting, subject = started(adapters)
    for answer, (data, expected) in zip(ask(argv, greeting, [d for d, _ in BY_HAND]), BY_HAND, strict=True):
        said = outcome(answer)
        assert (notation.canonical(said) if answer.verb == "accept" else said) == expected, data[:40]
    canaries = [canary.text.encode() for canary in subject.canaries]
    for answer, canary in zip(ask(argv, greeting, canaries), subject.canaries, strict=True):
        assert (answer.text if answer.verb == "accept" else answer.verb) in canary.expect


def test_it_speaks_the_protocol(adapters: Path) -> None:
    argv, greeting, _ = started(adapters)
    out = frames(talk(argv, greeting + frame("parse", 5, "1") + frame("emit", 6, "1") + frame("bye", 7)))
    assert [(each.verb, each.sequence) for each in out] == [("ready", 0), ("accept", 5), ("unsupported", 6)]
    (refused,) = frames(talk(argv, hello("perl/x", "x", ["E"], protocol=2) + frame("bye", 1)))
    assert (refused.verb, refused.text[:16]) == ("fault", "ProtocolMismatch")
    unlisted = ask(argv, hello("perl/x", "x", ["SomethingElse"]), [b"{"])
    assert outcome(unlisted[0]) == "fault JSON::PP"


def test_every_key_of_the_manifest_is_explained() -> None:
    table = PAGE.split("## The manifest")[1]
    for key in (*_ADAPTER_KEYS, *_LAUNCH_KEYS, *_CANARY_KEYS, *_SUBJECT_KEYS, *_KEEP_KEYS):
        assert re.search(rf"`(\[\[)?(subject\.)?{key}(\]\])?`", table), key
