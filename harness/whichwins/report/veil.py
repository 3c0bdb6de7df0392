"""Values kept out of a report: what they are, how long, and which of them are the same.

A hidden value stands as `value 2 (object, 23 characters)`: the number is that of its first appearance in the
report, so that equal values are seen to be equal. With a key, which should be secret and stay the same, it
is the beginning of a keyed digest instead, and values of several reports can be told apart. A digest without
a key would give short values away to whoever guesses.

Cases that come with whichwins are no secret, nor is what stands in one: so far `of` lifts the veil.
"""

from __future__ import annotations

import copy
import hmac
import re
from collections.abc import Callable, Collection
from hashlib import sha256

from whichwins.analysis.counting import plural
from whichwins.audit.public import Public
from whichwins.report.document import Cell, Code, Input

_LIMIT = 200
_DIGITS = 12
_LONG = 4096
"""Bytes or characters of what is public and yet left out where nothing is cut: the corpus has it."""
_PLACED = 64 * 1024
"""Bytes of an input whose places are worked out."""
_SHAPES = (
    ("{", "object"),
    ("[", "array"),
    ('"', "text"),
    ('u"', "text"),
    ('b"', "bytes"),
    ("X", "another value"),
    ("D", "number"),
    ("N", "number"),
    ("I", "number"),
    ("-", "number"),
    *((digit, "number") for digit in "0123456789"),
)
_LABEL = re.compile(r"[A-Za-z_-]{0,40}")
_OWN_LABELS = frozenset(("", "response", "input_json", "chunk", "delta"))
"""Of the boundaries that come with whichwins."""
_CUT = re.compile(r"(?s).{80,}\.\.\.")
_WORDS = re.compile(
    r"(?!(?:null|true|false|NaN|D?-?[0-9].*|-?Infinity)$)[A-Za-z0-9 ,.;:()_-]*"
    r"|[0-9]+ [a-z]+(?:, then [A-Za-z0-9 ,.;:()_-]*)?"
)
WHOLE = "the whole document"


class Veil:
    """Shows values, or hides them. One for a report: it knows which values it has met.

    `public` says of a case what is public of it; `own` are the boundaries whose answers to such a case are;
    `labels` what is no value where somebody's own code says where one was shown.
    """

    def __init__(
        self,
        show: bool,
        key: bytes = b"",
        public: Callable[[str], Public | None] = lambda _: None,
        own: Collection[str] = (),
        labels: Collection[str] = (),
    ) -> None:
        self.show = show
        self._key = key
        self._met: dict[bytes, str] = {}
        self._public, self._own, self._labels = public, own, labels
        self._here: Public | None = None
        self._hid: list[bool] = []
        self._views: dict[tuple[str, bool], Veil] = {}

    def of(self, case: str, *boundaries: str) -> Veil:
        """The veil over what these boundaries (at least one) said of a case; over the case itself without."""
        if self.show and self._here is None:
            return self
        key = case, bool(boundaries) and all(each in self._own for each in boundaries)
        if key not in self._views:
            view = copy.copy(self)
            view._here = self._public(case)
            view.show = key[1] and view._here is not None
            self._views[key] = view
        return self._views[key]

    @property
    def hidden(self) -> bool:
        """Whether anything has been hidden so far."""
        return bool(self._hid)

    def shows(self, data: bytes, *, whole: bool = False) -> bool:
        """Whether these bytes are shown; `whole`: without a cut."""
        if self._here is None or (whole and len(data) > _LONG):
            return self.show and self._here is None
        return self.show or self._here.holds(data)

    def _says(self, text: str) -> bool:
        return self.show or (self._here is not None and self._here.says(text))

    def value(self, text: str, limit: int = _LIMIT) -> Cell:
        """A value in notation; empty: nothing is there."""
        if not text:
            return "(nothing)"
        return Code(text, limit) if self._says(text) else self.said(text)

    def said(self, text: str) -> str:
        """A value in words, hidden or whole."""
        long = self._here is not None and len(text) > _LONG
        if not text or (not long and self._says(text)):
            return text
        shape = next((name for begins, name in _SHAPES if text.startswith(begins)), "value")
        if text in ("null", "true", "false"):
            return f"value {self._name(_bytes(text))} (a word)"
        length = plural(len(text), "character")
        if _CUT.fullmatch(text):  # cut by whoever compared
            length = f"over {plural(len(text) - 3, 'character')}"
        return f"value {self._name(_bytes(text))} ({shape}, {length})"

    def input(self, data: bytes | None, length: int, limit: int = _LIMIT) -> Cell:
        """An input; None: its bytes are not kept."""
        if data is None:
            return f"{plural(length, 'byte')}, left out"
        if self.shows(data):
            return Input(data, limit)
        return f"bytes {self._name(data)} ({plural(len(data), 'byte')})"

    def digest(self, text: str) -> Cell:
        """A digest that an approver or executor gave: of a short value it tells as much as the value."""
        return Code(text, _LIMIT) if self.show else self.hidden_digest(text)

    def hidden_digest(self, text: str) -> str:
        """A digest in words, hidden or not."""
        return text if self.show else f"digest {self._name(_bytes(text))}"

    def words(self, text: str) -> str:
        """Words of somebody's own code, which may quote what it was sent."""
        if self.show:
            return text
        self._hid[:] = [True]
        return f"({plural(len(text), 'character')} of text)"

    def where(self, text: str) -> str:
        """Where a value was shown, as somebody's own code says: what it says time and again is no value.

        Of a request that is public, a word is not one either.
        """
        word = text in _OWN_LABELS or (self._here is not None and _LABEL.fullmatch(text) is not None)
        return text if self.show or word or text in self._labels else self.words(text)

    def outcome(self, text: str) -> str:
        """What was expected or seen: words of the audit. What looks like more than words is a value."""
        return text if self.show or _WORDS.fullmatch(text) else self.said(text)

    def place(self, pointer: str, data: bytes | None) -> Cell:
        """Where something stands: a JSON Pointer quotes names, so hidden it is the ordinal path in `data`."""
        if not pointer:
            return WHOLE
        if self.shows_place(pointer, data):
            return Code(pointer, _LIMIT)
        self._hid[:] = [True]
        path = None if data is None or len(data) > _PLACED else _ordinal(pointer, data)
        return Code(path) if path else f"{plural(pointer.count('/'), 'level')} down"

    def shows_place(self, pointer: str, data: bytes | None) -> bool:
        """Whether a JSON Pointer is shown as it is: it leads somewhere in the public text, or quotes it."""
        if self.show or self._here is None:
            return self.show
        return self._here.names(pointer) or (
            data is not None and len(data) <= _PLACED and _ordinal(pointer, data) is not None
        )

    def _name(self, data: bytes) -> str:
        self._hid[:] = [True]
        if self._key:
            return hmac.new(self._key, data, sha256).hexdigest()[:_DIGITS]
        return self._met.setdefault(data, f"{len(self._met) + 1}")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _ordinal(pointer: str, data: bytes) -> str | None:
    """The place of a pointer as ordinals, `#0/#2`: the first of a repeated name. None: it is not there."""
    from whichwins.reference import read

    node = read(data).root
    for token in pointer.split("/")[1:]:
        if node is None:
            return None
        if node.kind == "object":
            name = token.replace("~1", "/").replace("~0", "~")
            node = next((value for member, value in node.members if member.key == name), None)
        elif node.kind == "array" and token.isdecimal() and token.isascii() and len(token) < 10:
            node = next(iter(node.items[int(token) : int(token) + 1]), None)
        else:
            return None
    return None if node is None else node.path
