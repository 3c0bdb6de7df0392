"""What of two ledgers belongs together: columns by subject, cases by id. Versions match nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from whichwins.analysis.change_result import Corpora
from whichwins.analysis.counting import plural
from whichwins.model import BadInput, MeasurementFailed, base_of
from whichwins.run.view import LedgerView

_KEYED = "hmac-"


class Columns(NamedTuple):
    """Columns before beside those they became; the columns that only one side has."""

    pairs: tuple[tuple[str, str], ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


class Cases(NamedTuple):
    """Cases, twins left out: the same input on both sides (id before, id after), an id with another input,
    what only one side has."""

    same: tuple[tuple[str, str], ...]
    other_input: tuple[str, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def renamed(self) -> int:
        """How many cases have another id."""
        return sum(old != new for old, new in self.same)


def match_columns(before: Sequence[str], after: Sequence[str]) -> Columns:
    """Match columns by subject, whatever version was asked for.

    Where a side has several columns of one subject, those of the same full name belong together, and what
    is left if it is one on each side. Raises BadInput where that leaves a choice.
    """
    pairs: list[tuple[str, str]] = []
    only_before: list[str] = []
    only_after: list[str] = []
    for base in sorted({*map(base_of, before), *map(base_of, after)}):
        old, new = ([key for key in side if base_of(key) == base] for side in (before, after))
        if len(old) > 1 or len(new) > 1:
            equal = [key for key in old if key in new]
            pairs += ((key, key) for key in equal)
            old, new = ([key for key in side if key not in equal] for side in (old, new))
        if len(old) == len(new) == 1:
            pairs.append((old[0], new[0]))
        elif old and new:
            raise BadInput(
                f"{' and '.join(old)} before, {' and '.join(new)} after: which became which cannot be told: "
                "make ledgers with one column of a subject, or of the same names"
            )
        else:
            only_before += old
            only_after += new
    return Columns(tuple(sorted(pairs)), tuple(only_before), tuple(only_after))


def inputs(view: LedgerView) -> dict[str, str]:
    """The digest of each case's input, by id; twins left out."""
    return {key: record.digest for key, record in view.cases.items() if record.case.twin_of is None}


def match_cases(before: Mapping[str, str], after: Mapping[str, str]) -> Cases:
    """Match cases by id; ids that only one side has, by input: a folder may have been named otherwise.

    Both map ids, sorted, to digests. Of several cases with the same input the first is matched first.
    """
    same: list[tuple[str, str]] = []
    other_input: list[str] = []
    only_after: list[str] = []
    by_input: dict[str, list[str]] = {}
    for key, digest in before.items():
        if key not in after:
            by_input.setdefault(digest, []).append(key)
    for key, digest in after.items():
        if key in before:
            if before[key] == digest:
                same.append((key, key))
            else:
                other_input.append(key)
        elif by_input.get(digest):
            same.append((by_input[digest].pop(0), key))
        else:
            only_after.append(key)
    left = sorted(key for keys in by_input.values() for key in keys)
    return Cases(tuple(same), tuple(other_input), tuple(left), tuple(only_after))


def require_joinable(before: Iterable[str], after: Iterable[str]) -> None:
    """Raise MeasurementFailed where keyed digests stand for inputs and values, and have not one key."""
    old, new = set(before), set(after)
    keyed = [any(digest.startswith(_KEYED) for digest in side) for side in (old, new)]
    if keyed[0] != keyed[1]:
        raise MeasurementFailed(
            f"inputs and values are left out {'before' if keyed[0] else 'after'} only: nothing can be "
            "compared: make both with --no-content, or both without"
        )
    if all(keyed) and old.isdisjoint(new):
        raise MeasurementFailed(
            "inputs and values are left out, and no digest is on both sides: they were made under different "
            "keys: make both with one --digest-key"
        )


def is_keyed(view: LedgerView) -> bool:
    """Whether keyed digests stand for inputs and values."""
    return any(record.digest.startswith(_KEYED) for record in view.cases.values())


def corpora(before: LedgerView, after: LedgerView, cases: Cases) -> Corpora:
    """What each side was asked, twins left out."""
    counts = [
        len(cases.same) + len(cases.other_input) + len(only) for only in (cases.only_before, cases.only_after)
    ]
    old, new = (view.header.get("corpus", {}).get("digest", "") for view in (before, after))
    policies = [dict(view.header.get("policies", {})) for view in (before, after)]
    return Corpora(old, new, counts[0], counts[1], len(cases.same), policies[0], policies[1])


def notes_on_corpora(cases: Cases, said: Corpora) -> Iterator[str]:
    """Lines that say in what the corpora differ."""
    parts = [
        f"{len(which):,} {what}"
        for which, what in ((cases.only_before, "only before"), (cases.only_after, "only after"))
        if which
    ]
    if parts:
        yield f"the corpora differ: {plural(len(cases.same), 'case')} on both sides, {', '.join(parts)}"
    elif said.before_digest != said.after_digest and not cases.renamed and not cases.other_input:
        yield "the corpora have the same inputs, and differ in reasons or expectations"


def notes_on_cases(cases: Cases, said: Corpora) -> Iterator[str]:
    """Lines on cases with another id, and on policies that differ."""
    if cases.renamed:
        have, their = ("has", "its") if cases.renamed == 1 else ("have", "their")
        yield f"{plural(cases.renamed, 'case')} {have} another id: matched by {their} input"
    before, after = said.before_policies, said.after_policies
    for name in sorted({*before, *after}):
        old, new = (side.get(name, "none") for side in (before, after))
        if old != new:
            yield f"the policy {name} differs: {old} before, {new} after"


def absences(view: LedgerView, columns: Iterable[str]) -> dict[str, tuple[int, str]]:
    """In how many cases columns are absent, with the first reason; only those that are."""
    wanted = {view.subjects.index(key): key for key in columns}
    counts: Counter[str] = Counter()
    reasons: dict[str, str] = {}
    for row in view.observations.values():
        for place, key in wanted.items():
            if row[place].outcome == "absent":
                counts[key] += 1
                reasons.setdefault(key, row[place].reason or "no reason recorded")
    return {key: (counts[key], reasons[key]) for key in sorted(counts)}
