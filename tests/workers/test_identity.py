import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workers.scripted import subject
from whichwins.model import BadInput
from whichwins.workers import Launch
from whichwins.workers.identity import Ready, hello, identity, printable, read_ready

READY = b"""protocol 1
runtime CPython 3.11.7
library orjson 3.13.0
detail scanner=c
detail flags=a=b
capability parse
capability emit
file /usr/lib/orjson.so
sparkle yes
"""


def test_hello_says_what_the_manifest_says() -> None:
    asked = replace(
        subject("python/x"),
        rejects=("A", "B"),
        rejects_decode=("C",),
        options={"strict": "false"},
        bounds={"depth": 500},
    )
    assert hello(asked) == (
        b"protocol 1\nsubject python/x\nshim answer\n"
        b"rejects A\nrejects B\nrejects-decode C\noption strict=false\nbound depth 500\n"
    )


def test_a_manifest_cannot_smuggle_in_lines() -> None:
    with pytest.raises(BadInput, match="line break"):
        hello(replace(subject("x"), options={"a": "b\nshim evil"}))


def test_ready() -> None:
    assert read_ready(READY) == Ready(
        "CPython 3.11.7",
        {"orjson": "3.13.0"},
        {"scanner": "c", "flags": "a=b"},
        frozenset({"parse", "emit"}),
        ("/usr/lib/orjson.so",),
    )


@pytest.mark.parametrize("body", [b"", b"protocol 2\nruntime X 1\n", b"runtime X 1\n", b"protocol 11\n"])
def test_another_protocol_is_refused(body: bytes) -> None:
    assert "this is protocol 1" in str(read_ready(body))


def test_recorded_text_is_one_printable_line_without_folders() -> None:
    assert printable("ImportError: /some/where/x.so: \x1b[31mbad\n") == "ImportError: x.so: ?[31mbad?"
    assert printable("a/b 1/2 é") == "a/b 1/2 ?"
    assert len(printable("x" * 10_000)) == 300


def test_the_digest_is_over_contents_only(tmp_path: Path) -> None:
    ready = read_ready(READY)
    assert isinstance(ready, Ready)
    launch = Launch((sys.executable,))
    digests = []
    for folder, content in (("a", b"one"), ("b c", b"one"), ("c", b"two")):
        file = tmp_path / folder / "lib.so"
        file.parent.mkdir()
        file.write_bytes(content)
        seen = identity(ready._replace(files=(str(file),)), launch)
        assert str(tmp_path) not in str(seen)
        digests.append(seen["digest"])
    assert digests[0] == digests[1] != digests[2]
    missing = identity(ready._replace(files=(str(tmp_path / "gone"),)), launch)["digest"]
    assert missing not in digests
    assert identity(ready, launch, with_digest=False)["digest"] is None


def test_what_is_no_file_counts_as_unreadable(tmp_path: Path) -> None:
    ready = read_ready(b"protocol 1\nruntime R 1\n")
    assert isinstance(ready, Ready)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    paths = [str(tmp_path / name) for name in ("gone", "pipe", "circle", "a\0b")]
    seen = {
        identity(ready._replace(files=(path,)), Launch(("sh",)))["digest"]
        for path in (*paths, "/dev/zero", str(tmp_path))
    }
    assert len(seen) == 1


def test_a_changed_file_has_another_digest(tmp_path: Path) -> None:
    file = tmp_path / "worker"
    file.write_bytes(b"one")
    ready = Ready("r", {}, {}, frozenset(), (str(file),))
    before = identity(ready, Launch(("sh",)))
    file.write_bytes(b"other")
    assert identity(ready, Launch(("sh",)))["digest"] != before["digest"]
