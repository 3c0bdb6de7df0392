"""What `upgrade`, `diff` and `check` share: configuration, exceptions, reports, the exit code."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from datetime import UTC, date, datetime
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins.cli import FOUND, discard, options
from whichwins.model.errors import BadInput, MeasurementFailed, WhichwinsError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from whichwins.analysis.change_result import Gate
    from whichwins.config import Config
    from whichwins.corpus import Corpus
    from whichwins.model import Adapter, Keep

FORMATS = ("text", "markdown", "json", "html", "junit", "github", "sarif")
ENDINGS = {
    ".txt": "text",
    ".md": "markdown",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".xml": "junit",
    ".sarif": "sarif",
}

SUMMARY_BYTES = 1024 * 1024
"""What a step summary may hold, all that steps before wrote included."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """--format, -o, --all, --exit-zero."""
    endings = " ".join(ENDINGS)
    said = f"of stdout and of files with another ending than {endings} (default: text)"
    options.add_outputs(parser, FORMATS, "text", said)
    options.add_exit_zero(parser)


def add_config(parser: argparse.ArgumentParser) -> None:
    """--config, --untrusted."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="default: whichwins.toml, or [tool.whichwins] in pyproject.toml",
    )
    parser.add_argument(
        "--untrusted",
        action="store_true",
        help="refuse a configuration that names code: adapters, builds, indexes, paths of packages",
    )


def add_corpus(parser: argparse.ArgumentParser, *, narrow: bool = True) -> None:
    """--corpus, --no-builtin, --name; --filter where the run may be narrower than what it is held against."""
    parser.add_argument(
        "--corpus",
        metavar="PATH",
        type=Path,
        action="append",
        default=[],
        help="your own cases beside the built-in ones: TOML families, a folder, JSON Lines; repeatable",
    )
    parser.add_argument("--no-builtin", action="store_true", help="leave the built-in cases out")
    parser.add_argument("--name", help="the name of your cases, first part of foreign ids")
    parser.set_defaults(filter=[])
    if narrow:
        options.add_corpus_filter(parser)


def add_lens(parser: argparse.ArgumentParser) -> None:
    """--lens, with no default: the configuration may name one."""
    options.add_lens(parser)
    parser.set_defaults(lens=None, timeout=None, memory=None)


def take(args: argparse.Namespace, config: Config) -> None:
    """What the command line leaves open the configuration says, or the default does."""
    args.lens = lens(args, config)
    require_there(config, python=args.python is None, constraints=args.constraints is None)
    here = args.index is None and config.index is not None
    if here and config.index and "://" not in config.index and not Path(config.index).expanduser().is_dir():
        raise BadInput(
            f"{_at(config, 'index')} is neither an address (https://...) nor a folder: write one of them"
        )
    args.adapters = [*args.adapters, *config.adapters]
    args.python = args.python or config.python
    args.index = args.index or config.index
    args.constraints = args.constraints or config.constraints
    args.allow_build = args.allow_build or config.allow_build
    args.timeout = args.timeout or config.timeout or options.CASE_SECONDS
    args.memory = args.memory or config.memory or options.MEMORY_MB


def require_apart(args: argparse.Namespace, config: Config, inputs: Sequence[Path]) -> None:
    """Refuse reports and ledgers that would overwrite what is read, or each other."""
    read = [*inputs, *([Path(config.place)] if config.place else [])]
    read += [*(config.folder / path for path in config.corpus), *getattr(args, "corpus", ())]
    options.require_apart([*(args.output or ()), getattr(args, "ledger", None)], read)


@contextlib.contextmanager
def of_configuration(config: Config, *, subjects: bool) -> Iterator[None]:
    """Around what asks the configuration's `subjects`: an error that begins with one has its line."""
    try:
        yield
    except WhichwinsError as error:
        said = str(error)
        for key, place in config.subjects if subjects else ():
            if said.startswith((f"{key}:", f"no subject {key}:")):
                raise type(error)(f"{place.file}:{place.line}: {said}") from None
        raise


def _at(config: Config, key: str) -> str:
    """`whichwins.toml:3: `index`:`, where the configuration says it."""
    place = config.places[key]
    return f"{place.file}:{place.line}: `{key}`:"


def require_there(config: Config, *, python: bool = False, constraints: bool = False) -> None:
    """Refuse what the configuration names and is not there, with its line: nobody wrote a flag."""
    missing = {"adapters": [str(each) for each in config.adapters if not each.exists()]}
    missing["corpus"] = [each for each in config.corpus if not (config.folder / each).exists()]
    if python and config.python and shutil.which(config.python) is None:
        missing["python"] = [config.python]
    if constraints and config.constraints and not config.constraints.exists():
        missing["constraints"] = [str(config.constraints)]
    for key, names in missing.items():
        if names:
            said = "is no program that can be run" if key == "python" else "is not there"
            remedy = "correct it (relative paths are relative to this file's folder), or leave it out"
            raise BadInput(f"{_at(config, key)} {names[0]} {said}: {remedy}")


def lens(args: argparse.Namespace, config: Config) -> str:
    """The lens, which is there: that is known before anybody is asked anything."""
    from whichwins.analysis.lens import lens as known

    try:
        known(name := args.lens or config.lens or options.LENS)
    except BadInput as error:
        if args.lens is not None or (place := config.places.get("lens")) is None:
            raise
        raise BadInput(f"{place.file}:{place.line}: {error}") from None
    return name


