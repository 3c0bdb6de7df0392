"""What a reviewer was shown, of all that came upon the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whichwins.audit.passage import Preview
from whichwins.model import Array, Object, Value
from whichwins.notation import read


def shown(previews: Iterable[Preview], *, repeats: bool) -> Iterator[str]:
    """The values that a reviewer saw; of those at one place that only grew, as a stream does, the last one.

    `repeats`: the text repeats a name, so a number that grows by digits may be another occurrence.
    """
    last: dict[str, str] = {}
    for where, value in previews:
        before = last.get(where)
        if before is not None and not _grew(before, value, repeats):
            yield before
        last[where] = value
    yield from last.values()


def _grew(before: str, after: str, repeats: bool) -> bool:
    """Whether the later of two previews only continues the earlier one, as a text does that still comes in.

    A number may grow by digits; where a name repeats, 2 that becomes 20 may be another occurrence.
    """
    if before in (after, "null"):
        return True
    todo: list[tuple[Value, Value]] = [(read(before), read(after))]
    while todo:
        one, other = todo.pop()
        if one is None or one is other:
            continue
        if isinstance(one, str) and isinstance(other, str):
            grew = other.startswith(one)
        elif isinstance(one, Array) and isinstance(other, Array):
            grew = len(one.items) <= len(other.items)
            todo.extend(zip(one.items, other.items, strict=False))
        elif isinstance(one, Object) and isinstance(other, Object):
            later = dict(other.pairs)
            grew = all(name in later for name, _ in one.pairs)
            todo.extend((item, later[name]) for name, item in one.pairs if name in later)
        else:
            text = getattr(one, "text", None)
            whole = getattr(other, "text", None)
            grew = (
                type(one) is type(other)
                and text is not None
                and whole is not None
                and (whole == text or (not repeats and whole.startswith(text.removesuffix(".0"))))
            )
        if not grew:
            return False
    return True
