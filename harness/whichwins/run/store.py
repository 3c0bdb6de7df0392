"""A ledger on disk: written whole or not at all, read with limits, refused when incomplete."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from whichwins.model import LAYERS, BadInput, Case, MeasurementFailed, Observation, Outcome, Source
from whichwins.run.lines import LEDGER_VERSION
from whichwins.run.view import CaseRecord, LedgerView

MAX_LINE = 256 * 1024 * 1024
MAX_DATA = 256 * 1024 * 1024
"""Bytes of one line, and of one input that `parts` builds."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Open `path` for writing so that it appears complete at the end, or not at all.

    Raises BadInput when the place cannot be written, also when the disk runs full on the way.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}): choose another place") from None
    part = Path(name)
    try:
        # surrogateescape is not needed: every report and ledger is ASCII or clean UTF-8.
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes it private; a report is as readable as the umask says.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}): nothing was left there") from None
    finally:
        part.unlink(missing_ok=True)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return record


def _bad_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_bad_constant).decode


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open("rb") as stream:
            number = 0
            while raw := stream.readline(MAX_LINE + 1):
                number += 1
                if len(raw) > MAX_LINE:
                    raise BadInput(f"{path}: line {number} is longer than {MAX_LINE} bytes: not a ledger")
                try:
                    record = _decode(raw.decode("ascii"))
                except (ValueError, RecursionError):
                    raise BadInput(
                        f"{path}: line {number} is no ledger line (a JSON object, ASCII): make it with `run`"
                    ) from None
                if not isinstance(record, dict):
                    raise BadInput(
                        f"{path}: line {number} is not an object: make the ledger again with `run`"
                    )
                yield number, record
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None


