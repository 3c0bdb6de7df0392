"""A public stand-in for the worker pool: functions instead of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType

from whichwins.model import Observation, Outcome
from whichwins.workers.contract import Identity

Answer = Callable[[bytes], Observation]


class FakePool:
    """Implements `Observer` with one function per subject; a reason instead of one makes it absent."""

    def __init__(
        self, functions: Mapping[str, Answer | str], identities: Mapping[str, Identity] | None = None
    ) -> None:
        self._functions = dict(functions)
        self._identities = dict(identities or {})

    def __enter__(self) -> FakePool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    @property
    def keys(self) -> tuple[str, ...]:
        """The subjects' keys, in the order of every row."""
        return tuple(self._functions)

    @property
    def identities(self) -> Mapping[str, Identity]:
        """What was given, and a plain identity for every other subject that is there."""
        plain = Identity(runtime="fake", libraries={}, details={}, capabilities=["parse"], digest=None)
        there = (key for key, function in self._functions.items() if not isinstance(function, str))
        return {key: self._identities.get(key, plain) for key in there}

    @property
    def absent(self) -> Mapping[str, str]:
        """Reason by key."""
        return {key: reason for key, reason in self._functions.items() if isinstance(reason, str)}

    @property
    def seconds(self) -> Mapping[str, float]:
        """Functions take no time."""
        return dict.fromkeys(self._functions, 0.0)

    def turn(self) -> None:
        """Nobody goes on by himself."""

    def observe(
        self, inputs: Iterable[bytes], verb: str = "parse", shapes: Iterable[str] | None = None
    ) -> Iterator[tuple[Observation, ...]]:
        """One row per input. A function answers every verb and shape alike."""
        del verb, shapes
        for data in inputs:
            yield tuple(_ask(function, data) for function in self._functions.values())

    def answers_as_they_come(
        self, data: bytes, verb: str = "parse", shape: str | None = None
    ) -> Iterator[tuple[str, Observation]]:
        """(key, observation), in the order of the subjects."""
        del verb, shape
        for key, function in self._functions.items():
            yield key, _ask(function, data)


def _ask(function: Answer | str, data: bytes) -> Observation:
    if isinstance(function, str):
        return Observation(Outcome.ABSENT, reason=function)
    return function(data)
