"""One assertion over many cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whichwins.model import BadInput
from whichwins.testing import words
from whichwins.testing.cases import STRICT, Paths, Patterns
from whichwins.testing.cases import cases as chosen
from whichwins.testing.judging import FAULT, Decode, Rejects, judge, terms_of


def assert_decoder(
    decode: Decode,
    layer: str = STRICT,
    *,
    families: Patterns = None,
    cases: Patterns = None,
    lens: str = "value/1",
    corpus: Paths = None,
    rejects: Rejects = Exception,
    dump: Callable[[Any], object] | None = None,
) -> None:
    """Raise AssertionError, with a summary, unless `decode` does with every case what the layer expects.

    `layer`, `families`, `cases` and `corpus` choose the cases as `whichwins.testing.cases` does. What the
    layer rejects must raise one of `rejects`; what it accepts must return, and so must be the value, under
    `lens`, that the reference reads. Where the layer leaves it free, and where RFC 8259 lets a parser have
    a limit, a decoder may do either, but a value must be the text's, where the text has only one. Numbers
    may be kept as they are spelled or become the nearest binary64. An error outside `rejects` always fails.

    `dump` turns what `decode` returns into plain data: dict, list, str, int, float, Decimal, bool and None.
    Raises BadInput, in one line, for a layer, lens, family, case or corpus that there is not.
    """
    __tracebackhide__ = True
    try:
        terms = terms_of(lens, rejects, dump)
        asked = chosen(layer, families, cases, corpus)
    except BadInput as error:
        raise error.with_traceback(None) from None
    found = [
        (case, finding) for case in asked if (finding := judge(case.data, case.expectation, decode, terms))
    ]
    if any(finding.kind != FAULT for _, finding in found):
        raise AssertionError(words.of_many(decode, asked, found))
