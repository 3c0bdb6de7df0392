"""Lock files of a git revision: with what they include, as it was, and nothing outside."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from whichwins.lockfiles import Locked, changed, read, still
from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision.revision import Revision, named

QUIET = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A repository in the working directory; called with files, it commits them."""
    if shutil.which("git") is None:
        pytest.skip("no git here")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    top = tmp_path / "the work tree"
    top.mkdir()
    monkeypatch.chdir(top)

    def git(*words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    def commit(tag: str, **files: str) -> None:
        for name, text in files.items():
            path = top / name.replace("__", "/").replace("_txt", ".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            if text.startswith("->"):
                path.symlink_to(text[2:])
            else:
                path.write_text(text, encoding="utf-8")
        git("add", "--all")
        git("commit", "-q", "-m", tag)
        git("tag", tag)

    git("init", "-q", ".")
    return commit


def of(revision: str, path: str) -> Locked:
    there = Revision(revision, os.environ)
    return read(there.path(path), there)


def versions(found: Locked) -> dict[str, str]:
    return {name: pins[0].version for name, pins in found.packages.items()}


def test_what_is_included_is_of_the_same_revision(repository: Callable[..., None]) -> None:
    repository(
        "old",
        requirements_txt="-r more/base.txt\n-c more/c.txt\norjson==3.9\nrapid\n",
        more__base_txt="-r ../other.txt\nujson==5\n",
        more__c_txt="rapid==1\n",
        other_txt="simplejson==3\n",
    )
    repository("new", more__base_txt="-r ../other.txt\nujson==6\n", more__c_txt="rapid==2\n", other_txt="")
    old, new = of("old", "requirements.txt"), read(Path("requirements.txt"))
    assert versions(old) == {"simplejson": "3", "ujson": "5", "orjson": "3.9", "rapid": "1"}
    assert versions(new) == {"ujson": "6", "orjson": "3.9", "rapid": "2"}
    assert [(each.name, each.before, each.after) for each in changed(old, new)] == [
        ("rapid", "1", "2"),
        ("simplejson", "3", None),
        ("ujson", "5", "6"),
    ]
    assert changed(old, new)[1].place.file == "old:other.txt"
    assert still(old, new) == ()
    assert versions(of("new~1", "requirements.txt")) == versions(old)


def test_a_file_that_is_only_in_the_old_state_is_there(repository: Callable[..., None]) -> None:
    repository("old", requirements_txt="-r base.txt\n", base_txt="ujson==5\n")
    Path("base.txt").unlink()
    assert versions(of("old", "requirements.txt")) == {"ujson": "5"}


def test_paths_are_those_of_git(repository: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    repository("a", r_txt="a==1", sub__r_txt="-r ../r.txt\nb==1", sub__link_txt="->../r.txt")
    assert versions(of("a", "sub/r.txt")) == {"a": "1", "b": "1"}
    assert versions(of("a", "sub/link.txt")) == {"a": "1"}
    monkeypatch.chdir("sub")
    assert versions(of("a", "r.txt")) == {"a": "1"}
    assert versions(of("a", "./r.txt")) == {"a": "1", "b": "1"}
    assert versions(of("a", "../r.txt")) == {"a": "1"}


@pytest.mark.parametrize(
    ("revision", "path", "said"),
    [
        (
            "nowhere",
            "r.txt",
            "nowhere: is neither a file nor a revision that is here: name one that `git log`",
        ),
        ("--help", "r.txt", "--help: is neither a file nor a revision"),
        ("a\nHEAD", "r.txt", "a\nHEAD: is neither a file nor a revision"),
        ("a", "gone.txt", "a:gone.txt: there is no such file: name a file of that revision"),
        ("a", "sub", "a:sub: is a folder: name a file"),
        ("a", "../r.txt", "../r.txt leads out of the revision a"),
        ("a", "out.txt", "a:out.txt:1: includes a file that cannot be: ../r.txt leads out of the revision a"),
        (
            "a",
            "abs.txt",
            "a:abs.txt:2: includes a file that cannot be: /etc/passwd leads out of the revision",
        ),
        ("a", "link.txt", "a:link.txt: there is no such file"),
        ("a", "loop.txt", "a:loop.txt:1: includes a file that includes it"),
        ("a", "missing.txt", "a:missing.txt:1: includes a file that cannot be: a:gone.txt: there is no"),
        ("a", "bytes.txt", "a:bytes.txt:1: no requirement"),
    ],
)
def test_what_is_wrong_is_one_line(
    repository: Callable[..., None], revision: str, path: str, said: str
) -> None:
    repository(
        "a",
        r_txt="a==1",
        sub__x_txt="",
        out_txt="-r ../r.txt",
        abs_txt="\n-r /etc/passwd",
        link_txt="->/etc/passwd",
        loop_txt="-r ./loop.txt",
        missing_txt="-r gone.txt",
        bytes_txt="\x00!",
    )
    with pytest.raises(BadInput) as caught:
        of(revision, path)
    assert str(caught.value).startswith(said)


def test_a_large_file_is_not_read(repository: Callable[..., None]) -> None:
    repository("a", r_txt="a" * 100)
    there = Revision("a", os.environ)
    with pytest.raises(BadInput, match=r"^a:r.txt: is over 99 bytes: give a smaller file$"):
        there.text(Path("r.txt"), 99)
    assert len(there.text(Path("r.txt"), 100)) == 100


def test_no_repository_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(BadInput, match=r"^main: git cannot read it \(not a git repository"):
        Revision("main", os.environ)
    with pytest.raises(MeasurementFailed, match=r"^main: a revision is read by git, which is not on PATH"):
        Revision("main", {"PATH": "/nowhere"})


def test_a_word_that_is_a_file_is_no_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert named("main:a/r.txt") == ("main", "a/r.txt")
    assert named("HEAD~2:./r.txt") == ("HEAD~2", "./r.txt")
    (tmp_path / "main:r.txt").touch()
    for word in ("main:r.txt", "r.txt", "/a:b", "./a:b", ":r.txt", "main:", "a:" + "x" * 5000):
        assert named(word) is None, word
