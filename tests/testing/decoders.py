"""Decoders with known faults, and a corpus whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whichwins.reference import Accepted, guard

# What strict-tool-input says of each, by hand from docs/design.md.
TEXTS = {
    "good/array": b"[1,2.5]",
    "good/null": b"null",
    "good/object": b'{"a":{"b":[1,2]},"c":"x"}',
    "odd/deep": b"[" * 65 + b"]" * 65,
    "odd/lone": b'["\\ud800"]',
    "odd/nan": b"[NaN]",
    "repeat/escaped": b'{"a":1,"\\u0061":2}',
    "repeat/nested": b'[{"k":1,"k":1}]',
    "repeat/plain": b'{"a":1,"a":2}',
}


def corpus(folder: Path, texts: dict[str, bytes] = TEXTS) -> Path:
    """A folder of raw files: nothing is stated, so that the reference judges. Its cases are `mine/<name>`."""
    for name, data in texts.items():
        path = folder / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / "mine"


def guarded(data: bytes) -> Any:
    """No fault: whichwins' own guard."""
    answer = guard(data)
    if isinstance(answer, Accepted):
        return answer.value
    raise ValueError(str(answer))


def last_wins(data: bytes) -> Any:
    """Takes repeated names and nothing else that the guard refuses: the last one wins."""
    answer = guard(data)
    if not isinstance(answer, Accepted) and answer.kind != "repeated-name":
        raise ValueError(str(answer))
    return json.loads(data)


def swallow(data: bytes) -> Any:
    """Takes everything."""
    return None


def refuse(data: bytes) -> Any:
    """Takes nothing."""
    raise ValueError("no")


def off_by_one(data: bytes) -> Any:
    """Right, but for the second element of every array."""
    value = guarded(data)

    def spoil(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: spoil(inner) for name, inner in part.items()}
        if isinstance(part, list):
            return [3 if at == 1 and each == 2 else spoil(each) for at, each in enumerate(part)]
        return part

    return spoil(value)
