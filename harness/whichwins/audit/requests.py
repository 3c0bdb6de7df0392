"""Requests that really came, as JSON Lines: raw text, who sent it, in what version, where it was received.

    {"text": "{\\"q\\":2}", "producer": "planner", "interface": "2026-11", "path": "/tool"}
    {"base64": "eyJxIjoyfQ==", "producer": "planner", "headers": {"content-type": "application/json"}}
    {"text": null, "producer": "planner"}

The last one says that a request came whose raw text was not available.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from whichwins.corpus import Corpus, corpus_of, source_of_bytes
from whichwins.corpus.ids import encode
from whichwins.model import BadInput, Case
from whichwins.text_files import shown

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line."""
MAX_REQUESTS = 1_000_000
"""Lines of one file."""
_STEM = 60
_WORDS = ("producer", "interface", "path")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_WORD = 200
_KNOWN = ("text", "base64", "headers", *_WORDS)
_SHORT, _CLOSE = 4, 0.86


class Came(NamedTuple):
    """One request as it came: who, which version of the interface, where; `case` is None without its bytes.

    A word that is not given is empty.
    """

    producer: str
    interface: str
    path: str
    case: str | None


class Requests(NamedTuple):
    """Every request in order, and the different ones among them as cases: equal ones are asked once."""

    came: tuple[Came, ...]
    corpus: Corpus | None


class _Repeated(Exception):
    """A name stands twice in a record."""


def read_requests(path: Path) -> Requests:
    """Read a file of requests; `-` is stdin. A case is called after the file and its first line.

    Raises BadInput naming the line of whatever is wrong, never its content.
    """
    file = shown(path)
    stem = encode(path.stem.encode("utf-8", "surrogateescape"))[:_STEM] if file != "stdin" else "stdin"
    known: dict[tuple[bytes, tuple[tuple[str, str], ...]], Case] = {}
    came: list[Came] = []
    for number, line in _lines(path, file):
        record = _record(line, f"{file}:{number}")
        _require_spelt(record, f"{file}:{number}")
        producer, interface, received = (_word(record, key, f"{file}:{number}") for key in _WORDS)
        data, headers = _data(record, f"{file}:{number}"), _headers(record, f"{file}:{number}")
        case: Case | None = None
        if data is not None:
            key = (data, tuple(sorted(headers.items())))
            case = known.get(key)
            if case is None:
                case = known[key] = Case(
                    id=f"{stem or 'requests'}/{number}",
                    family=stem or "requests",
                    data=data,
                    why="a request that came",
                    source=source_of_bytes(data),
                    headers=headers,
                )
        came.append(Came(producer, interface, received, None if case is None else case.id))
        if len(came) > MAX_REQUESTS:
            raise BadInput(f"{file}: is over {MAX_REQUESTS:,} requests: split it")
    if not came:
        raise BadInput(f"{file}: has no request: write one a line, as JSON")
    return Requests(tuple(came), corpus_of(stem or "requests", known.values()) if known else None)


def _lines(path: Path, file: str) -> Iterator[tuple[int, bytes]]:
    import sys

    try:
        if file == "stdin":
            yield from _cut(sys.stdin.buffer, file)
            return
        with path.open("rb") as stream:
            yield from _cut(stream, file)
    except FileNotFoundError:
        raise BadInput(f"{file}: there is no such file: name one that is there") from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else "no file can be called that"
        raise BadInput(f"{file}: cannot be read ({said})") from None


def _cut(stream: IO[bytes], file: str) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise BadInput(f"{file}:{number}: is over {MAX_LINE:,} bytes: leave this request out")
        if line.strip():
            yield number, line


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Repeated
    return found


def _record(line: bytes, place: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_once)
    except _Repeated:
        raise BadInput(f"{place}: a name stands twice in the record: write it once") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{place}: is no JSON: write one object a line") from None
    if not isinstance(record, dict):
        raise BadInput(f'{place}: is no object: write {{"text": "..."}} or {{"base64": "..."}}')
    return record


def _word(record: Mapping[str, Any], key: str, place: str) -> str:
    word = record.get(key)
    if word is None:
        return ""
    if key == "interface" and isinstance(word, int | float) and not isinstance(word, bool):
        word = str(word)  # a version that was written as a number
    if not isinstance(word, str) or len(word) > _WORD:
        said = f"`{key}` must be a string of at most {_WORD} characters: write it so, or leave it out"
        raise BadInput(f"{place}: {said}")
    return word


def _require_spelt(record: Mapping[str, Any], place: str) -> None:
    """Refuse a name that is one of ours but for a slip; what else a log carries is ignored."""
    for name in record:
        close = "" if name in _KNOWN else _close(name)
        if close and close not in record:
            raise BadInput(f"{place}: a name is nearly `{close}`: write `{close}`, or rename it")


@lru_cache(maxsize=1024)
def _close(name: str) -> str:
    """The known name that this one misspells, or nothing. Short names have too many neighbours."""
    from difflib import get_close_matches

    lower = name[:_WORD].lower()
    known = [each for each in _KNOWN if len(each) > _SHORT or each == lower]
    return next(iter(get_close_matches(lower, known, n=1, cutoff=_CLOSE)), "")


def _data(record: Mapping[str, Any], place: str) -> bytes | None:
    given = [key for key in ("text", "base64") if key in record]
    if len(given) != 1:
        said = "`text` and `base64` stand side by side: keep one"
        if not given:
            said = 'neither `text` nor `base64`: write "text": null where the raw text was not available'
        raise BadInput(f"{place}: {said}")
    value = record[given[0]]
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadInput(f"{place}: `{given[0]}` must be a string: an object that was parsed is no raw text")
    try:
        return value.encode() if given == ["text"] else base64.b64decode(value, validate=True)
    except UnicodeEncodeError:
        raise BadInput(f"{place}: `text` holds what UTF-8 cannot say: use `base64`") from None
    except (binascii.Error, ValueError):
        raise BadInput(f"{place}: `base64` is not in base64") from None


def _headers(record: Mapping[str, Any], place: str) -> Mapping[str, str]:
    headers = record.get("headers")
    if headers is None:
        return {}
    if not isinstance(headers, dict) or not all(
        isinstance(value, str) and value.isprintable() for value in headers.values()
    ):
        raise BadInput(f"{place}: `headers` must be an object of strings on one line: write them so")
    if not all(map(_TOKEN.fullmatch, headers)):
        raise BadInput(
            f"{place}: a name in `headers` cannot be sent: write letters, digits and hyphens (RFC 9110 5.1)"
        )
    found = {name.lower(): value for name, value in headers.items()}
    if len(found) != len(headers):
        raise BadInput(f"{place}: `headers` hold a name twice, in two cases: write it once")
    return found
