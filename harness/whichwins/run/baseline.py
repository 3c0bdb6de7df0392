"""The baseline: a committed file of what every subject answers, a line an answer.

    whichwins baseline 1
    lens value/1
    corpus sha256:7745... 2
    answers 3
    policies {"rfc8259":"rfc8259/1"}
    subject python/json {"libraries":{"json":"2.0.9"},"library":"json","runtime":"CPython 3.11.7"}
    subject python/orjson {"libraries":{"orjson":"3.13.0"},"library":"orjson","runtime":"CPython 3.11.7"}
    numbers/one = sha256:080a... 3
    numbers/one python/json accept [1]
    numbers/one python/orjson accept [1]
    syntax/comma = sha256:9d8f... 4
    syntax/comma python/json reject parse JSONDecodeError

ASCII, LF, sorted by case and subject; a changed answer is one changed line. A case stands with the digest of
its input and its length: inputs stand in the corpus. An answer is its outcome (`?`: it did not repeat), then
the notation of its value, or the digest of its normal form under the lens where the notation is longer than
256 characters; of other outcomes stage, error and signal (`-`: none). Digests are SHA-256, 128 bits of them.
Twins, and answers that make no statement, are left out. A word that is not plain is written as JSON text.
Nothing says when, where or by which whichwins this was written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from whichwins.model import BadInput, MeasurementFailed, Observation, Outcome, base_of
from whichwins.run import records
from whichwins.run.lines import INLINE_VALUE_BYTES
from whichwins.run.records import Wrong
from whichwins.run.store import decode
from whichwins.run.view import LedgerView

BASELINE_VERSION = 1
MAX_BYTES = 256 * 1024 * 1024
"""Bytes of a whole baseline."""
NORMAL_DIGEST = "sha256:"
"""What a value begins with that is known by the digest of its normal form: no notation does."""

_DIGITS = 32
_COUNTED = 3
"""The line of the header from which on it counts what follows."""
_TITLE = "whichwins baseline "
_UPDATE = "run `whichwins check --update`"
_SILENT = (Outcome.UNSUPPORTED, Outcome.ABSENT)
_OUTCOMES = {outcome.value: outcome for outcome in Outcome if outcome not in _SILENT}
_PLAIN = re.compile(r"(?![-=]\Z)[!#-~][!-~]*")
_CASE = re.compile(r"((?:hmac-)?sha256:[0-9a-f]{32}) (0|[1-9][0-9]{0,17})")
_NORMAL = re.compile(r"sha256:[0-9a-f]{32}")
_BOM = b"\xef\xbb\xbf"
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_NAMES = ("stage", "error", "signal")
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
    under the lens is known. `corpus` is the digest of the corpus, `identities` are for information.
    """

    lens: str
    corpus: str
    policies: Mapping[str, str]
    subjects: tuple[str, ...]
    identities: Mapping[str, Mapping[str, Any]]
    cases: Mapping[str, Known]
    answers: Mapping[str, Mapping[str, Observation]]


def names_of(columns: Sequence[str]) -> dict[str, str]:
    """What a baseline calls columns: without version, where a subject has one column only."""
    bases = [base_of(key) for key in columns]
    return {key: base if bases.count(base) == 1 else key for key, base in zip(columns, bases, strict=True)}


def short(digest: str) -> str:
    """A digest as it stands here: 128 bits of it, so that lines stay short."""
    kind, _, digits = digest.partition(":")
    return f"{kind}:{digits[:_DIGITS]}"


def normal_digest(normal_form: str) -> str:
    """What stands for a long value."""
    return short(NORMAL_DIGEST + hashlib.sha256(normal_form.encode("ascii")).hexdigest())


def write(view: LedgerView, lens: str, normal: Callable[[str], str], stream: Stream) -> None:
    """Write the baseline of a run; `normal` is the normal form of the lens.

    Raises MeasurementFailed when there is nothing to be kept.
    """
    names = names_of(view.subjects)
    columns = sorted((_word(names[key]), place, key) for place, key in enumerate(view.subjects))
    heard: set[str] = set()
    lines: dict[str, str] = {}
    answers = 0
    for identifier, record in view.cases.items():
        if record.case.twin_of is not None:
            continue
        case, row = _word(identifier), view.observations[identifier]
        said = f"{case} = {short(record.digest)} {record.length}\n"
        tails: dict[Observation, str] = {}
        for word, place, key in columns:
            answer = row[place]
            if answer.outcome in _SILENT:
                continue
            if answer not in tails:
                tails[answer] = _tail(answer, normal)
            said += f"{case} {word} {tails[answer]}\n"
            heard.add(key)
            answers += 1
        lines[case] = said
    if not answers:
        raise MeasurementFailed("no subject answered any case: there is nothing to keep")
    corpus = view.header.get("corpus", {}).get("digest", "")
    stream.write(f"{_TITLE}{BASELINE_VERSION}\nlens {_word(lens)}\n")
    stream.write(f"corpus {_word(corpus)} {len(lines)}\nanswers {answers}\n")
    stream.write(f"policies {_json(view.header.get('policies', {}))}\n")
    for word, _, key in columns:
        if key in heard:
            identity = view.identity(key)
            stream.write(
                f"subject {word} {_json({name: identity[name] for name in _TOLD if name in identity})}\n"
            )
    stream.write("".join(lines[case] for case in sorted(lines)))


