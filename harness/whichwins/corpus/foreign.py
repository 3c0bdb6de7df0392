"""Corpora of others: folders of raw files, JSONTestSuite's naming, JSON Lines."""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from whichwins.corpus import ids
from whichwins.corpus.expect import read_expect, split_stated
from whichwins.corpus.families import MAX_CASE
from whichwins.corpus.source import source_of_bytes
from whichwins.model import ACCEPT, FREE, REJECT, BadInput, Case, Expectation

MAX_CASES = 1_000_000
"""Cases of the largest corpus."""
MAX_TOTAL = 1 << 30
"""Bytes of the largest corpus."""

_CLAIMS: dict[str, tuple[Expectation, str]] = {
    "y": (ACCEPT, "the file's name says that a parser must accept it"),
    "n": (REJECT, "the file's name says that a parser must reject it"),
    "i": (FREE, "the file's name says that a parser may do either"),
}
_SUITE_NAME = re.compile(r"[yni]_")
_BYTES_KEYS = ("text", "base64", "input_b64", "hex")


def load_folder(folder: Path, name: str | None = None) -> tuple[Case, ...]:
    """Read every file under `folder` as one case, `<folder's name or name>/<relative path>`.

    Hidden files and folders (a leading dot) are passed over. Where all files of one folder are named as
    JSONTestSuite's are (`y_`, `n_`, `i_`), rfc8259/1 carries what the *name* claims; nothing else is
    claimed. Raises BadInput for symbolic links that leave the folder, for what is no plain file, and
    over the limits.
    """
    root = folder.resolve()
    prefix = ids.check_segment(ids.encode(os.fsencode(name or root.name or "folder")), str(folder))
    cases: list[Case] = []
    total = 0
    for relative, claims in _walk(folder, root):
        path = root / relative
        data = read_limited(path, MAX_CASE)
        total += len(data)
        if len(cases) >= MAX_CASES or total > MAX_TOTAL:
            raise BadInput(f"{folder}: is over {MAX_CASES} files or {MAX_TOTAL} bytes: load a part of it")
        place = f"{folder}: {relative}"
        parts = [ids.check_segment(ids.encode(os.fsencode(part)), place) for part in relative.parts]
        case_id = "/".join((prefix, *parts))
        claim = _CLAIMS[relative.name[0]] if claims else None
        expect, clauses = split_stated({"rfc8259/1": claim} if claim else {})
        cases.append(
            Case(
                id=case_id,
                family=ids.family_of(case_id),
                data=data,
                why=claim[1] if claim else f"a file of the folder {prefix}",
                source=source_of_bytes(data),
                expect=expect,
                clauses=clauses,
            )
        )
    return tuple(cases)


