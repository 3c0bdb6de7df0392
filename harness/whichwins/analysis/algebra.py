"""The algebra of repeated names: which policies explain the value that a parser returned.

`Document` holds the reference's reading, all pairs in order. `explain` walks it side by side with a
parser's value and yields, for every repeated name that the value still reaches, the set of policies
among first, last, all, merge and collect under which that value is a possible reading. Everything
below an occurrence is compared under its own possible readings, nested repeats under any policy.

Nothing here recurses on the interpreter's stack: `_run` drives generators that yield sub-questions.
Answers are remembered by the nodes they concern, and a budget proportional to the document bounds what
a hostile one may cost.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from whichwins import notation
from whichwins.analysis.readings import (
    bare_name,
    exact_name,
    loose_name,
    number_is,
    number_reads,
    text_reads,
)
from whichwins.model import (
    Array,
    Binary64,
    Bytes,
    DecimalLiteral,
    Integer,
    Name,
    Object,
    Value,
)

Policies: TypeAlias = frozenset[str]
NONE: Policies = frozenset()
EVERY: Policies = frozenset(("first", "last", "all", "merge", "collect"))


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Objects whose members a deep merge lays over each other, in order."""

    objects: tuple[Object, ...]


Node: TypeAlias = Value | Merged
Task: TypeAlias = tuple[Node, Value]
Tasks: TypeAlias = tuple[Task, ...]
Matched: TypeAlias = list[tuple[list[Value], list[Value]]]
_T = TypeVar("_T")


class OverBudget(Exception):
    """The document costs more than its size justifies; nothing is said of it."""


