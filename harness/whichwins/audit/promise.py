"""What a stack's policy says of a request: its layer's word for the original bytes."""

from __future__ import annotations

from typing import NamedTuple

from whichwins.analysis.facts import Facts
from whichwins.audit.stack import Policy
from whichwins.model import ACCEPT, FREE, REJECT, Expectation
from whichwins.reference import guard, read, verdicts
from whichwins.reference.reader import DEFAULT_LIMITS

_ALIAS = "policy: an alias together with its name in one object"
_UNDECLARED = "policy: only declared names"


class Word(NamedTuple):
    """`free` demands nothing. `clause` says why, empty where nothing stands out.

    `own`: what only this policy demands, `alias` or `undeclared name`; empty where the layer speaks.
    """

    expected: Expectation
    clause: str = ""
    own: str = ""


def word_of(facts: Facts, policy: Policy) -> Word:
    """The policy's word for a case: what the corpus states, else the reference's.

    Under limits of the stack's own the reference reads the bytes again. Names and aliases are looked at
    where the layer lets the text pass. Without the bytes, and without a statement: free.
    """
    data, case = facts.record.data, facts.record.case
    stated = case.expect.get(policy.layer)
    if data is not None and (stated is None or policy.limits != DEFAULT_LIMITS):
        said = verdicts(read(data, policy.limits))[policy.layer]
        word = Word(said.expectation, said.clause)
    elif stated is None:
        return Word(FREE)
    else:
        # What passes needs no reason, and large texts are read slowly.
        words = facts.record.case.clauses if stated == ACCEPT else facts.clauses
        word = Word(stated, words.get(policy.layer, ""))
    if word.expected == REJECT or data is None or (policy.names is None and not policy.aliases):
        return word
    counts = guard(data, mode="shadow", aliases=policy.aliases, names=policy.names).counts
    if counts.get("alias"):
        return Word(REJECT, _ALIAS, "alias")
    return Word(REJECT, _UNDECLARED, "undeclared name") if counts.get("undeclared-name") else word


def accepts(word: Word) -> bool:
    """Whether the policy wants the request to pass: a control."""
    return word.expected == ACCEPT
