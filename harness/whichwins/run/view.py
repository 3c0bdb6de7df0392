"""A ledger as the analysis sees it: everything a run wrote, in memory, nothing else.

What the ledger's reader yields and what every analysis takes. Views are made by the reader and, in
tests, by hand; they hold no file and start no process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whichwins.model import Case, Observation


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """A case of a ledger. Without content `case.data` is empty and says nothing.

    `digest` is `sha256:` and the hex digest of the input (or a keyed digest), `length` its bytes.
    """

    case: Case
    digest: str
    length: int
    content: bool = True

    @property
    def data(self) -> bytes | None:
        """The exact bytes, or None when the ledger leaves them out."""
        return self.case.data if self.content else None


@dataclass(frozen=True, slots=True)
class LedgerView:
    """Observations of every (case, subject) cell, with what the header says.

    `header` holds `tool` (version), `corpus` (`digest`, `cases`), `policies`, and `subjects`, which
    maps a key to its identity (a JSON object; `lookup` true where members are read by name).
    `subjects` are the keys, sorted; `observations[case]` is aligned with them. `cases` and
    `observations` have the same keys, in sorted order.
    """

    header: Mapping[str, Any]
    subjects: tuple[str, ...]
    cases: Mapping[str, CaseRecord]
    observations: Mapping[str, tuple[Observation, ...]]

    def identity(self, subject: str) -> Mapping[str, Any]:
        """What a subject turned out to be in this run; empty when the header says nothing."""
        identities: Mapping[str, Mapping[str, Any]] = self.header.get("subjects", {})
        return identities.get(subject, {})
