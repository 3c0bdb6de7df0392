"""A run against a committed baseline: what changed, what is gone, where subjects part that nobody has seen.

Everything is compared under the lens that the baseline names.

- An answer that the baseline has is held against the run's as `analysis.change` does it.
- An answer that the run does not have has `vanished`: its case or subject is gone, or nothing is stated now.
- An answer that only the run has is new. On a case that the baseline knows it is a `new-split` if it parts
  from every answer on record; on a new case, if it parts from the commonest answer (of equals, that of the
  first subject). Each subject that parts is a change, with the commonest answer as `before`. New answers on
  which nobody parts are no finding: a note says that `--update` adds them.

Of twins a baseline has who accepts them, of those that do not accept the case; where it has not (version 1, a
run without twins), the run's stand for both sides, and a note says so. Of a long value only digest and winner
are there: where no value of the run is the same no pointer can be told, and the cause only where the winners
differ. In what long values differ that are equal under the lens is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from whichwins.analysis.change import live_pairs, notes_on_lens, notes_on_subjects
from whichwins.analysis.change_result import Change, Changes
from whichwins.analysis.classes import Signature, classify
from whichwins.analysis.counting import plural
from whichwins.analysis.explaining import reading_text
from whichwins.analysis.facts import Facts, lookups_of, twins_of, winners_of
from whichwins.analysis.grouping import NO_KEEPS, Keeps, groups_of, in_kind_order, kept_by
from whichwins.analysis.holding import NO_STATEMENT, UNSEEN, change_of, held, no_answer
from whichwins.analysis.lens import Lens, lens
from whichwins.analysis.matching import (
    Cases,
    Columns,
    absences,
    corpora,
    inputs,
    match_cases,
    match_columns,
    notes_on_cases,
    require_joinable,
)
from whichwins.analysis.matrix import pair_kind
from whichwins.analysis.parting import part
from whichwins.analysis.result import WINNERS, Cause, Winner
from whichwins.corpus.ids import family_of
from whichwins.model import Case, Observation, Outcome, Source, base_of
from whichwins.reference import read
from whichwins.run import baseline as kept
from whichwins.run.baseline import Baseline
from whichwins.run.baseline_lines import NORMAL_DIGEST, normal_digest, short
from whichwins.run.view import CaseRecord, LedgerView

_NOTHING = Observation(Outcome.UNSUPPORTED)
_ACCEPTED, _REFUSED = Observation(Outcome.ACCEPT, "null"), Observation(Outcome.REJECT)
_CASE_GONE = Cause("other", "case gone", "the run does not have the case")
_SUBJECT_GONE = Cause("other", "subject gone", "the run does not have the subject")


def write(view: LedgerView, lens_name: str, stream: kept.Stream) -> None:
    """Write the baseline of a run. Raises BadInput for an unknown lens, MeasurementFailed without answers."""
    twins, lookups = twins_of(view), lookups_of(view, view.subjects)

    def winner_at(case: str, place: int) -> str:
        facts = Facts(view.cases[case], twins)
        found = winners_of(
            facts, view.observations[case][place : place + 1], None, lookups[place : place + 1]
        )
        return "" if found is None else found[0]

    kept.write(view, lens_name, lens(lens_name), stream, winner_at)


def with_kept(
    baseline: Baseline, now: LedgerView, heard: Sequence[str], stay: Sequence[str]
) -> LedgerView | None:
    """The columns `heard` of a run beside the subjects of a baseline that `stay` as they are there.

    None where something stays and the two do not have the same cases, or only one of them has twins.
    """
    cases = {
        name: (short(record.digest), record.length)
        for name, record in now.cases.items()
        if record.case.twin_of is None
    }
    twins = {twin: case for case, twin in twins_of(now).items()}
    if stay and (cases != baseline.cases or (baseline.controls is None) == bool(twins)):
        return None
    places = [now.subjects.index(key) for key in heard]
    rows = {
        name: (
            *(row[place] for place in places),
            *(
                _stated(baseline, name, key) if name not in twins else _control(baseline, twins[name], key)
                for key in stay
            ),
        )
        for name, row in now.observations.items()
    }
    identities = {
        **{key: now.identity(key) for key in heard},
        **{key: baseline.identities[key] for key in stay},
    }
    header = {**now.header, "subjects": identities}
    return LedgerView(header, (*heard, *stay), now.cases, rows)


def _stated(baseline: Baseline, case: str, key: str) -> Observation:
    """An answer as it stands in the file: behind a digest, who wins."""
    answer = baseline.answers.get(case, {}).get(key, _NOTHING)
    winner = baseline.winners.get(case, {}).get(key)
    return answer if winner is None else answer._replace(value=f"{answer.value} {winner}")


def _control(baseline: Baseline, case: str, key: str) -> Observation:
    """The answer to a twin, as far as it is known."""
    accepted = baseline.controls is not None and key in baseline.controls.get(case, ())
    return _ACCEPTED if accepted else _REFUSED


def check(
    baseline: Baseline, now: LedgerView, *, keeps: Keeps = NO_KEEPS, notes: Iterable[str] = ()
) -> Changes:
    """What a run answers otherwise than its baseline; see the module. `notes` come after those made here.

    Raises BadInput for an unknown lens and where it cannot be told which column became which;
    MeasurementFailed where a subject of the baseline is absent, or the two have keyed digests of two keys.
    """
    normal = lens(baseline.lens)
    known = {case: said.digest for case, said in baseline.cases.items()}
    asked = {case: short(digest) for case, digest in inputs(now).items()}
    require_joinable(known.values(), asked.values())
    columns = match_columns(baseline.subjects, now.subjects)
    cases = match_cases(known, asked)
    before = _view(baseline, now, columns, cases, normal)
    live, incomplete = live_pairs(before, now, columns.pairs)
    found, pairings = held(before, now, live, cases, baseline.lens, _winners(baseline))
    found += _vanished(baseline, before, now, columns, cases)
    splits, agreed = _new(before, now, columns, cases, baseline.lens)
    found += splits
    gone = absences(now, columns.only_after)
    absent = {key: reason for key, (count, reason) in gone.items() if count == len(now.cases)}
    news = [
        f"{key} is not in the baseline: --update adds it" for key in columns.only_after if key not in absent
    ]
    if agreed:
        them = "it" if agreed == 1 else "them"
        news.append(f"{plural(agreed, 'new case')} on which nobody parts: --update adds {them}")
    said = corpora(before, now, cases)
    return Changes(
        lens=baseline.lens,
        pairings=pairings,
        corpora=said,
        changes=in_kind_order(found),
        groups=groups_of(found, kept_by(pairings, keeps)),
        notes=(
            *notes_on_cases(cases, said),
            *notes_on_subjects(pairings, one_run=False),
            *notes_on_lens(now, baseline.lens),
            *_notes_on_twins(baseline, now, found),
            *news,
            *notes,
        ),
        incomplete=(*incomplete, *(f"{key} is absent: {reason}" for key, reason in absent.items())),
    )


def _view(baseline: Baseline, now: LedgerView, columns: Columns, cases: Cases, normal: Lens) -> LedgerView:
    """The baseline as a run would have it: cells without an answer make no statement."""
    became = dict(columns.pairs)
    ids = dict(cases.same)
    places = [now.subjects.index(became[key]) if key in became else None for key in baseline.subjects]
    forms: dict[str, str] = {}
    records: dict[str, CaseRecord] = {}
    rows: dict[str, tuple[Observation, ...]] = {}
    for identifier, (digest, length) in baseline.cases.items():
        case = Case(identifier, family_of(identifier), b"", "", Source())
        records[identifier] = CaseRecord(case, digest, length, content=False)
        answers = baseline.answers[identifier]
        row = []
        for key, place in zip(baseline.subjects, places, strict=True):
            answer = answers.get(key, _NOTHING)
            if (answer.value or "").startswith(NORMAL_DIGEST):
                new = ids.get(identifier)
                heard = [] if new is None or place is None else _values(now, new, place)
                answer = _seen(answer, heard, normal, forms)
            row.append(answer)
        rows[identifier] = tuple(row)
    for twin, said in _controls(baseline, now, cases):
        records[twin.case.id], rows[twin.case.id] = twin, tuple(said)
    identities: dict[str, Mapping[str, Any]] = {}
    for key in baseline.subjects:
        lookup = now.identity(became.get(key, "")).get("lookup", False)
        identities[key] = {**baseline.identities[key], **({"lookup": lookup} if lookup else {})}
    header = {
        "corpus": {"digest": baseline.corpus},
        "policies": baseline.policies,
        "subjects": identities,
    }
    return LedgerView(header, baseline.subjects, records, rows)


def _winners(baseline: Baseline) -> Mapping[str, Mapping[str, Winner]]:
    """Who wins in values that are known by their digest only."""
    names: dict[str, Winner] = {name: name for name in WINNERS}
    return {
        case: {key: names[said] for key, said in row.items() if said in names}
        for case, row in baseline.winners.items()
    }


def _notes_on_twins(baseline: Baseline, now: LedgerView, found: Sequence[Change]) -> Iterator[str]:
    if found and baseline.controls is None and twins_of(now):
        yield (
            "the baseline does not say who accepts twins: who refused a repeated name is told by this run's: "
            "--update adds them"
        )


def _controls(
    baseline: Baseline, now: LedgerView, cases: Cases
) -> Iterator[tuple[CaseRecord, list[Observation]]]:
    """The twins of a run as the baseline's: who accepts them, of those who do not accept the case."""
    twins = twins_of(now)
    for old, new in cases.same if baseline.controls is not None else ():
        if new in twins:
            case = Case(f"{old}~twin", family_of(old), b"", "", Source(), twin_of=old)
            yield (
                CaseRecord(case, "", 0, content=False),
                [_control(baseline, old, key) for key in baseline.subjects],
            )


