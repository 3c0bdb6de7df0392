"""Ledger views made by hand: answers are written in one line each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from whichwins.model import Case, Expectation, Observation, Outcome, Source
from whichwins.reference import read, verdicts
from whichwins.run.twins import twin_of
from whichwins.run.view import CaseRecord, LedgerView


def answer(text: str) -> Observation:
    """`-` rejects; `!fault` and so on are outcomes; everything else is an accepted value."""
    if text == "-":
        return Observation(Outcome.REJECT, stage="parse", error="E")
    if text.startswith("!"):
        outcome = Outcome(text[1:])
        reason = "not installed" if outcome is Outcome.ABSENT else None
        return Observation(outcome, reason=reason)
    return Observation(Outcome.ACCEPT, text)


def case(identifier: str, data: str | bytes, **more: Any) -> Case:
    raw = data.encode() if isinstance(data, str) else data
    family = identifier.partition("/")[0]
    said = verdicts(read(raw))
    expect: Mapping[str, Expectation] = {layer: verdict.expectation for layer, verdict in said.items()}
    clauses = {layer: verdict.clause for layer, verdict in said.items()}
    made = Case(identifier, family, raw, "a reason", Source(hex=raw.hex()), expect, clauses)
    return replace(made, **more)


def view(
    subjects: Sequence[str],
    *rows: tuple[Any, ...],
    lookups: Sequence[str] = (),
    twins: bool = True,
    content: bool = True,
) -> LedgerView:
    """Rows are (id, data, answers, answers to the twin, default: all accept it). Subjects are sorted."""
    assert list(subjects) == sorted(subjects)
    cases: dict[str, CaseRecord] = {}
    observations: dict[str, tuple[Observation, ...]] = {}

    def put(made: Case, answers: Sequence[str]) -> None:
        assert len(answers) == len(subjects)
        digest = "sha256:" + hashlib.sha256(made.data).hexdigest()
        kept = made if content else replace(made, data=b"", source=Source())
        cases[made.id] = CaseRecord(kept, digest, len(made.data), content)
        observations[made.id] = tuple(map(answer, answers))

    for identifier, data, answers, *twin_answers in rows:
        made = case(identifier, data) if not isinstance(data, Case) else data
        put(made, answers)
        twin = twin_of(made) if twins else None
        if twin is not None:
            put(twin, twin_answers[0] if twin_answers else ["{}"] * len(subjects))
    identities = {key: {"lookup": True} if key in lookups else {} for key in subjects}
    header = {
        "tool": "0.1.0",
        "corpus": {"digest": "sha256:00", "cases": len(rows)},
        "subjects": identities,
    }
    order = sorted(cases)
    return LedgerView(
        header,
        tuple(subjects),
        {key: cases[key] for key in order},
        {key: observations[key] for key in order},
    )
