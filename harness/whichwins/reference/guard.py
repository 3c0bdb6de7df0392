"""The reader under a policy, as a function to call before bytes become values.

    answer = guard(data)
    if isinstance(answer, Accepted):
        execute(answer.value)

An answer is neither true nor false: `if guard(data)` raises TypeError, whatever the text was. A
rejection tells the clause and the structural place, never the content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn, overload

from whichwins.model import LAYERS, REJECT, BadInput
from whichwins.reference import layers
from whichwins.reference.problems import Problem, ProblemKind
from whichwins.reference.reader import DEFAULT_LIMITS, Limits, Reading, read
from whichwins.reference.tape import OBJECT, Node, node_at, ordinal_path
from whichwins.reference.values import Plain, plain, value

Mode = Literal["enforce", "shadow"]

_ALIAS = "policy: an alias together with its name in one object"
_UNDECLARED = "policy: only declared names"


@dataclass(frozen=True, slots=True)
class Policy:
    """What is let through: what none of `layers` rejects, within the limits.

    `layers` holds at least `strict-tool-input/1`; adding `i-json/1` also keeps noncharacters out.
    `max_bytes` is the size of the text, `max_depth` the number of open containers, `max_number`
    the characters of a number. `version` names the policy in evidence: a policy that differs
    from `strict-tool-input/1` needs a version of its own.
    """

    version: str = layers.STRICT_TOOL_INPUT
    layers: tuple[str, ...] = (layers.STRICT_TOOL_INPUT,)
    max_bytes: int = DEFAULT_LIMITS.max_bytes
    max_depth: int = DEFAULT_LIMITS.max_depth
    max_number: int = DEFAULT_LIMITS.max_number

    def __post_init__(self) -> None:
        strict = layers.STRICT_TOOL_INPUT
        if strict not in self.layers or not set(self.layers) <= set(LAYERS):
            raise BadInput(
                f"policy {self.version}: layers must hold {strict} and be among {', '.join(LAYERS)}"
            )
        if min(self.max_bytes, self.max_depth, self.max_number) < 0:
            raise BadInput(f"policy {self.version}: a limit is negative; use 0 or more")
        if self.version == strict and (self.layers != (strict,) or self.limits != DEFAULT_LIMITS):
            raise BadInput(f"policy {strict} is fixed; give a policy that differs a version of its own")

    @property
    def limits(self) -> Limits:
        """The limits in the reader's form."""
        return Limits(self.max_bytes, self.max_depth, self.max_number)


STRICT_TOOL_INPUT = Policy()
"""The policy of the layer `strict-tool-input/1`: 1 MiB, depth 64, 400 characters a number."""


