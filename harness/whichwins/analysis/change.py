"""What reads differently after than before: another version, another library, another run.

    changes(view, view, pairs=[("python/orjson@3.9.15", "python/orjson@3.13.0")])   # one run, two columns
    changes(before, after)                                                          # two ledgers

Columns are matched by subject, cases by id or input, never by version. Twins are controls: what changes on
them is no change of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whichwins.analysis.change_result import Changes, Corpora, Pairing
from whichwins.analysis.counting import plural
from whichwins.analysis.grouping import NO_KEEPS, Keeps, groups_of, in_kind_order, kept_by
from whichwins.analysis.holding import held, one_library
from whichwins.analysis.lens import DEFAULT, lens
from whichwins.analysis.matching import (
    absences,
    corpora,
    inputs,
    is_keyed,
    match_cases,
    match_columns,
    notes_on_cases,
    notes_on_corpora,
    require_joinable,
)
from whichwins.model import BadInput, MeasurementFailed, base_of
from whichwins.run.view import LedgerView

_SAME_WORDS = ("entry", "decode", "options")
"""What an adapter declares and must be the same for versions of one library to be comparable."""


def changes(
    before: LedgerView,
    after: LedgerView,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    lens_name: str = DEFAULT,
    keeps: Keeps = NO_KEEPS,
    notes: Iterable[str] = (),
) -> Changes:
    """What `after` reads differently than `before`; both may be one view.

    `pairs` are columns before and after; without them columns are matched by subject. A subject that is gone
    is a line of `incomplete`; one that is new, and a case that only one side has, are in the notes. Between
    two libraries (a migration) names and stages of errors are not compared: they never agree. `notes` come
    after those made here. Raises BadInput for an unknown lens or column and where it cannot be told which
    column became which; MeasurementFailed where a subject is absent on one side, or nothing is shared.
    """
    lens(lens_name)
    asked = inputs(before), inputs(after)
    require_joinable(asked[0].values(), asked[1].values())
    lines: list[str] = []
    news: list[str] = []
    if pairs is None:
        columns = match_columns(before.subjects, after.subjects)
        pairs = columns.pairs
        lines += (f"{key} is only in the run before: not compared" for key in columns.only_before)
        news = [f"{key} is only in the run after: not compared" for key in columns.only_after]
        if not pairs:
            raise MeasurementFailed("no subject is in both: " + "; ".join([*lines, *news]))
    _require_columns(before, after, pairs)
    cases = match_cases(*asked)
    if not cases.same and not cases.other_input:
        raise MeasurementFailed("no case is in both: nothing can be compared")
    live, absent = live_pairs(before, after, pairs)
    if not live:
        raise MeasurementFailed("nothing can be compared: " + "; ".join(absent))
    found, pairings = held(before, after, live, cases, lens_name)
    if not found and not any(each.compared for each in pairings):
        raise MeasurementFailed("nothing was compared: no case has a statement on both sides")
    said = corpora(before, after, cases)
    return Changes(
        lens=lens_name,
        pairings=pairings,
        corpora=said,
        changes=in_kind_order(found),
        groups=groups_of(found, kept_by(pairings, keeps)),
        notes=(
            *notes_on_corpora(cases, said),
            *notes_on_cases(cases, said),
            *_notes_on_tools(before, after),
            *notes_on_subjects(pairings, one_run=before is after),
            *notes_on_lens(after, lens_name),
            *news,
            *notes,
        ),
        incomplete=(*lines, *absent),
    )


def nothing(lens_name: str = DEFAULT, notes: Iterable[str] = ()) -> Changes:
    """What stands where there is nothing to compare: no column, no change."""
    return Changes(lens_name, (), Corpora("", "", 0, 0, 0, {}, {}), (), (), tuple(notes), ())


def _require_columns(before: LedgerView, after: LedgerView, pairs: Sequence[tuple[str, str]]) -> None:
    for view, side, keys in (
        (before, "before", [old for old, _ in pairs]),
        (after, "after", [new for _, new in pairs]),
    ):
        for key in keys:
            if key not in view.subjects:
                raise BadInput(f"no subject {key!a} in the run {side}: it has {', '.join(view.subjects)}")


def live_pairs(
    before: LedgerView, after: LedgerView, pairs: Sequence[tuple[str, str]]
) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """The pairs that can be compared, and a line for whatever keeps others, or some of their cases, from it.

    Raises MeasurementFailed where a subject is absent on one side.
    """
    live: list[tuple[str, str]] = []
    lines: list[str] = []
    gaps = (
        absences(before, [old for old, _ in pairs]),
        absences(after, [new for _, new in pairs]),
    )
    for pair in pairs:
        wholly = []
        for key, view, gap, side in zip(pair, (before, after), gaps, ("before", "after"), strict=True):
            count, reason = gap.get(key, (0, ""))
            if count == len(view.cases):
                wholly.append((key, side, reason))
            elif count:
                total = plural(len(view.cases), "case")
                lines.append(f"{key} is absent in {count:,} of {total} {side}: {reason}")
        if len(wholly) == 1:
            ((key, side, reason),) = wholly
            raise MeasurementFailed(f"{key} is absent {side}: {reason}")
        if wholly:
            lines.append(f"{pair[1]} is absent on both sides: {wholly[1][2]}")
        else:
            live.append(pair)
    return tuple(live), lines


def _notes_on_tools(before: LedgerView, after: LedgerView) -> Iterator[str]:
    old, new = (view.header.get("tool", "") for view in (before, after))
    if old != new:
        yield f"whichwins {old} ran before, {new} after: adapters and cases may differ"


def notes_on_subjects(pairings: Iterable[Pairing], *, one_run: bool) -> Iterator[str]:
    """Lines on what differs beside the library: interpreters, entry points; and on what does not."""
    for pairing in pairings:
        old, new = pairing.before_identity, pairing.after_identity
        who = pairing.subject if pairing.before == pairing.after else f"{pairing.before} to {pairing.after}"
        if old.get("runtime") and new.get("runtime") and old["runtime"] != new["runtime"]:
            yield (
                f"{who}: ran on {old['runtime']} before and on {new['runtime']} after: "
                "what differs may come from there"
            )
        if pairing.shaky:
            count, them = plural(pairing.shaky, "answer"), "it" if pairing.shaky == 1 else "them"
            yield f"{who}: {count} did not repeat before: what became of {them} is not compared"
        if pairing.fresh:
            count = plural(pairing.fresh, "case")
            yield f"{who}: {count} could not be put to {pairing.before}: not compared"
        if base_of(pairing.before) != base_of(pairing.after):
            if one_library(pairing.before, pairing.after, old, new):
                yield f"{who}: two entry points of one library"
                continue
            yield f"{who}: two libraries: names and stages of their errors are not compared"
            if pairing.gone:
                count = plural(pairing.gone, "case")
                yield f"{who}: {count} cannot be put to {pairing.after}: not compared"
            continue
        was, became = (dict(each.get("details") or {}) for each in (old, new))
        if other := [name for name in sorted(was.keys() & became.keys()) if was[name] != became[name]]:
            said = ", ".join(f"{name} {was[name]} became {became[name]}" for name in other)
            yield f"{who}: {said}: what differs may come from there (another interpreter has other wheels)"
        for word in _SAME_WORDS:
            # A baseline does not say how a subject was asked.
            if "entry" in old and "entry" in new and old.get(word) != new.get(word):
                yield f"{who}: {word} differs: an adapter asks the library in another way"
        if one_run and pairing.before != pairing.after and old.get("digest") and old == new:
            yield f"{who}: the same files on both sides: nothing was exchanged"


def notes_on_lens(view: LedgerView, lens_name: str) -> Iterator[str]:
    """A line where values are left out: what stands for them is equal under the default lens."""
    if lens_name != DEFAULT and is_keyed(view):
        yield f"values are left out: compared under {DEFAULT}, not under {lens_name}"
