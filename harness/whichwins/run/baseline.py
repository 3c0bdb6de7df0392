"""The baseline: a committed file of what every subject answers, a line an answer.

    whichwins baseline 2
    lens value/1
    corpus sha256:7745... 3 1
    answers 4
    policies {"rfc8259":"rfc8259/1"}
    subject python/json {"libraries":{"json":"2.0.9"},"library":"json","runtime":"CPython 3.11.7"}
    subject python/orjson {"libraries":{"orjson":"3.13.0"},"library":"orjson","runtime":"CPython 3.11.7"}
    numbers/one = sha256:080a... 3
    numbers/one python/json accept [1]
    numbers/one python/orjson accept [1]
    repeats/two = sha256:6ae4... 14
    repeats/two python/json-unique reject~ parse ValueError
    syntax/comma = sha256:9d8f... 4
    syntax/comma python/json reject parse JSONDecodeError

ASCII, LF, sorted by case and subject; a changed answer is one changed line. `corpus`: its digest, how many
cases, how many of them have twins. A case stands with the digest of its input and its length: inputs stand in
the corpus. An answer is its outcome (`~`: the subject accepts the twin; `?`: it did not repeat), then the
notation of its value, or, where that is longer than 256 characters, the digest of its normal form under the
lens, and who wins where a name repeats; of other outcomes stage, error and signal (`-`: none). Digests are
SHA-256, 128 bits of them. Twins, and answers that make no statement, are left out. A word that is not plain
is written as JSON text. Nothing says when, where or by which whichwins this was written.

Version 1, which is read too, knows neither twins nor winners.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from whichwins.model import BadInput, MeasurementFailed, Observation, Outcome, base_of
from whichwins.run import records
from whichwins.run.baseline_lines import (
    SILENT,
    TWIN,
    answer_of,
    is_long,
    short,
    tail_of,
    unword,
    word_of,
)
from whichwins.run.records import Wrong
from whichwins.run.store import decode
from whichwins.run.view import LedgerView

BASELINE_VERSION = 2
_READABLE = ("1", str(BASELINE_VERSION))
MAX_BYTES = 256 * 1024 * 1024
"""Bytes of a whole baseline."""

_COUNTED = 3
"""The line of the header from which on it counts what follows."""
_TITLE = "whichwins baseline "
_UPDATE = "run `whichwins check --update`"
_COUNT = re.compile(r"0|[1-9][0-9]{0,9}")
_CASE = re.compile(r"((?:hmac-)?sha256:[0-9a-f]{32}) (0|[1-9][0-9]{0,17})")
_BOM = b"\xef\xbb\xbf"
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_TOLD = ("libraries", "library", "runtime")
"""What of an identity stands in a baseline, for information."""


class Stream(Protocol):
    """Where text goes: an open file, or one that appears whole."""

    def write(self, text: str, /) -> object:
        """Write `text`."""


class Known(NamedTuple):
    """A case of a baseline: the digest of its input, as `short` leaves it, and its length in bytes."""

    digest: str
    length: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline says. `subjects` are sorted; keys without version where that names one column.

    `answers[case][subject]` has a value that begins with `sha256:` where only the digest of its normal form
    under the lens is known; `winners[case][subject]` is then who wins, where a name repeats. `controls[case]`
    are the subjects that do not accept a case and accept its twin; None where twins are not known. `corpus`
    is the digest of the corpus, `identities` are for information.
    """

    lens: str
    corpus: str
    policies: Mapping[str, str]
    subjects: tuple[str, ...]
    identities: Mapping[str, Mapping[str, Any]]
    cases: Mapping[str, Known]
    answers: Mapping[str, Mapping[str, Observation]]
    controls: Mapping[str, frozenset[str]] | None = None
    winners: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def names_of(columns: Sequence[str]) -> dict[str, str]:
    """What a baseline calls columns: without version, where a subject has one column only."""
    bases = [base_of(key) for key in columns]
    return {key: base if bases.count(base) == 1 else key for key, base in zip(columns, bases, strict=True)}


def _no_winner(_case: str, _place: int) -> str:
    return ""


