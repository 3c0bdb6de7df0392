"""`whichwins diff BEFORE AFTER`: what a ledger reads differently than another."""

from __future__ import annotations

import argparse

from whichwins.cli import gates, options


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("before", metavar="BEFORE", type=options.ledger, help="a ledger; - is stdin")
    parser.add_argument("after", metavar="AFTER", type=options.ledger, help="another")
    gates.add_config(parser)
    options.add_adapters(parser)
    gates.add_lens(parser)
    gates.add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Match by subject and case, never by version; 1 when something reads differently."""
    from whichwins.analysis.change import changes
    from whichwins.analysis.gate import judge
    from whichwins.model import Place
    from whichwins.run import read_ledger
    from whichwins.subjects import load_adapters

    config = gates.configuration(args)
    lens = gates.lens(args, config)
    gates.require_there(config)
    gates.require_apart(args, config, [args.before, args.after])
    adapters = load_adapters([*args.adapters, *config.adapters])
    before, after = read_ledger(args.before), read_ledger(args.after)
    with options.analysed(args.after):
        found = changes(before, after, lens_name=lens, keeps=gates.keeps(adapters))
    title = f"{args.before.name} to {args.after.name}"
    gate = judge(
        "diff", title, found, config.allow, gates.today(), demand_use=False, home=Place(str(args.after), 1)
    )
    return gates.finish(args, gate)