class Document:
    """A reference value and the places where its names repeat, exactly or after replacement."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self.holding, self.size = _holding(value)

    @property
    def repeats(self) -> bool:
        """Whether any object has a repeated name, or names that replacement may make equal."""
        return bool(self.holding)


def explain(document: Document, answer: Value, lookup: bool = False) -> list[Policies]:
    """For each repeated name that `answer` reaches, the policies that explain it; empty sets for none.

    Under the policy `last` of an outer name only the objects inside the last occurrence are reached,
    and so on. Names that repeat only after replacement and are kept apart say nothing. `lookup`:
    members were listed by the library's iteration and valued by its getter, so that equal values
    under one name are one answer. Raises OverBudget.
    """
    search = _Search(document, lookup)
    return _run(search.decide, ((document.value, answer),), {})


class _Search:
    def __init__(self, document: Document, lookup: bool) -> None:
        self.holding = document.holding
        self.lookup = lookup
        self.left = 10_000 + 60 * document.size
        self.verdicts: dict[tuple[int, ...], bool] = {}
        self.merged: dict[tuple[int, ...], Merged] = {}

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise OverBudget

    def alternatives(self, values: list[Value], answers: list[Value]) -> dict[str, Tasks]:
        """What each policy would have to be true for `answers` to come from `values`."""
        if self.lookup and len(answers) > 1 and len({notation.write(answer) for answer in answers}) == 1:
            answers = answers[:1]
        if len(answers) != 1:
            return {"all": tuple(zip(values, answers, strict=True))} if len(answers) == len(values) else {}
        answer = answers[0]
        found: dict[str, Tasks] = {
            "first": ((values[0], answer),),
            "last": ((values[-1], answer),),
            "merge": ((self.overlaid(values), answer),),
        }
        if isinstance(answer, Array) and len(answer.items) == len(values):
            found["collect"] = tuple(zip(values, answer.items, strict=True))
        return found

    def overlaid(self, values: list[Value]) -> Node:
        """Deep merge of what occurs under one name: an object joins the objects just before it."""
        start = len(values)
        while start and isinstance(values[start - 1], Object):
            start -= 1
        run = tuple(value for value in values[start:] if isinstance(value, Object))
        if len(run) < 2:
            return values[-1]
        self.spend(len(run))
        return self.merged.setdefault(tuple(map(id, run)), Merged(run))

    def match(self, tasks: Tasks) -> Generator[Tasks, bool, bool]:
        """Whether every answer is a possible reading of its node."""
        work = list(tasks)
        choices: list[dict[str, Tasks]] = []
        while work:
            self.spend()
            node, answer = work.pop()
            if isinstance(node, Object | Merged):
                matched = _matched(node, answer, strict=True) if isinstance(answer, Object) else None
                if matched is None:
                    return False
                for values, answers in matched:
                    self.spend(len(values))
                    if len(values) == len(answers) == 1:
                        work.append((values[0], answers[0]))
                    elif isinstance(node, Object):
                        choices.append(self.alternatives(values, answers))
                    elif len(answers) == 1:
                        work.append((self.overlaid(values), answers[0]))
                    else:
                        return False
            elif isinstance(node, Array):
                if not isinstance(answer, Array) or len(answer.items) != len(node.items):
                    return False
                work.extend(zip(node.items, answer.items, strict=True))
            elif not _scalar_reads(node, answer):
                return False
        for choice in choices:
            for alternative in dict.fromkeys(choice.values()):
                if (yield alternative):
                    break
            else:
                return False
        return True

    def decide(self, tasks: Tasks) -> Generator[Tasks, list[Policies], list[Policies]]:
        """The policies of every repeated name that the answers reach."""
        found: list[Policies] = []
        work = list(tasks)
        while work:
            self.spend()
            node, answer = work.pop()
            if isinstance(node, Array):
                if not isinstance(answer, Array) or id(node) not in self.holding:
                    continue
                if len(answer.items) == len(node.items):
                    work.extend(zip(node.items, answer.items, strict=True))
            elif isinstance(node, Merged):
                if isinstance(answer, Object) and any(id(each) in self.holding for each in node.objects):
                    for values, answers in _matched(node, answer, strict=False) or ():
                        self.spend(len(values))
                        if len(answers) == 1:
                            work.append((self.overlaid(values), answers[0]))
            elif isinstance(node, Object) and id(node) in self.holding:
                if not isinstance(answer, Object):
                    if any(len(values) > 1 for values in _exact(node).values()):
                        found.append(NONE)
                    continue
                for values, answers in _matched(node, answer, strict=False) or ():
                    self.spend(len(values))
                    if len(values) > 1:
                        ways: dict[Tasks, Policies] = {}
                        for policy, way in self.alternatives(values, answers).items():
                            if _run(self.match, way, self.verdicts):
                                ways[way] = ways.get(way, NONE) | {policy}
                        ways = _exactly(ways)
                        if len(ways) == 1:
                            ((way, policies),) = ways.items()
                            found.append(policies)
                            work.extend(way)
                        elif ways:
                            # Which occurrence survived is open. One policy for it and all that lies
                            # below explains more simply than several do.
                            below: list[tuple[Policies, list[Policies]]] = []
                            for way, policies in ways.items():
                                below.append((policies, (yield way)))
                            uniform = [policies & everywhere(inner) for policies, inner in below]
                            if any(uniform):
                                found.append(NONE.union(*uniform))
                            else:
                                policies, inner = below[0]
                                found.extend((policies, *inner))
                        else:
                            found.append(NONE)
                    elif len(answers) == 1:
                        work.append((values[0], answers[0]))
        return found


def everywhere(found: Iterable[Policies]) -> Policies:
    """The policies that explain all of `found`: every policy where nothing was found."""
    return EVERY.intersection(*found)


def _run(
    question: Callable[[Tasks], Generator[Tasks, _T, _T]], tasks: Tasks, known: dict[tuple[int, ...], _T]
) -> _T:
    """Drive generators that yield sub-questions, remembering answers by the nodes they concern."""
    key = _key(tasks)
    if key in known:
        return known[key]
    stack = [(key, question(tasks))]
    reply: _T | None = None
    while True:
        key, asking = stack[-1]
        try:
            sub = next(asking) if reply is None else asking.send(reply)
        except StopIteration as stop:
            reply = known[key] = stop.value
            stack.pop()
            if not stack:
                return known[key]
            continue
        key = _key(sub)
        reply = known.get(key)
        if reply is None:
            stack.append((key, question(sub)))


def _key(tasks: Tasks) -> tuple[int, ...]:
    # Nodes live as long as the search, so that their ids are theirs alone.
    return tuple(id(side) for task in tasks for side in task)


def _pairs(node: Object | Merged) -> Iterable[tuple[Name, Value]]:
    if isinstance(node, Object):
        return node.pairs
    return (pair for each in node.objects for pair in each.pairs)


def _exact(node: Object | Merged) -> dict[str, list[Value]]:
    grouped: dict[str, list[Value]] = {}
    for name, value in _pairs(node):
        grouped.setdefault(exact_name(name), []).append(value)
    return grouped


def _matched(node: Object | Merged, answer: Object, strict: bool) -> Matched | None:
    """Each name's values in the input beside its values in the answer.

    Names are matched exactly where that works, else after replacement, else with what is no character
    dropped; then names that the answer keeps apart are paired one by one. `strict`: None unless the names
    are the same on both sides. Otherwise odd names say nothing under which less stands than repeats, though
    the answer has as many members as the input: the others are there under names of the parser's own.
    """
    wanted, got = _exact(node), _exact(answer)
    whole = not strict and isinstance(node, Object) and len(node.pairs) == len(answer.pairs)
    if wanted.keys() <= got.keys():
        if strict and len(wanted) != len(got):
            return None
        return [
            (values, got[name])
            for name, values in wanted.items()
            if not (whole and len(got[name]) < len(values) and _odd({name}))
        ]
    loosely, answered = _loose(node, loose_name), _loose(answer, loose_name)
    if loosely.keys() != answered.keys():
        bare, seen = _loose(node, bare_name), _loose(answer, bare_name)
        if bare.keys() == seen.keys():
            loosely, answered = bare, seen
        elif strict:
            return None
    matched: Matched = []
    strangers = sum(len(values) for name, (_, values) in answered.items() if name not in loosely)
    for name, (names, values) in loosely.items():
        kept, answers = answered.get(name, (set(), []))
        if not kept and len(names) == len(values) > 1 and strangers >= len(values) and not strict:
            continue  # kept apart, under names that the parser read in a way of its own
        if whole and len(answers) < len(values) and len(values) > 1 and _odd(names):
            continue
        if len(names) > 1 and len(kept) > 1:
            if len(values) == len(answers):
                matched.extend(([value], [each]) for value, each in zip(values, answers, strict=True))
            elif strict:
                return None
        else:
            matched.append((values, answers))
    return matched


def _odd(names: set[str]) -> bool:
    """Whether a parser may spell one of these names (as `exact_name` has them) in a way of its own."""
    return any(not name.isascii() or name.startswith("\x00") for name in names)


def _loose(node: Object | Merged, reading: Callable[[Name], str]) -> dict[str, tuple[set[str], list[Value]]]:
    grouped: dict[str, tuple[set[str], list[Value]]] = {}
    for name, value in _pairs(node):
        names, values = grouped.setdefault(reading(name), (set(), []))
        names.add(exact_name(name))
        values.append(value)
    return grouped


def _exactly(ways: dict[Tasks, Policies]) -> dict[Tasks, Policies]:
    """Of several ways, those whose number is exactly the answer's, where the host does not round."""
    if len(ways) < 2:
        return ways
    exact: dict[Tasks, Policies] = {
        way: policies
        for way, policies in ways.items()
        if len(way) == 1 and isinstance(node := way[0][0], Integer | Binary64 | DecimalLiteral)
        if number_is(node.text, way[0][1])
    }
    return exact or ways


