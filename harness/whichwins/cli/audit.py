"""`whichwins audit`: who reads what in a real stack, and how often the tool ran."""

from __future__ import annotations

import argparse
import contextlib
import gc
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from whichwins.cli import FOUND, fleet, gates, options
from whichwins.model.errors import BadInput, WhichwinsError

if TYPE_CHECKING:
    from whichwins.audit.asking import Member
    from whichwins.audit.passage import Passage
    from whichwins.audit.recording import Recording
    from whichwins.audit.requests import Came
    from whichwins.audit.result import AuditResult
    from whichwins.audit.stack import Stack
    from whichwins.corpus import Corpus
    from whichwins.model import Adapter, Subject
    from whichwins.workers import Observer


class _Shown(TypedDict):
    """Whether reports show values, and the key of the digests that stand for them."""

    show_values: bool
    key: bytes


_PLAIN_FORMS = ("text", "markdown", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "stack",
        metavar="STACK",
        type=Path,
        help="the stack file; it names code that runs: trust it like a Makefile",
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--case", metavar="CASE", help="the path of this one request through the stack")
    shown.add_argument(
        "--checklist", action="store_true", help="answer the questions of a review from what was observed"
    )
    parser.add_argument(
        "--show-values", action="store_true", help="show inputs and values, which are left out otherwise"
    )
    parser.add_argument(
        "--allow-unknown", action="store_true", help="exit 0 also where a verdict cannot be told"
    )
    parser.add_argument(
        "--requests",
        metavar="FILE",
        type=Path,
        help="ask requests that really came, JSON Lines, instead of the corpus; and say how often they part",
    )
    parser.add_argument(
        "--evidence", metavar="FILE", type=Path, help="write there what every boundary did, by keyed digests"
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="write there what was asked and seen, inputs and values as they are",
    )
    parser.add_argument(
        "--replay", metavar="FILE", type=Path, help="judge what a recording says, and ask nobody"
    )
    options.add_digest_key(parser)
    gates.add_corpus(parser)
    options.add_fleet(parser, subjects=False)
    gates.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Ask every boundary, judge; 1 on a finding, 3 where something could not be asked or told."""
    from whichwins.audit.deliver import files_of
    from whichwins.audit.reading import read_stack
    from whichwins.subjects import load_adapters

    if args.case or args.checklist:
        _plain_forms_only(args)
    adapters = load_adapters(args.adapters)
    stack = read_stack(args.stack, adapters)
    args.python = args.python or stack.python
    inputs = [args.stack, *(stack.folder / path for path in stack.corpus), *args.corpus]
    inputs += [given for given in (args.requests, args.replay) if given is not None]
    inputs += [path for each in stack.boundaries for path in files_of(each, stack.folder)]
    outputs = [*(args.output or ()), args.evidence, args.record]
    options.require_apart(outputs, inputs)
    options.require_writable(outputs)
    key = options.digest_key(args, wanted=args.evidence is not None, flag="--evidence")
    if args.replay is not None:
        result = _replayed(args, stack)
    else:
        came, corpus = _requests(args, stack)
        result = _audited(args, stack, adapters, corpus, came)
    if args.evidence is not None and key is not None:
        _write_evidence(result, args.evidence, key)
    return _finish(args, result, key if args.digest_key is not None else None)


def _plain_forms_only(args: argparse.Namespace) -> None:
    """A path and a checklist have no findings that a machine's format could carry."""
    said = "--case" if args.case else "--checklist"
    forms = [gates.form_of(args, path) for path in args.output or [None]]
    if wrong := [form for form in forms if form not in _PLAIN_FORMS]:
        raise BadInput(f"{said}: there is no {wrong[0]} of it: ask for {', '.join(_PLAIN_FORMS)}")


def _requests(args: argparse.Namespace, stack: Stack) -> tuple[Sequence[Came], Corpus | None]:
    """Requests that came, and what is asked; no corpus where the text of none is there."""
    if args.requests is None:
        return (), _corpus(args, stack)
    if given := next((flag for flag in ("corpus", "filter", "no_builtin") if getattr(args, flag)), None):
        raise BadInput(f"--{given.replace('_', '-')}: --requests is asked alone: leave one out")
    from whichwins.audit.requests import read_requests
    from whichwins.corpus import corpus_of

    found = read_requests(args.requests)
    corpus = found.corpus
    if args.case is not None:
        cases = [case for case in (corpus.cases if corpus else ()) if case.id == args.case]
        if not cases:
            raise BadInput(_no_case(args.case, [case.id for case in (corpus.cases if corpus else ())]))
        corpus = corpus_of(cases[0].family, cases)
    return found.came, corpus


def _corpus(args: argparse.Namespace, stack: Stack) -> Corpus:
    """The cases of the stack and those that the command line adds."""
    from whichwins.corpus import corpus_of, load, select

    paths = [*(stack.folder / path for path in stack.corpus), *args.corpus]
    builtin = stack.builtin and not args.no_builtin
    if not builtin and not paths:
        raise BadInput("--no-builtin leaves no cases: name yours with --corpus")
    corpus = load(paths or None, args.name, builtin=builtin)
    if args.case is None:
        return select(corpus, args.filter)
    if args.filter:
        raise BadInput(f"--filter {args.filter[0]}: --case asks one request alone: leave one out")
    found = [case for case in corpus.cases if case.id == args.case]
    if not found:
        raise BadInput(_no_case(args.case, [case.id for case in corpus.cases]))
    return corpus_of(corpus.name, found, corpus.built_in)


def _no_case(case: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(case[:300], known, n=3, cutoff=0.5)
    some = ", ".join(map(ascii, known[:3])) if known else "none"
    hint = f"did you mean {', '.join(close)}?" if close else f"there are {len(known):,}, as {some}"
    return f"--case {case[:100]!a}: no such case: {hint}"


def _audited(
    args: argparse.Namespace,
    stack: Stack,
    adapters: Sequence[Adapter],
    corpus: Corpus | None,
    came: Sequence[Came],
) -> AuditResult:
    from whichwins.audit.driving import driven, subjects_of
    from whichwins.audit.look import Looks
    from whichwins.audit.recording import Recording, judged
    from whichwins.run import records_of, with_twins

    lacking = () if corpus else ("no request has its raw text: nothing could be asked",)
    unseen = sum(each.case is None for each in came)
    notes = [f"raw text was not available of {unseen:,} of {len(came):,} requests"] if unseen else []

    @contextlib.contextmanager
    def pools(members: Sequence[Member], careful: bool) -> Iterator[Observer]:
        launches = {member.subject.key: member.launch for member in members}
        chosen = fleet.Fleet(subjects_of(members), launches, frozenset())
        with fleet.observer(args, chosen, careful=careful) as watched:
            yield watched

    with (
        tempfile.TemporaryDirectory(prefix="whichwins-") as folder,
        options.Ticker("audit") as ticker,
        _rarely_collected(),
    ):
        members, transforms = _members(args, stack, adapters, Path(folder))
        own = frozenset(each.boundary.name for each in members if _is_own(each, adapters))
        frameworks = {each.name for each in adapters if each.boundaries}
        parsers = [
            m.boundary.name for m in members if m.boundary.name in own and m.subject.adapter not in frameworks
        ]
        with driven(stack, members, pools, Path(folder), transforms=transforms, parsers=parsers) as drive:
            every = with_twins(corpus.cases if corpus else ())
            cases = records_of(sorted(every, key=lambda case: case.id))
            looks = Looks(stack, cases)

            def told(case: str, member: Member, found: Passage) -> None:
                if not any(each.transform for each in stack.path(member.boundary.name)):
                    looks.ahead(case, found, lookup=member.subject.lookup)

            asked = drive.ask(cases, ticker, told)
            ticker.done()
            seen = Recording(
                cases,
                asked.passages,
                asked.identities,
                corpus=corpus.name if corpus else "",
                whole=not (args.case or args.filter or args.no_builtin or came),
                notes=tuple(notes),
                incomplete=(*lacking, *asked.incomplete),
                came=() if args.case else tuple(came),
                public=corpus.built_in if corpus else frozenset(),
                own=own,
            )
            result = judged(stack, seen, convert=asked.convert, today=gates.today(), looks=looks)
            if args.record is not None:
                known = asked.convert.known if asked.convert else {}
                _write_recording(stack, replace(seen, conversions=known), args.record)
            return result


@contextlib.contextmanager
def _rarely_collected() -> Iterator[None]:
    """What is seen is kept to the end: to look for cycles in it all the time costs a tenth of an audit."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _write_recording(stack: Stack, seen: Recording, path: Path) -> None:
    from whichwins import __version__
    from whichwins.audit.recording import recording_lines
    from whichwins.run import whole_file

    with whole_file(path, private=True) as stream:
        for line in recording_lines(stack, seen, __version__):
            stream.write(line)


def _replayed(args: argparse.Namespace, stack: Stack) -> AuditResult:
    """What a recording says, judged; nobody is asked."""
    from whichwins.audit.recording import judged, read_recording

    for flag in ("requests", "corpus", "filter", "no_builtin", "record"):
        if getattr(args, flag):
            raise BadInput(f"--{flag.replace('_', '-')}: --replay asks nobody: leave one out")
    seen = read_recording(args.replay, stack)
    if args.case is not None:
        cases = {k: each for k, each in seen.cases.items() if args.case in (k, each.case.twin_of)}
        if args.case not in cases:
            raise BadInput(_no_case(args.case, list(seen.cases)))
        seen = replace(seen, cases=cases, whole=False, came=())
    return judged(stack, seen, today=gates.today())


def _members(
    args: argparse.Namespace, stack: Stack, adapters: Sequence[Adapter], folder: Path
) -> tuple[list[Member], list[Member]]:
    """How each boundary is asked, and each conversion."""
    from whichwins.audit.asking import Member
    from whichwins.audit.deliver import boundary_subject
    from whichwins.audit.driving import journal_of, keeps_journal, transform_boundary
    from whichwins.provision import Absent, launch_boundary, launch_command, probe

    runtimes = probe(args.python)
    own = launch_boundary(runtimes, args.memory)
    user = own.reason if isinstance(own, Absent) else own
    parsers: dict[str, Subject] = {}
    for boundary in stack.boundaries:
        if boundary.kind == "subject":
            parsers[boundary.name] = _subject(boundary.target, boundary.name, adapters)
    chosen = fleet.launched(
        args, adapters, sorted({s.key: s for s in parsers.values()}.values(), key=_key), frozenset()
    )
    members: list[Member] = []
    for boundary in stack.boundaries:
        if boundary.name in parsers:
            subject = parsers[boundary.name]
            members.append(Member(boundary, subject, chosen.launches[subject.key]))
            continue
        journal = journal_of(folder, boundary.name) if keeps_journal(boundary) else None
        read_by = [each.name for each in stack.boundaries if each.reads == boundary.name]
        subject = boundary_subject(boundary, stack.folder, journal, read_by)
        start = (
            launch_command(boundary.command, runtimes, stack.folder, args.memory) if boundary.worker else user
        )
        members.append(Member(boundary, subject, start))
    converting = (transform_boundary(each) for each in stack.boundaries if each.transform)
    transforms = [Member(each, boundary_subject(each, stack.folder), user) for each in converting]
    return members, transforms


def _is_own(member: Member, adapters: Sequence[Adapter]) -> bool:
    """Whether a parser is one that whichwins brings the adapter of, and no package of the user's."""
    from whichwins._bundled_path import bundled

    if member.boundary.kind != "subject" or "/" in member.subject.version:
        return False
    if fleet.of_the_checkout(member.subject, adapters):
        return False
    folders = {each.name: each.folder for each in adapters}
    return folders[member.subject.adapter].resolve().is_relative_to(bundled("adapters").resolve())


def _subject(wanted: str, name: str, adapters: Sequence[Adapter]) -> Subject:
    from whichwins.subjects import select

    try:
        found = select(adapters, [wanted])[0]
    except WhichwinsError as error:
        raise BadInput(f"boundary {name}: {error}") from None
    if found.shape:
        raise BadInput(
            f"boundary {name}: {found.key} binds to the target {found.shape} of its own, and not to yours: "
            "name your function with `call`"
        )
    return found


def _key(subject: Subject) -> str:
    return subject.key


def _write_evidence(result: AuditResult, path: Path, key: bytes) -> None:
    from whichwins import __version__
    from whichwins.analysis.lens import lens
    from whichwins.audit.evidence import evidence_lines
    from whichwins.run import Withheld, whole_file

    with whole_file(path) as stream:
        for line in evidence_lines(result, Withheld(key, lens(result.lens)), __version__):
            stream.write(line)


def _finish(args: argparse.Namespace, result: AuditResult, key: bytes | None) -> int:
    """Write the reports; the exit code is known before anything is rendered."""
    from whichwins.report import audit_path, audit_report, audit_summary, checklist_report

    code = FOUND if result.found and not args.exit_zero else 0
    lacking = list(result.incomplete)
    open_verdicts = [str(number) for number, state in result.verdicts.items() if state == "unknown"]
    fine = bool(code or args.exit_zero or args.allow_unknown or args.case)
    if open_verdicts and not lacking and not fine:
        said = f"verdict{'s' if len(open_verdicts) > 1 else ''} {', '.join(open_verdicts)}"
        lacking = [f"{said}: unknown, and no finding: the report says why (--allow-unknown accepts it)"]
    shown: _Shown = {"show_values": args.show_values, "key": key or b""}
    summarised = False
    for path in args.output or [None]:
        form, width, everything = gates.form_of(args, path), options.width(), args.all or path is not None
        if args.case:
            text = audit_path(result, args.case, form, width, **shown)
        elif args.checklist:
            text = checklist_report(result, form, width)
        else:
            text = audit_report(result, form, width, everything=everything, **shown)
            if form == "github" and not summarised:
                gates.summarise(lambda limit: audit_summary(result, limit, **shown))
                summarised = True
        options.put(text, path)
    return options.settle(code, lacking)
