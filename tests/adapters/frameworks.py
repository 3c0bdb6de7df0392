"""Asking the subjects of adapters/frameworks in tests, each in the environment that is provided for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.adapters.client import frame, frames, run
from tests.adapters.started import greeting, outcome
from tests.provision.asked import silent
from whichwins.audit.deliver import deliver_body
from whichwins.audit.passage import Passage
from whichwins.audit.record import read_record
from whichwins.provision import Absent, Sources, launch, probe, provide
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

PINS = Path(__file__).resolve().parents[2] / "requirements" / "frameworks.txt"
"""The versions that are asked for, and all that they stand on."""


def pinned(package: str) -> str:
    """The version of a Python package that is tested."""
    lines = (line.split("==") for line in PINS.read_text("utf-8").splitlines() if "==" in line)
    return next(version for name, version in lines if name == package)


def provided(cache: Path, *keys: str) -> list[Launch]:
    """How subjects are launched, all under them pinned; skipped where it cannot be had (CI: failed)."""
    adapters = load_adapters()
    subjects = [subject for key in keys for subject in select(adapters, [key])]
    env = {**os.environ, "WHICHWINS_CACHE": str(cache)}
    there = provide(subjects, adapters, probe(env=env), Sources(constraints=PINS), silent, together=False)
    found: list[Launch] = []
    for subject in subjects:
        how = there[subject.key]
        one = how if isinstance(how, Absent) else launch(subject, adapters, how)
        if isinstance(one, Absent):
            pytest.skip(f"{subject.key}: {one.reason}: {one.install}")
        found.append(one)
    return found


class Said(NamedTuple):
    """One case: the answer to `parse` (None: it has headers), and what `deliver` told."""

    parse: str | None
    passage: Passage

    @property
    def ended(self) -> str:
        return f"{self.passage.passed.value} {self.passage.signal}".strip()


def put(
    found: Launch, key: str, *cases: bytes | tuple[bytes, Mapping[str, str]], watch: bool = False
) -> list[Said]:
    """Put cases to a subject, each in both ways, in one worker."""
    sent = greeting(key)
    for asked, each in enumerate(cases):
        data, headers = each if isinstance(each, tuple) else (each, {})
        sent += b"" if headers else frame("parse", asked, data)
        sent += frame("deliver", asked, deliver_body(data, f"case/{asked}", headers, watch))
    ended = run(found.argv, sent + frame("bye", 0), found.env)
    assert ended.status == 0, (ended.status, ended.err[-2000:].decode("utf-8", "replace"))
    first, *answers = frames(ended.out)
    assert first.verb == "ready", first.text
    assert {"capability parse", "capability deliver"} <= set(first.text.splitlines())
    said: list[Said] = []
    for each in cases:
        parse = None if isinstance(each, tuple) and each[1] else outcome(answers.pop(0))
        answer = answers.pop(0)
        assert answer.verb == "accept", answer.text
        said.append(Said(parse, read_record(answer.body.decode("latin-1"))))
    assert not answers
    return said


Row = tuple[bytes, str, str]
"""A case, the answer to `parse` and how `deliver` says that it ended."""


def wrong(said: Sequence[Said], rows: Sequence[Row]) -> list[tuple[object, ...]]:
    """What differs from what was worked out: an accepted case ran once with its value, another never."""
    found: list[tuple[object, ...]] = []
    for (data, parse, ended), got in zip(rows, said, strict=True):
        ran = () if parse.startswith(("reject ", "fault ", "unsupported")) else (parse,)
        if (got.parse, got.ended, got.passage.executions) != (parse, ended, ran):
            found.append((data[:80], got.parse, got.ended, got.passage.executions))
    return found