class _Reader:
    """State of one reading: fills the maps, line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: dict[str, Any] | None = None
        self.footer: dict[str, Any] | None = None
        self.cases: dict[str, CaseRecord] = {}
        self.values: dict[str, str] = {}
        self.cells: dict[str, dict[str, Observation]] = {}
        self.count = 0
        self.by_outcome: dict[str, int] = {}
        self._seen: dict[Observation, Observation] = {}
        self._seen_case = ""

    def bad(self, number: int, what: str) -> BadInput:
        return BadInput(f"{self.path}: line {number}: {what}: make the ledger again with `run`")

    def take(self, number: int, record: dict[str, Any]) -> None:
        kind = record.get("kind")
        if self.header is None:
            if kind != "header":
                raise self.bad(number, "the first line is not a ledger header")
            if record.get("ledger") != LEDGER_VERSION:
                raise BadInput(
                    f"{self.path}: ledger version {record.get('ledger')!a}; "
                    f"this whichwins reads {LEDGER_VERSION}"
                )
            subjects, corpus = record.get("subjects"), record.get("corpus")
            if not isinstance(subjects, dict) or not isinstance(corpus, dict):
                raise self.bad(number, "the header names no subjects or no corpus")
            if not all(isinstance(identity, dict) for identity in subjects.values()):
                raise self.bad(number, "the header has a subject without identity")
            self.header = record
        elif self.footer is not None:
            raise self.bad(number, "there is something after the footer")
        elif kind == "observation":
            self._observation(number, record)
        elif kind == "case":
            self._case(number, record)
        elif kind == "value":
            digest, text = record.get("digest"), record.get("text")
            if not isinstance(digest, str) or not isinstance(text, str):
                raise self.bad(number, "a value without digest or text")
            self.values[digest] = text
        elif kind == "footer":
            self.footer = record
        elif kind == "header":
            raise self.bad(number, "a second header")
        # Lines of a kind unknown here come from a newer whichwins and say nothing to this one.

    def _text(self, number: int, record: dict[str, Any], name: str) -> str:
        value = record.get(name)
        if not isinstance(value, str):
            raise self.bad(number, f"`{name}` is missing or no text")
        return value

    def _case(self, number: int, record: dict[str, Any]) -> None:
        identifier = self._text(number, record, "case")
        if identifier in self.cases:
            raise self.bad(number, f"the case {identifier!a} is there twice")
        length = record.get("length")
        expect = record.get("expect", {})
        clauses = record.get("clauses", {})
        refs = record.get("refs", [])
        headers = record.get("headers", {})
        if not isinstance(length, int) or not all(isinstance(x, dict) for x in (expect, clauses, headers)):
            raise self.bad(number, "a case with a wrong length, expect, clauses or headers")
        if any(value not in ("accept", "reject", "free") for value in expect.values()):
            raise self.bad(number, "an expectation that is not accept, reject or free")
        source = self._source(number, record)
        data = b"" if source is None else self._bytes(number, source)
        if source is not None and len(data) != length:
            raise self.bad(number, "the input does not have the length it states")
        twin_of, shape = record.get("twin_of"), record.get("shape")
        case = Case(
            id=identifier,
            family=self._text(number, record, "family"),
            data=data,
            why=str(record.get("why", "")),
            source=source or Source(),
            expect=MappingProxyType(expect),
            clauses=MappingProxyType({str(k): str(v) for k, v in clauses.items()}),
            refs=tuple(str(ref) for ref in refs) if isinstance(refs, list) else (),
            headers=MappingProxyType({str(k): str(v) for k, v in headers.items()}),
            shape=shape if isinstance(shape, str) else None,
            twin_of=twin_of if isinstance(twin_of, str) else None,
        )
        digest = self._text(number, record, "input")
        self.cases[identifier] = CaseRecord(case, digest, length, content=source is not None)

    def _source(self, number: int, record: dict[str, Any]) -> Source | None:
        if isinstance(text := record.get("text"), str):
            return Source(text=text)
        if isinstance(raw := record.get("hex"), str):
            return Source(hex=raw)
        if not isinstance(parts := record.get("parts"), list):
            return None
        pieces: list[tuple[str | None, str | None, int]] = []
        for part in parts:
            if not isinstance(part, dict):
                raise self.bad(number, "a part that is no object")
            text, raw, times = part.get("text"), part.get("hex"), part.get("repeat", 1)
            if not isinstance(times, int) or times < 0 or not (isinstance(text, str) ^ isinstance(raw, str)):
                raise self.bad(number, "a part that is neither text nor hex with a repeat")
            pieces.append((text, raw, times))
        return Source(parts=tuple(pieces))

    def _bytes(self, number: int, source: Source) -> bytes:
        pieces = source.parts if source.parts is not None else ((source.text, source.hex, 1),)
        out: list[bytes] = []
        size = 0
        try:
            for text, raw, times in pieces:
                piece = bytes.fromhex(raw) if raw is not None else (text or "").encode("utf-8")
                size += len(piece) * times
                if size > MAX_DATA:
                    raise self.bad(number, f"an input larger than {MAX_DATA} bytes")
                out.append(piece * times)
        except ValueError:
            raise self.bad(number, "an input that is neither UTF-8 text nor hex") from None
        return b"".join(out)

    def _observation(self, number: int, record: dict[str, Any]) -> None:
        identifier = self._text(number, record, "case")
        subject = self._text(number, record, "subject")
        name = self._text(number, record, "outcome")
        try:
            outcome = Outcome(name)
        except ValueError:
            raise self.bad(number, f"unknown outcome {name!a}") from None
        value = record.get("value")
        if value is None and (digest := record.get("value_digest")) is not None:
            value = self.values.get(digest) if isinstance(digest, str) else None
            if value is None:
                raise self.bad(number, "its value is not in the ledger")
        if (outcome is Outcome.ACCEPT) != isinstance(value, str):
            raise self.bad(number, "only an accepted case has a value")
        notes = [record.get(key) for key in ("stage", "error", "signal", "reason")]
        if not all(note is None or isinstance(note, str) for note in notes):
            raise self.bad(number, "a stage, error, signal or reason that is no text")
        stage, error, signal, reason = notes
        unstable = record.get("unstable") is True
        observation = Observation(outcome, value, stage, error, signal, reason, None, unstable)
        if identifier != self._seen_case:
            self._seen_case = identifier
            self._seen.clear()
        observation = self._seen.setdefault(observation, observation)
        row = self.cells.setdefault(identifier, {})
        if subject in row:
            raise self.bad(number, f"{subject!a} answers {identifier!a} twice")
        row[subject] = observation
        self.count += 1
        self.by_outcome[name] = self.by_outcome.get(name, 0) + 1

    def view(self) -> LedgerView:
        """Check that nothing is missing, and return what was read."""
        path = self.path
        if self.header is None:
            raise BadInput(f"{path}: empty, not a ledger: make it with `run`")
        if self.footer is None:
            raise MeasurementFailed(f"{path}: incomplete (no footer): the run was cut short; run it again")
        if self.footer.get("observations") != self.count or self.footer.get("by_outcome") != self.by_outcome:
            raise MeasurementFailed(f"{path}: incomplete (the footer counts otherwise): run it again")
        subjects = tuple(sorted(self.header["subjects"]))
        if not self.cases:
            raise MeasurementFailed(f"{path}: no cases: run it again with some")
        unknown = self.cells.keys() - self.cases.keys()
        if unknown:
            raise MeasurementFailed(
                f"{path}: incomplete (no line for the case {min(unknown)!a}): run it again"
            )
        observations: dict[str, tuple[Observation, ...]] = {}
        for identifier in sorted(self.cases):
            row = self.cells.get(identifier, {})
            missing = [key for key in subjects if key not in row]
            if missing:
                raise MeasurementFailed(
                    f"{path}: incomplete (no answer of {missing[0]!a} to {identifier!a}): run it again"
                )
            if len(row) != len(subjects):
                extra = min(row.keys() - set(subjects))
                raise MeasurementFailed(
                    f"{path}: incomplete (the header does not know {extra!a}): run it again"
                )
            observations[identifier] = tuple(row[key] for key in subjects)
        cases = {identifier: self.cases[identifier] for identifier in observations}
        return LedgerView(self.header, subjects, cases, observations)


def read_ledger(path: Path) -> LedgerView:
    """Read a ledger.

    Raises BadInput for a file that is none (exit 2), MeasurementFailed for one that is incomplete: a
    footer, a cell, a case or a subject is missing (exit 3).
    """
    reader = _Reader(path)
    for number, record in _records(path):
        reader.take(number, record)
    return reader.view()


POLICIES: dict[str, str] = {layer.partition("/")[0]: layer for layer in LAYERS}
"""The versions of the expectation layers this whichwins applies, for the header."""
