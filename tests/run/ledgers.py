"""Ledgers for tests: functions instead of workers, a corpus from a few lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.workers.scripted import subject
from whichwins.corpus import Corpus, corpus_of, source_of_bytes
from whichwins.model import Case, Observation, Outcome
from whichwins.run import RunResult, Withheld, run_to_ledger, run_to_view
from whichwins.run.view import LedgerView
from whichwins.workers import FakePool

Answer = Callable[[bytes], Observation]


def accept(text: str) -> Observation:
    return Observation(Outcome.ACCEPT, text)


REJECT = Observation(Outcome.REJECT, stage="parse", error="E")
LONG = '"' + "x" * 5000 + '"'

FLEET: dict[str, Answer | str] = {
    "a/first": lambda data: accept('{"q":2}' if data.count(b'"q"') == 2 else '{"q":20}'),
    "b/long": lambda data: accept(LONG),
    "c/strict": lambda data: REJECT if data.count(b'"q"') == 2 else accept('{"q":2,"q~2":20}'),
    "d/gone": "not installed",
}


def corpus(*pairs: tuple[str, bytes], name: str = "small") -> Corpus:
    return corpus_of(
        name,
        [
            Case(identifier, identifier.partition("/")[0], data, f"why {identifier}", source_of_bytes(data))
            for identifier, data in pairs
        ],
    )


SMALL = corpus(("r/one", b'{"q":2,"q":20}'), ("r/two", b'["\xff"]'))
"""Three cases in a ledger: one repeats a name and has a twin, one is no UTF-8."""


def write(
    path: Path,
    cases: Corpus = SMALL,
    fleet: Mapping[str, Answer | str] = FLEET,
    withheld: Withheld | None = None,
    **more: Any,
) -> RunResult:
    subjects = [subject(key) for key in sorted(fleet)]
    pool = FakePool({key: fleet[key] for key in sorted(fleet)})
    return run_to_ledger(cases, subjects, pool, path, tool="0.1.0", withheld=withheld, **more)


def view(cases: Corpus = SMALL, fleet: Mapping[str, Answer | str] = FLEET) -> LedgerView:
    subjects = [subject(key) for key in sorted(fleet)]
    return run_to_view(cases, subjects, FakePool({key: fleet[key] for key in sorted(fleet)}), tool="0.1.0")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def put(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
    return path
