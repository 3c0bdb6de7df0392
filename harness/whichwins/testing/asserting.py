"""One assertion over many cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whichwins.model import BadInput
from whichwins.testing import words
from whichwins.testing.canaries import Canary, alive, dead, several
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
    canary: Canary = None,
) -> None:
    """Raise AssertionError, with a summary, unless `decode` does with every case what the layer expects.

    `layer`, `families`, `cases` and `corpus` choose the cases as `whichwins.testing.cases` does. What the
    layer rejects must raise one of `rejects`; what it accepts must return, and so must be the value, under
    `lens`, that the reference reads. Where the layer leaves it free, and where RFC 8259 lets a parser have
    a limit, a decoder may do either, but a value must be the text's, where the text has only one. Numbers
    may be kept as they are spelled or become the nearest binary64. An error outside `rejects` always fails.

    A decoder that reads nothing fails too, even where each case may be refused: unless one of the cases shows
    that it reads, it must read plain texts such as `{"a":1}`, or those that `canary` names, where it takes
    no others.

    `dump` turns what `decode` returns into plain data: dict, list, str, int, float, Decimal, bool and None.
    Raises BadInput, in one line, for a layer, lens, family, case or corpus that there is not, and
    for a canary that is no text.
    """
    __tracebackhide__ = True
    try:
        terms = terms_of(lens, rejects, dump)
        canaries = several(canary)
        asked = chosen(layer, families, cases, corpus)
    except BadInput as error:
        raise error.with_traceback(None) from None
    found = []
    read: set[str] = set()
    for case in asked:
        judged = judge(case.data, case.expectation, decode, terms)
        if judged.finding is not None:
            found.append((case, judged.finding))
        elif judged.read is not None:
            read.add(judged.read)
    lack = None if alive(read, lens) else dead(decode, terms, canaries)
    said = [words.of_the_dead(words.name_of(decode), lack)] if lack is not None else []
    if any(finding.kind != FAULT for _, finding in found):
        said.append(words.of_many(decode, asked, found))
    if said:
        raise AssertionError("\n".join(said))
