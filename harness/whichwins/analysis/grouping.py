"""Changes in the order of reports, and gathered by subject, kind and cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from whichwins.analysis.change_result import KINDS, Change, ChangeGroup, ChangeKind, Pairing
from whichwins.analysis.result import CAUSES, Cause
from whichwins.analysis.versions import reached, version_of
from whichwins.model import Keep, Outcome

Keeps: TypeAlias = Mapping[str, Sequence[Keep]]
"""What manifests know of old behaviour, by subject without version."""
NO_KEEPS: Keeps = MappingProxyType({})
_TURNING: tuple[ChangeKind, ...] = ("newly-failing", "recovered", "refused-otherwise")
_ENDED = frozenset(outcome.value for outcome in Outcome if outcome is not Outcome.ACCEPT)
Kept: TypeAlias = Callable[[str, ChangeKind, Cause], tuple[str, ...]]
"""What keeps the old behaviour of a subject where a change of that kind and cause is."""


def in_kind_order(found: Iterable[Change]) -> tuple[Change, ...]:
    """Changes as reports list them: by kind, subject, length, case."""
    return tuple(
        sorted(found, key=lambda each: (KINDS.index(each.kind), each.subject, each.length, each.case))
    )


def groups_of(found: Iterable[Change], kept: Kept) -> tuple[ChangeGroup, ...]:
    """Changes by subject, kind, turn and cause, each with the smallest input as witness."""
    gathered: dict[tuple[str, ChangeKind, str, str, str], list[Change]] = {}
    for each in found:
        key = (each.subject, each.kind, each.cause.name, each.cause.kind, turn_of(each))
        gathered.setdefault(key, []).append(each)
    groups: list[ChangeGroup] = []
    for (subject, kind, _, _, turn), members in gathered.items():
        witness = min(members, key=lambda each: (each.length, each.case))
        keeps = kept(subject, kind, witness.cause)
        groups.append(ChangeGroup(subject, kind, witness.cause, len(members), witness, keeps, turn))
    return tuple(
        sorted(
            groups,
            key=lambda group: (
                KINDS.index(group.kind),
                group.subject,
                CAUSES.index(group.cause.name),
                group.cause.kind,
                group.turn,
            ),
        )
    )


def turn_of(change: Change) -> str:
    """`accept to fault`, where changes of that kind are of several turns and the outcome is another one."""
    if change.kind not in _TURNING:
        return ""
    before, after = (_outcome(side) for side in (change.before, change.after))
    return "" if before == after else f"{before} to {after}"


def _outcome(shown: str) -> str:
    """The outcome of an answer as it is shown: a notation never begins with such a word."""
    word = shown.partition(" ")[0]
    return word if word in _ENDED else Outcome.ACCEPT.value


def kept_by(pairings: Iterable[Pairing], keeps: Keeps) -> Kept:
    """What keeps the old behaviour of a subject, in the version that it has after.

    A manifest may narrow an entry by the kind of change or by the kind of its cause.
    """
    versions = {pairing.subject: version_of(pairing.after_identity) for pairing in pairings}

    def say(subject: str, kind: ChangeKind, cause: Cause) -> tuple[str, ...]:
        version = versions.get(subject, "")
        return tuple(
            f"{keep.say} ({keep.subject})" if keep.subject else keep.say
            for keep in keeps.get(subject, ())
            if keep.cause == cause.name
            and keep.kind in ("", kind, cause.kind)
            and (not keep.since or not version or reached(version, keep.since))
        )

    return say
