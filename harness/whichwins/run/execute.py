"""A run: every subject is asked about every case, the answers go into a ledger or a view."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from whichwins.corpus import Corpus
from whichwins.model import LAYERS, Case, MeasurementFailed, Observation, Subject
from whichwins.run.files import standard_output, whole_file
from whichwins.run.lines import ObservationWriter, Withheld, case_line, header_line
from whichwins.run.twins import with_twins
from whichwins.run.view import CaseRecord, LedgerView

if TYPE_CHECKING:  # whoever reads ledgers starts no workers
    from whichwins.workers import Observer

Progress = Callable[[int, int], None]
"""Told (cases done, cases in all), twins included."""
Heard = Callable[[str, Observation], None]
"""Told a subject's key and its answer as soon as it is there."""


class RunResult(NamedTuple):
    """What a run came to: cases and twins asked, cells by outcome, absent subjects with reasons."""

    cases: int
    twins: int
    by_outcome: Mapping[str, int]
    absent: Mapping[str, str]


def _silent(_done: int, _total: int) -> None:
    """No progress."""


def declared(subjects: Sequence[Subject], observer: Observer) -> dict[str, dict[str, Any]]:
    """What the manifest declares of each subject, and what it turned out to be; `absent` with the reason."""
    found, absent = observer.identities, observer.absent
    out: dict[str, dict[str, Any]] = {}
    for subject in subjects:
        identity: dict[str, Any] = {
            "family": subject.family,
            "library": subject.library,
            "entry": subject.entry,
            "decode": subject.decode,
        }
        if subject.options:
            identity["options"] = dict(subject.options)
        if subject.lookup:
            identity["lookup"] = True
        if subject.shape:
            identity["shape"] = subject.shape
        known = found.get(subject.key)
        if known is None:
            identity["absent"] = absent.get(subject.key, "not started")
        else:
            identity["runtime"] = known["runtime"]
            identity["libraries"] = dict(known["libraries"])
            if known["details"]:
                identity["details"] = dict(known["details"])
            if known["digest"] is not None:
                identity["digest"] = known["digest"]
        out[subject.key] = identity
    return out


def _some_live(subjects: Sequence[Subject], observer: Observer) -> dict[str, dict[str, Any]]:
    known = declared(subjects, observer)
    if not observer.identities:
        reasons = "; ".join(f"{key}: {reason}" for key, reason in sorted(observer.absent.items()))
        raise MeasurementFailed(f"no subject could be started ({reasons or 'none was asked for'})")
    return known


def _rows(
    cases: Sequence[Case], subjects: Sequence[Subject], observer: Observer, progress: Progress
) -> Iterator[tuple[Case, tuple[Observation, ...]]]:
    total = len(cases)
    progress(0, total)
    shaped = any(case.shape for case in cases) or any(subject.shape for subject in subjects)
    shapes = [case.shape or "" for case in cases] if shaped else None
    rows = observer.observe((case.data for case in cases), shapes=shapes)
    for done, (case, row) in enumerate(zip(cases, rows, strict=True), 1):
        yield case, row
        progress(done, total)


def _header(
    corpus: Corpus,
    cases: Sequence[Case],
    known: dict[str, dict[str, Any]],
    tool: str,
    withheld: Withheld | None = None,
) -> dict[str, Any]:
    # The corpus's digest is over digests of the inputs: as easy to guess as they are.
    digest = withheld.of(corpus.digest.encode("ascii")) if withheld else corpus.digest
    return {
        "tool": tool,
        "corpus": {
            "name": corpus.name,
            "digest": digest,
            "cases": len(corpus.cases),
            "twins": len(cases) - len(corpus.cases),
        },
        "policies": {layer.partition("/")[0]: layer for layer in LAYERS},
        "subjects": known,
    }


def run_to_ledger(
    corpus: Corpus,
    subjects: Sequence[Subject],
    observer: Observer,
    path: Path | None,
    *,
    tool: str,
    twins: bool = True,
    withheld: Withheld | None = None,
    compact: bool = False,
    progress: Progress = _silent,
) -> RunResult:
    """Ask and write the ledger to `path`, whole or not at all; None is standard output, as it comes.

    `subjects` are sorted, as the observer's. `withheld` leaves the inputs and values out, `compact` says
    what is equal once. Raises
    MeasurementFailed when no subject lives or the disk is full, BadInput when the place cannot be written.
    """
    cases = list(with_twins(corpus.cases)) if twins else list(corpus.cases)
    writer = ObservationWriter([subject.key for subject in subjects], withheld, compact=compact)
    with whole_file(path) if path else standard_output() as stream:
        known = _some_live(subjects, observer)
        header = _header(corpus, cases, known, tool, withheld)
        stream.write(header_line(tool, header["corpus"], header["policies"], known, content=withheld is None))
        for case, row in _rows(cases, subjects, observer, progress):
            stream.write(case_line(case, withheld, compact=compact))
            stream.write(writer.lines(case.id, row))
        stream.write(writer.footer())
    return RunResult(
        len(corpus.cases),
        len(cases) - len(corpus.cases),
        MappingProxyType(dict(writer.by_outcome)),
        MappingProxyType(dict(observer.absent)),
    )


def write_view(view: LedgerView, path: Path) -> None:
    """Write a run that was kept in memory as the ledger it would have been, whole or not at all."""
    writer = ObservationWriter(view.subjects, None)
    with whole_file(path) as stream:
        head = view.header
        stream.write(
            header_line(head["tool"], head["corpus"], head["policies"], head["subjects"], content=True)
        )
        for key, record in view.cases.items():
            stream.write(case_line(record.case, None))
            stream.write(writer.lines(key, view.observations[key]))
        stream.write(writer.footer())


def run_to_view(
    corpus: Corpus,
    subjects: Sequence[Subject],
    observer: Observer,
    *,
    tool: str,
    twins: bool = True,
    progress: Progress = _silent,
    heard: Heard | None = None,
) -> LedgerView:
    """The same, kept in memory: what reading the ledger back would give, with the parsers' messages.

    With `heard` the first case is asked by itself, and each answer told before slower subjects are up.
    """
    cases = list(with_twins(corpus.cases)) if twins else list(corpus.cases)
    rows: dict[str, tuple[Observation, ...]] = {}
    if heard is not None:
        rows[cases[0].id] = _first(cases[0], observer, heard)
    for case, row in _rows(cases[len(rows) :], subjects, observer, progress):
        rows[case.id] = row
    known = _some_live(subjects, observer)
    keys = tuple(subject.key for subject in subjects)
    return LedgerView(_header(corpus, cases, known, tool), keys, records_of(cases), rows)


def records_of(cases: Sequence[Case]) -> dict[str, CaseRecord]:
    """Cases as a view holds them, by id."""
    return {
        case.id: CaseRecord(case, "sha256:" + hashlib.sha256(case.data).hexdigest(), len(case.data))
        for case in cases
    }


def _first(case: Case, observer: Observer, heard: Heard) -> tuple[Observation, ...]:
    answers: dict[str, Observation] = {}
    for key, observation in observer.answers_as_they_come(case.data, shape=case.shape or ""):
        answers[key] = observation
        heard(key, observation)
    return tuple(answers[key] for key in observer.keys)
