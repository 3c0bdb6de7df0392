"""`python -m whichwins`."""

import sys

from whichwins.cli import main

if __name__ == "__main__":
    sys.exit(main())
