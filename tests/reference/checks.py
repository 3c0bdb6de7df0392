"""Independent checks on the reader. Each yields complaints; a sound reader gets none.

Hand-written expectations (`clauses`), the names of JSONTestSuite's files, and the standard
library under strict UTF-8 know nothing of the reader and nothing of each other.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.reference.clauses import rows
from whichwins.model import LAYERS
from whichwins.reference import reader
from whichwins.reference.layers import verdicts
from whichwins.reference.tape import Node
from whichwins.reference.twin import twin

LETTERS = {"accept": "A", "reject": "R", "free": "F"}
ROOT = Path(__file__).resolve().parents[2]


def suite_folder() -> Path:
    """Where JSONTestSuite's files are looked for."""
    return Path(
        os.environ.get("WHICHWINS_JSONTESTSUITE") or ROOT.parent / "shared" / "corpora" / "JSONTestSuite"
    )


SUITE_REJECTS = frozenset(
    "i_string_" + name
    for name in (
        "UTF-16LE_with_BOM.json",
        "UTF-8_invalid_sequence.json",
        "UTF8_surrogate_U+D800.json",
        "invalid_utf-8.json",
        "iso_latin_1.json",
        "lone_utf8_continuation_byte.json",
        "not_in_unicode_range.json",
        "overlong_sequence_2_bytes.json",
        "overlong_sequence_6_bytes.json",
        "overlong_sequence_6_bytes_null.json",
        "truncated-utf-8.json",
        "utf16BE_no_BOM.json",
        "utf16LE_no_BOM.json",
    )
)
"""Not UTF-8: RFC 8259 section 8.1 leaves no choice any more."""
SUITE_FREE = frozenset({"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"})
"""Repeated names: RFC 8259 section 4 leaves the choice."""


def suite_expectation(name: str) -> str:
    """What a file's name says under the documented reclassification."""
    if name in SUITE_REJECTS:
        return "reject"
    if name in SUITE_FREE:
        return "free"
    if name.startswith("i_number_"):
        return "accept"
    return {"y": "accept", "n": "reject", "i": "free"}[name[0]]


def suite(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.json")):
        got = verdicts(reader.read(path.read_bytes()))["rfc8259/1"].expectation
        if got != suite_expectation(path.name):
            yield f"{path.name}: {got}"


def clauses() -> Iterator[str]:
    for clause, text, letters in rows():
        found = verdicts(reader.read(text))
        got = "".join(LETTERS[found[layer].expectation] for layer in LAYERS)
        if got != letters:
            yield f"{clause}: {text[:60]!r} is {letters}, got {got}"


REFUSED = {"refused": True}


def standard(data: bytes) -> Any:
    """The standard library's reading with every pair and lexeme, or REFUSED."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    try:
        return json.loads(
            data.decode("utf-8").removeprefix("\ufeff"),
            object_pairs_hook=lambda pairs: {"pairs": [list(pair) for pair in pairs]},
            parse_int=lambda lexeme: {"number": lexeme},
            parse_float=lambda lexeme: {"number": lexeme},
            parse_constant=refuse,
        )
    except (ValueError, RecursionError):
        return REFUSED


def tree(node: Node) -> Any:
    """The reader's tree in the same form."""
    match node.kind:
        case "object":
            return {"pairs": [[member.name.text, tree(member.value)] for member in node.members]}
        case "array":
            return [tree(item) for item in node.items]
        case "number":
            return {"number": node.number}
        case "string":
            return node.text
        case kind:
            return {"null": None, "true": True, "false": False}[kind]


def against_standard_library(texts: Iterable[bytes]) -> Iterator[str]:
    for data in texts:
        reading = reader.read(data)
        utf8 = all(problem.kind != "utf-8" for problem in reading.problems)
        ours = tree(reading.root) if reading.root is not None and utf8 else REFUSED
        theirs = standard(data)
        if ours != theirs:
            yield f"{data[:80]!r}: {ours!r:.80} is not the standard library's {theirs!r:.80}"
        elif ours is not REFUSED and (complaint := _twin(reading, theirs)):
            yield f"{data[:80]!r}: {complaint}"


def _twin(reading: reader.Reading, theirs: Any) -> str | None:
    """Whether the standard library sees no repeat in the twin, and the same values."""
    changed = twin(reading)
    if changed is None:
        return "no twin" if _repeats(theirs) else None
    read = standard(changed)
    if _repeats(read):
        return f"the twin {changed!r} repeats a name"
    if not _renamed(theirs, read):
        return f"the twin {changed!r} differs in more than names that repeat"
    return None


def _repeats(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_repeats, value))
    if isinstance(value, dict) and "pairs" in value:
        names = [name for name, _ in value["pairs"]]
        return len(set(names)) < len(names) or any(_repeats(inner) for _, inner in value["pairs"])
    return False


def _renamed(before: Any, after: Any) -> bool:
    """Whether two values differ in nothing but a suffix to later occurrences of a name.

    An occurrence too is what becomes the same name once surrogates are replaced.
    """
    if isinstance(before, list):
        return len(before) == len(after) and all(map(_renamed, before, after))
    if not (isinstance(before, dict) and "pairs" in before):
        return bool(before == after)
    seen: set[str] = set()
    for (name, value), (new_name, new_value) in zip(before["pairs"], after["pairs"], strict=True):
        loose = re.sub("[\ud800-\udfff]", "\ufffd", name)
        if new_name != name and not (loose in seen and new_name.startswith(name + "~")):
            return False
        if not _renamed(value, new_value):
            return False
        seen.add(loose)
    return True


_SNIPPETS = (
    [bytes([byte]) for byte in b'[]{}":,\\ \t\n\r\f\x00-+.0159eEunltf/\x1f\x7f\x80\xa0\xc0\xed\xff']
    + [
        b"01",
        b"1.",
        b"1e",
        b"-",
        b",]",
        b",}",
        b'"a":1,',
        b"\\u",
        b"\\ud83d",
        b"\\ude00",
        b"\\u0061",
        b"null",
    ]
    + [b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf0\x9f\x98\x80", b"\xe2\x82", b'"', b"True", b"\\f"]
)


def mutants(seed: int, each: int) -> Iterator[bytes]:
    """The hand-written texts, and texts a few bytes away from them, always the same ones."""
    chance = random.Random(seed)
    for _, text, _ in rows():
        if len(text) > 1000:
            continue
        yield text
        for _ in range(each):
            mutant = text
            for _ in range(chance.choice((1, 1, 2))):
                at, end = sorted(chance.choices(range(len(mutant) + 1), k=2))
                snippet = chance.choice(_SNIPPETS)
                mutant = chance.choice(
                    (
                        mutant[:at] + snippet + mutant[at:],
                        mutant[:at] + snippet + mutant[at + 1 :],
                        mutant[:at] + mutant[at + 1 :],
                        mutant[:end] + mutant[at:],
                    )
                )
            yield mutant


def complaints(each: int = 12) -> Iterator[str]:
    """All independent checks, cheapest first."""
    yield from clauses()
    yield from against_standard_library(mutants(seed=8259, each=each))
    if suite_folder().is_dir():
        yield from suite(suite_folder())
