"""`whichwins check --update`: the baseline is written anew, and what that changes is counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from whichwins.model import BadInput

if TYPE_CHECKING:
    import argparse

    from whichwins.run import LedgerView
    from whichwins.run.baseline import Baseline


class Before(NamedTuple):
    """What stands where the baseline goes.

    `baseline` is None where it cannot be read, `unread` why; lens and subjects stay as they are there as far
    as that can be told.
    """

    baseline: Baseline | None = None
    unread: str = ""
    lens: str | None = None
    subjects: tuple[str, ...] = ()


def before(path: Path) -> Before:
    """What is to be replaced. Raises BadInput for a file that was no baseline: it is not overwritten."""
    from whichwins.run import baseline

    if not path.is_file() or path.stat().st_size == 0:
        return Before()  # nothing, or a pipe
    try:
        found = baseline.read(path)
    except BadInput as error:
        remains = baseline.remains(path)
        if remains is None:
            said = "is no baseline, and --update does not overwrite it: name another file, or take it away"
            raise BadInput(f"{path}: {said}") from None
        return Before(None, str(error), *remains)
    return Before(found, "", found.lens, found.subjects)


def refuse_reports(args: argparse.Namespace) -> None:
    """A report that was asked for and is not made is a mistake."""
    word = f"-o {args.output[0] or '-'}" if args.output else f"--format {args.format}"
    if args.output or args.format != "text" or args.all:
        said = "--all" if not args.output and args.format == "text" else word
        raise BadInput(f"{said}: --update writes the baseline and makes no report: check first, then update")


def update(view: LedgerView, lens: str, path: Path, there: Before, *, narrowed: bool) -> str:
    """Write the baseline of a run, whole or not at all; what was written, and what is not in it, in lines.

    `narrowed`: the run asked some subjects only, and the others' observations stay.
    """
    from whichwins.analysis.baseline import write
    from whichwins.analysis.counting import plural
    from whichwins.analysis.holding import NO_STATEMENT
    from whichwins.report.safe import plain
    from whichwins.run import whole_file
    from whichwins.run.baseline import names_of, read

    columns = zip(view.subjects, zip(*view.observations.values(), strict=True), strict=True)
    silent = {key for key, said in columns if all(each.outcome in NO_STATEMENT for each in said)}
    whole = _with_the_others(view, lens, path, there, silent) if narrowed else view
    with whole_file(path) as stream:
        write(whole, lens, stream)
    names = names_of(whole.subjects)
    # With the others there is none that is silent.
    written = whole.subjects if whole is not view else [key for key in view.subjects if key not in silent]
    cases = plural(sum(record.case.twin_of is None for record in whole.cases.values()), "case")
    counted = "" if there.baseline is None else f"; {_changed(there.baseline, read(path))}"
    subjects = plural(len(written), "subject")
    lines = [f"{plain(str(path))}: {cases}, {subjects}, lens {lens}{counted}: commit it"]
    if there.unread:
        lines.append(f"written anew, for it could not be read: {plain(there.unread)}")
    for name in sorted(names_of(view.subjects)[key] for key in silent):
        stays = narrowed and name in there.subjects
        lines.append(f"{'as it was' if stays else 'not in it'}: {name}: no answer")
    gone = set(there.subjects) - {*names.values()}
    lines += [f"no longer in it: {plain(key)}: not asked" for key in sorted(gone)]
    return "\n".join(lines)


def _with_the_others(view: LedgerView, lens: str, path: Path, there: Before, silent: set[str]) -> LedgerView:
    """The run with the observations of the subjects that it did not ask."""
    from whichwins.analysis.baseline import with_kept
    from whichwins.model import MeasurementFailed, base_of

    if there.unread:
        raise BadInput(
            f"{there.unread}; with -s the other subjects' observations would be lost: leave -s out"
        )
    if there.baseline is None:
        return view
    heard = [key for key in view.subjects if key not in silent]
    if not heard:
        raise MeasurementFailed(f"no subject answered any case: {path} stays as it is")
    # A key without a version is whatever column the subject had.
    bases = {base_of(key) for key in heard}
    kept = [key for key in there.baseline.subjects if key not in heard and key not in bases]
    if kept and lens != there.baseline.lens:
        said = f"{path} is under {there.baseline.lens}, and the subjects that -s leaves out stay in it"
        raise BadInput(f"--lens {lens}: {said}: leave -s out")
    found = with_kept(there.baseline, view, heard, kept)
    if found is None:
        said = "has other cases or twins than this run, and what -s leaves out stays in it: leave -s out"
        raise BadInput(f"{path}: {said}")
    return found


def _changed(old: Baseline, new: Baseline) -> str:
    """`1 answer changed, 2 new, 3 gone`: lines of the file, an input that changed changes its answers."""
    from whichwins.analysis.counting import plural

    before, after = _answers(old), _answers(new)
    both = before.keys() & after.keys()
    changed = sum(before[key] != after[key] for key in both)
    fresh, gone = len(after) - len(both), len(before) - len(both)
    said = [plural(changed, "answer") + " changed"] if changed else []
    for count, word in ((fresh, "new"), (gone, "gone")):
        if count:
            said.append(f"{count:,} {word}" if said else f"{plural(count, 'answer')} {word}")
    return ", ".join(said) or "no answer changed"


def _answers(baseline: Baseline) -> dict[tuple[str, str], Sequence[object]]:
    return {
        (case, subject): (baseline.cases[case], answer)
        for case, row in baseline.answers.items()
        for subject, answer in row.items()
    }
