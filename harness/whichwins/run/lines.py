"""The lines of a ledger: what is written for a header, a case, an observation, a footer.

JSON Lines, ASCII, deterministic. See docs/ledger.md for the reader's view.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from whichwins.corpus import source_of
from whichwins.model import Case, Observation, Outcome
from whichwins.run.pieces import pieces_of

LEDGER_VERSION = 1
INLINE_VALUE_BYTES = 256
"""A longer value text stands once, under its digest: most subjects agree on most values."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """How a ledger without content names what it leaves out: by keyed digests.

    A plain digest of a small input can be guessed, a keyed one cannot. `normal` is the normal form
    whose digest stands for an accepted value, so that equal values stay equal.
    """

    key: bytes
    normal: Callable[[str], str]

    def of(self, data: bytes) -> str:
        """`hmac-sha256:` and the hex of the keyed digest of `data`."""
        return "hmac-sha256:" + hmac.new(self.key, data, hashlib.sha256).hexdigest()


_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode


def line_of(record: Mapping[str, Any]) -> str:
    """One ledger line, names in the order given."""
    return _encode(record) + "\n"


def header_line(
    tool: str,
    corpus: Mapping[str, Any],
    policies: Mapping[str, str],
    subjects: Mapping[str, Mapping[str, Any]],
    *,
    content: bool,
) -> str:
    """The first line: what was run, and what every subject turned out to be."""
    record: dict[str, Any] = {
        "kind": "header",
        "ledger": LEDGER_VERSION,
        "tool": tool,
        "corpus": dict(corpus),
    }
    if not content:
        record["content"] = False
    record["policies"] = dict(policies)
    record["subjects"] = {key: _sorted(subjects[key]) for key in sorted(subjects)}
    return line_of(record)


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return value


def case_line(case: Case, withheld: Withheld | None, *, compact: bool = False) -> str:
    """A case: its bytes as text, hex or parts, or only their keyed digest and length."""
    digest = withheld.of(case.data) if withheld else "sha256:" + hashlib.sha256(case.data).hexdigest()
    line = (
        f'{{"kind":"case","case":{quoted(case.id)},"family":{quoted(case.family)}'
        f',"input":"{digest}","length":{len(case.data)}'
    )
    if withheld is None:
        source = source_of(case)
        if source.parts is not None:
            parts = [
                ({"text": text} if text is not None else {"hex": raw})
                | ({"repeat": times} if times != 1 else {})
                for text, raw, times in source.parts
            ]
            line += f',"parts":{_encode(parts)}'
        elif source.hex is not None:
            line += f',"hex":"{source.hex}"'
        elif compact and (pieces := pieces_of(source.text or "")):
            line += f',"parts":{_encode(_said(pieces))}'
        else:
            line += f',"text":{quoted(source.text or "")}'
    line += f',"why":{quoted(case.why)}'
    if case.refs:
        line += f',"refs":{_encode(list(case.refs))}'
    if case.headers:
        line += f',"headers":{_encode(_sorted(case.headers))}'
    if case.shape is not None:
        line += f',"shape":{quoted(case.shape)}'
    line += f',"expect":{_encode(_sorted(case.expect)) if case.expect else "{}"}'
    if case.clauses:
        line += f',"clauses":{_encode(_sorted(case.clauses))}'
    if case.twin_of is not None:
        line += f',"twin_of":{quoted(case.twin_of)}'
    return line + "}\n"


def _said(pieces: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"text": text} | ({"repeat": times} if times != 1 else {}) for text, times in pieces]


def _runs(places: Sequence[int]) -> list[int | list[int]]:
    """Rising numbers, three or more in a row as [first, last]."""
    found: list[list[int]] = []
    for place in places:
        if found and place == found[-1][1] + 1:
            found[-1][1] = place
        else:
            found.append([place, place])
    out: list[int | list[int]] = []
    for first, last in found:
        out += [[first, last]] if last > first + 1 else range(first, last + 1)
    return out


class ObservationWriter:
    """Turns rows of observations into lines; a long value text is written once for the whole ledger.

    `compact`: the subjects that answer alike share a line, and what repeats in a long value is written once.
    """

    def __init__(self, subjects: Sequence[str], withheld: Withheld | None, *, compact: bool = False) -> None:
        self._keys = [f'"subject":{quoted(key)},"outcome":' for key in subjects]
        self._withheld = withheld
        self._compact = compact
        self._long: set[str] = set()
        self.count = 0
        self.by_outcome: dict[str, int] = {}

    def lines(self, case_id: str, row: Sequence[Observation]) -> str:
        """The lines of one case: value lines first, then one observation a subject, in their order.

        Equal answers are one object in a row, so each distinct answer is written out once.
        """
        values: list[str] = []
        head = f'{{"kind":"observation","case":{quoted(case_id)},'
        same = list(map(id, row))
        tails: dict[int, str] = {}
        for one, observation in zip(same, row, strict=True):
            if one not in tails:
                tails[one] = self._tail(observation, values)
                name = str(observation.outcome)
                self.by_outcome[name] = self.by_outcome.get(name, 0) + same.count(one)
        self.count += len(row)
        if self._compact:
            alike: dict[str, list[int]] = {}
            for place, one in enumerate(same):
                alike.setdefault(tails[one], []).append(place)
            values += [
                f'{head}"subjects":{_encode(_runs(places))},"outcome":{tail}'
                for tail, places in alike.items()
            ]
            return "".join(values)
        values += [f"{head}{key}{tails[one]}" for key, one in zip(self._keys, same, strict=True)]
        return "".join(values)

    def _tail(self, observation: Observation, values: list[str]) -> str:
        outcome, value, stage, error, signal, reason, _message, unstable = observation
        tail = f'"{outcome}"'
        if value is not None:
            if self._withheld:
                text = f'X"{self._withheld.of(self._withheld.normal(value).encode())}"'
                tail += f',"value":{quoted(text)}'
            elif len(value) <= INLINE_VALUE_BYTES:
                tail += f',"value":{quoted(value)}'
            else:
                digest = "sha256:" + hashlib.sha256(value.encode("ascii")).hexdigest()
                if digest not in self._long:
                    self._long.add(digest)
                    pieces = pieces_of(value) if self._compact else None
                    said = f'"parts":{_encode(_said(pieces))}' if pieces else f'"text":{quoted(value)}'
                    values.append(f'{{"kind":"value","digest":"{digest}",{said}}}\n')
                tail += f',"value_digest":"{digest}"'
        if stage is not None:
            tail += f',"stage":{quoted(stage)}'
        if error is not None:
            tail += f',"error":{quoted(error)}'
        if signal is not None:
            tail += f',"signal":{quoted(signal)}'
        # The reason of an unsupported case is the adapter's own words, which may quote the input.
        if reason is not None and not (self._withheld and outcome is Outcome.UNSUPPORTED):
            tail += f',"reason":{quoted(reason)}'
        if unstable:
            tail += ',"unstable":true'
        return tail + "}\n"

    def footer(self) -> str:
        """The last line: a ledger without it was cut short."""
        known = [outcome.value for outcome in Outcome]
        counts = {name: self.by_outcome[name] for name in known if name in self.by_outcome}
        return line_of({"kind": "footer", "observations": self.count, "by_outcome": counts})
