"""`whichwins compare`: what a ledger says; exit 1 when subjects part."""

from __future__ import annotations

import argparse

from whichwins.cli import FOUND, options

FORMATS = (*options.FORMATS, "html")
_ENDINGS = {".md": "markdown", ".json": "json", ".html": "html", ".htm": "html"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    arguments(parser)
    options.add_exit_zero(parser)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `compare` and `report` share."""
    options.add_ledger(parser)
    parser.add_argument(
        "-s", "--subject", metavar="KEY", action="append", default=[], help="only these (a key or a glob)"
    )
    options.add_lens(parser)
    options.add_outputs(
        parser, FORMATS, None, "default: by the file's ending (.txt, .md, .json, .html), else text"
    )


def run(args: argparse.Namespace) -> int:
    """Compare and render; the exit code is known before anything is rendered."""
    return render(args, finding=0 if args.exit_zero else FOUND)


def render(args: argparse.Namespace, finding: int) -> int:
    """Render the comparison of a ledger; `finding` is the exit code of a split."""
    from whichwins.analysis import casebook, compare
    from whichwins.report import comparison_page, comparison_report
    from whichwins.run import read_ledger

    options.require_apart(args.output or (), [args.ledger])
    view = read_ledger(args.ledger)
    with options.analysed(args.ledger):
        result = compare(view, args.lens, args.subject or None)
    code = finding if result.summary.split else 0
    for path in args.output or [None]:
        form = args.format or (_ENDINGS.get(path.suffix) if path is not None else None) or "text"
        if form == "html":
            with options.analysed(args.ledger):
                text = comparison_page(result, casebook(view, result))
        else:
            everything = args.all or path is not None
            text = comparison_report(result, form, options.width(), everything=everything)
        options.put(text, path)
    return code
