"""Which subjects a case does not tell apart.

Everything a matrix needs of a case is its `signature`: one number a subject. A number from 0 up is
the class of the accepted value under the lens, numbered in the order of the subjects; REJECTED,
FAILED and SILENT are below. Work is done once a distinct answer: a value text is normalised only when
the case has another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from whichwins.analysis.lens import Difference, Lens, dimensions, first_difference
from whichwins.analysis.result import Group
from whichwins.model import Observation, Outcome

Signature: TypeAlias = tuple[int, ...]

REJECTED = -1
"""The subject said no."""
FAILED = -2
"""Fault, crash, timeout or a garbled answer: the value did not get through, and nobody said no."""
SILENT = -3
"""Unsupported or absent: no statement about the parser; in no split and no count."""

_POINTER_LENGTH = 400

_NOT_ACCEPTED: dict[Outcome, int] = {
    Outcome.REJECT: REJECTED,
    Outcome.FAULT: FAILED,
    Outcome.CRASH: FAILED,
    Outcome.TIMEOUT: FAILED,
    Outcome.GARBLED: FAILED,
    Outcome.UNSUPPORTED: SILENT,
    Outcome.ABSENT: SILENT,
}


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of a case. `texts[n]` holds the distinct notations of value class n, first seen first.

    `verdict`: at least one subject accepts and at least one rejects or fails. `value`: at least two
    value classes, whatever the others do. A case can be both, and is one split case all the same.
    """

    signature: Signature
    texts: tuple[tuple[str, ...], ...]

    @property
    def value(self) -> bool:
        """Whether accepters hold different values."""
        return len(self.texts) > 1

    @property
    def verdict(self) -> bool:
        """Whether some accept and some do not."""
        return bool(self.texts) and (REJECTED in self.signature or FAILED in self.signature)

    @property
    def split(self) -> bool:
        """Whether the case tells any two subjects apart."""
        return self.value or self.verdict

    def dimensions(self) -> frozenset[str]:
        """In what accepters differ that the lens holds equal: the dimensions of `analysis.lens`."""
        found: set[str] = set()
        for first, *others in self.texts:
            for other in others:
                found |= dimensions(first, other)
        return frozenset(found)


def classify(row: Sequence[Observation], normal: Lens) -> Classes:
    """Sort one case's observations, in the order of the subjects, into classes."""
    by_text: dict[str, int] = {}
    raw: list[int] = []
    for observation in row:
        text = observation[1]
        if observation[0] is Outcome.ACCEPT and text is not None:
            raw.append(by_text.setdefault(text, len(by_text)))
        else:
            raw.append(_NOT_ACCEPTED[observation[0]])
    if len(by_text) < 2:
        return Classes(tuple(raw), tuple((text,) for text in by_text))
    by_form: dict[str, int] = {}
    texts: list[list[str]] = []
    number_of: list[int] = []
    for text in by_text:
        number = by_form.setdefault(normal(text), len(by_form))
        if number == len(texts):
            texts.append([])
        texts[number].append(text)
        number_of.append(number)
    # Below zero stays as it is: negative positions are not looked up.
    signature = tuple(number_of[number] if number >= 0 else number for number in raw)
    return Classes(signature, tuple(map(tuple, texts)))


def groups(subjects: Sequence[str], row: Sequence[Observation], classes: Classes) -> tuple[Group, ...]:
    """The classes with their members: values in their order, then the other outcomes in theirs."""
    found: list[Group] = []
    for number, texts in enumerate(classes.texts):
        inside = [index for index, mine in enumerate(classes.signature) if mine == number]
        # The commonest spelling; of equals, the one that was answered first.
        (value, _), *_ = Counter(row[index].value for index in inside).most_common(1)
        members = tuple(subjects[index] for index in inside)
        found.append(Group(Outcome.ACCEPT, members, value, len(texts), {}))
    for outcome in _NOT_ACCEPTED:
        notes = {key: note(each) for key, each in zip(subjects, row, strict=True) if each.outcome is outcome}
        if notes:
            found.append(Group(outcome, tuple(notes), None, 0, notes))
    return tuple(found)


def note(observation: Observation) -> str:
    """What belongs to an outcome other than acceptance, in one line: stage, error, signal, reason."""
    parts = [observation.stage, observation.error, observation.signal, observation.reason]
    if observation.unstable:
        parts.append("(unstable)")
    return " ".join(part for part in parts if part)


def difference_of(classes: Classes, lens_name: str) -> Difference | None:
    """The first differing place of the first two value classes; None with fewer than two."""
    if not classes.value:
        return None
    return first_difference(classes.texts[0][0], classes.texts[1][0], lens_name)


def pointer_of(difference: Difference | None) -> str | None:
    """Its JSON Pointer, cut where it is too long to be shown."""
    return None if difference is None else cut(difference.pointer, _POINTER_LENGTH)


def cut(text: str, length: int) -> str:
    """`text`, or its beginning and `...`."""
    return text if len(text) <= length else text[: length - 3] + "..."
