"""What a value, or emitted bytes, lost of the original: an occurrence, a number, bytes, text left unread.

    loss_of(read(b'{"q":2,"q":20}'), '{"q":20}')     # occurrence
    loss_of(read(b"9007199254740993"), "9007199254740992.0")   # number

What is there in addition is no loss, nor is another order of members.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from whichwins import notation
from whichwins.analysis import numbers
from whichwins.analysis.explaining import reading_text
from whichwins.analysis.lens import value as same_value
from whichwins.analysis.readings import exact_name, loose_name, number_reads, text_reads
from whichwins.analysis.syntax import wide_encoding
from whichwins.audit.result import LOSSES, Loss
from whichwins.audit.unread import is_hole
from whichwins.model import REJECT, Array, Binary64, Bytes, DecimalLiteral, Integer, Name, Object, Value
from whichwins.reference import ProblemKind, Reading, read, spelled
from whichwins.reference.layers import RULES, STRICT_TOOL_INPUT
from whichwins.reference.numbers import is_binary64, is_integer, is_safe_integer, overflows
from whichwins.scanner import STRING

_NO_JSON = re.compile("[A-Z]|b|(?<![nr])u")
"""What outside strings only the notation can say: NaN, D1.10, b"ff", ..."""
_AT_RISK = tuple(map(re.compile, (rb"[0-9][0-9.]{15}", rb"[eE][+-]?[0-9]{3}", rb"\\u[dD][89a-fA-F]")))
"""Numbers that a binary64 may not hold (15 digits it does), and surrogates. Apart they are found faster."""
_REPLACED = "\\ufffd"


def loss_of(
    reading: Reading, value: str, layer: str = STRICT_TOOL_INPUT, *, lookup: bool = False
) -> Loss | None:
    """The gravest thing that `value` (a notation) lost of the text, in the order of `Loss`; None: nothing.

    A number is lost where its decimal value is another one, and where it became a binary64 although
    `layer` rejects it as none. `lookup`: members were read by name: an answer may be another one's.
    Of a text that is no JSON there is always a loss: that it was none.
    """
    return Original(reading.data, layer, lambda: reading).loss(value, lookup=lookup)


class Original:
    """A text beside which what became of it is held; each distinct answer is looked at once.

    `reader` reads it where that has been done, or may be; it is asked only when an answer is another text.
    """

    def __init__(
        self, data: bytes, layer: str = STRICT_TOOL_INPUT, reader: Callable[[], Reading] | None = None
    ) -> None:
        self.data = data
        self.layer = layer
        self._reader = reader or (lambda: read(data))
        self._known: dict[tuple[str, bool], Loss | None] = {}
        self._emitted: dict[tuple[bytes, str | None], Loss | None] = {}

    @cached_property
    def reading(self) -> Reading:
        """What the reference makes of it."""
        return self._reader()

    def loss(self, value: str, *, lookup: bool = False) -> Loss | None:
        """What `value` lost: see `loss_of`."""
        key = (value, lookup)
        if key not in self._known:
            self._known[key] = self._loss(value, lookup)
        return self._known[key]

    def loss_emitted(self, emitted: bytes, value: str | None) -> Loss | None:
        """What re-serialised bytes lost, as the reference reads them. `value`: what their writer understood.

        Bytes that are no JSON are judged by that value. Where nothing is lost but what the layer rejects
        the original for (a byte order mark), that is the loss: `other`.
        """
        key = (emitted, value)
        if key not in self._emitted:
            self._emitted[key] = self._loss_emitted(emitted, value)
        return self._emitted[key]

    def _loss_emitted(self, emitted: bytes, value: str | None) -> Loss | None:
        if emitted == self.data:
            return None
        again = read(emitted)
        text = reading_text(again)
        if text is None:
            return (self.loss(value) if value is not None else None) or "other"
        found = self.loss(text)
        if found is None and self._rejected(self.reading) and not self._rejected(again):
            return "other"
        return found

    def _rejected(self, reading: Reading) -> bool:
        rules = RULES[self.layer]
        return any(each.fatal or rules.get(each.kind, ("",))[0] == REJECT for each in reading.problems)

    def _loss(self, value: str, lookup: bool) -> Loss | None:
        if self._same_text(value) or (self._normal is not None and same_value(value) == self._normal):
            return None
        if self.reading.root is None:
            return self._loss_of_no_json(value, lookup)
        losses = _losses(self._value, notation.read(value), self.layer, lookup)
        return min(losses, key=LOSSES.index, default=None)

    @cached_property
    def _normal(self) -> str | None:
        """The normal form of the value, where the standard library's reading is surely the exact one."""
        if any(each.search(self.data) for each in _AT_RISK):
            return None
        try:
            text = self.data.decode()
            return None if _NO_JSON.search(STRING.sub("", text)) else same_value(text)
        except (UnicodeDecodeError, notation.NotationError):
            return None

    @cached_property
    def _value(self) -> Value:
        assert self.reading.root is not None
        return spelled(self.reading.root)

    def _same_text(self, value: str) -> bool:
        """Whether the notation is the very text, and JSON: then nothing can be lost, however deep it is."""
        same = len(value) == len(self.data) and value.encode("ascii", "replace") == self.data
        return same and _NO_JSON.search(STRING.sub("", value)) is None

    def _loss_of_no_json(self, value: str, lookup: bool) -> Loss:
        fatal, data = self.reading.fatal, self.data
        if fatal is not None and fatal.kind == "trailing-data" and wide_encoding(data) is None:
            whole = Original(data[: fatal.offset], self.layer)
            # Behind a comment nothing is left unread that would be a value.
            comment = data[fatal.offset :].startswith((b"//", b"/*", b"#"))
            if not comment and whole.reading.root is not None and whole.loss(value, lookup=lookup) is None:
                return "truncation"
        if any(each.kind == "utf-8" for each in self.reading.problems) and _REPLACED in value.lower():
            return "bytes"
        return "other"

    @cached_property
    def repeats(self) -> bool:
        """Whether a name is there twice in an object, exactly."""
        return any(each.kind == "repeated-name" for each in self.reading.problems)

    @cached_property
    def odd_text(self) -> bool:
        """Whether bytes are not UTF-8, or surrogates stand alone."""
        return any(each.kind in ("utf-8", "surrogate") for each in self.reading.problems)

    def loss_converted(self, value: str) -> Loss | None:
        """What is surely lost in a value that was legitimately converted: repeats and bytes leave traces."""
        if self.repeats and not _repeats(notation.read(value)):
            return "occurrence"
        return "bytes" if self.odd_text and _REPLACED in value.lower() else None


