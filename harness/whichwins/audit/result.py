"""What an audit returns: frozen, ordered, made of text, numbers, tuples and mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

from whichwins.analysis.change_result import Lapse
from whichwins.audit.passage import Passage
from whichwins.audit.stack import Stack
from whichwins.model import Allow, Expectation

_NOTHING: Mapping[str, CaseLine] = MappingProxyType({})

Fault: TypeAlias = Literal[
    "value-differs",
    "digest-differs",
    "ran-though-not-accepted",
    "ran-not-once",
    "passed-what-policy-rejects",
    "false-success",
    "rejection-as-error",
    "control-rejected",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)
"""What an audit finds, in the order in which reports list it.

Verdict 1: `value-differs` (two of reviewer, validator, approver, executor hold different values for a
request that
was executed), `digest-differs` (what ran is not what was approved). Verdict 2: `ran-though-not-accepted`,
`ran-not-once`. Verdict 3: `passed-what-policy-rejects`: it reached an executor through a lossy boundary, or
was
stopped after it. Verdict 4: `false-success`, `rejection-as-error`. Verdict 5: `control-rejected`.
"""
VERDICT_OF: Mapping[Fault, int] = {
    "value-differs": 1,
    "digest-differs": 1,
    "ran-though-not-accepted": 2,
    "ran-not-once": 2,
    "passed-what-policy-rejects": 3,
    "false-success": 4,
    "rejection-as-error": 4,
    "control-rejected": 5,
}

Loss: TypeAlias = Literal["occurrence", "number", "bytes", "truncation", "other"]
"""What a lossy boundary loses of the original: an occurrence of a repeated name, a number's value, bytes
that are not
UTF-8 or lone surrogates replaced, text left unread, anything else."""
LOSSES: tuple[Loss, ...] = get_args(Loss)
"""Gravest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One case that breaks a verdict.

    `boundary` is the one at fault: of verdict 3 the first lossy boundary, or the executor where nothing was
    lost; else of verdict 1 the executor. `other` is the one it is held against (verdict 1), who refused
    while it ran (verdict 2), or where the request ended (verdict 3); empty where there is none. `expected` is
    the policy's word, `clause` why. `lossy` names the first lossy boundary on the way, `loss` what it lost.
    `left` and `right` are what `other` and `boundary` hold at `pointer` (notations, long ones cut, empty: not
    there), or their digests; of the other verdicts what was expected and what was seen, in words that hold no
    value. `data` is the input, None where it is not kept.
    """

    fault: Fault
    case: str
    family: str
    length: int
    boundary: str
    other: str
    expected: Expectation
    clause: str
    cause: str
    kind: str
    lossy: str | None
    loss: Loss | None
    left: str
    right: str
    pointer: str | None
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one fault, boundary, other and cause; `witness` is the smallest input's."""

    fault: Fault
    boundary: str
    other: str
    cause: str
    count: int
    witness: Finding


@dataclass(frozen=True, slots=True)
class BoundaryLine:
    """A boundary's totals: how its requests ended, executions seen, the losses that began there.

    `unverified`: it is fed parsed objects, or cannot be seen; then `why`.
    """

    name: str
    role: str
    what: str
    reads: str
    outcomes: Mapping[str, int]
    executions: int | None
    losses: Mapping[str, int]
    unverified: bool
    why: str
    identity: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A request as it came: what the policy says of it, and which boundaries lose what of it.

    `losses` holds every boundary at which something is lost that came through whole until there. `data` is
    None where the bytes are not kept.
    """

    length: int
    expected: Expectation
    clause: str
    losses: Mapping[str, Loss]
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class ExcusedFindings:
    """An exception of the stack with the findings that it covers; its `subject` is the boundary."""

    allow: Allow
    findings: tuple[Finding, ...]


class RateLine(NamedTuple):
    """Requests that came from one producer, in one version of the interface, by one path; or all.

    Counts of requests: `received`; `unavailable`, whose raw text was not there; `repeated`, whose text
    repeats a name in an object; `split`, with a finding; `causes`, with a finding of that cause;
    `parted`, that some of those who were asked accept and some do not.
    """

    producer: str
    interface: str
    path: str
    received: int
    unavailable: int
    repeated: int
    split: int
    causes: Mapping[str, int]
    parted: int = 0


class Rates(NamedTuple):
    """All requests that came, and by where they came from."""

    total: RateLine
    lines: tuple[RateLine, ...]


@dataclass(frozen=True, slots=True)
class AuditResult:
    """Everything an audit says. `verdicts` maps 1 to 5 to `holds`, `broken` or `unknown`.

    `families[family][boundary]` counts findings. `passages[case][boundary]` is kept for `--case`, and
    `requests[case]` with it. `unknown` and `notes` are lines; `incomplete` is what keeps the measurement from
    being whole. `findings` are those that no exception covers; `excused` has the rest, `lapses` the
    exceptions that have ended or cover nothing. `received` counts the requests that came, where these were
    asked. `public` are the requests that come with whichwins, so that what stands in them is no secret; `own`
    the boundaries that are parsers of whichwins' own, and read nothing that the user's code wrote.
    """

    stack: Stack
    cases: int
    corpus: str
    lens: str
    verdicts: Mapping[int, str]
    lines: tuple[BoundaryLine, ...]
    findings: tuple[Finding, ...]
    groups: tuple[FindingGroup, ...]
    families: Mapping[str, Mapping[str, int]]
    passages: Mapping[str, Mapping[str, Passage]]
    unknown: tuple[str, ...]
    notes: tuple[str, ...]
    incomplete: tuple[str, ...]
    requests: Mapping[str, CaseLine] = field(default_factory=lambda: _NOTHING)
    excused: tuple[ExcusedFindings, ...] = ()
    lapses: tuple[Lapse, ...] = ()
    received: Rates | None = None
    public: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    @property
    def found(self) -> bool:
        """Whether there is anything that no exception covers."""
        return bool(self.findings or self.lapses)
