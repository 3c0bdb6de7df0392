"""`whichwins try INPUT`: one input, all subjects."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins import __version__
from whichwins.cli import FOUND, fleet, options
from whichwins.model.errors import BadInput

if TYPE_CHECKING:
    from whichwins.corpus import Corpus
    from whichwins.model import Observation


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("input", metavar="INPUT", nargs="?", help="the text itself, or - for stdin")
    what.add_argument("--file", metavar="FILE", type=Path, help="the bytes of a file; - is stdin")
    what.add_argument("--hex", metavar="HEX", help="the bytes in hex, spaces allowed")
    options.add_fleet(parser)
    options.add_lens(parser)
    options.add_output(parser)
    options.add_exit_zero(parser)


def input_of(args: argparse.Namespace) -> bytes:
    """The exact bytes that were asked about."""
    if args.file is not None:
        return options.read_input(None if str(args.file) == "-" else args.file)
    if args.hex is not None:
        try:
            return bytes.fromhex(args.hex)
        except ValueError:
            raise BadInput(f"--hex {args.hex[:40]!a}: not pairs of hex digits, such as '7b 7d'") from None
    # An argument is bytes to the system; os.fsencode gives back exactly those.
    return options.read_input(None) if args.input == "-" else os.fsencode(args.input)


def run(args: argparse.Namespace) -> int:
    """Ask everyone about the one input; 1 when they part."""
    from whichwins.analysis import explain
    from whichwins.report import explanation_report
    from whichwins.run import run_to_view

    data = input_of(args)
    chosen = fleet.choose(args, args.subject, together=True)
    corpus = one_case(data, next(iter(chosen.shapes), ""))
    heard = _tell if sys.stderr.isatty() else None
    with fleet.observer(args, chosen, digests=False) as watched:
        view = run_to_view(corpus, chosen.subjects, watched, tool=__version__, heard=heard)
        lacking = fleet.missing(chosen, watched)
        live = len(chosen.subjects) - len(watched.absent)
    if len(chosen.subjects) > 1 > live - 1 and not lacking:
        lacking = ["comparing needs two live subjects, there is one: `whichwins subjects` says why"]
    result = explain(view, corpus.cases[0].id, args.lens)
    code = FOUND if (result.value or result.verdict) and not args.exit_zero else 0
    options.put(
        explanation_report(result, view.header["subjects"], args.format, options.width()), args.output
    )
    return options.settle(code, lacking)


def one_case(data: bytes, shape: str = "") -> Corpus:
    """The input as a corpus of one, with what the reference expects of it."""
    from whichwins.corpus import corpus_of, source_of_bytes
    from whichwins.model import Case
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
        shape=shape or None,
    )
    return corpus_of("try", [case])


def _tell(key: str, observation: Observation) -> None:
    """One answer, as it comes, for whoever watches."""
    from whichwins.report.safe import plain

    notes = (observation.error, observation.signal, observation.reason)
    brief = observation.value
    if brief is None:
        brief = " ".join([observation.outcome.value, *(note for note in notes if note)])
    sys.stderr.write(f"{key:28} {plain(brief, 80)}\n")
    sys.stderr.flush()
