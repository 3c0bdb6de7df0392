"""pip requirements: what pip reads, by its documentation of the format."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import pytest

from whichwins.lockfiles import Locked, Unpinned, read
from whichwins.model import BadInput, Place


def requirements(folder: Path, text: str, name: str = "requirements.txt") -> Locked:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return read(path)


def versions(locked: Locked) -> dict[str, list[tuple[str, int]]]:
    return {
        name: [(pin.version, pin.place.line) for pin in pins]
        for name, pins in sorted(locked.packages.items())
    }


TEXT = """\
# written by a tool
--index-url https://user:secret@example.invalid/simple
--require-hashes

orjson==3.9.15 \\
    --hash=sha256:aa \\
    --hash=sha256:bb \\
    # via -r requirements.in
Python_RapidJSON[x,y]==1.9 ; python_version < "3.12"  # why
ujson == 5.7 --hash sha256:cc
simplejson (==3.18.4)
UltraX===1.0
ujson==6.1.0; python_version>="3.9"
numpy==1.*
attrs>=22,<24
idna
both==1.0,>0.5
wide==1!2.0+local.1
"""


def test_pins(tmp_path: Path) -> None:
    locked = requirements(tmp_path, TEXT)
    assert (locked.kind, locked.ecosystem) == ("requirements", "pypi")
    assert versions(locked) == {
        "both": [("1.0", 17)],
        "orjson": [("3.9.15", 5)],
        "python-rapidjson": [("1.9", 9)],
        "simplejson": [("3.18.4", 11)],
        "ujson": [("5.7", 10), ("6.1.0", 13)],
        "ultrax": [("1.0", 12)],
        "wide": [("1!2.0+local.1", 18)],
    }
    file = (tmp_path / "requirements.txt").as_posix()
    assert locked.packages["orjson"][0].place == Place(file, 5)
    assert locked.unpinned == (
        Unpinned("numpy", "==1.* leaves a choice", Place(file, 14)),
        Unpinned("attrs", "<24,>=22 leaves a choice", Place(file, 15)),
        Unpinned("idna", "no version is given", Place(file, 16)),
    )


def test_the_same_with_other_line_ends_and_encodings(tmp_path: Path) -> None:
    expected = versions(requirements(tmp_path, TEXT))
    assert versions(requirements(tmp_path, TEXT.replace("\n", "\r\n"))) == expected
    (tmp_path / "requirements.txt").write_bytes(TEXT.encode("utf-16"))
    assert versions(read(tmp_path / "requirements.txt")) == expected


def test_packages_from_elsewhere_have_no_version(tmp_path: Path) -> None:
    text = """\
