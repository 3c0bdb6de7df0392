"""A ledger on disk, read with limits, refused when it is incomplete."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whichwins.model import BadInput, MeasurementFailed, Observation
from whichwins.run import records
from whichwins.run.records import Wrong
from whichwins.run.view import CaseRecord, LedgerView

MAX_LINE = 256 * 1024 * 1024
"""Bytes of one line."""
MAX_BUILT = 1 << 30
"""Bytes of all inputs together that `parts` build: a short line can build a large input."""

_AGAIN = "make the ledger again with `run`"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def _bad_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_bad_constant).decode
"""JSON as it is written here: no name twice in an object, no NaN."""


def json_objects(path: Path, remedy: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The lines of a file with their numbers; None for one that is no JSON object in ASCII, each name once.

    Raises OSError where the file cannot be read, BadInput with `remedy` for a line beyond MAX_LINE.
    """
    with path.open("rb") as stream:
        number = 0
        while raw := stream.readline(MAX_LINE + 1):
            number += 1
            if len(raw) > MAX_LINE:
                raise BadInput(f"{path}: line {number} is longer than {MAX_LINE} bytes: {remedy}")
            try:
                record = decode(raw.decode("ascii"))
            except (ValueError, RecursionError):
                record = None
            yield number, record if isinstance(record, dict) else None


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        for number, record in json_objects(path, _AGAIN):
            if record is None:
                raise BadInput(
                    f"{path}: line {number} is no ledger line (a JSON object in ASCII, each name once): "
                    + ("not a ledger; `run` writes one" if number == 1 else _AGAIN)
                )
            yield number, record
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}): `run` writes a ledger") from None


class _Reader:
    """State of one reading: fills the maps, line by line."""

    def __init__(self) -> None:
        self.header: dict[str, Any] | None = None
        self.footer: dict[str, Any] | None = None
        self.cases: dict[str, CaseRecord] = {}
        self.values: dict[str, str] = {}
        self.cells: dict[str, dict[str, Observation]] = {}
        self.count = 0
        self.by_outcome: dict[str, int] = {}
        self._keys: list[str] = []
        self._built = 0
        self._seen: dict[Observation, Observation] = {}
        self._seen_case = ""

    def take(self, record: dict[str, Any]) -> None:
        kind = record.get("kind")
        if self.header is None:
            self.header = records.header(record)
            self._keys = sorted(self.header["subjects"])
        elif self.footer is not None:
            raise Wrong("there is something after the footer")
        elif kind == "observation":
            self._observation(record)
        elif kind == "case":
            self._case(record)
        elif kind == "value":
            digest, text = records.value(record)
            self._count_built(len(text) if "parts" in record else 0)
            self.values[digest] = text
        elif kind == "footer":
            self.footer = record
        elif kind == "header":
            raise Wrong("a second header")
        # Lines of a kind unknown here come from a newer whichwins and say nothing to this one.

    def _case(self, record: dict[str, Any]) -> None:
        read = records.case(record)
        if read.case.id in self.cases:
            raise Wrong(f"the case {read.case.id[:80]!a} is there twice")
        self._count_built(len(read.case.data) if read.case.source.parts is not None else 0)
        self.cases[read.case.id] = read

    def _count_built(self, size: int) -> None:
        self._built += size
        if self._built > MAX_BUILT:
            raise Wrong(f"what is built from parts is larger than {MAX_BUILT} bytes")

    def _observation(self, record: dict[str, Any]) -> None:
        identifier = record.get("case")
        if not isinstance(identifier, str):
            raise Wrong("an answer without case")
        whose = records.answering(record, self._keys)
        read = records.observation(record, self.values)
        # Equal answers become one object: most subjects say the same.
        if identifier != self._seen_case:
            self._seen_case = identifier
            self._seen.clear()
        known = self._seen.get(read)
        if known is None:
            records.check_value(read)
            known = self._seen[read] = read
        row = self.cells.setdefault(identifier, {})
        for subject in whose:
            if subject in row:
                raise Wrong(f"{subject[:80]!a} answers {identifier[:80]!a} twice")
            row[subject] = known
        self.count += len(whose)
        name = known.outcome.value
        self.by_outcome[name] = self.by_outcome.get(name, 0) + len(whose)

    def view(self) -> LedgerView:
        """Check that nothing is missing, and return what was read. MeasurementFailed says what is."""
        if self.header is None:
            raise Wrong("empty, not a ledger")
        if self.footer is None:
            raise MeasurementFailed("no footer: the run was cut short")
        if self.footer.get("observations") != self.count or self.footer.get("by_outcome") != self.by_outcome:
            raise MeasurementFailed("the footer counts otherwise")
        if not self.cases:
            raise MeasurementFailed("it has no cases")
        twins = sum(read.case.twin_of is not None for read in self.cases.values())
        cases, said = len(self.cases) - twins, self.header["corpus"]
        if (cases, twins) != (said["cases"], said["twins"]):
            raise MeasurementFailed(
                f"the header has {said['cases']} cases and {said['twins']} twins, not {cases} and {twins}"
            )
        if unknown := self.cells.keys() - self.cases.keys():
            raise MeasurementFailed(f"no line for the case {min(unknown)[:80]!a}")
        subjects = tuple(sorted(self.header["subjects"]))
        observations: dict[str, tuple[Observation, ...]] = {}
        for identifier in sorted(self.cases):
            row = self.cells.get(identifier, {})
            if missing := next((key for key in subjects if key not in row), None):
                raise MeasurementFailed(f"no answer of {missing[:80]!a} to {identifier[:80]!a}")
            if len(row) != len(subjects):
                raise MeasurementFailed(f"the header does not know {min(row.keys() - set(subjects))[:80]!a}")
            observations[identifier] = tuple(row[key] for key in subjects)
        ordered = {identifier: self.cases[identifier] for identifier in observations}
        return LedgerView(self.header, subjects, ordered, observations)


def read_ledger(path: Path) -> LedgerView:
    """Read a ledger.

    Raises BadInput for a file that is none, or has a line that a run does not write (exit 2);
    MeasurementFailed for one that is incomplete: a footer, a cell, a case or a subject is missing (exit 3).
    """
    reader = _Reader()
    for number, record in _lines(path):
        try:
            reader.take(record)
        except records.OtherVersion as other:
            raise BadInput(f"{path}: {other}: {_AGAIN}") from None
        except Wrong as wrong:
            raise BadInput(f"{path}: line {number}: {wrong}: {_AGAIN}") from None
    try:
        return reader.view()
    except Wrong as wrong:
        raise BadInput(f"{path}: {wrong}: `run` writes one") from None
    except MeasurementFailed as lacking:
        raise MeasurementFailed(f"{path}: incomplete ({lacking}): run it again") from None
