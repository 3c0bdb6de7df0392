"""A corpus as raw files, for those who do not want the tool, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from whichwins.corpus import ids
from whichwins.corpus.expect import read_expect, split_stated
from whichwins.corpus.families import MAX_CASE
from whichwins.corpus.foreign import read_limited, read_lines, real
from whichwins.corpus.source import source_of_bytes
from whichwins.model import BadInput, Case

INDEX = "expectations.jsonl"
"""The file that says what each exported case is."""


def write_export(cases: Iterable[Case], folder: Path) -> int:
    """Write each case's bytes to `folder/<id>.json` and one line a case to `expectations.jsonl`.

    A line has `id`, `file`, `sha256`, `length`, `why`, `expect` (layer to verdict, with the clause after
    a colon) and, where there are any, `refs`, `headers`, `shape`, `twin_of`. Returns the number of cases.
    Raises BadInput when the folder is there and not empty, or an id is no safe relative path; nothing is
    written then.
    """
    ordered = sorted(cases, key=lambda case: case.id)
    seen: dict[str, str] = {}
    for case in ordered:
        ids.check_id(case.id, f"case {case.id[:80]!a}")
        if (other := seen.setdefault(case.id.lower(), case.id)) != case.id:
            raise BadInput(f"case {case.id}: differs from {other} in case only: file names may ignore it")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"{folder}: is there and not empty: name a new folder")
        for case in ordered:
            path = folder / _file(case)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(case.data)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / INDEX).write_bytes("".join(_line(case) for case in ordered).encode("ascii"))
    except OSError as error:
        raise BadInput(f"{error.filename or folder}: cannot be written: {error.strerror}") from None
    return len(ordered)


def _file(case: Case) -> str:
    return f"{case.id}.json"


def _line(case: Case) -> str:
    line: dict[str, object] = {
        "id": case.id,
        "file": _file(case),
        "sha256": hashlib.sha256(case.data).hexdigest(),
        "length": len(case.data),
        "why": case.why,
        "expect": {
            layer: f"{verdict}: {case.clauses[layer]}" if layer in case.clauses else verdict
            for layer, verdict in case.expect.items()
        },
    }
    extras = {
        "refs": list(case.refs),
        "headers": dict(case.headers),
        "shape": case.shape,
        "twin_of": case.twin_of,
    }
    line.update((key, value) for key, value in extras.items() if value)
    return json.dumps(line, ensure_ascii=True) + "\n"


def load_export(folder: Path) -> tuple[Case, ...]:
    """Read a folder that `write_export` wrote. Raises BadInput when a file is missing or has changed."""
    return tuple(
        _read_line(folder, row, f"{folder / INDEX}: line {n}") for n, row in read_lines(folder / INDEX)
    )


def _read_line(folder: Path, row: dict[str, object], place: str) -> Case:
    case_id = ids.check_id(_string(row, "id", place), place)
    file = folder / f"{case_id}.json"
    if not real(file).is_relative_to(real(folder)):
        raise BadInput(f"{place}: {case_id}.json is a symbolic link that leaves the folder")
    data = read_limited(file, MAX_CASE)
    if hashlib.sha256(data).hexdigest() != row.get("sha256"):
        raise BadInput(f"{place}: {case_id}.json has other bytes than were exported: export again")
    refs, headers = row.get("refs", []), row.get("headers", {})
    if not isinstance(refs, Sequence) or not isinstance(headers, dict):
        raise BadInput(f"{place}: refs must be a list, headers a table")
    expect, clauses = split_stated(read_expect(row.get("expect", {}), place))
    return Case(
        id=case_id,
        family=ids.family_of(case_id),
        data=data,
        why=_string(row, "why", place),
        source=source_of_bytes(data),
        expect=expect,
        clauses=clauses,
        refs=tuple(str(ref) for ref in refs),
        headers={str(key): str(value) for key, value in headers.items()},
        shape=_string(row, "shape", place) if "shape" in row else None,
        twin_of=_string(row, "twin_of", place) if "twin_of" in row else None,
    )


def _string(row: dict[str, object], key: str, place: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise BadInput(f"{place}: {key} must be a string")
    return value
