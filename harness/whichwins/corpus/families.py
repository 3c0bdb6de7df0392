"""Fixture families: one TOML file each, cases with a reason and every layer's expectation.

```toml
about = "one line on the family"
[expect]                              # defaults of the family, by layer
"rfc8259/1" = "reject: RFC 8259 section 6"
[[case]]
id = "leading-zero"                   # the full id is <file's name>/<id>
text = '01'                           # or hex = "30 31", or parts = [{ text = '[', repeat = 65 }, ...]
why = "octal to some readers, 1 to others"
expect = { rfc8259 = "free" }         # overrides; "accept" alone speaks for every layer
# optional like expect: refs, headers, shape, same_bytes_as
```
Files are read as UTF-8 on every platform. TOML readers turn CR LF into LF: write a CR as hex or `"\\r"`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from whichwins.corpus import ids
from whichwins.corpus.expect import read_expect, split_stated
from whichwins.model import LAYERS, BadInput, Case, Source

MAX_CASE = 16 * 1024 * 1024
"""Bytes of the largest case."""
MAX_FILE = 16 * 1024 * 1024
"""Bytes of the largest family file."""

_FAMILY_KEYS = frozenset({"about", "expect", "case"})
_CASE_KEYS = frozenset(
    {"id", "text", "hex", "parts", "why", "expect", "refs", "headers", "shape", "same_bytes_as"}
)
_PART_KEYS = frozenset({"text", "hex", "repeat"})
_HEX = re.compile(r"[0-9A-Fa-f \n\t]*")


def load_families(paths: Iterable[Path]) -> list[tuple[Path, Case]]:
    """Read family files into cases, each with the file that it stands in, in the order of the files.

    A TOML file without `[[case]]` is something else and is passed over. Raises BadInput, naming file,
    case and key, for whatever is wrong; bytes that two cases share are wrong unless one says
    `same_bytes_as = "family/id"`.
    """
    cases: list[tuple[Path, Case]] = []
    by_bytes: dict[bytes, str] = {}
    by_id: dict[str, bytes] = {}
    sharing: list[tuple[str, str, bytes]] = []
    for path in paths:
        for case, same_as in _load_family(path):
            place = f"{path.name}: case {case.id}"
            if case.id in by_id:
                raise BadInput(f"{place}: another family file has the same name and id: rename one")
            by_id[case.id] = case.data
            if same_as is not None:
                sharing.append((place, same_as, case.data))
            elif (other := by_bytes.setdefault(case.data, case.id)) != case.id:
                raise BadInput(
                    f"{place}: has the very bytes of {other}: drop one, or say same_bytes_as = {other!a}"
                )
            cases.append((path, case))
    for place, same_as, data in sharing:
        if by_id.get(same_as) != data:
            raise BadInput(f"{place}: same_bytes_as {same_as!a} names no case with these bytes")
    return cases


def _load_family(path: Path) -> list[tuple[Case, str | None]]:
    table = _read_toml(path)
    if "case" not in table:
        return []
    file = path.name
    family = ids.segment(path.stem, file)
    _only(table, _FAMILY_KEYS, file)
    _text(table, "about", file)
    rows = table["case"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadInput(f"{file}: case must be [[case]] tables")
    defaults = read_expect(table.get("expect", {}), file)
    seen: dict[str, str] = {}
    result: list[tuple[Case, str | None]] = []
    for number, row in enumerate(rows, 1):
        name = ids.segment(_text(row, "id", f"{file}: case {number}"), f"{file}: case {number}")
        place = f"{file}: case {name}"
        if (other := seen.get(name.lower())) is not None:
            # Exported files would overwrite each other where file names ignore case.
            how = "is there twice" if other == name else f"differs from {other} in case only"
            raise BadInput(f"{place}: the id {how}: rename one")
        seen[name.lower()] = name
        result.append((_case(row, f"{family}/{name}", family, place, defaults), _same_as(row, place)))
    return result


def _case(row: Mapping[str, Any], case_id: str, family: str, place: str, defaults: Mapping[str, Any]) -> Case:
    _only(row, _CASE_KEYS, place)
    stated = {**defaults, **read_expect(row.get("expect", {}), place)}
    missing = [layer for layer in LAYERS if layer not in stated]
    if missing:
        raise BadInput(f"{place}: expect says nothing of {', '.join(missing)}: state it here or in [expect]")
    expect, clauses = split_stated(stated)
    data, source = _bytes(row, place)
    refs = row.get("refs", [])
    if not isinstance(refs, list) or not all(isinstance(ref, str) and ref for ref in refs):
        raise BadInput(f"{place}: refs must be a list of strings")
    headers = row.get("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
        raise BadInput(f"{place}: headers must be a table of strings")
    return Case(
        id=case_id,
        family=family,
        data=data,
        why=_text(row, "why", place),
        source=source,
        expect=expect,
        clauses=clauses,
        refs=tuple(refs),
        headers=headers,
        shape=_text(row, "shape", place) if "shape" in row else None,
    )


def _bytes(row: Mapping[str, Any], place: str) -> tuple[bytes, Source]:
    given = [key for key in ("text", "hex", "parts") if key in row]
    if len(given) != 1:
        raise BadInput(
            f"{place}: give exactly one of text, hex and parts (found {', '.join(given) or 'none'})"
        )
    if given[0] != "parts":
        data, text, digits = _piece(row, place)
        return _sized(data, place), Source(text=text, hex=digits)
    parts = row["parts"]
    if not isinstance(parts, list) or not parts:
        raise BadInput(f"{place}: parts must be a list of tables with text or hex")
    pieces: list[bytes] = []
    written: list[tuple[str | None, str | None, int]] = []
    total = 0
    for number, part in enumerate(parts, 1):
        where = f"{place}: part {number}"
        if not isinstance(part, dict):
            raise BadInput(f"{where}: must be a table with text or hex")
        _only(part, _PART_KEYS, where)
        if ("text" in part) == ("hex" in part):
            raise BadInput(f"{where}: give exactly one of text and hex")
        data, text, digits = _piece(part, where)
        repeat = part.get("repeat", 1)
        if type(repeat) is not int or repeat < 1:
            raise BadInput(f"{where}: repeat must be a whole number from 1")
        total += len(data) * repeat
        if total > MAX_CASE:
            raise BadInput(f"{place}: is over {MAX_CASE} bytes: make it smaller")
        pieces.append(data * repeat)
        written.append((text, digits, repeat))
    return b"".join(pieces), Source(parts=tuple(written))


def _piece(table: Mapping[str, Any], place: str) -> tuple[bytes, str | None, str | None]:
    """Return the bytes of `text` or `hex`, and the one of the two as a Source holds it."""
    if "text" in table:
        text = table["text"]
        if not isinstance(text, str):
            raise BadInput(f"{place}: text must be a string")
        return text.encode("utf-8"), text, None
    digits = table["hex"]
    if not isinstance(digits, str) or not _HEX.fullmatch(digits):
        raise BadInput(f"{place}: hex must be hexadecimal digits, in pairs, spaces allowed")
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        raise BadInput(f"{place}: hex must be whole pairs of digits") from None
    return data, None, data.hex()


def _same_as(row: Mapping[str, Any], place: str) -> str | None:
    return _text(row, "same_bytes_as", place) if "same_bytes_as" in row else None


def _sized(data: bytes, place: str) -> bytes:
    if len(data) > MAX_CASE:
        raise BadInput(f"{place}: is over {MAX_CASE} bytes: make it smaller")
    return data


def _text(table: Mapping[str, Any], key: str, place: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{place}: {key} must be there, a string that says something")
    return value


def _only(table: Mapping[str, Any], known: frozenset[str], place: str) -> None:
    if unknown := sorted(set(table) - known):
        raise BadInput(f"{place}: unknown key {unknown[0]!a}: the keys are {', '.join(sorted(known))}")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > MAX_FILE:
        raise BadInput(f"{path}: is over {MAX_FILE} bytes: split the family, or use parts with repeat")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: byte {error.start} is not UTF-8: families are UTF-8 files") from None
    except (ValueError, RecursionError) as error:  # not only TOMLDecodeError: an integer of 5,000 digits
        raise BadInput(f"{path}: not TOML: {error}") from None
