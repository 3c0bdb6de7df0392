"""Runs drawn at random: few subjects and cases with names that need care, answers of every outcome."""

from __future__ import annotations

import hashlib
from typing import Any

from hypothesis import strategies as st

from tests.strategies import values
from whichwins import notation
from whichwins.analysis.change_result import ChangeKind
from whichwins.corpus.ids import family_of
from whichwins.model import Case, Observation, Outcome, Source
from whichwins.run.view import CaseRecord, LedgerView

MIRRORED: dict[ChangeKind | None, ChangeKind | None] = {
    "winner-changed": "winner-changed",
    "value-changed": "value-changed",
    "newly-accepted": "newly-rejected",
    "newly-rejected": "newly-accepted",
    "newly-failing": "recovered",
    "recovered": "newly-failing",
    "refused-otherwise": "refused-otherwise",
    "input-changed": "input-changed",
}
"""What a kind is when before and after change places; `became-unstable` and `vanished` are nothing then."""

SUBJECTS = ("9 odd=\u00e9", "python/a", "python/b@2")
INPUTS = {
    "a b/=": b"[1]",
    "f/repeat": b'{"q":2,"q":20}',
    "f/-": b"[1,]",
    "\u00e9/x": b'"\\ud800"',
}

_WORDS = st.none() | st.sampled_from(["parse", "exit 7", "-", "=", '"', "\u00e9 \n", "", "E"])


def answers() -> st.SearchStrategy[Observation]:
    """Every outcome, with whatever may stand beside it; values of all kinds, some of them long."""
    held = st.sampled_from(['{"q":2}', '{"q":20}', "[1]", "[1.0]"])
    long = held.map(lambda text: f'["{"x" * 300}",{text}]')
    accepted = (held | long | values(3).map(notation.write)).map(
        lambda text: Observation(Outcome.ACCEPT, text)
    )
    ended = [outcome for outcome in Outcome if outcome is not Outcome.ACCEPT]
    other = st.tuples(st.sampled_from(ended), st.none(), _WORDS, _WORDS, _WORDS).map(
        lambda drawn: Observation(*drawn)
    )
    shaky = st.booleans() | st.just(False)
    return st.tuples(accepted | other, shaky).map(lambda drawn: drawn[0]._replace(unstable=drawn[1]))


@st.composite
def drawn_views(draw: Any) -> LedgerView:
    """A run of all SUBJECTS about all INPUTS; every subject accepts `f/-`, so that none is absent."""
    records, rows = {}, {}
    for identifier in sorted(INPUTS):
        data = INPUTS[identifier]
        case = Case(identifier, family_of(identifier), data, "a reason", Source(hex=data.hex()))
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        records[identifier] = CaseRecord(case, digest, len(data))
        row = tuple(draw(answers()) for _ in SUBJECTS)
        rows[identifier] = row if identifier != "f/-" else (Observation(Outcome.ACCEPT, "[1]"),) * len(row)
    header = {
        "tool": "0.1.0",
        "corpus": {"digest": "sha256:00", "cases": len(records)},
        "policies": {"i-json": "i-json/1"},
        "subjects": {key: {"library": "x", "libraries": {"x": "1"}, "runtime": "R 1"} for key in SUBJECTS},
    }
    return LedgerView(header, SUBJECTS, records, rows)
