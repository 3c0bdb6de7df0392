"""What callers of this layer see: how to start a worker, its limits, and the port they observe through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypedDict

from whichwins.model import Observation

MEBIBYTE = 1024 * 1024


class Launch(NamedTuple):
    """A command line that starts one worker.

    `env` replaces the environment (None: inherited). `memory_mb` is the limit in MiB;
    `memory` says who applies it: `address-space` (the harness, as RLIMIT_AS, right after the
    spawn; best effort outside Linux) or `runtime` (the command carries it). `folder` is the working
    directory (None: inherited).
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] | None = None
    memory_mb: int = 2048
    memory: str = "address-space"
    folder: str | None = None


class Limits(NamedTuple):
    """Bounds of one run. Seconds are wall time.

    `case_seconds` runs from the moment a worker that is up can work on a case;
    `start_seconds` is the separate budget of a start. `answer_bytes` bounds one answer, and
    all that is buffered of one batch. A batch holds at most `batch_cases` cases and, unless a
    single case is larger, `batch_bytes` bytes of input. No subject runs more than
    `window_batches` batches ahead of the slowest.
    """

    case_seconds: float = 10.0
    start_seconds: float = 60.0
    memory_mb: int = 2048
    answer_bytes: int = 64 * MEBIBYTE
    batch_cases: int = 128
    batch_bytes: int = 256 * 1024
    window_batches: int = 4


class Identity(TypedDict):
    """What a subject turned out to be. No paths; `digest` is over file contents."""

    runtime: str
    libraries: dict[str, str]
    details: dict[str, str]
    capabilities: list[str]
    digest: str | None


class Observer(Protocol):
    """Asks every subject about every input: real workers or a fake."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The subjects' keys, in the order of every row."""

    @property
    def identities(self) -> Mapping[str, Identity]:
        """Identity by key, of the subjects that started. Waits until every start is decided."""

    @property
    def absent(self) -> Mapping[str, str]:
        """Reason by key, of the subjects that could not be started or restarted (so far)."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """Processor time by key so far, starts and rendering included; 0 where it cannot be told."""

    def turn(self) -> None:
        """Let the workers go on, and wait for none: for whoever looks long at a row."""

    def observe(
        self, inputs: Iterable[bytes], verb: str = "parse", shapes: Iterable[str] | None = None
    ) -> Iterator[tuple[Observation, ...]]:
        """One row per input, in input order: one observation per subject, in the order of `keys`.

        `shapes` has each input's shape, empty for none: subjects of another are not asked, their cell is
        `unsupported`. Without it everyone is asked everything.
        """

    def answers_as_they_come(
        self, data: bytes, verb: str = "parse", shape: str | None = None
    ) -> Iterator[tuple[str, Observation]]:
        """(key, observation) for one input, the quickest subject first."""