def _losses(original: Value, value: Value, layer: str, lookup: bool) -> Iterator[Loss]:
    todo: list[tuple[Value, Value]] = [(original, value)]
    while todo:
        was, now = todo.pop()
        if is_hole(now):
            continue  # what it lost cannot be seen
        if isinstance(was, Array) and isinstance(now, Array):
            if len(now.items) < len(was.items):
                yield "truncation"
            todo.extend(zip(was.items, now.items, strict=False))
        elif isinstance(was, Object) and isinstance(now, Object):
            yield from _of_members(was, now, lookup, todo)
        elif isinstance(was, DecimalLiteral):
            yield from _of_number(was.text, now, layer, lookup)
        elif isinstance(was, str | Bytes):
            yield from _of_text(was, now)
        elif was is not now:
            yield "other"


def _of_members(was: Object, now: Object, lookup: bool, todo: list[tuple[Value, Value]]) -> Iterator[Loss]:
    """What members lost; what is to be looked at within them goes to `todo`."""
    mine, theirs = _by_name(was), _by_name(now)
    loose: tuple[dict[str, list[Value]], dict[str, list[Value]]] | None = None
    for key, (name, values) in mine.items():
        answers = theirs[key][1] if key in theirs else []
        if len(answers) >= len(values):
            if lookup and len(values) > 1 and _one(answers) and not _one(values):
                yield "occurrence"  # listed twice by the library, read by name: one of them is gone
            else:
                todo.extend(zip(values, answers, strict=False))
        elif answers:
            yield "occurrence"
        else:
            loose = loose or (_by_loose_name(mine), _by_loose_name(theirs))
            seen_as = loose_name(name)
            meeting, replaced = loose[0][seen_as], loose[1].get(seen_as, [])
            if replaced:
                yield "bytes"
                if len(meeting) == len(values) == len(replaced):  # else names met: one of them is gone
                    todo.extend(zip(values, replaced, strict=True))
            elif len(values) > 1:
                yield "occurrence"
            elif "\0" in key and key.partition("\0")[0] in theirs:
                yield "truncation"
            else:
                yield "other"


def _by_name(value: Object) -> dict[str, tuple[Name, list[Value]]]:
    found: dict[str, tuple[Name, list[Value]]] = {}
    for name, item in value.pairs:
        found.setdefault(exact_name(name), (name, []))[1].append(item)
    return found


def _by_loose_name(members: dict[str, tuple[Name, list[Value]]]) -> dict[str, list[Value]]:
    """What stands under names that replacement makes equal."""
    found: dict[str, list[Value]] = {}
    for name, values in members.values():
        found.setdefault(loose_name(name), []).extend(values)
    return found


def _one(values: list[Value]) -> bool:
    return len({notation.write(value) for value in values}) == 1


def _of_number(lexeme: str, now: Value, layer: str, lookup: bool) -> Iterator[Loss]:
    if not isinstance(now, Integer | Binary64 | DecimalLiteral):
        yield "other"
    elif numbers.decimal(now.text) != numbers.decimal(lexeme):
        # Read by name, a number may be another member's.
        yield "number" if not lookup or number_reads(lexeme, now) else "other"
    elif isinstance(now, Binary64) and _no_double(lexeme, layer):
        yield "number"


def _no_double(lexeme: str, layer: str) -> bool:
    """Whether the layer rejects a number for what a binary64 makes of it."""
    kind: ProblemKind | None = None
    if is_integer(lexeme) and not is_safe_integer(lexeme):
        kind = "integer-range"
    elif not is_binary64(lexeme):
        kind = "number-overflow" if overflows(lexeme) else "number-precision"
    return kind is not None and RULES[layer].get(kind, ("",))[0] == REJECT


def _of_text(was: str | Bytes, now: Value) -> Iterator[Loss]:
    if was == now:
        return
    if not isinstance(now, str | Bytes):
        yield "other"
    elif isinstance(was, Bytes):
        yield "bytes"
    elif exact_name(was) == exact_name(now):
        return  # a pair of surrogates as two code points, or encoded
    elif text_reads(was, now):
        yield "bytes"
    elif isinstance(now, str) and was.startswith(now) and (now or was[0] == "\0"):
        yield "truncation"
    else:
        yield "other"


def _repeats(value: Value) -> bool:
    todo: list[Value] = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, Array):
            todo.extend(each.items)
        elif isinstance(each, Object):
            names = [exact_name(name) for name, _ in each.pairs]
            if len(set(names)) < len(names):
                return True
            todo.extend(item for _, item in each.pairs)
    return False