def _values(now: LedgerView, case: str, place: int) -> Iterator[str]:
    """Values of a case that may be the one before: the subject's own now, the others', the reference's."""
    row = now.observations[case]
    yield from (each.value for each in (row[place], *row) if each.value is not None)
    data = now.cases[case].data
    if data is not None and (text := reading_text(read(data))) is not None:
        yield text


def _seen(answer: Observation, heard: Iterable[str], normal: Lens, forms: dict[str, str]) -> Observation:
    """An answer of which the digest is known, with the first value that is the same under the lens."""
    for value in heard:
        if value not in forms:
            forms[value] = normal_digest(normal(value))
        if forms[value] == answer.value:
            return answer._replace(value=value)
    return answer._replace(value=f'{UNSEEN}{(answer.value or "").removeprefix(NORMAL_DIGEST)}"')


def _vanished(
    baseline: Baseline, before: LedgerView, now: LedgerView, columns: Columns, cases: Cases
) -> list[Change]:
    """Answers of the baseline that the run does not have."""
    found: list[Change] = []
    places = {old: now.subjects.index(new) for old, new in columns.pairs}
    ids = {**{key: key for key in cases.other_input}, **dict(cases.same)}
    unchanged = dict(cases.same)
    for identifier, answers in baseline.answers.items():
        new = ids.get(identifier)
        for key, answer in answers.items():
            record, cause = before.cases[identifier], _CASE_GONE
            if new is not None:
                record, cause = now.cases[new], _SUBJECT_GONE
                if key in places:
                    said = now.observations[new][places[key]]
                    if identifier not in unchanged or said.outcome is not Outcome.ABSENT:
                        continue  # that one is unsupported now is a change like others
                    cause = no_answer(said)
            found.append(change_of(record, base_of(key), "vanished", (answer, None), cause))
    return found


