"""What an analysis of a change returns: frozen, ordered, made of text, numbers, tuples and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from whichwins.analysis.result import Cause, Winner
from whichwins.model import Allow, Place

ChangeKind: TypeAlias = Literal[
    "winner-changed",
    "value-changed",
    "newly-accepted",
    "newly-rejected",
    "newly-failing",
    "recovered",
    "became-unstable",
    "refused-otherwise",
    "new-split",
    "input-changed",
    "vanished",
]
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""How an observation may change, in the order in which reports list it.

`winner-changed`: both accept, values differ because another occurrence of a repeated name wins.
`value-changed`: both accept, values differ under the lens for another reason. `newly-accepted`,
`newly-rejected`: from reject to accept, from accept to reject. `newly-failing`: fault, crash, timeout or a
garbled answer where there was an acceptance or a rejection; `recovered`: the other way round.
`became-unstable`: same answer, now flagged as not repeating. `refused-otherwise`: still no value, in another
way (stage, error class, signal, outcome). `input-changed`: the case has other bytes. `vanished`: there was an
answer, and the same library now makes no statement; of a check also: the case or the subject is gone. Of a
check only: `new-split`: subjects part over an answer that the baseline does not have.
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One observation that is not what it was.

    `subject` is the key without a version (in a migration: that of the new side). `before` and `after`: a
    notation (long ones cut), or how it ended; empty where there was or is nothing. Of a new split they are
    what most others answer and what this subject does. `pointer` is the first differing JSON Pointer of two
    values. `winners` stands where names repeat. `data`: the input, None where a ledger leaves it out.
    `length` is the input's, in bytes.
    """

    subject: str
    case: str
    family: str
    length: int
    kind: ChangeKind
    before: str
    after: str
    pointer: str | None
    winners: tuple[Winner, Winner] | None
    cause: Cause
    data: bytes | None


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Changes of one subject, kind, turn and cause (name and kind). `witness` is the smallest input's.

    `turn` is `accept to fault` where a kind has several, else empty: a caller meets each in another way.
    `keeps` says which options or entry points keep the old behaviour, as the manifest knows.
    """

    subject: str
    kind: ChangeKind
    cause: Cause
    count: int
    witness: Change
    keeps: tuple[str, ...] = ()
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A column before and the column it became. `compared` cells had a statement on both sides.

    Between two libraries `gone` counts the cases to which only the one before could be put; `fresh` those to
    which only the one after can. `shaky` ones read otherwise, and did not repeat before: not compared.
    `dimensions` counts cases that are equal under the lens and yet differ (`type`, `order`, ...).
    """

    subject: str
    before: str
    after: str
    before_identity: Mapping[str, Any]
    after_identity: Mapping[str, Any]
    compared: int
    changed: int
    dimensions: Mapping[str, int]
    gone: int = 0
    fresh: int = 0
    shaky: int = 0


@dataclass(frozen=True, slots=True)
class Corpora:
    """What each side was asked. `policies` as in a ledger's header."""

    before_digest: str
    after_digest: str
    before_cases: int
    after_cases: int
    shared: int
    before_policies: Mapping[str, str]
    after_policies: Mapping[str, str]

    @property
    def same(self) -> bool:
        """Whether corpora and policies are the same."""
        return self.before_digest == self.after_digest and self.before_policies == self.after_policies


@dataclass(frozen=True, slots=True)
class Changes:
    """What reads differently after than before.

    `changes` are ordered by kind (as in KINDS), subject, length, case; `groups` by kind, subject, cause (in
    the order of CAUSES), cause kind, turn. `notes` are lines of information and no finding: corpora or
    policies differ, interpreters differ, it became slower. `incomplete`: what keeps the measurement from
    being whole.
    """

    lens: str
    pairings: tuple[Pairing, ...]
    corpora: Corpora
    changes: tuple[Change, ...]
    groups: tuple[ChangeGroup, ...]
    notes: tuple[str, ...]
    incomplete: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excused:
    """An exception with the changes that it covers."""

    allow: Allow
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Lapse:
    """An exception that is itself a finding: `kind` is `allow-expired` or `allow-unused`."""

    kind: Literal["allow-expired", "allow-unused"]
    allow: Allow
    why: str


@dataclass(frozen=True, slots=True)
class Gate:
    """A change, judged: what `upgrade`, `diff` and `check` report.

    `title` is one line for people. `changes` holds only what no exception covers; `excused` the rest.
    `places` maps subjects (without version) to where their version is written: a lock file or configuration.
    `home` is where that stands which has no such place: the baseline, the ledger after, the configuration.
    """

    verb: Literal["upgrade", "diff", "check"]
    title: str
    changes: Changes
    excused: tuple[Excused, ...] = ()
    lapses: tuple[Lapse, ...] = ()
    places: Mapping[str, Place] | None = None
    home: Place | None = None

    @property
    def found(self) -> bool:
        """Whether there is a finding."""
        return bool(self.changes.changes or self.lapses)
