"""Whether a decode function reads anything at all: one that is broken must not look like a strict one.

Where every case that was asked is one that may be refused, whoever raises passes; where no case has a value
that is known, whoever returns anything does. So such a decoder is first asked what anybody can read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from whichwins.analysis import lens as lenses
from whichwins.model import ACCEPT, REJECT, BadInput
from whichwins.reference import read, verdicts
from whichwins.testing.judging import Decode, Finding, Terms, judge

Canary: TypeAlias = bytes | Sequence[bytes] | None

# By two texts, whoever returns the same value to everything is found; by four kinds, whoever takes only
# objects, say, is not.
_PAIRS = (
    (b'{"a":1}', b'{"b":[true,null]}'),
    (b"[1]", b'["a",{"b":2}]'),
    (b'"a"', b'"b"'),
    (b"1", b"2"),
)

# What a decoder returns that is broken, or made to say whether a text is good.
_LITTLE = ("null", "true", "false", "0", '""', "[]", "{}")


def alive(read: Collection[str], lens: str) -> bool:
    """Whether the normal forms of values that came where they were due show that a decoder reads."""
    form = lenses.lens(lens)
    return not set(map(form, _LITTLE)) >= set(read)


def several(canary: Canary) -> tuple[bytes, ...]:
    """What a user named; () for None. Raises BadInput for what is no text that everybody accepts."""
    texts = (canary,) if isinstance(canary, bytes) else tuple(canary or ())
    if canary is not None and not texts:
        raise BadInput(
            "canary must be a text or a list of texts, at least one: leave it out for whichwins' own"
        )
    for text in texts:
        if not isinstance(text, bytes):
            raise BadInput(f"canary must be bytes that your function reads: found {text!a:.80}")
        if any(said.expectation == REJECT for said in verdicts(read(text)).values()):
            raise BadInput(f"canary must be a text that every layer accepts: {text!a:.80} is not")
    return texts


def dead(decode: Decode, terms: Terms, canaries: Sequence[bytes]) -> tuple[bytes, Finding] | None:
    """The first text that `decode` does not read, and what came; None for one that is alive.

    It has to read all `canaries`; without any, both texts of a pair of ours.
    """
    if canaries:
        return _unread(decode, terms, canaries)
    lacks = [_unread(decode, terms, pair) for pair in _PAIRS]
    return None if None in lacks else lacks[0]


def _unread(decode: Decode, terms: Terms, texts: Sequence[bytes]) -> tuple[bytes, Finding] | None:
    for text in texts:
        finding = judge(text, ACCEPT, decode, terms).finding
        if finding is not None:
            return text, finding
    return None