class _Answer:
    """Whoever asks for the truth of an answer would let a rejected text through, or miss a rejection."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        said = (
            "an answer of the guard is neither true nor false: use isinstance(answer, Accepted), or `is None`"
        )
        raise TypeError(said)


@dataclass(frozen=True, slots=True)
class Accepted(_Answer):
    """The text passed: it has one reading. `value` is that, in plain Python."""

    value: Plain
    policy: str
    correlation_id: str | None
    root: Node = field(repr=False, compare=False)

    @property
    def notation(self) -> str:
        """The value in the canonical notation, for evidence and comparison."""
        from whichwins import notation  # only those who ask for it pay for it

        return notation.write(value(self.root))


@dataclass(frozen=True, slots=True)
class Rejected(_Answer):
    """The text did not pass: which clause, where. `offset` is in bytes.

    `path` is ordinal (`#0/#2`). `pointer` is the JSON Pointer of the place and quotes names:
    it is None unless the caller asked for names and the text could be read that far.
    """

    kind: str
    clause: str
    offset: int
    path: str
    policy: str
    correlation_id: str | None = None
    pointer: str | None = None

    def __str__(self) -> str:
        """One line of clause and place, without content."""
        place = f"byte {self.offset}" + (f", at {self.path}" if self.path else "")
        tail = f" [{self.correlation_id}]" if self.correlation_id is not None else ""
        return f"rejected under {self.policy}: {self.clause} ({place}){tail}"


@dataclass(frozen=True, slots=True)
class Shadowed(_Answer):
    """What `enforce` would have found: nothing is rejected, and no value is handed out.

    `counts` is how often each kind of problem occurs, `rejected` the rejection that was spared.
    """

    rejected: Rejected | None
    counts: Mapping[str, int]
    policy: str
    correlation_id: str | None


@overload
def guard(
    data: bytes,
    policy: Policy = ...,
    mode: Literal["enforce"] = ...,
    correlation_id: str | None = ...,
    *,
    aliases: Mapping[str, str] | None = ...,
    names: Collection[str] | None = ...,
    show_names: bool = ...,
) -> Accepted | Rejected: ...


@overload
def guard(
    data: bytes,
    policy: Policy = ...,
    mode: Literal["shadow"] = ...,
    correlation_id: str | None = ...,
    *,
    aliases: Mapping[str, str] | None = ...,
    names: Collection[str] | None = ...,
    show_names: bool = ...,
) -> Shadowed: ...


def guard(
    data: bytes,
    policy: Policy = STRICT_TOOL_INPUT,
    mode: Mode = "enforce",
    correlation_id: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    names: Collection[str] | None = None,
    show_names: bool = False,
) -> Accepted | Rejected | Shadowed:
    """Let a text through, or say why not. Never raises on any bytes.

    `aliases` maps other spellings to the canonical name (`{"qty": "quantity"}`): an object with
    two spellings of one name is rejected. `names` are the only names (and their aliases) that
    any object may have. Both are checked once the text has passed the rest. `mode="shadow"`
    reports without rejecting. `show_names` adds the JSON Pointer, which quotes names.
    """
    if not isinstance(data, bytes):
        raise TypeError("guard reads bytes: give it the text before anything decodes it")
    spellings = dict(aliases or {})
    if chained := set(spellings) & set(spellings.values()):
        raise BadInput(f"guard: {sorted(chained)[0]!r} is an alias and a name; map each alias to a name")
    allowed = None if names is None else frozenset(names) | frozenset(spellings)

    shadow = mode == "shadow"
    reading: Reading | None = None
    findings: list[_Finding] = []
    if len(data) > policy.max_bytes:
        problem = Problem("size", 0, False, data)
        findings.append(_Finding("size", _clause(policy, problem) or problem.clause, 0))  # not even read
    else:
        reading = read(data, policy.limits, stop=() if shadow else _rejected_kinds(policy))
        findings += _problems(policy, reading)
        if reading.root is not None and (shadow or not findings):
            findings += _names(reading, spellings, allowed)

    rejected = None
    if findings:
        kind, clause, offset = min(findings, key=lambda finding: finding.offset)
        pointer = _pointer(data, policy, offset) if show_names and reading else None
        rejected = Rejected(
            kind, clause, offset, ordinal_path(data, offset), policy.version, correlation_id, pointer
        )
    if shadow:
        counts = Counter(finding.kind for finding in findings)
        return Shadowed(rejected, counts, policy.version, correlation_id)
    if rejected is not None or reading is None or reading.root is None:
        assert rejected is not None, "a reading without a root has a problem"
        return rejected
    return Accepted(plain(reading.root), policy.version, correlation_id, reading.root)


class _Finding(NamedTuple):
    kind: str
    clause: str
    offset: int


def _clause(policy: Policy, problem: Problem) -> str | None:
    """The clause of the first layer that rejects this, or None."""
    for layer in policy.layers:
        rule = layers.rule_for(layer, problem)
        if rule is not None and rule[0] == REJECT:
            return rule[1]
    return None


def _rejected_kinds(policy: Policy) -> frozenset[ProblemKind]:
    return frozenset(
        kind for layer in policy.layers for kind, rule in layers.RULES[layer].items() if rule[0] == REJECT
    )


def _problems(policy: Policy, reading: Reading) -> Iterator[_Finding]:
    for problem in reading.problems:
        clause = _clause(policy, problem)
        if clause is not None:
            yield _Finding(problem.kind, clause, problem.offset)


def _names(
    reading: Reading, spellings: Mapping[str, str], allowed: frozenset[str] | None
) -> Iterator[_Finding]:
    """Aliases beside their names, and names that are not declared, in every object."""
    if not spellings and allowed is None:
        return
    rows = (row for row, kind in enumerate(reading.tape.kinds) if kind == OBJECT)
    for row in rows:
        used: dict[str | bytes, str | bytes] = {}
        for name, _ in Node(reading.tape, row).members:
            key = name.key
            canonical = spellings.get(key, key) if isinstance(key, str) else key
            if used.setdefault(canonical, key) != key:
                yield _Finding("alias", _ALIAS, name.start)
            if allowed is not None and key not in allowed:
                yield _Finding("undeclared-name", _UNDECLARED, name.start)


def _pointer(data: bytes, policy: Policy, offset: int) -> str | None:
    """The JSON Pointer of an offset, or None when the text is not in the grammar."""
    reading = read(data, policy.limits)
    return None if reading.root is None else node_at(reading.tape, offset).pointer