def write(
    view: LedgerView,
    lens: str,
    normal: Callable[[str], str],
    stream: Stream,
    winner: Callable[[str, int], str] = _no_winner,
) -> None:
    """Write the baseline of a run; `normal` is the normal form of the lens.

    `winner` says who wins by case and place of the subject, empty where no name repeats.
    Raises MeasurementFailed when there is nothing to be kept.
    """
    names = names_of(view.subjects)
    columns = sorted((word_of(names[key]), place, key) for place, key in enumerate(view.subjects))
    twins = {record.case.twin_of: key for key, record in view.cases.items() if record.case.twin_of}
    heard: set[str] = set()
    lines: dict[str, str] = {}
    answers = 0
    for identifier, record in view.cases.items():
        if record.case.twin_of is not None:
            continue
        case, row = word_of(identifier), view.observations[identifier]
        said = f"{case} = {short(record.digest)} {record.length}\n"
        control = view.observations[twins[identifier]] if identifier in twins else None
        tails: dict[tuple[Observation, bool, str], str] = {}
        for word, place, key in columns:
            answer = row[place]
            if answer.outcome in SILENT:
                continue
            accepted = control is not None and control[place].outcome is Outcome.ACCEPT
            mark = (answer, accepted, winner(identifier, place) if is_long(answer) else "")
            if mark not in tails:
                tails[mark] = tail_of(*mark, normal)
            said += f"{case} {word} {tails[mark]}\n"
            heard.add(key)
            answers += 1
        lines[case] = said
    if not answers:
        raise MeasurementFailed("no subject answered any case: there is nothing to keep")
    corpus = view.header.get("corpus", {}).get("digest", "")
    stream.write(f"{_TITLE}{BASELINE_VERSION}\nlens {word_of(lens)}\n")
    stream.write(f"corpus {word_of(corpus)} {len(lines)} {len(twins)}\nanswers {answers}\n")
    stream.write(f"policies {_json(view.header.get('policies', {}))}\n")
    for word, _, key in columns:
        if key in heard:
            identity = view.identity(key)
            stream.write(
                f"subject {word} {_json({name: identity[name] for name in _TOLD if name in identity})}\n"
            )
    stream.write("".join(lines[case] for case in sorted(lines)))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), sort_keys=True, separators=(",", ":"))