-e ./mine
-e git+https://example.invalid/x.git#egg=My_Own
--editable=./other
git+https://user:secret@example.invalid/a.git@v1#egg=orjson&subdirectory=b
ujson @ https://user:secret@example.invalid/ujson-5.tar.gz
./dist/python_rapidjson-1.9-cp311-cp311-linux_x86_64.whl
https://example.invalid/x-1.0.tar.gz
pytz==2004d-old
name==${VERSION}
"""
    locked = requirements(tmp_path, text)
    assert dict(locked.packages) == {}
    assert [(each.name, each.why, each.place.line) for each in locked.unpinned] == [
        ("mine", "an editable install", 1),
        ("my-own", "an editable install", 2),
        ("other", "an editable install", 3),
        ("orjson", "version control", 4),
        ("ujson", "a URL", 5),
        ("python-rapidjson", "a file", 6),
        ("x", "a URL", 7),
        ("pytz", "its version is not understood", 8),
        ("name", "its version is not understood", 9),
    ]
    assert "secret" not in repr(locked)


@pytest.mark.parametrize(
    "text",
    [
        "./simplejson-3.19.1.tar.gz",
        "../dist/simplejson-3.19.1.zip",
        "https://example.invalid/simplejson-4.3.0.tar.gz#sha256=aa",
        "./simplejson",
        "./lib/simplejson/",
        "-e ./simplejson",
        "-e ../simplejson/ ; python_version > '3'",
        "git+https://example.invalid/a/simplejson.git@v1",
    ],
)
def test_an_archive_or_a_tree_is_named_as_it_is_called(tmp_path: Path, text: str) -> None:
    """Else a library that comes from elsewhere now would be said to be gone."""
    (found,) = requirements(tmp_path, text).unpinned
    assert found.name == "simplejson"


def test_included_files_are_relative_to_the_file(tmp_path: Path) -> None:
    inside = tmp_path / "requirements"
    inside.mkdir()
    (inside / "base.txt").write_text("orjson==3.9.15\n-r ../more/a.txt\n", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.txt").write_text("\nujson==5.7\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("orjson==1\nsimplejson==3.18\nrapid==2\n", encoding="utf-8")
    text = "-r requirements/base.txt\n-cc.txt\n--requirement 'more/a.txt'\nrapid\n"
    locked = requirements(tmp_path, text)
    assert versions(locked) == {
        "orjson": [("3.9.15", 1)],  # the constraint does not speak where a requirement does
        "ujson": [("5.7", 2)],
        "simplejson": [("3.18", 2)],
        "rapid": [("2", 3)],
    }
    assert locked.unpinned == ()
    place = locked.packages["ujson"][0].place
    assert place.file == f"{tmp_path.as_posix()}/requirements/../more/a.txt"
    assert locked.packages["rapid"][0].place.file == f"{tmp_path.as_posix()}/c.txt"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n-r gone.txt\n", "2: includes a file that cannot be: "),
        ("-r requirements.txt", "1: includes a file that includes it: take one of the two out"),
        ("-r loop.txt", "1: includes a file that includes it"),
        (
            "-r https://example.invalid/x.txt",
            "1: includes a file from the network: fetch it, and name it here",
        ),
        ("-r 'a", "1: includes no file: name one after -r or -c"),
        ("-r", "1: includes no file"),
        ("-c a b", "1: includes no file"),
        ("x==1\n!secret!", "2: no requirement: correct it"),
        ("x==1\nsome secret prose", "2: no requirement: correct it"),
        ("<<<<<<< HEAD\norjson==1\n=======\norjson==2\n>>>>>>> x\n", "1: an unresolved merge conflict"),
    ],
)
def test_what_is_wrong_has_its_line_and_quotes_nothing(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "loop.txt").write_text("\n-r ./requirements.txt", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        requirements(tmp_path, text)
    message = str(caught.value)
    name = "loop.txt:2" if text == "-r loop.txt" else "requirements.txt:" + said.partition(":")[0]
    assert message.startswith(f"{tmp_path.as_posix()}/{name}: {said.partition(': ')[2]}")
    assert "secret" not in message
    assert "\n" not in message


def test_many_includes_end(tmp_path: Path) -> None:
    for number in range(12):
        text = f"-r {number + 1}.txt\n" * 2
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "12.txt").write_text("x==1", encoding="utf-8")
    with pytest.raises(BadInput, match="includes more than 100 files: make it one"):
        requirements(tmp_path, "-r 0.txt")


def test_a_long_chain_of_includes(tmp_path: Path) -> None:
    for number in range(99):
        (tmp_path / f"{number}.txt").write_text(f"-r {number + 1}.txt", encoding="utf-8")
    (tmp_path / "99.txt").write_text("x==1", encoding="utf-8")
    assert versions(requirements(tmp_path, "-r 0.txt")) == {"x": [("1", 1)]}


def test_from_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.txt").write_text("ujson==5.7", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        stream.write("# old\norjson==3.9.15\n-r base.txt\n")
    try:
        locked = read(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)
    assert versions(locked) == {"orjson": [("3.9.15", 2)], "ujson": [("5.7", 1)]}
    assert locked.packages["ujson"][0].place == Place("base.txt", 1)


def test_a_comment_ends_a_continued_line(tmp_path: Path) -> None:
    assert versions(requirements(tmp_path, "orjson==3.9\\\n# x \\\nujson==5\n")) == {
        "orjson": [("3.9", 1)],
        "ujson": [("5", 3)],
    }


def test_comments_alone_are_no_packages(tmp_path: Path) -> None:
    for text in ("", "# nothing\n", "\\\n", "a==1\\"):
        assert len(requirements(tmp_path, text).packages) == ("a" in text)


@pytest.mark.parametrize(
    "text",
    [
        "x==" + "1." * 100_000 + "1",
        "x==1 ; " + "(" * 50_000 + "python_version>'3'" + ")" * 50_000,
        "x==1" + " " * 200_000 + "y",
        "x==1\\\n" * 50_000,
        "x" * 500_000,
        "".join(f"p{number}==1.{number} \\\n  --hash=sha256:{'a' * 64}\n" for number in range(2_000)),
    ],
    ids=["version", "marker", "spaces", "continued", "name", "many"],
)
def test_hostile_sizes_end_soon(tmp_path: Path, text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(BadInput):
        requirements(tmp_path, text)
    assert time.process_time() - start < 5


def test_includes_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whichwins.lockfiles.reading.MAX_BYTES", 1000)
    (tmp_path / "base.txt").write_text("#" * 400, encoding="utf-8")
    requirements(tmp_path, "-r base.txt\n" * 2)
    with pytest.raises(
        BadInput, match=r"requirements.txt:3: includes a file that cannot be: .* is over \d+ bytes"
    ):
        requirements(tmp_path, "-r base.txt\n" * 3)


def test_so_many_packages_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whichwins.lockfiles.requirements.MAX_ENTRIES", 3)
    requirements(tmp_path, "a==1\nb\nc==1\n")
    with pytest.raises(BadInput, match=r"requirements.txt:4: more than 3 packages: give a smaller file"):
        requirements(tmp_path, "a==1\nb\nc==1\n-e d\n")
