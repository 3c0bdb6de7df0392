"""A corpus: an ordered set of cases with a digest, and how paths become one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

from whichwins._bundled_path import bundled
from whichwins.corpus import export
from whichwins.corpus.families import load_families
from whichwins.corpus.foreign import load_folder, load_json_lines
from whichwins.model import BadInput, Case, MeasurementFailed

BUILT_IN = "built-in"
"""The name of the corpus that comes with whichwins."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Cases sorted by id, at least one. `digest` is `sha256:` and the hex of `digest_of(cases)`.

    `built_in` are the ids of those that come with whichwins.
    """

    name: str
    cases: tuple[Case, ...]
    digest: str
    built_in: frozenset[str] = frozenset()


def digest_of(cases: Iterable[Case]) -> str:
    """Return `sha256:<hex>` over the case lines, sorted, each ended by LF.

    A case line is a JSON object in ASCII, names sorted, no white space, with `id`, `input` (hex SHA-256
    of the bytes), `expect`, `clauses`, `why`, `refs`, `headers`, `shape` and `twin_of`. How the bytes
    were written down (text, hex or parts) and the corpus's name are no part of it.
    """
    lines = sorted(
        json.dumps(
            {
                "id": case.id,
                "input": hashlib.sha256(case.data).hexdigest(),
                "expect": dict(case.expect),
                "clauses": dict(case.clauses),
                "why": case.why,
                "refs": list(case.refs),
                "headers": dict(case.headers),
                "shape": case.shape,
                "twin_of": case.twin_of,
            },
            ensure_ascii=True,
            sort_keys=True,
            separators=(",", ":"),
        )
        for case in cases
    )
    return "sha256:" + hashlib.sha256("".join(line + "\n" for line in lines).encode("ascii")).hexdigest()


def corpus_of(name: str, cases: Iterable[Case], built_in: Collection[str] = ()) -> Corpus:
    """Sort `cases` into a corpus. Raises MeasurementFailed without cases, BadInput for an id used twice."""
    ordered = tuple(sorted(cases, key=lambda case: case.id))
    if not ordered:
        raise MeasurementFailed(f"corpus {name}: no cases")
    for one, other in pairwise(ordered):
        if one.id == other.id:
            raise BadInput(
                f"corpus {name}: the id {one.id} is there twice: load the parts under different names"
            )
    there = frozenset(case.id for case in ordered) if built_in else frozenset()
    return Corpus(name, ordered, digest_of(ordered), there.intersection(built_in))


def load(
    paths: Sequence[Path] | None,
    name: str | None = None,
    *,
    builtin: bool = False,
    shapes: Collection[str] = ("",),
) -> Corpus:
    """Load a corpus from what each path is; None loads the built-in one, `builtin` adds it.

    A `.toml` file, or a folder of them, holds families; a `.jsonl` or `.ndjson` file holds a case a line;
    a folder written by `export` comes back as it was; any other folder holds raw files. `name` names the
    corpus and, for raw files and JSON Lines, the first part of every id. Raises BadInput for whatever is
    wrong with a path, MeasurementFailed when there are no cases.

    Of the built-in one only the cases whose shape is in `shapes`; the empty name stands for those without.
    """
    own = _toml_files(bundled("fixtures")) if paths is None or builtin else []
    if paths is None:
        chosen = _of_shapes(load_families(own), own, shapes)
        return corpus_of(name or BUILT_IN, chosen, [case.id for case in chosen])
    families = [*own]
    cases: list[Case] = []
    for path in paths:
        try:
            cases += _load_one(path, name, families)
        except OSError as error:
            raise BadInput(f"{error.filename or path}: cannot be read: {error.strerror}") from None
    loaded = load_families(families)
    cases += _of_shapes(loaded, own, shapes)
    names = [BUILT_IN] if builtin else []
    names += [path.stem if path.is_file() else path.resolve().name for path in paths]
    ids = [case.id for path, case in loaded if path in own]
    return corpus_of(name or "+".join(names) or BUILT_IN, cases, ids)


def _of_shapes(
    cases: Iterable[tuple[Path, Case]], own: Sequence[Path], shapes: Collection[str]
) -> list[Case]:
    """The cases, without those of the family files `own` that are of another shape."""
    return [case for path, case in cases if path not in own or (case.shape or "") in shapes]


def _load_one(path: Path, name: str | None, families: list[Path]) -> Sequence[Case]:
    """The cases of one path; families are put aside, to be read together."""
    if path.is_dir():
        if (path / export.INDEX).is_file():
            return export.load_export(path)
        toml = _toml_files(path)
        if not toml:
            return load_folder(path, name)
        families += toml
    elif path.suffix == ".toml":
        families.append(path)
    elif path.suffix in (".jsonl", ".ndjson"):
        return load_json_lines(path, name)
    elif path.exists():
        raise BadInput(f"{path}: no corpus: give a folder, or a .toml or .jsonl file (one input: try --file)")
    else:
        raise BadInput(f"{path}: there is no such file or folder")
    return ()


def _toml_files(folder: Path) -> list[Path]:
    """Return the family files of a folder: none when it holds no TOML, BadInput when it holds both kinds."""
    entries = sorted(p for p in folder.iterdir() if not p.name.startswith(".") and p.suffix != ".md")
    toml = [path for path in entries if path.suffix == ".toml" and path.is_file()]
    if toml and len(toml) != len(entries):
        other = next(path.name for path in entries if path not in toml)
        raise BadInput(f"{folder}: holds TOML families and {other!a}: keep families and raw files apart")
    return toml


def select(corpus: Corpus, patterns: Sequence[str]) -> Corpus:
    """Return the cases whose id or family matches one of the glob `patterns` (`*` crosses slashes).

    No patterns select everything. Raises MeasurementFailed for a pattern that matches no case.
    """
    if not patterns:
        return corpus
    chosen: dict[str, Case] = {}
    for pattern in patterns:
        found = [c for c in corpus.cases if fnmatchcase(c.id, pattern) or fnmatchcase(c.family, pattern)]
        if not found:
            raise MeasurementFailed(f"corpus {corpus.name}: no case matches {pattern!a}")
        chosen.update((case.id, case) for case in found)
    return corpus_of(corpus.name, chosen.values(), corpus.built_in)