def _new(
    before: LedgerView, now: LedgerView, columns: Columns, cases: Cases, lens_name: str
) -> tuple[list[Change], int]:
    """Answers of the run that the baseline does not have and that part, and the number of other new cases."""
    found: list[Change] = []
    agreed = 0
    normal, twins = lens(lens_name), twins_of(now)
    lookups = lookups_of(now, now.subjects)
    old_ids = {new: old for old, new in cases.same}
    old_places = {now.subjects.index(new): before.subjects.index(old) for old, new in columns.pairs}
    for identifier in (*old_ids, *cases.only_after):
        row = now.observations[identifier]
        old = before.observations.get(old_ids.get(identifier, ""), ())
        stating = [place for place, answer in enumerate(row) if answer.outcome not in NO_STATEMENT]
        on_record = [
            place
            for place in stating
            if old and place in old_places and old[old_places[place]].outcome not in NO_STATEMENT
        ]
        fresh = [place for place in stating if place not in on_record]
        if not fresh:
            continue
        signature = classify(row, normal).signature
        first = _commonest(signature, on_record or fresh)
        parting = [
            place
            for place in fresh
            if all(pair_kind(signature[other], signature[place]) for other in on_record or (first,))
        ]
        agreed += not parting and not old
        facts = Facts(now.cases[identifier], twins)
        controls = now.observations[facts.twin] if facts.twin else None
        for place in parting:
            both = row[first], row[place]
            how = part(
                facts,
                both,
                None if controls is None else (controls[first], controls[place]),
                (lookups[first], lookups[place]),
                classify(both, normal),
                lens_name,
            )
            subject = base_of(now.subjects[place])
            record = now.cases[identifier]
            found.append(change_of(record, subject, "new-split", both, how.cause, how.pointer, how.winners))
    return found, agreed


def _commonest(signature: Signature, places: Sequence[int]) -> int:
    """The first of the places whose class has the most of them."""
    counts = Counter(signature[place] for place in places)
    return max(places, key=lambda place: (counts[signature[place]], -place))
