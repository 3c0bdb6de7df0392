"""`whichwins upgrade`: what another version, or another library, reads differently."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from whichwins.cli import fleet, gates, options
from whichwins.model.errors import BadInput

if TYPE_CHECKING:
    from whichwins.config import Config
    from whichwins.lockfiles import Locked
    from whichwins.model import Adapter, Place, Subject

_USAGE = "write SUBJECT OLD NEW, or SUBJECT@OLD OTHER@NEW, or --lock OLD NEW"
_SHOWN = 3
_SLOWER = 1.5
_NOTICEABLE_SECONDS = 0.1


class Wanted(NamedTuple):
    """What is held against each other, before and after; where it is written; what else is to be said."""

    pairs: tuple[tuple[Subject, Subject], ...]
    places: dict[str, Place]
    notes: tuple[str, ...] = ()
    beside: str = ""
    """What is to be said in the title where not all that differs is compared."""
    unmeasured: tuple[str, ...] = ()
    """Lines on what changed and could not be compared."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help="SUBJECT OLD NEW, or SUBJECT@OLD OTHER@NEW; a first one without version is what is installed",
    )
    parser.add_argument(
        "--lock",
        metavar=("OLD", "NEW"),
        nargs=2,
        help="two states of a requirements file, uv.lock, package-lock.json: the JSON libraries that differ; "
        "a state is a file, or REV:PATH of git",
    )
    parser.add_argument(
        "-s",
        "--subject",
        metavar="GLOB",
        action="append",
        default=[],
        help="with --lock: only these subjects; repeatable",
    )
    gates.add_corpus(parser)
    gates.add_config(parser)
    options.add_fleet(parser, subjects=False)
    gates.add_lens(parser)
    gates.add_output(parser)
    parser.add_argument("--ledger", metavar="FILE", type=Path, help="keep the run there, for `explain`")


def run(args: argparse.Namespace) -> int:
    """Ask old and new in one run; 1 when they part."""
    from whichwins.subjects import load_adapters

    config = gates.configuration(args)
    gates.take(args, config)
    gates.require_apart(args, config, [Path(word) for word in args.lock or ()])
    adapters = load_adapters(args.adapters)
    if args.lock:
        if args.what:
            raise BadInput(f"{args.what[0]}: --lock finds the subjects itself: leave it out, or use -s")
        wanted = _locked(args, adapters)
    elif args.subject:
        raise BadInput(f"-s {args.subject[0]}: goes with --lock: {_USAGE}")
    else:
        wanted = _named(args.what, adapters)
    return _ask(args, config, adapters, wanted)


def _named(words: Sequence[str], adapters: Sequence[Adapter]) -> Wanted:
    from whichwins.subjects import select

    if len(words) == 3 and "@" not in words[0]:
        before, after = (select(adapters, [f"{words[0]}@{version}"]) for version in words[1:])
    elif len(words) == 2:
        base = words[0].partition("@")[0]
        second = words[1] if "@" in words[1] or _is_key(words[1], adapters) else f"{base}@{words[1]}"
        before, after = select(adapters, [words[0]]), select(adapters, [second])
    else:
        raise BadInput(f"{' '.join(['upgrade', *words])[:80]}: {_USAGE}")
    if len(before) != len(after) or (len(before) > 1 and {s.base for s in before} != {s.base for s in after}):
        raise BadInput(
            f"{words[0]} and {words[1]} name {len(before)} and {len(after)} subjects: name one each"
        )
    # By the bare key: `a-b` is behind `a`, and `a-b@1` before `a@1`.
    pairs = tuple(zip(*(sorted(side, key=_base) for side in (before, after)), strict=True))
    for one, other in pairs:
        if one.key == other.key:
            raise BadInput(f"{one.key} twice: name two versions, or two subjects")
        if one.shape != other.shape:
            raise BadInput(f"{one.key} and {other.key} read no case in common: one binds to a target")
    return Wanted(pairs, {})


def _is_key(word: str, adapters: Sequence[Adapter]) -> bool:
    return any(subject.key == word for adapter in adapters for subject in adapter.subjects)


def _locked(args: argparse.Namespace, adapters: Sequence[Adapter]) -> Wanted:
    """The pairs of every JSON library that differs between two lock files."""
    from whichwins.lockfiles import changed, gated, still
    from whichwins.subjects import select

    old, new = map(_state, args.lock)
    found = gated(changed(old, new), adapters)
    pairs: list[tuple[Subject, Subject]] = []
    places: dict[str, Place] = {}
    compared: set[str] = set()
    left_out: set[str] = set()
    for each in found.gates:
        if args.subject and not _named_by(args.subject, [each.subject]):
            left_out.add(each.package)
            continue
        before, after = (select(adapters, [f"{each.subject}@{v}"])[0] for v in (each.before, each.after))
        pairs.append((before, after))
        places.setdefault(each.subject, each.place)
        compared.add(each.package)
    left_out -= compared
    rest = [name for name in found.differing if name not in compared | left_out]
    said = [
        f"-s leaves out {_listed(sorted(left_out))}" if left_out else "",
        f"{_listed(rest)} cannot be compared" if rest else "",
        f"of {_listed(found.unknown)} nothing is known" if found.unknown else "",
    ]
    wanted = [
        (each.line, not args.subject or _named_by(args.subject, each.subjects)) for each in found.unmeasured
    ]
    notes = (*still(old, new), *found.notes, *(line for line, asked in wanted if not asked))
    unmeasured = tuple(line for line, asked in wanted if asked)
    return Wanted(tuple(pairs), places, notes, ", ".join(filter(None, said)), unmeasured)


