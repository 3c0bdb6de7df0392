"""One answer of a baseline as it stands in its line; see `run.baseline`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring_ascii

from whichwins.model import Observation, Outcome
from whichwins.run import records
from whichwins.run.lines import INLINE_VALUE_BYTES
from whichwins.run.records import Wrong

NORMAL_DIGEST = "sha256:"
"""What a value begins with that is known by the digest of its normal form: no notation does."""
SILENT = (Outcome.UNSUPPORTED, Outcome.ABSENT)
TWIN, _UNSTABLE = "~", "?"
_DIGITS = 32
_OUTCOMES = {outcome.value: outcome for outcome in Outcome if outcome not in SILENT}
_PLAIN = re.compile(r"(?![-=]\Z)[!#-~][!-~]*")
_NORMAL = re.compile(r"(sha256:[0-9a-f]{32})(?: ([a-z/]{3,7}))?")
_NAMES = ("stage", "error", "signal")


def short(digest: str) -> str:
    """A digest as it stands here: 128 bits of it, so that lines stay short."""
    kind, _, digits = digest.partition(":")
    return f"{kind}:{digits[:_DIGITS]}"


def normal_digest(normal_form: str) -> str:
    """What stands for a long value."""
    return short(NORMAL_DIGEST + hashlib.sha256(normal_form.encode("ascii")).hexdigest())


def is_long(answer: Observation) -> bool:
    """Whether a value is known by its digest only."""
    return answer.value is not None and len(answer.value) > INLINE_VALUE_BYTES


def tail_of(answer: Observation, accepted: bool, winner: str, normal: Callable[[str], str]) -> str:
    """What stands behind case and subject. `accepted`: the twin is; `winner`: of a long value."""
    said = str(answer.outcome)
    said += TWIN if answer.value is None and accepted else ""
    said += _UNSTABLE if answer.unstable else ""
    if answer.value is not None:
        value = normal_digest(normal(answer.value)) if is_long(answer) else answer.value
        return " ".join([said, value, *([winner] if winner else [])])
    words = [getattr(answer, name) for name in _NAMES]
    while words and words[-1] is None:
        words.pop()
    return " ".join([said, *("-" if word is None else word_of(word) for word in words)])


def word_of(text: str) -> str:
    """`text` without a space in it: as it is where it is plain, else as JSON text."""
    if _PLAIN.fullmatch(text):
        return text
    return encode_basestring_ascii(text).replace(" ", "\\u0020")


def answer_of(tail: str) -> tuple[Observation, bool, str]:
    """An answer, whether the twin is accepted, who wins."""
    said, _, rest = tail.partition(" ")
    unstable, word = said.endswith(_UNSTABLE), said.removesuffix(_UNSTABLE)
    accepted = word.endswith(TWIN)
    outcome = _OUTCOMES.get(word.removesuffix(TWIN))
    if outcome is None or (accepted and outcome is Outcome.ACCEPT):
        raise Wrong(f"unknown outcome {said[:40]!a}")
    if outcome is Outcome.ACCEPT:
        if long := _NORMAL.fullmatch(rest):
            return Observation(outcome, long[1], unstable=unstable), False, long[2] or ""
        answer = Observation(outcome, rest, unstable=unstable)
        if len(rest) > INLINE_VALUE_BYTES:
            raise Wrong(f"a value longer than {INLINE_VALUE_BYTES} characters")
        records.check_value(answer)
        return answer, False, ""
    words = rest.split(" ") if rest else []
    if len(words) > len(_NAMES):
        raise Wrong("more words than stage, error and signal")
    told = [None if word == "-" else unword(word) for word in words]
    return Observation(outcome, unstable=unstable, **dict(zip(_NAMES, told, strict=False))), accepted, ""


def unword(word: str) -> str:
    """The text of a word. Raises Wrong where `word_of` writes it otherwise."""
    if _PLAIN.fullmatch(word):
        return word
    try:
        text = json.loads(word) if word.startswith('"') else None
    except ValueError:
        text = None
    if not isinstance(text, str) or word_of(text) != word:
        raise Wrong(f"{word[:80]!a} is no word")
    return text
