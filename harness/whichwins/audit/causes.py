"""Why a finding is one: the causes of `analysis.cause`, put to boundaries and to the policy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from whichwins.analysis.cause import cause_of, other_charset
from whichwins.analysis.classes import classify
from whichwins.analysis.difference import first_difference
from whichwins.analysis.facts import winners_of
from whichwins.analysis.parting import part
from whichwins.analysis.result import Cause
from whichwins.audit.asked import Asked
from whichwins.audit.promise import accepts
from whichwins.audit.result import Loss
from whichwins.audit.stack import Boundary
from whichwins.model import ACCEPT, Observation, Outcome

_PLAIN = re.compile(r'"[^"\\]*"')
"""Text of ASCII, spelled as it is: Unicode has no part in it."""
_ACCEPT = Observation(Outcome.ACCEPT, "null")
_REJECT = Observation(Outcome.REJECT)


class Apart(NamedTuple):
    """Two values that differ: why, where, and what stands there on either side (empty: nothing)."""

    cause: Cause
    pointer: str
    left: str
    right: str


def apart(asked: Asked, boundaries: tuple[Boundary, Boundary], values: tuple[str, str]) -> Apart:
    """How the values of two boundaries differ; they do under the stack's lens."""
    world, twin = asked.world, asked.twin
    one, other = (Observation(Outcome.ACCEPT, value) for value in values)
    controls = None if twin is None else tuple(twin.observation(each) for each in boundaries)
    lookups = [world.lookups[each.name] for each in boundaries]
    classes = classify((one, other), world.normal)
    lens = world.stack.lens
    pair = None if controls is None else (controls[0], controls[1])
    found = part(asked.facts, (one, other), pair, lookups, classes, lens)
    place = first_difference(*values, lens)
    left, right = ("", "") if place is None else (place.left or "", place.right or "")
    cause = _named(asked, boundaries, found.cause)
    if (cause.name, cause.kind) == ("unicode", "text") and _PLAIN.fullmatch(left) and _PLAIN.fullmatch(right):
        cut = left[:-1].startswith(right[:-1]) or right[:-1].startswith(left[:-1])
        kind, said = (
            ("cut short", "text was cut short") if cut else ("other text", "another text stands there")
        )
        cause = Cause("other", kind, said)
    return Apart(cause, found.pointer or "", left, right)


def _named(asked: Asked, boundaries: tuple[Boundary, Boundary], cause: Cause) -> Cause:
    """The cause, in view of what the policy says of the text and of who lost something of it."""
    if cause.name == "other" and "repeated-name" in asked.facts.kinds:
        # `{"x":1}` may be the first, or all merged: no winner is sure, and yet nothing else is odd.
        return Cause("repeated name", "different winners", "a name repeats in its object")
    if cause.name == "other" and any(other_charset(each.request.headers) for each in boundaries):
        return Cause("encoding", "charset", "a header says that the bytes are in another encoding")
    if asked.word.expected == ACCEPT and cause.name != "lookup":
        # Nothing is odd about the text: who reads by name, and alone loses something, has a fault of its own.
        lossy = [asked.world.lookups[each.name] for each in boundaries if asked.loss(each) is not None]
        if lossy == [True]:
            return Cause("lookup", cause.kind, "only a boundary that reads members by name differs")
    return cause


def why_refused(asked: Asked, boundary: Boundary) -> Cause:
    """Why a boundary does not accept a request that the policy accepts."""
    twin = asked.twin
    control = None if twin is None else twin.observation(boundary)
    return _refusal(asked, control, asked.world.lookups[boundary.name])


def why_rejected(asked: Asked, loss: Loss | None = None) -> Cause:
    """Why the policy rejects a request. What was lost on the way speaks before other oddities of the text."""
    own = asked.word.own
    if own:
        return Cause("other", own, asked.word.clause)
    twin = asked.twin
    control = None if twin is None else (_ACCEPT if accepts(twin.word) else _REJECT)
    cause = _refusal(asked, control, False)
    if loss != "occurrence" or cause.name == "repeated name":
        return cause
    if "repeated-name" in asked.facts.kinds:  # asked last: a deep text is read slowly
        return Cause("repeated name", "rejected", "a name repeats in its object; some reject that")
    return cause


def _refusal(asked: Asked, control: Observation | None, lookup: bool) -> Cause:
    """The cause of a split between one who refuses and one who accepts. `control`: the first on the twin."""
    row = (_REJECT, _ACCEPT)
    lookups: Sequence[bool] = (lookup, False)
    classes = classify(row, asked.world.normal)
    twin_row = None if control is None else (control, _ACCEPT)
    winners = winners_of(asked.facts, row, twin_row, lookups)
    return cause_of(asked.facts, classes, None, winners, lookups, twin_row)