def _walk(folder: Path, root: Path) -> Iterator[tuple[Path, bool]]:
    """Yield (relative path, named as JSONTestSuite names) for the files under `root`, sorted by name."""
    for where, folders, files in os.walk(root, onerror=_unreadable):
        here = Path(where)
        # Links to folders: refused when they leave, passed over when they stay (their files come by the
        # real path anyway).
        for name in folders:
            if not name.startswith("."):
                _stays(here / name, root, folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted(name for name in files if not name.startswith("."))
        claims = bool(names) and all(_SUITE_NAME.match(name) for name in names)
        for name in names:
            path = here / name
            _stays(path, root, folder)
            if not path.is_file():
                raise BadInput(f"{folder}: {name!a} is neither a file nor a folder: take it out")
            yield path.relative_to(root), claims


def _unreadable(error: OSError) -> None:
    raise BadInput(f"{error.filename}: cannot be read: {error.strerror}")


def _stays(path: Path, root: Path, folder: Path) -> None:
    if path.is_symlink() and not real(path).is_relative_to(root):
        raise BadInput(f"{folder}: the symbolic link {path.name!a} leaves the folder: copy the file into it")


def real(path: Path) -> Path:
    """Where a path leads. Raises BadInput for links that lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        raise BadInput(f"{path}: is a symbolic link that leads in a circle: take it out") from None


def load_json_lines(path: Path, name: str | None = None) -> tuple[Case, ...]:
    """Read one case a line: an object with `text`, or `base64` / `input_b64`, or `hex`.

    Optional: `id` (else the line's number), `why`, `refs`, `expect` as in families. Other members are
    passed over. Ids become `<file's or given name>/<id>`; a slash in an id makes a family. Lines end
    with LF and nothing else: U+2028 and its like are text. Raises BadInput with the line's number.
    """
    prefix = ids.check_segment(ids.encode(os.fsencode(name or path.stem)), str(path))
    cases: list[Case] = []
    for number, row in read_lines(path):
        place = f"{path}: line {number}"
        data = _line_bytes(row, place)
        given = row.get("id", f"{number:06d}")
        if not isinstance(given, str):
            raise BadInput(f"{place}: id must be a string")
        case_id = "/".join((prefix, *(ids.segment(part, place) for part in given.split("/"))))
        expect, clauses = split_stated(read_expect(row.get("expect", {}), place))
        why = row.get("why") or f"line {number} of {prefix}"
        refs = row.get("refs", [])
        if (
            not isinstance(why, str)
            or not isinstance(refs, list)
            or not all(isinstance(r, str) for r in refs)
        ):
            raise BadInput(f"{place}: why must be a string, refs a list of strings")
        cases.append(
            Case(
                id=case_id,
                family=ids.family_of(case_id),
                data=data,
                why=why,
                source=source_of_bytes(data),
                expect=expect,
                clauses=clauses,
                refs=tuple(refs),
            )
        )
    return tuple(cases)


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) of a JSON Lines file; empty lines are passed over."""
    for number, line in enumerate(read_limited(path, MAX_TOTAL).split(b"\n"), 1):
        if not line.strip(b" \t\r"):
            continue
        if number > MAX_CASES:
            raise BadInput(f"{path}: is over {MAX_CASES} lines: split it")
        place = f"{path}: line {number}"
        if len(line) > 4 * MAX_CASE:
            raise BadInput(f"{place}: is over {4 * MAX_CASE} bytes: make it smaller")
        try:
            row = json.loads(line.decode("utf-8"), object_pairs_hook=_once)
        except UnicodeDecodeError as error:
            raise BadInput(f"{place}: byte {error.start} is not UTF-8: put raw bytes into base64") from None
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{place}: not a JSON object a line: {error}") from None
        if not isinstance(row, dict):
            raise BadInput(f"{place}: must be a JSON object")
        yield number, row


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name is there twice in one object")
    return table


def _line_bytes(row: Mapping[str, Any], place: str) -> bytes:
    given = [key for key in _BYTES_KEYS if key in row]
    if len(given) != 1:
        found = ", ".join(given) or "none"
        raise BadInput(f"{place}: give exactly one of {', '.join(_BYTES_KEYS)} (found {found})")
    written = row[given[0]]
    if not isinstance(written, str):
        raise BadInput(f"{place}: {given[0]} must be a string")
    try:
        if given[0] == "text":
            data = written.encode("utf-8")
        elif given[0] == "hex":
            data = bytes.fromhex(written)
        else:
            data = base64.b64decode(written, validate=True)
    except UnicodeEncodeError:
        raise BadInput(f"{place}: text has a lone surrogate, which no UTF-8 has: use base64") from None
    except (ValueError, binascii.Error) as error:
        raise BadInput(f"{place}: {given[0]}: {error}") from None
    if len(data) > MAX_CASE:
        raise BadInput(f"{place}: is over {MAX_CASE} bytes: make it smaller")
    return data


def read_limited(path: Path, limit: int) -> bytes:
    """Return the bytes of a file. Raises BadInput if it cannot be read or holds more than `limit` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > limit:
        raise BadInput(f"{path}: is over {limit} bytes: make it smaller")
    return data
