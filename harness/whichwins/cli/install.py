"""`whichwins install`: build what an adapter needs and pip does not bring."""

from __future__ import annotations

import argparse
import sys


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("what", choices=["ruby"], help="ruby: CRuby as WebAssembly, from npm, into the cache")


def run(args: argparse.Namespace) -> int:
    """Build once; a second time does nothing."""
    from whichwins.provision import build_ruby_wasm
    from whichwins.report.safe import plain

    def say(line: str) -> None:
        print(plain(line), file=sys.stderr, flush=True)

    print(f"{args.what}: {plain(str(build_ruby_wasm(say)))}")
    return 0
