"""From answer frames to observations: one batch at a time, with a fast path. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from whichwins.model import Observation, Outcome
from whichwins.notation import NotationError, canonical
from whichwins.workers.frames import encode, encode_batch

_STAGES = frozenset({"decode", "parse", "bind"})
# Accepted with bytes that are no value: carried as Latin-1 text.
_TEXT_VERBS = frozenset({"emit", "deliver"})
_VERBS = frozenset({b"accept", b"reject", b"fault", b"unsupported"})
_ERROR = re.compile(r"[!-~]{1,300}")
_MESSAGE_CHARS = 300
_SIZES = tuple(b"%d" % n for n in range(4096))

# What is not a value comes again and again (`parse JSONDecodeError Expecting value`): a bounded memory.
_KNOWN_MOST = 8192
_KNOWN_BYTES = 256
_known: dict[tuple[bytes, bytes], Observation] = {}

# An `Observation` in half the time its own constructor takes.
_new = tuple.__new__
_ACCEPT = Outcome.ACCEPT
_NOTHING_ELSE = (None, None, None, None, None, False)

Interned = dict[object, Observation]


class Batch:
    """Cases that travel together, and what has been answered so far.

    The request is built once for all workers. `rows` holds, per case, the answers already
    understood: identical answers of different subjects become the same object. `shape`: only subjects of
    just this shape are asked; None: all are.
    """

    __slots__ = ("answers", "cases", "first", "left", "request", "rows", "shape", "tags", "verb")

    def __init__(
        self, verb: str, first: int, cases: list[bytes], lanes: int, shape: str | None = None
    ) -> None:
        self.verb = verb
        self.shape = shape
        self.first = first
        self.cases = cases
        self.request = encode_batch(verb, first, cases)
        self.tags = [b" %d " % n for n in range(first, first + len(cases))]
        self.rows: list[Interned] = [{} for _ in cases]
        self.answers: list[list[Observation | None]] = [[None] * len(cases) for _ in range(lanes)]
        self.left = lanes

    def alone(self, offset: int) -> bytes:
        """The frame that asks one case outside a batch."""
        return encode(self.verb, self.first + offset, self.cases[offset])

    def intern(self, offset: int, observation: Observation) -> Observation:
        """The one object that stands for this observation in this case's row."""
        if observation.outcome is _ACCEPT and not observation.unstable:
            return self.rows[offset].setdefault(observation.value, observation)
        return self.rows[offset].setdefault(observation, observation)


def garbled(reason: str) -> Observation:
    """The worker broke the protocol."""
    return Observation(Outcome.GARBLED, reason=reason)


def is_answer(verb: bytes) -> bool:
    """Whether a frame with this verb can answer `parse`, `emit` or `deliver`."""
    return verb in _VERBS


def understand(asked: str, verb: bytes, body: bytes) -> Observation:
    """What one well-framed answer says; `garbled` when its body is not what the protocol wants."""
    if verb == b"accept":
        if asked in _TEXT_VERBS:
            return _new(Observation, (_ACCEPT, body.decode("latin-1"), *_NOTHING_ELSE))
        try:
            return _new(Observation, (_ACCEPT, canonical(body.decode("ascii")), *_NOTHING_ELSE))
        except (NotationError, UnicodeDecodeError):
            return garbled("an accepted value is not in the notation")
    key = (verb, body)
    found = _known.get(key)
    if found is None:
        found = _understand(verb, body)
        if len(body) <= _KNOWN_BYTES:
            if len(_known) >= _KNOWN_MOST:
                _known.clear()
            _known[key] = found
    return found


def _understand(verb: bytes, body: bytes) -> Observation:
    text = body.decode("latin-1")
    if not text.isascii() or not text.isprintable():
        return garbled(f"`{verb.decode('ascii')}` is not one line of printable ASCII")
    if verb == b"reject":
        stage, _, rest = text.partition(" ")
        error, _, message = rest.partition(" ")
        if stage in _STAGES and _ERROR.fullmatch(error):
            return Observation(
                Outcome.REJECT, stage=stage, error=error, message=message[:_MESSAGE_CHARS] or None
            )
        return garbled("`reject` is not `stage error message`")
    if verb == b"fault":
        error, _, message = text.partition(" ")
        if _ERROR.fullmatch(error):
            return Observation(Outcome.FAULT, error=error, message=message[:_MESSAGE_CHARS] or None)
        return garbled("`fault` is not `error message`")
    return Observation(Outcome.UNSUPPORTED, reason=text[:_MESSAGE_CHARS] or "not supported")


_look_up: Callable[[Interned, object], Observation | None] = dict.get


def read_whole(blob: bytes, batch: Batch) -> list[Observation | None] | None:
    """All answers of a batch from its complete output, or None where only the exact decoder can tell.

    Answers rarely hold a line feed, so the output is cut at line feeds; a case's answer that
    another subject has given before is one look-up, and only a new one is taken apart. Sound:
    every header is compared with the sequence and the length of the body that follows it.
    """
    parts = blob.split(b"\n")
    if len(parts) != 2 * len(batch.cases) + 1 or parts[-1]:
        return None
    lines = iter(parts)
    pairs = list(zip(lines, lines, strict=False))
    found = list(map(_look_up, batch.rows, pairs))
    asked = batch.verb
    for offset, known in enumerate(found):
        if known is None:
            head, body = pairs[offset]
            verb, _, length = head.partition(batch.tags[offset])
            size = len(body)
            if verb not in _VERBS or length != (_SIZES[size] if size < 4096 else b"%d" % size):
                return None
            row = batch.rows[offset]
            answer = understand(asked, verb, body)
            if verb == b"accept":  # two spellings of one value
                answer = row.setdefault(answer.value, answer)
            found[offset] = row[pairs[offset]] = answer
    return found