def read(path: Path) -> Baseline:
    """Read a baseline. Raises BadInput, with the line, for whatever `write` does not write."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}): {_UPDATE} to write it") from None
    if len(data) > MAX_BYTES:
        raise BadInput(f"{path}: is longer than {MAX_BYTES} bytes: {_UPDATE}")
    if data.startswith(_BOM + _TITLE.encode()):
        raise BadInput(f"{path}: begins with a byte order mark: save it without, or {_UPDATE}")
    if not data.startswith(_TITLE.encode()) and not _CONFLICT.match(data):
        raise BadInput(f"{path}: is no baseline (it would begin with `{_TITLE.strip()}`): {_UPDATE}")
    if (conflict := _CONFLICT.search(data)) is not None:
        line = data.count(b"\n", 0, conflict.start()) + 1
        raise BadInput(f"{path}: merge conflict, line {line}: resolve it or {_UPDATE}")
    try:
        # A checkout may have turned line ends into those of its system.
        lines = data.replace(b"\r\n", b"\n").decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{path}: line {line} is not ASCII: {_UPDATE}") from None
    reader = _Reader(lines)
    try:
        return reader.baseline()
    except records.OtherVersion as other:
        raise BadInput(f"{path}: {other}: {_UPDATE}") from None
    except Wrong as wrong:
        raise BadInput(f"{path}: line {reader.number}: {wrong}: resolve it or {_UPDATE}") from None


def remains(path: Path) -> tuple[str | None, tuple[str, ...]] | None:
    """Lens and subjects of a baseline that cannot be read, as far as they can be told; None for no baseline.

    A baseline with merge conflicts has them all, those of both sides.
    """
    with path.open("rb") as stream:
        lines = stream.read(MAX_BYTES).removeprefix(_BOM).decode("ascii", "replace").splitlines()
    if not any(line.startswith(_TITLE) for line in lines[:_COUNTED]):
        return None
    lenses = {line.removeprefix("lens ").strip() for line in lines if line.startswith("lens ")}
    subjects: set[str] = set()
    for line in lines:
        if line.startswith("subject "):
            with contextlib.suppress(Wrong):
                subjects.add(unword(line.split(" ")[1]))
    return lenses.pop() if len(lenses) == 1 else None, tuple(sorted(subjects))


class _Reader:
    """State of one reading. `number` is the line that is being read."""

    def __init__(self, lines: list[str]) -> None:
        self.number = 0
        self._lines = lines

    def _next(self) -> str:
        self.number += 1
        if self.number >= len(self._lines):
            raise Wrong("the file ends here, cut short")
        return self._lines[self.number - 1]

    def _after(self, name: str) -> str:
        head, _, rest = self._next().partition(" ")
        if head != name:
            raise Wrong(f"`{name}` should stand here")
        return rest

    def baseline(self) -> Baseline:
        version = self._next().removeprefix(_TITLE)
        if version not in _READABLE:
            if version.strip() in _READABLE:
                raise Wrong(f"nothing may stand beside `{_TITLE}{version.strip()}`")
            raise records.OtherVersion(
                f"baseline version {version[:40]!a}; this whichwins reads {' and '.join(_READABLE)}"
            )
        lens = unword(self._after("lens"))
        corpus, _, cases = self._after("corpus").partition(" ")
        twins = "0"
        if version != "1":
            cases, _, twins = cases.partition(" ")
            if not _COUNT.fullmatch(twins):
                raise Wrong(f"twins are {twins[:20]!a}, and should be a number")
        answers = self._after("answers")
        policies = records.texts({"policies": _table(self._after("policies"))}, "policies")
        identities: dict[str, Mapping[str, Any]] = {}
        while self._lines[self.number].startswith("subject "):
            word, _, told = self._after("subject").partition(" ")
            if (key := unword(word)) in identities:
                raise Wrong(f"the subject {key[:80]!a} is there twice")
            identities[key] = records.identity(_table(told))
        known, said, marked = self._body(identities)
        counts = str(len(known)), str(sum(map(len, said.values())))
        if counts != (cases, answers):
            self.number = _COUNTED
            raise Wrong(
                f"cases and answers are {cases[:20]!a} and {answers[:20]!a}, "
                f"and there are {counts[0]} and {counts[1]}"
            )
        subjects = tuple(sorted(identities))
        controls = {case: frozenset(row) for case, row in marked.accepted.items()}
        if twins == "0" and controls:
            self.number = _COUNTED
            raise Wrong(
                f"there are no twins, and {TWIN} says that one of {next(iter(controls))[:80]!a} is accepted"
            )
        return Baseline(
            lens,
            unword(corpus),
            policies,
            subjects,
            identities,
            known,
            said,
            None if twins == "0" else controls,
            marked.winners,
        )

    def _body(
        self, subjects: Mapping[str, Mapping[str, Any]]
    ) -> tuple[dict[str, Known], dict[str, dict[str, Observation]], _Marked]:
        cases: dict[str, Known] = {}
        answers: dict[str, dict[str, Observation]] = {}
        tails: dict[str, tuple[Observation, bool, str]] = {}
        marked = _Marked({}, {})
        keys = {word_of(key): key for key in subjects}
        last, row, case = ("", ""), dict[str, Observation](), ""
        while self.number < len(self._lines) - 1:
            head, _, rest = self._next().partition(" ")
            who, _, tail = rest.partition(" ")
            # A word is spelled in one way only, so that what stands twice is not in order.
            here = (head, "" if who == "=" else who)
            if here <= last:
                raise Wrong("twice the same" if here == last else "not in order")
            if who == "=":
                case = unword(head)
                cases[case], row = _known(tail), {}
                answers[case] = row
            elif head != last[0]:
                raise Wrong("an answer to a case whose input does not stand before it")
            elif who not in keys:
                raise Wrong(f"the header has no subject {who[:80]!a}")
            else:
                if tail not in tails:
                    tails[tail] = answer_of(tail)
                row[keys[who]], accepted, winner = tails[tail]
                if accepted:
                    marked.accepted.setdefault(case, set()).add(keys[who])
                if winner:
                    marked.winners.setdefault(case, {})[keys[who]] = winner
            last = here
        if self._lines[-1]:
            self.number += 1
            raise Wrong("the file ends here, cut short")
        return cases, answers, marked


class _Marked(NamedTuple):
    """What stands beside answers, by case: who accepts the twin; who wins, by subject."""

    accepted: dict[str, set[str]]
    winners: dict[str, dict[str, str]]


def _known(tail: str) -> Known:
    found = _CASE.fullmatch(tail)
    if found is None:
        raise Wrong("a case has a digest and a length")
    return Known(found[1], int(found[2]))


def _table(text: str) -> Mapping[str, Any]:
    try:
        found = decode(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Wrong("no JSON object")
    return found