def _named_by(patterns: Sequence[str], keys: Sequence[str]) -> bool:
    from fnmatch import fnmatchcase

    return any(fnmatchcase(key, pattern) for key in keys for pattern in patterns)


def _state(word: str) -> Locked:
    """A lock file, read from the disk or from a revision."""
    from whichwins.lockfiles import read
    from whichwins.provision.revision import Revision, named

    if (found := named(word)) is None:
        return read(Path(word))
    revision = Revision(found[0], os.environ)
    return read(revision.path(found[1]), revision)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _ask(args: argparse.Namespace, config: Config, adapters: Sequence[Adapter], wanted: Wanted) -> int:
    from whichwins.analysis.change import changes, nothing
    from whichwins.analysis.gate import judge

    title = _title(wanted)
    if not wanted.pairs:
        found = nothing(args.lens, wanted.notes)
    else:
        subjects = sorted({each.key: each for pair in wanted.pairs for each in pair}.values(), key=_key)
        corpus = gates.cases(args, config, {subject.shape for subject in subjects})
        keys = frozenset(subject.key for subject in subjects)
        if args.python is None and any(not each.version and each.packages for each in subjects):
            args.python = sys.executable or None  # what is installed stands here: the other side beside it
        chosen = fleet.launched(args, adapters, subjects, keys, together=True)
        asked = fleet.ask(args, chosen, corpus, "upgrade")
        kept, left_out = _living(wanted.pairs, asked.lacking)
        if lost := [line for key, line in asked.lacking.items() if key not in left_out]:
            return options.settle(0, lost)
        pairs = [(before.key, after.key) for before, after in kept]
        notes = (*wanted.notes, *left_out.values(), *_slower(pairs, asked))
        found = changes(
            asked.view, asked.view, pairs=pairs, lens_name=args.lens, keeps=gates.keeps(adapters), notes=notes
        )
    found = replace(found, incomplete=(*found.incomplete, *wanted.unmeasured))
    gate = judge(
        "upgrade",
        title,
        found,
        config.allow,
        gates.today(),
        demand_use=False,
        places=wanted.places,
        home=_home(args, config),
    )
    return gates.finish(args, gate)


def _home(args: argparse.Namespace, config: Config) -> Place | None:
    """Where that stands whose version no file says: the new lock file, the configuration; else nowhere."""
    from whichwins.model import Place

    there = str(args.lock[1]) if args.lock else config.place
    return Place(there, 1) if there and Path(there).is_file() else None


def _living(
    pairs: Sequence[tuple[Subject, Subject]], lacking: Mapping[str, str]
) -> tuple[list[tuple[Subject, Subject]], dict[str, str]]:
    """The pairs to compare; lines, by key, on entry points that the old version does not have.

    That is one which does not live in a version in which another entry point of the library does. One that
    the new version lacks is no note: whoever uses it is broken by the upgrade.
    """
    both = [pair for pair in pairs if not {pair[0].key, pair[1].key} & lacking.keys()]
    there = {(each.packages[:1], each.version) for pair in pairs for each in pair if each.key not in lacking}
    left_out = {
        each.key: f"not compared: {each.key}, which this version does not have ({lacking[each.key]})"
        for each, after in pairs
        if after.key not in lacking
        if both and each.key in lacking and each.packages and (each.packages[:1], each.version) in there
    }
    return both, left_out


def _slower(pairs: Sequence[tuple[str, str]], asked: fleet.Asked) -> Iterator[str]:
    """Information, no finding: processor time includes rendering the values, and was measured once.

    Nothing is said of a side that was killed: what it hung on is a change of its own.
    """
    for before, after in pairs:
        place = asked.view.subjects.index(after)
        if any(row[place].outcome in ("timeout", "crash") for row in asked.view.observations.values()):
            continue
        old, new = asked.seconds.get(before, 0.0), asked.seconds.get(after, 0.0)
        if old > 0 and new > _SLOWER * old and new - old > _NOTICEABLE_SECONDS:
            yield (
                f"slower: {after} took {new:.2f} s of processor time for the corpus, {before} {old:.2f} s "
                "(measured once, rendering included)"
            )


def _key(subject: Subject) -> str:
    return subject.key


def _base(subject: Subject) -> str:
    return subject.base


def _title(wanted: Wanted) -> str:
    """A library once, however many of its entry points are asked."""
    if not wanted.pairs:
        return wanted.beside or "no JSON library differs"
    said: dict[tuple[tuple[str, ...], str, str], list[str]] = {}
    for before, after in wanted.pairs:
        old, new = (each.key.partition("@")[2] for each in (before, after))
        line = f"{before.base} {old or 'as installed'} to {new or 'as installed'}"
        if before.base != after.base:
            line = f"{before.key} to {after.key}"
        said.setdefault((before.packages[:1] or (before.base,), old, new), []).append(line)
    lines = [each[0] + (f" ({len(each)} entry points)" if len(each) > 1 else "") for each in said.values()]
    return "; ".join(filter(None, (_listed(lines), wanted.beside)))
