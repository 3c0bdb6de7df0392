"""What analyses return: frozen, ordered, made of text, numbers, tuples and mappings.

Reports render these and decide nothing. Every tuple has a fixed order (stated beside it), so that
two analyses of one ledger render to the same bytes. Case ids stand for cases, keys for subjects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from whichwins.analysis.binding_result import BindingMatrix
from whichwins.analysis.likeness_result import Tree
from whichwins.analysis.limits_result import Limits
from whichwins.model import Expectation, Outcome

Winner = Literal["first", "last", "reject", "all", "merge", "collect", "equal", "mixed", "other", "n/a"]
WINNERS: tuple[Winner, ...] = (
    "first",
    "last",
    "reject",
    "all",
    "merge",
    "collect",
    "mixed",
    "other",
    "equal",
    "n/a",
)
"""What a subject does with a repeated name, in the order in which reports list it."""

CAUSES: tuple[str, ...] = (
    "repeated name",
    "binding",
    "number",
    "unicode",
    "encoding",
    "syntax",
    "depth",
    "trailing data",
    "size",
    "host key",
    "lookup",
    "other",
)
"""Why subjects part on a case, in the order in which reports list it."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a case splits: `name` is one of CAUSES, `kind` narrows it, `why` is one line for people."""

    name: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Group:
    """Subjects that a case does not tell apart, in the order of their keys.

    Accepters are grouped by value under the lens; `value` is the notation most of them
    answered, `spellings` how many different notations the group holds. All others are grouped by
    outcome, and `notes` says for each member what belongs to it (`parse JSONDecodeError`, `SIGSEGV`,
    the reason of an unsupported case); it is empty for accepters.
    """

    outcome: Outcome
    members: tuple[str, ...]
    value: str | None
    spellings: int
    notes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Split:
    """A case on which subjects part. `pointer` is the first differing JSON Pointer of a value split.

    `verdict`: some accept, some do not. `value`: accepters hold `values` >= 2 different values.
    """

    case: str
    family: str
    length: int
    verdict: bool
    value: bool
    values: int
    pointer: str | None
    cause: Cause


@dataclass(frozen=True, slots=True)
class SubjectLine:
    """One subject: identity as recorded, whether it answered, how its cases ended.

    `outcomes` counts by outcome name, over all cases, twins included. `absent` is the reason when
    the subject could not be started, else None. `unstable` counts flagged observations.
    """

    key: str
    identity: Mapping[str, Any]
    live: bool
    absent: str | None
    outcomes: Mapping[str, int]
    unstable: int


@dataclass(frozen=True, slots=True)
class CauseCount:
    """Splits with one cause (and kind). A case counts once under `cases`; witness: smallest input."""

    name: str
    kind: str
    cases: int
    verdict: int
    value: int
    witness: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a comparison. Twins are controls: in no count but `twins` and `twin_splits`.

    `verdict` and `value` overlap: `both` cases are in each; `split` counts every split case once.
    `dimensions` counts cases whose accepters agree under the lens and yet differ in type, sign of
    zero, order, ...: reported, not a split.
    """

    cases: int
    twins: int
    subjects: int
    split: int
    verdict: int
    value: int
    both: int
    twin_splits: int
    by_cause: tuple[CauseCount, ...]
    by_kind: tuple[CauseCount, ...]
    dimensions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WinnerCell:
    """What a subject does with the repeated names of a family.

    `label` is its one winner; `mixed` when there are several; `equal` or `n/a` only when nothing
    else was seen. `counts` by winner, zero counts left out, in the order of WINNERS. `witnesses`
    names the smallest case of each winner.
    """

    label: str
    counts: Mapping[str, int]
    witnesses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WinnerMatrix:
    """Subject x family. `cells[i][j]` is `subjects[i]` in `families[j]`; `totals[i]` all families.

    `cases[j]` counts the family's cases with a repeated name. Only such families are listed.
    """

    subjects: tuple[str, ...]
    families: tuple[str, ...]
    cases: tuple[int, ...]
    cells: tuple[tuple[WinnerCell, ...], ...]
    totals: tuple[WinnerCell, ...]


PairKind = Literal["value", "row_only", "column_only"]


@dataclass(frozen=True, slots=True)
class PairCell:
    """Where two subjects part: `row` as the preview, `column` as the executor.

    `compared` cases put a statement on both. `value`: both accept, values differ (silent).
    `row_only`: the preview accepts what the executor does not; `column_only`: the executor accepts
    what the preview does not. Witnesses are the smallest inputs.
    """

    row: str
    column: str
    compared: int
    value: int
    row_only: int
    column_only: int
    value_witness: str | None
    row_only_witness: str | None
    column_only_witness: str | None

    def flipped(self) -> PairCell:
        """The same two with their roles exchanged."""
        return PairCell(
            self.column,
            self.row,
            self.compared,
            self.value,
            self.column_only,
            self.row_only,
            self.value_witness,
            self.column_only_witness,
            self.row_only_witness,
        )


@dataclass(frozen=True, slots=True)
class PairMatrix:
    """Subject x subject. `cells[i][j]` has `subjects[i]` as row; None on the diagonal."""

    subjects: tuple[str, ...]
    cells: tuple[tuple[PairCell | None, ...], ...]


Breach = Literal["accepts", "rejects", "limit", "fails"]


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """One subject against one clause of a layer.

    `accepts`: it accepts what the clause rejects. `rejects`: it rejects what the layer accepts.
    `limit`: such a rejection that the RFCs permit (number range, depth, size): no breach.
    `fails`: fault, crash, timeout or garbled answer where the layer accepts or rejects.
    """

    subject: str
    breach: Breach
    clause: str
    cases: int
    witness: str


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One subject's totals under a layer; see ClauseLine. `judged` cases had a statement on both sides."""

    subject: str
    judged: int
    accepts: int
    rejects: int
    limit: int
    fails: int


