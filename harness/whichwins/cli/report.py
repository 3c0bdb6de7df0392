"""`whichwins report`: render a ledger; exit 0 whatever it shows."""

from __future__ import annotations

import argparse

from whichwins.cli import compare


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    compare.arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Render."""
    return compare.render(args, finding=0)