def _scalar_reads(node: Node, answer: Value) -> bool:
    if node is None or isinstance(node, bool):
        return node is answer
    if isinstance(node, str | Bytes):
        return text_reads(node, answer)
    if isinstance(node, Integer | Binary64 | DecimalLiteral):
        return number_reads(node.text, answer)
    return False


def _holding(value: Value) -> tuple[frozenset[int], int]:
    """Ids of the containers in or below which a name repeats, and the number of nodes."""
    order: list[tuple[Value, int]] = []
    work: list[tuple[Value, int]] = [(value, -1)]
    repeating: list[int] = []
    size = 0
    while work:
        node, parent = work.pop()
        size += 1
        if not isinstance(node, Array | Object):
            continue
        place = len(order)
        order.append((node, parent))
        if isinstance(node, Array):
            work.extend((item, place) for item in node.items)
        else:
            if _repeats(node.pairs):
                repeating.append(place)
            work.extend((item, place) for _, item in node.pairs)
    held: set[int] = set()
    for place in repeating:
        while place >= 0 and id(order[place][0]) not in held:
            node, parent = order[place]
            held.add(id(node))
            place = parent
    return frozenset(held), size


def _repeats(pairs: list[tuple[Name, Value]]) -> bool:
    if len({name for name, _ in pairs}) < len(pairs):
        return True
    if all(isinstance(name, str) and name.isascii() for name, _ in pairs):
        return False
    return len({loose_name(name) for name, _ in pairs}) < len(pairs)
