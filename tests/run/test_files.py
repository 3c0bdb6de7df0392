"""Files appear whole or not at all, also on a full disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.devices import full_device
from tests.run.ledgers import write
from whichwins.model import BadInput, MeasurementFailed
from whichwins.run import probe_file, whole_file


def test_it_appears_at_the_end_and_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "file"
    with whole_file(target) as stream:
        stream.write("one\n")
        assert not target.exists()
        stream.write("two\n")
    assert target.read_bytes() == b"one\ntwo\n"
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError, SystemExit])
def test_an_error_on_the_way_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "file"
    target.write_text("old", encoding="ascii")

    def broken() -> str:
        raise error

    with pytest.raises(error), whole_file(target) as stream:
        stream.write("new" * 5000 + broken())
    assert target.read_text(encoding="ascii") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_its_mode_is_the_umasks_or_that_of_what_it_replaces(tmp_path: Path) -> None:
    target = tmp_path / "file"
    old = os.umask(0o027)
    try:
        with whole_file(target) as stream:
            stream.write("x")
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        target.chmod(0o600)
        with whole_file(target) as stream:
            stream.write("y")
    finally:
        os.umask(old)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to("real/file")
    with whole_file(link) as stream:
        stream.write("x")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file").read_text(encoding="ascii") == "x"


def test_a_named_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(tmp_path / "pipe") as stream:
        stream.write("x\n")
    assert os.read(reader, 10) == b"x\n"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_a_reader_of_a_pipe_that_goes_away_is_no_failure_of_a_disk(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    def write_to_nobody() -> None:
        with whole_file(tmp_path / "pipe") as stream:
            os.close(reader)
            stream.write("x" * 100_000)

    with pytest.raises(BrokenPipeError):
        write_to_nobody()


@pytest.mark.parametrize(
    ("name", "said"), [("", "folder"), ("file/below", "its folder is a file"), ("x" * 300, "too long")]
)
def test_a_place_that_cannot_be(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "file").write_text("old", encoding="ascii")
    with pytest.raises(BadInput, match=said), whole_file(tmp_path / name):
        pytest.fail("opened")
    with pytest.raises(BadInput, match=said):
        probe_file(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_place_that_can_be_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", encoding="ascii")
    for path in (tmp_path / "file", tmp_path / "new", tmp_path / "folder" / "deep" / "new", Path(os.devnull)):
        probe_file(path)
    assert [path.read_text(encoding="ascii") for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="Permission denied"), whole_file(tmp_path / "file"):
        pytest.fail("opened")


@pytest.mark.parametrize("length", [1, 1_000_000])
def test_a_full_disk_is_said_and_a_device_stays_a_device(tmp_path: Path, length: int) -> None:
    full = full_device(tmp_path)
    with pytest.raises(MeasurementFailed, match="No space left on device"), whole_file(full) as stream:
        stream.write("x" * length)
    assert full.is_char_device()


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    """In a process of its own, whose files may not become larger than a few thousand bytes."""
    script = f"""
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
from tests.devices import full_device
from tests.run.ledgers import write
from whichwins.model import MeasurementFailed
try:
    write(Path({str(tmp_path / "l")!r}))
except MeasurementFailed as error:
    print(error)
"""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'harness'}"},
        check=True,
    )
    assert b"File too large" in done.stdout
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "l")  # without that limit it can be written
    assert (tmp_path / "l").stat().st_size > 3000
