"""Names that are distinct in a text and meet in the destination: what a text holds, and who wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from whichwins import notation
from whichwins.analysis.binding_result import ALONE, TOGETHER, BindingCell, BindingMatrix
from whichwins.analysis.lens import value as normal
from whichwins.model import Integer, Object, Observation, Outcome, Value
from whichwins.model.shape import SHAPES, Shape

Role = Literal["canonical", "alias", "other case", "unknown"]

_ORDER = (
    "reject",
    "both",
    "all",
    "alias",
    "canonical",
    "exact",
    "variant",
    "last",
    "first",
    "other",
    "neither",
)


class Name(NamedTuple):
    """A member of a text: its name, what it is to its field, its value (normal form), whether that fits."""

    name: str
    role: Role
    value: str
    fits: bool
    null: bool


class Field(NamedTuple):
    """The members of one object that belong to one field, in their order; `path` leads to the object.

    `field` is the canonical name, or the name itself for a member that belongs to none.
    """

    path: tuple[str, ...]
    field: str
    members: tuple[Name, ...]

    @property
    def collides(self) -> bool:
        """Whether distinct names meet here."""
        return len({member.name for member in self.members}) > 1

    @property
    def repeats(self) -> bool:
        """Whether one name stands here twice."""
        return len({member.name for member in self.members}) < len(self.members)

    @property
    def kind(self) -> str:
        """Which collision it is."""
        return TOGETHER[any(member.role == "other case" for member in self.members)]


def fields(root: Value, shape: Shape, path: tuple[str, ...] = ()) -> Iterator[Field]:
    """The fields of the shape that a text gives, and members of none. Of a repeated object nothing inside."""
    if not isinstance(root, Object):
        return
    groups: dict[str, list[tuple[Name, Value]]] = defaultdict(list)
    for key, value in root.pairs:
        text = key if isinstance(key, str) else notation.write(Object([(key, None)]))
        wanted, role = _belongs(text, shape)
        name = Name(text, role, normal(notation.write(value)), _fits(value, wanted, shape), value is None)
        groups[wanted].append((name, value))
    for wanted, found in groups.items():
        yield Field(path, wanted, tuple(name for name, _ in found))
        if wanted in shape.nested and len(found) == 1:
            yield from fields(found[0][1], shape.nested[wanted], (*path, wanted))


def _belongs(name: str, shape: Shape) -> tuple[str, Role]:
    if name in shape.names:
        return name, "canonical"
    if name in shape.aliases:
        return shape.aliases[name], "alias"
    folded = name.casefold()
    known = {each.casefold(): each for each in shape.names}
    known |= {alias.casefold(): canonical for alias, canonical in shape.aliases.items()}
    return (known[folded], "other case") if folded in known else (name, "unknown")


def _fits(value: Value, wanted: str, shape: Shape) -> bool:
    if wanted in shape.nested:
        return isinstance(value, Object)
    kind = shape.scalars.get(wanted)
    return kind is None or isinstance(value, str if kind == "text" else Integer)


def outcome(found: Field, answer: Value) -> frozenset[str]:
    """Which policies explain what became of names that meet."""
    members = inside(answer, found.path)
    if members is None:
        return frozenset({"other"})
    got = members.get(found.field, [])
    if all(member.value in (*got, *members.get(member.name, ())) for member in found.members):
        return frozenset({"both"})
    if len(got) != 1:
        kept = any(member.name in members for member in found.members)
        return frozenset({"all" if got else "other" if kept else "neither"})
    policies: set[str] = set()
    for place, member in enumerate(found.members):
        if member.value == got[0]:
            exact = "variant" if member.role == "other case" else "exact"
            policies.add(member.role if found.kind == TOGETHER[0] else exact)
            policies |= {"first"} if place == 0 else set()
            policies |= {"last"} if place == len(found.members) - 1 else set()
    return frozenset(policies or {"other"})


def treatment(found: Field, answer: Value) -> str:
    """What became of a name that stands alone for its field."""
    (member,) = found.members
    members = inside(answer, found.path)
    if members is None:
        return "other"
    if member.role != "unknown" and member.value in members.get(found.field, ()):
        return "bound"
    if member.value in members.get(member.name, ()):
        return "kept"
    return "other" if member.name in members or found.field in members else "ignored"


def inside(answer: Value, path: Sequence[str]) -> dict[str, list[str]] | None:
    """The members of the object that a path leads to, by name, values in normal form."""
    for step in path:
        inner = [value for name, value in answer.pairs if name == step] if isinstance(answer, Object) else []
        if len(inner) != 1:
            return None
        answer = inner[0]
    if not isinstance(answer, Object):
        return None
    members: dict[str, list[str]] = defaultdict(list)
    for name, value in answer.pairs:
        if isinstance(name, str):
            members[name].append(normal(notation.write(value)))
    return members


def surveyed(shape: str | None, root: Value) -> tuple[Field, ...]:
    """The fields that a text gives a shape; none for a shape that is not known."""
    return tuple(fields(root, SHAPES[shape])) if shape is not None and shape in SHAPES else ()


def binding_kind(found: Sequence[Field], shape: Shape) -> tuple[str, str]:
    """What a text tries of binding, as the kind of a cause and a line on it."""
    members = [member for each in found for member in each.members]
    roles = {member.role for member in members}
    for kind in TOGETHER:
        if any(each.collides and each.kind == kind for each in found):
            return kind, "distinct names of the text belong to one field"
    if any(member.null for member in members):
        return "null", "null where the target wants a value"
    if not all(member.fits for member in members):
        return "type", "a value is not of the type that the target wants"
    if "unknown" in roles:
        return "unknown member", "a member that the target does not have"
    if "other case" in roles:
        return "other case", "a name differs in case from that of a field"
    if any(not each.path and each.field in shape.aliases.values() for each in found):
        return "alias", "a field has two names, and not everyone takes both"
    if shape.populated:
        return "merge", "what the destination held before is replaced by some and laid over by others"
    return "", "what was bound differs"


_Names = frozenset[tuple[tuple[str, ...], str]]
_Seen = tuple[int, str]  # length and id of a case


@dataclass(slots=True)
class BindingTable:
    """What subjects do with names, from the cases that give one thing to say: see `add`."""

    subjects: tuple[str, ...]
    shapes: Mapping[str, str]
    alone: dict[tuple[int, str], list[tuple[str, _Seen]]] = field(default_factory=lambda: defaultdict(list))
    together: dict[tuple[int, str], list[tuple[frozenset[str], _Seen]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    accepted: set[tuple[int, tuple[str, ...], str]] = field(default_factory=set)
    refused: list[tuple[int, str, _Names, _Seen]] = field(default_factory=list)

    def add(
        self, shape: str, found: Sequence[Field], row: Sequence[Observation], length: int, case: str
    ) -> None:
        """Take a case in, if one name or one collision is all that it tries, and every value fits."""
        target = SHAPES[shape]
        missing = set(target.required) - {each.field for each in found if not each.path}
        exact = {each.field: each.members[0].role for each in found if not each.path}
        if missing or not all(member.fits for each in found for member in each.members):
            return
        if any(each.repeats for each in found):
            return
        if any(
            exact[name] != "canonical" and len(each.members) == 1
            for name in target.required
            for each in found
            if not each.path and each.field == name
        ):
            return  # without that member it would be refused in any case
        telling = [each for each in found if each.collides or self._tells(each, target)]
        if len(telling) != 1:
            return
        (one,) = telling
        if len({member.role for member in one.members}) > 2:
            return  # two collisions at once
        for index, observation in enumerate(row):
            if self.shapes.get(self.subjects[index]) == shape:
                self._add(index, one, observation, (length, case))

    @staticmethod
    def _tells(each: Field, shape: Shape) -> bool:
        aliased = not each.path and each.field in shape.aliases.values()
        return aliased or each.members[0].role != "canonical"

    def _add(self, index: int, one: Field, observation: Observation, seen: _Seen) -> None:
        names = frozenset((one.path, member.name) for member in one.members)
        if observation.outcome is Outcome.REJECT:
            if one.collides:
                self.refused.append((index, one.kind, names, seen))
            else:
                self.alone[index, one.members[0].role].append(("rejected", seen))
        elif observation.outcome is Outcome.ACCEPT and observation.value is not None:
            answer = notation.read(observation.value)
            if one.collides and len({member.value for member in one.members}) < len(one.members):
                return  # equal values do not tell
            if one.collides:
                self.together[index, one.kind].append((outcome(one, answer), seen))
            else:
                self.accepted |= {(index, *name) for name in names}
                self.alone[index, one.members[0].role].append((treatment(one, answer), seen))

    def matrix(self) -> BindingMatrix | None:
        """The table; None where no case of a known shape was asked."""
        for index, kind, names, seen in self.refused:
            # A required field is given in every accepted text.
            if all((index, *name) in self.accepted or self._required(name) for name in names):
                self.together[index, kind].append((frozenset({"reject"}), seen))
        bound = [index for index, key in enumerate(self.subjects) if self.shapes.get(key) in SHAPES]
        if not bound or not (self.alone or self.together):
            return None
        return BindingMatrix(
            tuple(self.subjects[index] for index in bound),
            (*ALONE, *TOGETHER),
            tuple(
                (
                    *(_alone(self.alone.get((index, role), [])) for role in ALONE),
                    *(_together(self.together.get((index, kind), [])) for kind in TOGETHER),
                )
                for index in bound
            ),
        )

    @staticmethod
    def _required(name: tuple[tuple[str, ...], str]) -> bool:
        path, text = name
        return not path and any(text in shape.required for shape in SHAPES.values())


def _alone(found: Sequence[tuple[str, _Seen]]) -> BindingCell:
    names = sorted({name for name, _ in found})
    return BindingCell("+".join(names) or "n/a", len(found), _smallest([seen for _, seen in found]))


def _together(found: Sequence[tuple[frozenset[str], _Seen]]) -> BindingCell:
    # A subject that knows neither name says nothing of their meeting, if it says something elsewhere.
    telling = [each for each in found if each[0] != {"neither"}] or list(found)
    if not telling:
        return BindingCell("n/a", 0, None)
    common = frozenset.intersection(*(policies for policies, _ in telling))
    label = " or ".join(name for name in _ORDER if name in common) or "mixed"
    return BindingCell(label, len(telling), _smallest([seen for _, seen in telling]))


def _smallest(seen: Sequence[_Seen]) -> str | None:
    return min(seen)[1] if seen else None