@dataclass(frozen=True, slots=True)
class LayerResult:
    """A layer: how many cases it accepts, rejects, leaves free; rows by subject; clauses by subject.

    `clauses` are ordered by breach (as in Breach), clause, subject.
    """

    layer: str
    accept: int
    reject: int
    free: int
    rows: tuple[LayerRow, ...]
    clauses: tuple[ClauseLine, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything `compare` says. `subjects` sorted by key, `splits` by case id.

    `incomplete` has one line for each thing that keeps the measurement from being whole: a cell
    without an answer, a subject absent in some cases only. `content` is False when the ledger left
    inputs out; then winners are empty and causes are worked out from the values alone. `binding` is None
    where nobody binds. `trees` cluster the live subjects, by all splits first.
    """

    lens: str
    tool: str
    corpus: str
    content: bool
    subjects: tuple[SubjectLine, ...]
    summary: Summary
    splits: tuple[Split, ...]
    winners: WinnerMatrix
    pairs: PairMatrix
    trees: tuple[Tree, ...]
    layers: tuple[LayerResult, ...]
    limits: Limits
    incomplete: tuple[str, ...]
    binding: BindingMatrix | None

    @property
    def order(self) -> tuple[str, ...]:
        """The live subjects in the order in which reports list them: alike ones stand together."""
        return self.trees[0].leaves


@dataclass(frozen=True, slots=True)
class ExpectationLine:
    """What a layer says of a case, as the ledger has it."""

    layer: str
    expectation: Expectation
    clause: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repeated name: `pointer` to its object, the decoded `name`, its values' spellings in order.

    `spellings` hold the input text of each value; a long one is cut and ends in `...`.
    """

    pointer: str
    name: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One case, explained. `reading` is the reference's value in notation, repeats kept.

    `reading` is None when the bytes are not JSON (`problems` says where) or the ledger has no
    content (`data` None). `winners` maps live subjects to their winner; empty without repeats.
    `left` and `right` are the notations at `pointer` in the first two value classes (None: missing).
    `cause` is None when nothing splits.
    """

    case: str
    family: str
    why: str
    refs: tuple[str, ...]
    twin_of: str | None
    twin: str | None
    lens: str
    length: int
    digest: str
    data: bytes | None
    reading: str | None
    problems: tuple[str, ...]
    repeats: tuple[Repeat, ...]
    expectations: tuple[ExpectationLine, ...]
    groups: tuple[Group, ...]
    verdict: bool
    value: bool
    pointer: str | None
    left: str | None
    right: str | None
    cause: Cause | None
    winners: Mapping[str, Winner]


@dataclass(frozen=True, slots=True)
class PairCase:
    """A case that two subjects read differently. `row` and `column`: a notation, or how it ended.

    `kind`: `value`, `row_only` or `column_only`, as in PairCell.
    """

    case: str
    family: str
    length: int
    kind: PairKind
    row: str
    column: str
    pointer: str | None
    cause: Cause


@dataclass(frozen=True, slots=True)
class PairDifference:
    """What two subjects read differently. `cases`: value splits first, then smallest input first.

    `by_cause` counts those cases; `dimensions` the cases they agree on and yet differ in.
    """

    lens: str
    cell: PairCell
    row: SubjectLine
    column: SubjectLine
    cases: tuple[PairCase, ...]
    by_cause: tuple[CauseCount, ...]
    dimensions: Mapping[str, int]
