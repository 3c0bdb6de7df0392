"""Winner: what a subject does with the repeated names of a case."""

from __future__ import annotations

from collections.abc import Iterable

from whichwins import notation
from whichwins.analysis.algebra import Document, OverBudget, Policies, everywhere, explain
from whichwins.analysis.result import Winner
from whichwins.model import Observation, Outcome
from whichwins.reference import Reading, occurrences, spelled

_NAMES: dict[str, Winner] = {
    "first": "first",
    "last": "last",
    "all": "all",
    "merge": "merge",
    "collect": "collect",
}


def document_of(reading: Reading) -> Document | None:
    """The reading, prepared for `winner`; None where no name repeats or the text is not JSON.

    Names that are equal only once bad bytes or lone surrogates are replaced count as repeating.
    """
    if reading.root is None or not reading.suspects or not occurrences(reading):
        return None
    return Document(spelled(reading.root))


def winner(
    document: Document, observation: Observation, twin: Observation | None, lookup: bool = False
) -> Winner:
    """What one subject did with one case whose names repeat.

    - `reject`: it rejects the case and accepts its twin, the same text with the names renamed apart;
      without such a twin a rejection says nothing of the repeat: `n/a`, as does every other failure.
    - `first`, `last`, `all` (every pair kept), `merge` (objects laid over each other, deeply),
      `collect` (the values as one array): the one policy that explains every repeated name which
      the value still reaches; objects inside an occurrence that was dropped are not reached.
    - `equal`: several explain it, as with occurrences of the same value. A merge that leaves what
      the last occurrence says is `last`, as it is for values that are not objects.
    - `mixed`: the repeated names have different winners, or one has a certain winner and another is
      explained by no policy.
    - `other`: else where some repeated name is explained by none, or costs too much to decide.
    - `n/a`: also where the value reaches no repeated name, or keeps apart names that are equal only
      after replacement.
    """
    if observation.outcome is Outcome.REJECT:
        return "reject" if twin is not None and twin.outcome is Outcome.ACCEPT else "n/a"
    if observation.outcome is not Outcome.ACCEPT or observation.value is None:
        return "n/a"
    try:
        return name_of(explain(document, notation.read(observation.value), lookup))
    except OverBudget:
        return "other"


def name_of(found: Iterable[Policies]) -> Winner:
    """The winner of a document from the policies that explain each of its repeated names."""
    found = list(found)
    if not found:
        return "n/a"
    explained = [policies for policies in found if policies]
    policies = everywhere(explained)
    if "last" in policies:
        policies -= {"merge"}
    if len(explained) < len(found):
        # Beside a name with one certain winner the unexplained one makes the document mixed.
        return "mixed" if explained and len(policies) < 2 else "other"
    if not policies:
        return "mixed"
    return _NAMES[min(policies)] if len(policies) == 1 else "equal"
