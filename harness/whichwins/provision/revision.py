"""Files of a git revision, read from its objects: nothing is checked out, no filter of the project is run."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision.steps import Done, call, printable
from whichwins.text_files import decoded

_SAYS_WHERE = re.compile(r"(?P<revision>[^:]+):(?P<path>.+)")
_TOO_LONG = 4096


def named(word: str) -> tuple[str, str] | None:
    """Return revision and path of `REV:PATH`; None where the word names a file, or is no such thing."""
    found = _SAYS_WHERE.fullmatch(word)
    if found is None or word.startswith(("/", "./", "../")) or len(word) > _TOO_LONG or _exists(word):
        return None
    return found["revision"], found["path"]


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


class Revision:
    """The files of one revision, as `git show REV:PATH` has them; links inside the tree are followed.

    Paths are from the top of the repository; one that starts with `./` is from the working directory.
    """

    def __init__(self, revision: str, env: Mapping[str, str]) -> None:
        """Find the revision. BadInput when there is none, MeasurementFailed without git."""
        git = shutil.which("git", path=env.get("PATH"))
        if git is None:
            raise MeasurementFailed(
                f"{revision}: a revision is read by git, which is not on PATH: install it"
            )
        self._git = git
        self._env = {**env, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        self._name = revision
        kind, self._tree, _ = self._what(f"{revision}^{{tree}}")
        if kind != "tree":
            raise BadInput(
                f"{revision}: is neither a file nor a revision that is here: name one that `git log` knows; "
                "a shallow clone has to fetch it"
            )

    def path(self, word: str) -> Path:
        """A path as the user wrote it, from the top. BadInput when it leads out of the repository."""
        if not word.startswith(("./", "../")):
            return Path(word)
        prefix = self._called("rev-parse", "--show-prefix").printed.decode("utf-8", "surrogateescape")
        return self.included(word, Path(prefix.removesuffix("\n"), "it"))

    def shown(self, path: Path) -> str:
        """`main:requirements.txt`."""
        return f"{self._name}:{path.as_posix()}"

    def included(self, word: str, path: Path) -> Path:
        """Relative to the including file, and inside the revision."""
        joined = posixpath.normpath(path.parent / word)
        if PurePosixPath(joined).is_absolute() or joined.split("/")[0] == "..":
            raise BadInput(f"{word} leads out of the revision {self._name}: name a file in it")
        return Path(joined)

    def identity(self, path: Path) -> str:
        """The tree and the path in it."""
        return f"{self._tree}:{posixpath.normpath(path)}"

    def text(self, path: Path, limit: int) -> str:
        """The text of a file, of at most `limit` bytes."""
        kind, name, size = self._what(self.identity(path))
        file = self.shown(path)
        if kind != "blob":
            said = "is a folder" if kind == "tree" else "there is no such file"
            raise BadInput(f"{file}: {said}: name a file of that revision, from the top of the repository")
        if size > limit:
            raise BadInput(f"{file}: is over {limit:,} bytes: give a smaller file")
        return decoded(self._called("cat-file", "blob", name).printed, file)

    def _what(self, name: str) -> tuple[str, str, int]:
        """Kind, id and size of an object; an empty kind where there is none."""
        if "\n" in name or "\0" in name:
            return "", "", 0
        said = self._called("cat-file", "--batch-check", "--follow-symlinks", given=name + "\n").printed
        found = re.fullmatch(rb"([0-9a-f]{40,64}) (tree|blob|commit|tag) (\d+)\n", said)
        return (found[2].decode(), found[1].decode(), int(found[3])) if found else ("", "", 0)

    def _called(self, *words: str, given: str = "") -> Done:
        done = call("git", [self._git, *words], Path(), self._env, given)
        if done.returncode:
            said = done.said.decode("utf-8", "replace").strip().splitlines()
            why = printable(said[0].removeprefix("fatal: ")) if said else "it said nothing"
            raise BadInput(
                f"{self._name}: git cannot read it ({why}): name a file, or call it in a repository"
            )
        return done
