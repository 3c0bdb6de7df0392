"""One request and what every boundary did with it, with what is worked out of that at most once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from whichwins.analysis.lens import Lens, lens
from whichwins.audit.look import Looks
from whichwins.audit.losses import Original
from whichwins.audit.passage import Passage, Passed, understood
from whichwins.audit.previews import shown
from whichwins.audit.promise import Word
from whichwins.audit.result import LOSSES, Loss
from whichwins.audit.stack import Boundary, Stack
from whichwins.model import Observation, Outcome

Convert: TypeAlias = Callable[[str, str], str | None]
"""What a boundary's `transform` makes of a value (boundary, notation); None where it cannot say."""
Path: TypeAlias = tuple[Boundary, ...]

JUDGES = ("reviewer", "validator", "approver")
"""Roles of those who look at a request before it is executed."""
_OUTCOMES = {
    Passed.ACCEPTED: Outcome.ACCEPT,
    Passed.REJECTED: Outcome.REJECT,
    Passed.FAILED: Outcome.FAULT,
    Passed.UNSUPPORTED: Outcome.UNSUPPORTED,
    Passed.BLOCKED: Outcome.UNSUPPORTED,
    Passed.ABSENT: Outcome.ABSENT,
}
_TEXT = ('"', 'u"', 'b"')
_NOT_ASKED = Passage(Passed.ABSENT, reason="it was not asked")


@dataclass(frozen=True, slots=True)
class World:
    """What all requests of an audit have in common."""

    stack: Stack
    looks: Looks
    passages: Mapping[str, Mapping[str, Passage]]
    lookups: Mapping[str, bool]
    paths: Mapping[str, Path]
    convert: Convert | None
    normal: Lens


def world_of(
    stack: Stack,
    looks: Looks,
    passages: Mapping[str, Mapping[str, Passage]],
    identities: Mapping[str, Mapping[str, object]],
    convert: Convert | None = None,
) -> World:
    """Gather what an audit knows. `identities` are by boundary: `lookup` where members are read by name."""
    names = [boundary.name for boundary in stack.boundaries]
    return World(
        stack=stack,
        looks=looks,
        passages=passages,
        lookups={name: identities.get(name, {}).get("lookup") in (True, "true") for name in names},
        paths={name: stack.path(name) for name in names},
        convert=convert,
        normal=lens(stack.lens),
    )


class Asked:
    """One request. `facts` is what the reference says of its original bytes."""

    def __init__(self, world: World, case: str) -> None:
        self.world = world
        look = world.looks[case]
        self.record, self.facts = look.record, look.facts
        self._look = look
        self._passages = world.passages.get(case, {})
        self._losses: dict[str, Loss | None] = {}

    @property
    def word(self) -> Word:
        """The policy's word for the original."""
        return self._look.word

    @property
    def control(self) -> bool:
        """Whether the stack has to accept it."""
        return self._look.control

    @property
    def original(self) -> Original | None:
        """The original, to hold answers against; None where its bytes are not kept."""
        return self._look.original

    @cached_property
    def twin(self) -> Asked | None:
        """The same request with its repeated names renamed apart."""
        return None if self.facts.twin is None else Asked(self.world, self.facts.twin)

    def passage(self, boundary: Boundary) -> Passage:
        """What a boundary did with it."""
        return self._passages.get(boundary.name, _NOT_ASKED)

    def ran(self, boundary: Boundary) -> bool:
        """Whether it was executed there, as far as that is seen: what is accepted unseen counts."""
        passage = self.passage(boundary)
        if passage.executions is None:
            return boundary.role == "executor" and passage.passed is Passed.ACCEPTED
        return bool(passage.executions)

    def observation(self, boundary: Boundary) -> Observation:
        """What a boundary did, as parsers are compared: its final arguments, else what it understood."""
        passage = self.passage(boundary)
        value = understood(passage)
        if passage.passed is Passed.ACCEPTED and value is not None:
            return Observation(Outcome.ACCEPT, value)
        outcome = _OUTCOMES[passage.passed]
        return Observation(Outcome.UNSUPPORTED if outcome is Outcome.ACCEPT else outcome)

    def loss(self, boundary: Boundary) -> Loss | None:
        """What is lost of the original once a boundary accepted it; its input may have lost it before.

        A boundary that passes bytes on is judged by them: what it hands on untouched is not lost.
        """
        if boundary.name not in self._losses:
            self._losses[boundary.name] = self._loss(boundary)
        return self._losses[boundary.name]

    def _loss(self, boundary: Boundary) -> Loss | None:
        passage, original = self.passage(boundary), self.original
        if original is None or not (passage.passed is Passed.ACCEPTED or passage.executions):
            return None  # what ran before it failed was understood as well
        value = understood(passage)
        if value is None and boundary.role == "reviewer" and passage.emitted is None:
            return self._loss_on_screen(boundary, original)
        if any(each.transform for each in self.world.paths[boundary.name]):
            return None if value is None else original.loss_converted(value)
        if passage.emitted is not None:
            return original.loss_emitted(passage.emitted, value)
        return None if value is None else original.loss(value, lookup=self.world.lookups[boundary.name])

    def _loss_on_screen(self, boundary: Boundary, original: Original) -> Loss | None:
        """The gravest thing that none but the screen lost: a reviewer's function may just show and return.

        Of text that stands for a value (the input itself, or a rendering of it) nothing can be said.
        """
        converted = any(each.transform for each in self.world.paths[boundary.name])
        hold = original.loss_converted if converted else original.loss
        root = original.reading.root
        judged = self.shown(boundary)
        if root is None or root.kind != "string":
            judged = tuple(value for value in judged if not value.startswith(_TEXT))
        losses = map(hold, judged)
        return min((loss for loss in losses if loss is not None), key=LOSSES.index, default=None)

    def shown(self, boundary: Boundary) -> tuple[str, ...]:
        """The values that a reviewer was shown, each once: see `previews.shown`."""
        previews = self.passage(boundary).previews
        if len(previews) < 2:  # whether names repeat is not cheap to know, and matters between two
            return tuple(value for _, value in previews)
        return tuple(dict.fromkeys(shown(previews, repeats=self.facts.document is not None)))

    def first_loss(self, path: Path) -> tuple[int, Loss] | None:
        """Where on a path something is lost first, and what."""
        for place, boundary in enumerate(path):
            found = self.loss(boundary)
            if found is not None:
                return place, found
        return None

    def end(self, path: Path) -> int:
        """Where on a path the request ends: the first boundary that does not accept it, else behind all."""
        stops = (n for n, each in enumerate(path) if self.passage(each).passed is not Passed.ACCEPTED)
        return next(stops, len(path))


def ended(passage: Passage) -> str:
    """How a request ended, in words that hold no value."""
    return f"{passage.passed.value}, {passage.signal}" if passage.signal else passage.passed.value
