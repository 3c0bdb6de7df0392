"""Putting inputs to a worker by its bare protocol: what a check sees is what the worker said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import NamedTuple

from whichwins.model import Observation, Outcome, Subject
from whichwins.workers.answers import garbled, is_answer, understand
from whichwins.workers.contract import Launch, Limits
from whichwins.workers.dialogue import Dialogue, Silence, TooLate
from whichwins.workers.frames import Frame, encode, encode_batch
from whichwins.workers.identity import hello, printable

MOST_LOST = 3
"""Workers a check may lose before it gives up."""


class Patient(NamedTuple):
    """A subject and how to start it; `stopped` says that nobody waits for what is found."""

    subject: Subject
    launch: Launch
    limits: Limits
    stopped: Callable[[], bool] = bool


class NotStarted(Exception):
    """A worker that has worked before does not come up again."""


class Desk:
    """Asks one worker at a time; a worker that is lost is replaced for the next question."""

    def __init__(self, patient: Patient) -> None:
        self._patient = patient
        self._dialogue: Dialogue | None = None
        self._sequence = 0
        self.lost = 0

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def ask(self, data: bytes) -> Observation:
        """What the worker says of one input, asked alone. A lost worker is a crash, a timeout or garbled."""
        dialogue = self._worker()
        self._sequence += 1
        dialogue.send(encode("parse", self._sequence, data))
        return self._answer(dialogue, self._sequence)

    def alone(self, inputs: Iterable[bytes]) -> list[Observation]:
        """Each input asked alone; fewer answers than inputs when too many workers were lost."""
        found: list[Observation] = []
        for data in inputs:
            if self.lost >= MOST_LOST:
                break
            found.append(self.ask(data))
        return found

    def batch(self, inputs: Sequence[bytes]) -> list[Observation]:
        """All inputs in one batch; the first answer that is none ends it."""
        dialogue = self._worker()
        first = self._sequence + 1
        self._sequence += len(inputs)
        dialogue.send(encode_batch("parse", first, inputs))
        found: list[Observation] = []
        for number in range(first, first + len(inputs)):
            found.append(self._answer(dialogue, number))
            if self._dialogue is None:
                break
        return found

    def _worker(self) -> Dialogue:
        if self._dialogue is not None:
            return self._dialogue
        subject, launch, limits, stopped = self._patient
        try:
            self._dialogue = Dialogue(launch, limits, stopped)
        except OSError as error:
            raise NotStarted(f"the worker cannot be started ({error.strerror})") from None
        self._dialogue.send(encode("hello", 0, hello(subject)))
        said = self._dialogue.hear(limits.start_seconds)
        if not isinstance(said, Frame) or said.verb != b"ready":
            self._leave()
            raise NotStarted("a further worker did not say `ready`")
        return self._dialogue

    def _answer(self, dialogue: Dialogue, sequence: int) -> Observation:
        said = dialogue.hear(self._patient.limits.case_seconds)
        observation = judge(said, sequence)
        if isinstance(said, Silence) or said.sequence != sequence or not is_answer(said.verb):
            self._leave()
            self.lost += 1
        return observation

    def _leave(self) -> None:
        if self._dialogue is not None:
            self._dialogue.close()
            self._dialogue = None


def judge(said: Frame | Silence, sequence: int, verb: str = "parse") -> Observation:
    """A frame as an observation, without the message that a parser words as it likes."""
    if isinstance(said, TooLate):
        return Observation(Outcome.TIMEOUT, reason=str(said))
    if isinstance(said, Silence):
        return Observation(Outcome.CRASH if "ended" in said else Outcome.GARBLED, reason=str(said))
    if said.sequence != sequence:
        return garbled(f"an answer to {said.sequence} where that to {sequence} is due")
    if not is_answer(said.verb):
        return garbled(f"the verb `{printable(said.verb.decode('latin-1'), 20)}` is no answer")
    return understand(verb, said.verb, said.body)._replace(message=None)


def wording(observation: Observation) -> str:
    """An observation as a few words."""
    if observation.outcome is Outcome.ACCEPT:
        return observation.value or ""
    said = " ".join(part for part in (observation.stage, observation.error, observation.reason) if part)
    return f"{observation.outcome.value} ({said})" if said else observation.outcome.value


def broken(observation: Observation) -> bool:
    """Whether no working kit answers so, whatever its parser thinks of the input."""
    return observation.outcome in (Outcome.CRASH, Outcome.TIMEOUT, Outcome.GARBLED)


def shown(data: bytes) -> str:
    """An input as one short line: as text, where it is."""
    text = data.decode("utf-8", "backslashreplace")
    return text if len(text) <= 80 else f"{text[:50]}...({len(data)} bytes)"