def configuration(args: argparse.Namespace) -> Config:
    """The configuration, refused where it names code and must not."""
    from whichwins.analysis.change_result import KINDS
    from whichwins.analysis.result import CAUSES
    from whichwins.config import read, refuse_code

    found = read(args.config, kinds=KINDS, causes=CAUSES)
    if args.untrusted:
        refuse_code(found)
        for path in (*(args.output or ()), getattr(args, "ledger", None)):
            _refuse_link(path)
    return found


def _refuse_link(path: Path | None) -> None:
    """Refuse an output that a link of the checkout would lead elsewhere.

    Links above the working directory are not the checkout's, nor are those to a place apart from it; there
    the file itself is looked at.
    """
    if path is None:
        return
    target, here = Path(os.path.abspath(path)), Path.cwd()  # noqa: PTH100 -- links stay
    shared = Path(os.path.commonpath((target, here)))
    steps = [target, *target.parents]
    apart = shared == Path(shared.anchor)
    for step in steps[:1] if apart else steps[: steps.index(shared)]:
        if step.is_symlink():
            raise BadInput(
                f"{path}: {step.name} is a link, and --untrusted writes through none: name another place"
            )


def cases(args: argparse.Namespace, config: Config, shapes: Collection[str]) -> Corpus:
    """The cases that the command line and the configuration name, the built-in ones of these shapes."""
    from whichwins.corpus import load, select

    paths = [*(config.folder / path for path in config.corpus), *args.corpus]
    builtin = config.builtin and not args.no_builtin
    if not builtin and not paths:
        flag = "--no-builtin" if args.no_builtin else f"{_at(config, 'builtin')} false"
        raise BadInput(f"{flag} leaves no cases: name yours with --corpus, or as `corpus`")
    corpus = load(paths or None, args.name, builtin=builtin, shapes=shapes)
    if args.filter or not config.filter:
        return select(corpus, args.filter)
    try:
        return select(corpus, config.filter)
    except MeasurementFailed as error:
        raise BadInput(f"{_at(config, 'filter')} {error}: correct it, or leave it out") from None


def keeps(adapters: Sequence[Adapter]) -> Mapping[str, tuple[Keep, ...]]:
    """What the manifests know of old behaviour, by subject."""
    return {subject.key: subject.keeps for adapter in adapters for subject in adapter.subjects}


def today() -> date:
    """The day by which exceptions expire (UTC)."""
    return datetime.now(UTC).date()


def finish(args: argparse.Namespace, gate: Gate) -> int:
    """Write the reports; the exit code is known before anything is rendered.

    Where all of them are files the verdict alone is on stdout. What could not be measured is no "nothing
    changed": it ends with 3, each line on stderr too.
    """
    from whichwins.cli.repository import from_its_root
    from whichwins.report import gate_report, gate_verdict, github_summary
    from whichwins.report.safe import plain

    code = FOUND if gate.found and not args.exit_zero else 0
    summarised = False
    for path in args.output or [None]:
        form = form_of(args, path)
        everything = args.all or path is not None
        seen = from_its_root(gate) if form in ("github", "sarif") else gate
        options.put(gate_report(seen, form, options.width(), everything=everything), path)
        if form == "github" and not summarised:
            summarise(lambda limit: github_summary(gate, limit))
            summarised = True  # once, however many files have annotations
    if args.output and None not in args.output:
        try:
            print(f"{gate_verdict(gate)} ({', '.join(plain(str(path)) for path in args.output)})", flush=True)
        except OSError:  # the reports are where they belong: nobody has to read stdout
            discard(sys.stdout)
    return options.settle(code, gate.changes.incomplete)


def form_of(args: argparse.Namespace, path: Path | None) -> str:
    """The format of an output: what its name ends in, else --format."""
    form: str = (ENDINGS.get(path.suffix) if path is not None else None) or args.format
    return form


def summarise(text_within: Callable[[int], str]) -> None:
    """Add to the step's summary, where there is one, what still goes in. `text_within`: in so many bytes.

    Raises BadInput when it cannot be written, MeasurementFailed when the disk is full.
    """
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return
    try:
        append_whole(Path(name), text_within, SUMMARY_BYTES)
    except OSError as error:
        said = f"GITHUB_STEP_SUMMARY: cannot be written ({error.strerror})"
        if error.errno in (ENOSPC, EDQUOT):
            raise MeasurementFailed(f"{said}: make room, or unset it") from None
        raise BadInput(f"{said}: unset it") from None


def append_whole(path: Path, text_within: Callable[[int], str], limit: int) -> None:
    """Add to a file of at most `limit` bytes what `text_within` makes of the room: whole, or not at all.

    What stands there stays as it is. Raises OSError when it cannot be written.
    """
    there = path.stat().st_size if path.exists() else 0
    apart = "\n" if there else ""
    text = text_within(limit - there - len(apart))
    if not text or there + len(apart) + len(text) > limit:
        return
    with path.open("ab", buffering=0) as stream:
        left = memoryview((apart + text).encode("ascii"))
        try:
            while left:
                left = left[stream.write(left) :]
        except BaseException:
            if path.is_file():
                os.truncate(path, there)
            raise
