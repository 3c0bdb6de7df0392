"""`whichwins env`: the environments that versions were built into."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from whichwins.cli import options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="what is in the cache", allow_abbrev=False)
    options.add_output(listed)
    prune = actions.add_parser("prune", help="remove environments that are not in use", allow_abbrev=False)
    prune.add_argument(
        "--older-than", metavar="DAYS", type=options.positive, help="only those not used for so many days"
    )
    prune.add_argument("--dry-run", action="store_true", help="say what would go, remove nothing")
    options.add_output(prune)
    path = actions.add_parser("path", help="the folder of one, or of the cache", allow_abbrev=False)
    path.add_argument("what", metavar="WHAT", nargs="?", help="a name as `env list` shows it, or KEY@VERSION")
    path.add_argument("--adapters", metavar="DIR", type=Path, action="append", default=[])


def run(args: argparse.Namespace) -> int:
    """List, remove, or print a path."""
    from whichwins.provision.stored import list_environments, locate, prune
    from whichwins.report import environments_report, pruned_report

    if args.action == "list":
        stored = list_environments(os.environ)
        options.put(environments_report(stored, args.format, options.width()), args.output)
    elif args.action == "prune":
        done = prune(os.environ, args.older_than, dry_run=args.dry_run)
        options.put(pruned_report(done, args.format, options.width(), dry_run=args.dry_run), args.output)
    elif args.what is None:
        from whichwins.provision.environment import cache_folder

        print(cache_folder(os.environ))
    else:
        from whichwins.subjects import load_adapters

        print(locate(os.environ, args.what, load_adapters(args.adapters)).folder)
    return 0
