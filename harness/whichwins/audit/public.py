"""What is no secret: the cases that come with whichwins, and what of a value stands in one of them.

public = Public(b'{"q":2,"q":20}')
public.says('{"q":20}')     # True
public.says('{"q":21}')     # False: somebody's own code made it
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property

from whichwins import notation
from whichwins.analysis import numbers
from whichwins.analysis.readings import exact_name
from whichwins.audit.result import AuditResult
from whichwins.model import Array, Binary64, Bytes, DecimalLiteral, Integer, Object, Value
from whichwins.reference import read, spelled
from whichwins.run.twins import SUFFIX

_MOST = 1 << 16
"""Bytes of a text, and characters of a value, that are looked into."""


class Public:
    """One such case, and `values` (in notation) that parsers of whichwins' own made of it."""

    def __init__(self, data: bytes, values: Iterable[str] = ()) -> None:
        self._data = data
        self._values = tuple(values)

    def says(self, text: str) -> bool:
        """Whether every scalar and every name of a notation stands in the case; of one that was cut, all."""
        if text.endswith("..."):  # cut by whoever compared: it has to be a piece of what a parser made
            return any(text[:-3] in value for value in self._values)
        if text in self._values:
            return True
        try:
            return len(text) <= _MOST and self._known.issuperset(_scalars(notation.read(text)))
        except notation.NotationError:
            return False

    def holds(self, data: bytes) -> bool:
        """The same of bytes: they are the case, or JSON with nothing else in it."""
        if data == self._data:
            return True
        root = read(data).root if len(data) <= _MOST else None
        return root is not None and self._known.issuperset(_scalars(spelled(root)))

    def names(self, pointer: str) -> bool:
        """Whether every name of a JSON Pointer stands in the case; what may be an index may be a name."""
        tokens = (token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])
        return self._known.issuperset(("text", exact_name(token)) for token in tokens)

    @cached_property
    def _known(self) -> frozenset[Hashable]:
        root = read(self._data).root if len(self._data) <= _MOST else None
        found = set() if root is None else set(_scalars(spelled(root)))
        for value in self._values:
            if len(value) <= _MOST:
                found.update(_scalars(notation.read(value)))
        return frozenset(found)


def public_of(result: AuditResult, case: str) -> Public | None:
    """What is public of a request; None where it is the user's."""
    request = result.requests.get(case)
    if case not in result.public or request is None or request.data is None:
        return None
    passages = result.passages.get(case, {})
    values = (passages[name].value for name in sorted(result.own) if name in passages)
    return Public(request.data, [value for value in values if value is not None])


def labels_of(result: AuditResult) -> frozenset[str]:
    """Where values were shown, in words that stand beside more than one request: no value of one of them."""
    first: dict[str, str] = {}
    found: set[str] = set()
    for case, passages in result.passages.items():
        owner = case.removesuffix(SUFFIX)
        for passage in passages.values():
            for preview in passage.previews:
                if first.setdefault(preview.where, owner) != owner:
                    found.add(preview.where)
    return frozenset(found)


def _scalars(value: Value) -> Iterator[Hashable]:
    """What stands in a value: numbers by what they are worth, texts and names, the rest as it is written."""
    todo: list[Value] = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, Array):
            todo.extend(each.items)
        elif isinstance(each, Object):
            for name, item in each.pairs:
                yield "text", exact_name(name)
                todo.append(item)
        elif isinstance(each, Integer | Binary64 | DecimalLiteral):
            yield "number", numbers.decimal(each.text)
        elif isinstance(each, str | Bytes):
            yield "text", exact_name(each)
        else:
            yield "other", notation.write(each)
