"""`whichwins corpus`: list, show, export or check the cases."""

from __future__ import annotations

import argparse
from pathlib import Path

from whichwins.cli import FOUND, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, line in (
        ("list", "every id, with what the layers expect"),
        ("show", "the cases whose id matches: bytes, why, expectations"),
        ("export", "write raw files and expectations.jsonl, usable without this tool"),
        ("check", "hold every expectation against the reference reader"),
    ):
        action = actions.add_parser(name, help=line, description=line[0].upper() + line[1:] + ".")
        if name == "show":
            action.add_argument("id", help="an id or a glob")
        if name == "export":
            action.add_argument("directory", metavar="DIR", type=Path)
        options.add_corpus(action)
        if name in ("list", "show", "check"):
            options.add_output(action)


def run(args: argparse.Namespace) -> int:
    """Do one of the four."""
    from whichwins.corpus import load, select, write_export
    from whichwins.model.shape import SHAPES

    corpus = select(load(args.corpus or None, args.name, shapes=("", *SHAPES)), args.filter)
    if args.action == "export":
        from whichwins.analysis.counting import plural
        from whichwins.report.safe import plain

        write_export(corpus.cases, args.directory)
        print(f"{plural(len(corpus.cases), 'case')} in {plain(str(args.directory))}")
        return 0
    from whichwins.report import cases_report, check_report, list_report

    if args.action == "check":
        from whichwins.analysis.agreement import disagreements

        found = disagreements(corpus.cases)
        options.put(check_report(len(corpus.cases), found, args.format, options.width()), args.output)
        return FOUND if found else 0
    if args.action == "show":
        chosen = select(corpus, [args.id])
        options.put(cases_report(chosen.cases, args.format, options.width()), args.output)
        return 0
    options.put(list_report(corpus.cases, args.format, options.width()), args.output)
    return 0
