"""What of a source tree counts, and what its own build may write into it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from whichwins.model import BadInput
from whichwins.provision import trees
from whichwins.provision.trees import built_from, remember_build, state_digest, tree_digest, tree_state

TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# made by a tool\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", "src/a.py"):
        write(tmp_path / "the tree" / name, name)
    return tmp_path / "the tree"


@pytest.mark.parametrize(
    "name",
    [
        "src/a.py",
        "new.py",
        ".hidden",
        # Names that builds use, which a project may use as well.
        *(f"{folder}/x.py" for folder in ("build", "dist", "target", "venv", ".venv", "node_modules")),
        *(f"src/{folder}/x.py" for folder in ("build", "dist", "target", "env", ".tox", ".eggs", ".idea")),
        *("src/a.so", "src/a.pyc", "src/a.o", "a.egg-info/PKG-INFO", "build/lib/a.py", "src/build"),
    ],
)
def test_a_changed_file_is_another_tree(tree: Path, name: str) -> None:
    before = tree_digest(tree)
    write(tree / name, "one")
    one = tree_digest(tree)
    assert one != before
    write(tree / name, "two")
    assert tree_digest(tree) not in (before, one)
    write(tree / name, "one")
    assert tree_digest(tree) == one
    (tree / name).chmod(0o755)
    assert tree_digest(tree) != one


def test_what_says_that_it_is_none_of_the_project_is_left_out(tree: Path) -> None:
    before = tree_digest(tree)
    write(tree / "target" / "CACHEDIR.TAG", TAG)
    write(tree / "here" / "pyvenv.cfg", "")
    for name in ("target/x", "here/lib/x.py", "src/__pycache__/a.pyc", ".git/index", ".hg/x", ".svn/x"):
        write(tree / name, "made")
    assert tree_digest(tree) == before
    write(tree / "target" / "CACHEDIR.TAG", "Signature: of another kind")
    assert tree_digest(tree) != before


def test_links(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside" / "x.py", "one")
    (tree / "linked").symlink_to(tmp_path / "outside")
    (tree / "file").symlink_to(tmp_path / "outside" / "x.py")
    (tree / "loop").symlink_to(tree)
    (tree / "dangling").symlink_to("nowhere")
    before = tree_digest(tree)
    assert tree_digest(tree) == before
    write(tmp_path / "outside" / "x.py", "two")
    assert tree_digest(tree) != before
    write(tmp_path / "outside" / "x.py", "one")
    (tree / "dangling").unlink()
    (tree / "dangling").symlink_to("elsewhere")
    assert tree_digest(tree) != before


def test_so_many_files_and_no_more(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MAX_FILES", 2)
    tree_digest(tree)
    write(tree / "third", "")
    with pytest.raises(BadInput, match=r"^the tree: more than 2 files; name a smaller tree, or a package$"):
        tree_digest(tree)


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_the_commit_counts_since_versions_are_made_of_it(tree: Path) -> None:
    seen = [tree_digest(tree)]

    def another(*words: str, folder: Path = tree) -> bool:
        git(folder, *words)
        seen.append(tree_digest(tree))
        return seen[-1] != seen[-2]

    assert another("init", "-q")
    assert another("commit", "-q", "--allow-empty", "-m", "one")
    assert another("tag", "v1")
    assert not another("add", "--all")
    assert not another("status")
    another("pack-refs")  # the same in another place may be built once more
    assert another("tag", "v2")
    assert another("checkout", "-q", "--detach")
    worktree = tree.parent / "worktree"
    git(tree, "worktree", "add", "-q", str(worktree))
    first = tree_digest(worktree)
    git(worktree, "commit", "-q", "--allow-empty", "-m", "two")
    assert tree_digest(worktree) != first
    inner = tree_digest(tree / "src")
    git(tree, "tag", "v3")
    assert tree_digest(tree / "src") != inner  # the repository may be above
    assert tree_digest(tree / "src", revision=False) == tree_digest(tree / "src", revision=False)


@pytest.mark.parametrize(
    ("made", "known"),
    [
        (
            ["build/lib/a.py", "a.egg-info/PKG-INFO", "src/b.egg-info/x", "src/a.so", "dist/x", "target/x"],
            True,
        ),
        (["build/lib/a.py", "src/_version.py"], False),
        (["src/build/x"], False),
        (["built"], False),
        (["src/a.py"], False),
        ([], False),
    ],
)
def test_what_a_build_writes_is_told_from_an_edit(
    tree: Path, tmp_path: Path, made: list[str], known: bool
) -> None:
    env = {"WHICHWINS_CACHE": str(tmp_path / "cache")}
    before = tree_state(tree)
    for name in made:
        write(tree / name, "made")
    after = tree_state(tree)
    remember_build(env, state_digest(before), before, after)
    found = built_from(env, tree_digest(tree))
    assert found == state_digest(before if known else after)
    write(tree / "src" / "a.py", "edited")
    assert built_from(env, tree_digest(tree)) == tree_digest(tree)
