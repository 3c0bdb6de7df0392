"""Reading text: within limits, once, wrong ones with their line."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from whichwins.model import BadInput, Place
from whichwins.text_files import read_text, read_toml, shown


def test_marks_of_byte_order(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes("é\n".encode(encoding))
        assert read_text(path, 100) == "é\n"


def test_limit(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_text(path, 5) == "12345"
    with pytest.raises(BadInput, match="x: is over 4 bytes: give a smaller file"):
        read_text(path, 4)


def test_a_pipe_is_read_once() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as stream:
        stream.write(b"a = 1")
    try:
        assert read_text(Path(f"/dev/fd/{reading}"), 100) == "a = 1"
    finally:
        os.close(reading)


def test_a_named_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"a = 1",))
    writer.start()
    assert read_text(path, 100) == "a = 1"
    writer.join()


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("-", "/dev/stdin"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"b = \xff")))
        with pytest.raises(BadInput, match=r"^stdin:1: not UTF-8 \(byte 4\): save it as UTF-8$"):
            read_text(Path(name), 100)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BadInput, match=r"^stdin: cannot be read \(it is closed\)"):
        read_text(Path("-"), 100)


def test_names() -> None:
    assert shown(Path("a") / "b") == "a/b"
    assert shown(Path("-")) == "stdin"


def test_toml_knows_its_places() -> None:
    toml = read_toml("\n[a]\nb = 1\n", "f")
    assert toml.items == {"a": {"b": 1}}
    assert toml.place("a", "b") == Place("f", 3)
    assert toml.place("a", "c") == Place("f", 2)
    assert toml.place() == Place("f", 1)


@pytest.mark.parametrize(
    "text", ["a = '" + "x." * 63 + "'", "# " + "ab " * 10_000, "a = '" + "x" * 500_000 + "'"], ids=len
)
def test_texts_with_many_dots_are_read(text: str) -> None:
    assert read_toml(text, "f").file == "f"
