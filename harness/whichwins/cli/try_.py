"""`whichwins try INPUT`: one input, all subjects."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from whichwins import __version__
from whichwins.cli import FOUND, options
from whichwins.corpus import Corpus, corpus_of, source_of_bytes
from whichwins.model import BadInput, Case, Observation
from whichwins.workers import Observer


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("input", metavar="INPUT", nargs="?", help="the text itself, or - for stdin")
    what.add_argument("--file", metavar="FILE", type=Path, help="the bytes of a file")
    what.add_argument("--hex", metavar="HEX", help="the bytes in hex, spaces allowed")
    options.add_fleet(parser)
    options.add_lens(parser)
    options.add_output(parser)
    options.add_exit_zero(parser)


def input_of(args: argparse.Namespace) -> bytes:
    """The exact bytes that were asked about."""
    if args.file is not None:
        return options.read_input(args.file)
    if args.hex is not None:
        try:
            return bytes.fromhex(args.hex)
        except ValueError:
            raise BadInput(f"--hex {args.hex[:40]!a}: not pairs of hex digits") from None
    # An argument is bytes to the system; os.fsencode gives back exactly those.
    return options.read_input(None) if args.input == "-" else os.fsencode(args.input)


def run(args: argparse.Namespace) -> int:
    """Ask everyone about the one input; 1 when they part."""
    from whichwins.analysis import explain
    from whichwins.report import explanation_report
    from whichwins.run import run_to_view

    data = input_of(args)
    chosen = options.fleet(args, args.subject)
    corpus = one_case(data)
    with options.observer(args, chosen, digests=False) as watched:
        if sys.stderr.isatty():
            _show_as_they_come(data, watched)
        view = run_to_view(corpus, chosen.subjects, watched, tool=__version__)
        lacking = options.missing(chosen, watched)
    result = explain(view, corpus.cases[0].id, args.lens)
    code = FOUND if (result.value or result.verdict) and not args.exit_zero else 0
    options.put(
        explanation_report(result, view.header["subjects"], args.format, options.width()), args.output
    )
    return options.settle(code, lacking)


def one_case(data: bytes) -> Corpus:
    """The input as a corpus of one, with what the reference expects of it."""
    from whichwins.reference import read, verdicts

    said = verdicts(read(data))
    case = Case(
        id="try/input",
        family="try",
        data=data,
        why="",
        source=source_of_bytes(data),
        expect={layer: verdict.expectation for layer, verdict in said.items()},
        clauses={layer: verdict.clause for layer, verdict in said.items()},
    )
    return corpus_of("try", [case])


def _show_as_they_come(data: bytes, watched: Observer) -> None:
    from whichwins.report.safe import plain

    for key, observation in watched.answers_as_they_come(data):
        sys.stderr.write(f"{key:28} {plain(_brief(observation), 80)}\n")
        sys.stderr.flush()


def _brief(observation: Observation) -> str:
    if observation.value is not None:
        return observation.value
    notes = (observation.error, observation.signal, observation.reason)
    return " ".join([observation.outcome.value, *(note for note in notes if note)])