def _tail(answer: Observation, normal: Callable[[str], str]) -> str:
    said = f"{answer.outcome}?" if answer.unstable else str(answer.outcome)
    if answer.value is not None:
        long = len(answer.value) > INLINE_VALUE_BYTES
        return f"{said} {normal_digest(normal(answer.value)) if long else answer.value}"
    words = [getattr(answer, name) for name in _NAMES]
    while words and words[-1] is None:
        words.pop()
    return " ".join([said, *("-" if word is None else _word(word) for word in words)])


def _word(text: str) -> str:
    """`text` without a space in it: as it is where it is plain, else as JSON text."""
    if _PLAIN.fullmatch(text):
        return text
    return encode_basestring_ascii(text).replace(" ", "\\u0020")


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
                subjects.add(_unword(line.split(" ")[1]))
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
        if version != str(BASELINE_VERSION):
            if version.strip() == str(BASELINE_VERSION):
                raise Wrong(f"nothing may stand beside `{_TITLE}{BASELINE_VERSION}`")
            raise records.OtherVersion(
                f"baseline version {version[:40]!a}; this whichwins reads {BASELINE_VERSION}"
            )
        lens = _unword(self._after("lens"))
        corpus, _, cases = self._after("corpus").partition(" ")
        answers = self._after("answers")
        policies = records.texts({"policies": _table(self._after("policies"))}, "policies")
        identities: dict[str, Mapping[str, Any]] = {}
        while self._lines[self.number].startswith("subject "):
            word, _, told = self._after("subject").partition(" ")
            if (key := _unword(word)) in identities:
                raise Wrong(f"the subject {key[:80]!a} is there twice")
            identities[key] = records.identity(_table(told))
        known, said = self._body(identities)
        counts = str(len(known)), str(sum(map(len, said.values())))
        if counts != (cases, answers):
            self.number = _COUNTED
            raise Wrong(
                f"cases and answers are {cases[:20]!a} and {answers[:20]!a}, "
                f"and there are {counts[0]} and {counts[1]}"
            )
        subjects = tuple(sorted(identities))
        return Baseline(lens, _unword(corpus), policies, subjects, identities, known, said)

    def _body(
        self, subjects: Mapping[str, Mapping[str, Any]]
    ) -> tuple[dict[str, Known], dict[str, dict[str, Observation]]]:
        cases: dict[str, Known] = {}
        answers: dict[str, dict[str, Observation]] = {}
        tails: dict[str, Observation] = {}
        keys = {_word(key): key for key in subjects}
        last, row = ("", ""), dict[str, Observation]()
        while self.number < len(self._lines) - 1:
            head, _, rest = self._next().partition(" ")
            who, _, tail = rest.partition(" ")
            # A word is spelled in one way only, so that what stands twice is not in order.
            here = (head, "" if who == "=" else who)
            if here <= last:
                raise Wrong("twice the same" if here == last else "not in order")
            if who == "=":
                case = _unword(head)
                cases[case], row = _known(tail), {}
                answers[case] = row
            elif head != last[0]:
                raise Wrong("an answer to a case whose input does not stand before it")
            elif who not in keys:
                raise Wrong(f"the header has no subject {who[:80]!a}")
            else:
                if tail not in tails:
                    tails[tail] = _answer(tail)
                row[keys[who]] = tails[tail]
            last = here
        if self._lines[-1]:
            self.number += 1
            raise Wrong("the file ends here, cut short")
        return cases, answers


def _known(tail: str) -> Known:
    found = _CASE.fullmatch(tail)
    if found is None:
        raise Wrong("a case has a digest and a length")
    return Known(found[1], int(found[2]))


def _answer(tail: str) -> Observation:
    said, _, rest = tail.partition(" ")
    outcome = _OUTCOMES.get(said.removesuffix("?"))
    if outcome is None:
        raise Wrong(f"unknown outcome {said[:40]!a}")
    unstable = said.endswith("?")
    if outcome is Outcome.ACCEPT:
        answer = Observation(outcome, rest, unstable=unstable)
        if len(rest) > INLINE_VALUE_BYTES:
            raise Wrong(f"a value longer than {INLINE_VALUE_BYTES} characters")
        if not _NORMAL.fullmatch(rest):
            records.check_value(answer)
        return answer
    words = rest.split(" ") if rest else []
    if len(words) > len(_NAMES):
        raise Wrong("more words than stage, error and signal")
    told = [None if word == "-" else _unword(word) for word in words]
    return Observation(outcome, unstable=unstable, **dict(zip(_NAMES, told, strict=False)))


def _unword(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    try:
        text = json.loads(word) if word.startswith('"') else None
    except ValueError:
        text = None
    if not isinstance(text, str) or _word(text) != word:
        raise Wrong(f"{word[:80]!a} is no word")
    return text


def _table(text: str) -> Mapping[str, Any]:
    try:
        found = decode(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Wrong("no JSON object")
    return found
