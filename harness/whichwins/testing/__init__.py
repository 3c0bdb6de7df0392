"""A decode function of your own, put to the corpus in a test.

    from whichwins.testing import assert_decoder

    def test_my_decoder() -> None:
        assert_decoder(my_decode, layer="strict-tool-input")

`decode` takes the exact bytes and returns a value or raises. It is called in this process: nothing ends one
that hangs, and nothing bounds its memory. `cases` gives the same cases one by one; the pytest plugin makes
a test of each (`docs/testing.md`).
"""

from whichwins.testing.asserting import assert_decoder
from whichwins.testing.cases import DecoderCase, cases

__all__ = ["DecoderCase", "assert_decoder", "cases"]
