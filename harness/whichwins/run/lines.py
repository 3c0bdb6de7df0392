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

LEDGER_VERSION = 1
INLINE_VALUE_BYTES = 4096
"""A longer value text stands once, under its digest."""


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


def line_of(record: Mapping[str, Any]) -> str:
    """One ledger line, names in the order given."""
    return json.dumps(record, ensure_ascii=True, separators=(",", ":"), allow_nan=False) + "\n"


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


def case_line(case: Case, withheld: Withheld | None) -> str:
    """A case: its bytes as text, hex or parts, or only their keyed digest and length."""
    digest = withheld.of(case.data) if withheld else "sha256:" + hashlib.sha256(case.data).hexdigest()
    record: dict[str, Any] = {
        "kind": "case",
        "case": case.id,
        "family": case.family,
        "input": digest,
        "length": len(case.data),
    }
    if withheld is None:
        source = source_of(case)
        if source.parts is not None:
            record["parts"] = [
                ({"text": text} if text is not None else {"hex": raw})
                | ({"repeat": times} if times != 1 else {})
                for text, raw, times in source.parts
            ]
        elif source.hex is not None:
            record["hex"] = source.hex
        else:
            record["text"] = source.text
    record["why"] = case.why
    if case.refs:
        record["refs"] = list(case.refs)
    if case.headers:
        record["headers"] = _sorted(case.headers)
    if case.shape is not None:
        record["shape"] = case.shape
    record["expect"] = _sorted(case.expect)
    if case.clauses:
        record["clauses"] = _sorted(case.clauses)
    if case.twin_of is not None:
        record["twin_of"] = case.twin_of
    return line_of(record)


class ObservationWriter:
    """Turns rows of observations into lines; a long value text is written once for the whole ledger."""

    def __init__(self, subjects: Sequence[str], withheld: Withheld | None) -> None:
        self._keys = [f'"subject":{quoted(key)},"outcome":' for key in subjects]
        self._withheld = withheld
        self._long: set[str] = set()
        self.count = 0
        self.by_outcome: dict[str, int] = {}

    def lines(self, case_id: str, row: Sequence[Observation]) -> str:
        """The lines of one case: value lines first, then one observation a subject, in their order.

        Equal answers are one object in a row, so each distinct answer is written out once.
        """
        values: list[str] = []
        tails: dict[int, str] = {}
        head = f'{{"kind":"observation","case":{quoted(case_id)},'
        out: list[str] = []
        outcomes = self.by_outcome
        for key, observation in zip(self._keys, row, strict=True):
            tail = tails.get(id(observation))
            if tail is None:
                tail = tails[id(observation)] = self._tail(observation, values)
            outcome = observation[0].value
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            out.append(f"{head}{key}{tail}")
        self.count += len(row)
        return "".join(values) + "".join(out)

    def _tail(self, observation: Observation, values: list[str]) -> str:
        outcome, value, stage, error, signal, reason, _message, unstable = observation
        tail = f'"{outcome.value}"'
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
                    values.append(f'{{"kind":"value","digest":"{digest}","text":{quoted(value)}}}\n')
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
