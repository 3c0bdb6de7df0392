"""What the lines of a ledger say, checked: every member that is used has the type it should have.

Members that this version does not know are passed over. `Wrong` says in a few words what is wrong.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from whichwins.model import Case, Observation, Outcome, Source
from whichwins.notation import NotationError, canonical
from whichwins.run.lines import LEDGER_VERSION
from whichwins.run.view import CaseRecord

MAX_DATA = 256 * 1024 * 1024
"""Bytes of one input that `parts` builds."""
CHECKED_VALUE_BYTES = 4096
"""Up to here a value is checked when it is read."""

_DIGEST = re.compile(r"(?:hmac-)?sha256:[0-9a-f]{64}")
_TEXTS = ("family", "library", "entry", "decode", "shape", "runtime", "digest", "absent")
_TABLES = ("libraries", "details", "options")

Record = Mapping[str, Any]


class Wrong(ValueError):
    """A line is not what it should be."""


class OtherVersion(ValueError):
    """The ledger is of another version."""


def header(record: Record) -> dict[str, Any]:
    """The header: `tool`, `corpus`, `policies`, and `subjects` with their identities."""
    if record.get("kind") != "header":
        raise Wrong("the first line is not a ledger header")
    if (version := record.get("ledger")) != LEDGER_VERSION or type(version) is not int:
        raise OtherVersion(f"ledger version {ascii(version)[:40]}; this whichwins reads {LEDGER_VERSION}")
    corpus, subjects = _table(record, "corpus"), _table(record, "subjects")
    said: dict[str, Any] = {
        "digest": _digest(corpus, "digest"),
        "cases": _count(corpus, "cases"),
        "twins": _count(corpus, "twins"),
    }
    if "name" in corpus:
        said["name"] = text_in(corpus, "name")
    return {
        "tool": text_in(record, "tool"),
        "corpus": said,
        "policies": texts(record, "policies"),
        "subjects": {key: identity(_table(subjects, key)) for key in subjects},
    }


def identity(record: Record) -> dict[str, Any]:
    """What a subject turned out to be."""
    said: dict[str, Any] = {name: text_in(record, name) for name in _TEXTS if name in record}
    said |= {name: dict(texts(record, name)) for name in _TABLES if name in record}
    if "lookup" in record:
        said["lookup"] = record["lookup"] is True
    return said


def case(record: Record) -> CaseRecord:
    """A case with its bytes, or without when the ledger leaves them out."""
    identifier, length, digest = text_in(record, "case"), _count(record, "length"), _digest(record, "input")
    source = _source(record)
    data = b"" if source is None else _bytes(source)
    if source is not None:
        if len(data) != length:
            raise Wrong("the input does not have the length it states")
        if digest != "sha256:" + hashlib.sha256(data).hexdigest():
            raise Wrong("the input is not the one of its digest")
    expect = texts(record, "expect")
    if any(value not in ("accept", "reject", "free") for value in expect.values()):
        raise Wrong("an expectation that is not accept, reject or free")
    refs = record.get("refs", [])
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        raise Wrong("`refs` is no list of texts")
    return CaseRecord(
        Case(
            id=identifier,
            family=text_in(record, "family"),
            data=data,
            why=text_in(record, "why"),
            source=source or Source(),
            expect=expect,  # type: ignore[arg-type]  # checked above
            clauses=texts(record, "clauses"),
            refs=tuple(refs),
            headers=texts(record, "headers"),
            shape=text_in(record, "shape") if "shape" in record else None,
            twin_of=text_in(record, "twin_of") if "twin_of" in record else None,
        ),
        digest,
        length,
        content=source is not None,
    )


def _source(record: Record) -> Source | None:
    given = [name for name in ("text", "hex", "parts") if name in record]
    if len(given) > 1:
        raise Wrong("more than one of text, hex and parts")
    if given == ["text"]:
        return Source(text=text_in(record, "text"))
    if given == ["hex"]:
        return Source(hex=text_in(record, "hex"))
    if not given:
        return None
    return Source(parts=_parts(record["parts"]))


def _parts(parts: Any) -> tuple[tuple[str | None, str | None, int], ...]:
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise Wrong("`parts` is no list of objects")
    return tuple(map(_part, parts))


def _part(part: Record) -> tuple[str | None, str | None, int]:
    if ("text" in part) == ("hex" in part):
        raise Wrong("a part that is neither text nor hex")
    times = _count(part, "repeat") if "repeat" in part else 1
    return (text_in(part, "text"), None, times) if "text" in part else (None, text_in(part, "hex"), times)


def _bytes(source: Source) -> bytes:
    pieces = source.parts if source.parts is not None else ((source.text, source.hex, 1),)
    out: list[bytes] = []
    size = 0
    for text, raw, times in pieces:
        try:
            piece = bytes.fromhex(raw) if raw is not None else (text or "").encode("utf-8")
        except ValueError:
            raise Wrong("an input that is neither UTF-8 text nor hex") from None
        size += len(piece) * times
        if size > MAX_DATA:
            raise Wrong(f"an input larger than {MAX_DATA} bytes")
        out.append(piece * times)
    return b"".join(out)


def value(record: Record) -> tuple[str, str]:
    """Digest and text of a value that stands once."""
    digest = _digest(record, "digest")
    text = _built(record["parts"]) if "parts" in record else text_in(record, "text")
    if not text.isascii() or digest != "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest():
        raise Wrong("a value is not the one of its digest")
    return digest, text


def _built(parts: Any) -> str:
    pieces = _parts(parts)
    if any(raw is not None for _, raw, _ in pieces):
        raise Wrong("a value with a part that is no text")
    try:
        return _bytes(Source(parts=pieces)).decode("ascii")
    except UnicodeDecodeError:
        raise Wrong("a value that is not ASCII") from None


def answering(record: Record, subjects: Sequence[str]) -> list[str]:
    """Whose answer it is: `subject`, a key, or `subjects`, places among all keys, in order."""
    if ("subject" in record) == ("subjects" in record):
        raise Wrong("an answer needs one of `subject` and `subjects`")
    if "subject" in record:
        return [text_in(record, "subject")]
    places = record["subjects"]
    if not isinstance(places, list) or not places:
        raise Wrong("`subjects` is no list of places")
    found: list[str] = []
    for place in places:
        first, last = place if isinstance(place, list) and len(place) == 2 else (place, place)
        if not (type(first) is type(last) is int and 0 <= first <= last < len(subjects)):
            raise Wrong("`subjects` names a place that no subject has")
        found += subjects[first : last + 1]
    return found


def observation(record: Record, values: Mapping[str, str]) -> Observation:
    """What one subject did; `values` are those that stand once, by digest."""
    name = text_in(record, "outcome")
    try:
        outcome = Outcome(name)
    except ValueError:
        raise Wrong(f"unknown outcome {name[:40]!a}") from None
    text: str | None = None
    if "value_digest" in record:
        text = values.get(text_in(record, "value_digest"))
        if text is None:
            raise Wrong("its value is not in the ledger")
    elif "value" in record:
        text = text_in(record, "value")
    if (outcome is Outcome.ACCEPT) != (text is not None):
        raise Wrong("an accepted case has a value, and no other has")
    stage, error, signal, reason = (_note(record, name) for name in ("stage", "error", "signal", "reason"))
    unstable = record.get("unstable", False)
    if not isinstance(unstable, bool):
        raise Wrong("`unstable` is neither true nor false")
    return Observation(outcome, text, stage, error, signal, reason, None, unstable)


def check_value(observation: Observation) -> None:
    """Raise Wrong when a short value is not canonical notation. What is wrong with a long one shows later."""
    text = observation.value
    if text is None or len(text) > CHECKED_VALUE_BYTES:
        return
    try:
        right = canonical(text) == text
    except NotationError:
        right = False
    if not right:
        raise Wrong("a value is not in the notation")


def _note(record: Record, name: str) -> str | None:
    return text_in(record, name) if name in record else None


def text_in(record: Record, name: str) -> str:
    """A member that is a text."""
    found = record.get(name)
    if not isinstance(found, str):
        raise Wrong(f"`{ascii(name)[1:-1]}` is missing or no text")
    return found


def _count(record: Record, name: str) -> int:
    found = record.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 1 << 63:
        raise Wrong(f"`{name}` is missing or no count")
    return found


def _digest(record: Record, name: str) -> str:
    found = text_in(record, name)
    if not _DIGEST.fullmatch(found):
        raise Wrong(f"`{name}` is no digest")
    return found


def _table(record: Record, name: str) -> dict[str, Any]:
    found = record.get(name)
    if not isinstance(found, dict):
        raise Wrong(f"`{ascii(name)[1:-1]}` is missing or no object")
    return found


def texts(record: Record, name: str) -> Mapping[str, str]:
    """A member that is an object of texts; empty where there is none."""
    found = record.get(name, {})
    if not isinstance(found, dict) or not all(isinstance(item, str) for item in found.values()):
        raise Wrong(f"`{name}` is no object of texts")
    return MappingProxyType(found)
