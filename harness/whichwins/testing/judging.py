"""What a decode function did with one text, held against what a layer expects and what the text says."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import PurePath
from types import TracebackType
from typing import Any, Literal, NamedTuple, TypeAlias

from whichwins._bundled_path import bundled
from whichwins.analysis import lens as lenses
from whichwins.analysis import numbers
from whichwins.analysis.facts import LIMITS
from whichwins.model import ACCEPT, REJECT, Array, Expectation, Object, Other, Value
from whichwins.notation import Number, canonical, write
from whichwins.notation import read as read_notation
from whichwins.reference import Node, ProblemKind, read, spelled, value, verdicts
from whichwins.report.safe import plain

Decode: TypeAlias = Callable[[bytes], object]
Rejects: TypeAlias = type[BaseException] | tuple[type[BaseException], ...]
Kind: TypeAlias = Literal["accepts", "rejects", "value", "raises", "fault"]
FAULT: Kind = "fault"
"""A RecursionError or MemoryError where a value need not come: no failure, but no plain "no" either."""

_FAULTS = (RecursionError, MemoryError)
_SHOWN = 120  # characters of a value or an error in a message
# What such a text says is not agreed on (RFC 8259 sections 4, 8.1, 8.2): any value will do.
_UNPREDICTABLE: frozenset[ProblemKind] = frozenset(("repeated-name", "surrogate", "utf-8"))
_DEEP: frozenset[ProblemKind] = frozenset(("depth",))


class Terms(NamedTuple):
    """How answers are judged: the lens for values, what counts as a rejection, how objects become plain."""

    lens: str
    rejects: Rejects
    dump: Callable[[Any], object] | None


class Finding(NamedTuple):
    """What went against expectation: what came and, where a value is wrong, at which pointer and what
    the text says there."""

    kind: Kind
    came: str
    pointer: str = ""
    says: str = ""


class Judged(NamedTuple):
    """What went against expectation, None where nothing did; and the normal form of a value that was known
    beforehand and came, None where none did: who returned it has read the text."""

    finding: Finding | None
    read: str | None = None


class _Answer(NamedTuple):
    """A value's notation, or an error in one line."""

    value: str | None
    error: str = ""
    listed: bool = True
    fault: bool = False


def terms_of(lens: str, rejects: Rejects, dump: Callable[[Any], object] | None) -> Terms:
    """Check what a user gave: BadInput for a lens that there is not, TypeError for what is no exception."""
    lenses.lens(lens)
    classes = rejects if isinstance(rejects, tuple) else (rejects,)
    if not all(isinstance(each, type) and issubclass(each, BaseException) for each in classes):
        raise TypeError(f"rejects must be an exception class or a tuple of them, not {rejects!r}")
    return Terms(lens, rejects, dump)


def judge(data: bytes, expectation: Expectation, decode: Decode, terms: Terms) -> Judged:
    """Put one text to `decode` and hold what it does against what is expected of it."""
    answer = _ask(data, decode, terms)
    if answer.value is not None:
        if expectation == REJECT:
            return Judged(Finding("accepts", _cut(answer.value)))
        return _value_judged(data, answer.value, terms.lens)
    if not answer.listed:
        return Judged(Finding("raises", answer.error))
    if expectation == ACCEPT and not _limited(data):
        return Judged(Finding("rejects", answer.error))
    return Judged(Finding(FAULT, answer.error) if answer.fault else None)


def _ask(data: bytes, decode: Decode, terms: Terms) -> _Answer:
    try:
        returned = decode(data)
    except BaseException as error:  # some libraries panic past Exception
        if isinstance(error, KeyboardInterrupt) or _ends_the_test(error):
            raise
        return _Answer(None, _told(error), isinstance(error, terms.rejects), isinstance(error, _FAULTS))
    if terms.dump is not None:
        try:
            returned = terms.dump(returned)
        except Exception as error:
            return _Answer(None, f"dump raised {_told(error)}", listed=False)
    return _Answer(_notation(returned))


def _ends_the_test(error: BaseException) -> bool:
    """Whether pytest raised it (a time limit, a skip) while the decoder ran: not the decoder's answer."""
    return any(kind.__module__ == "_pytest.outcomes" for kind in type(error).__mro__)


def _told(error: BaseException) -> str:
    """An error's class, message, and the file and line where it was raised."""
    try:
        said = plain(str(error), _SHOWN)
    except Exception:
        said = ""
    place = _place(error.__traceback__)
    return ": ".join(filter(None, (type(error).__name__, said))) + (f" ({place})" if place else "")


def _place(traceback: TracebackType | None) -> str:
    """Where below this module an error was raised; empty where that is no Python."""
    deepest = None if traceback is None else traceback.tb_next
    while deepest is not None and deepest.tb_next is not None:
        deepest = deepest.tb_next
    return f"{PurePath(deepest.tb_frame.f_code.co_filename).name}:{deepest.tb_lineno}" if deepest else ""


@cache
def _kit() -> Any:
    """The renderer of the Python adapter, as a module that `import` cannot find."""
    file = bundled("adapters") / "python" / "render.py"
    spec = importlib.util.spec_from_file_location("_whichwins_render", file)
    assert spec is not None, file
    assert spec.loader is not None, file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _notation(returned: object) -> str:
    try:
        return canonical(_kit().exact(returned))
    except Exception:  # a type whose own methods fail
        return write(Other(type(returned).__name__))


def _limited(data: bytes) -> bool:
    """Whether RFC 8259 lets a parser refuse the text for a limit of its own."""
    return any(problem.kind in LIMITS for problem in read(data).problems)


def _value_judged(data: bytes, came: str, lens: str) -> Judged:
    """A returned value against what the text says; nothing is found where the text does not tell."""
    reading = read(data)
    kinds = {problem.kind for problem in reading.problems}
    if reading.root is None or kinds & _UNPREDICTABLE:
        return Judged(None)
    says = write(value(reading.root))
    form = lenses.lens(lens)
    if form(says) == form(came):
        return Judged(None, form(says))
    if lens == "value/1" and kinds & LIMITS:
        says = write(_with_permitted(reading.root, read_notation(came)))
        if form(says) == form(came):
            return Judged(None, form(says))
    found = lenses.first_difference(says, came, lens, _SHOWN)
    assert found is not None, "what a lens tells apart differs somewhere"
    return Judged(Finding("value", found.right or "nothing", found.pointer, found.left or "nothing"))


def _with_permitted(root: Node, came: Value) -> Value:
    """What the text says, with each of its numbers as `came` has it if that is a permitted reading.

    RFC 8259 section 6 lets parsers limit range and precision: a number may be kept as it is spelled or
    become the nearest binary64, integers too.
    """
    whole = Array([value(root)])
    todo: list[tuple[Value, Value, Value]] = [(whole, Array([spelled(root)]), Array([came]))]
    while todo:
        says, exact, came = todo.pop()
        if isinstance(says, Array) and isinstance(exact, Array) and isinstance(came, Array):
            for at, (literal, other) in enumerate(zip(exact.items, came.items, strict=False)):
                if _permitted(literal, other):
                    says.items[at] = other
            todo.extend(zip(says.items, exact.items, came.items, strict=False))
        elif isinstance(says, Object) and isinstance(exact, Object) and isinstance(came, Object):
            others = dict(came.pairs)
            for at, (name, literal) in enumerate(exact.pairs):
                if name in others:
                    if _permitted(literal, others[name]):
                        says.pairs[at] = name, others[name]
                    todo.append((says.pairs[at][1], literal, others[name]))
    return whole.items[0]


def _permitted(literal: Value, other: Value) -> bool:
    if not isinstance(literal, Number) or not isinstance(other, Number):
        return False
    return numbers.decimal(other.text) in (numbers.decimal(literal.text), numbers.binary64(literal.text))


def clause_of(data: bytes, layer: str, clause: str) -> str:
    """The clause by which a layer rejects a text, in the reference's words where it rejects it too.

    Cases word their clauses each in its own way; counted by the reference's, equal ones are together.
    """
    said = verdicts(read(data, stop=_DEEP))[layer]
    return said.clause if said.expectation == REJECT and said.clause else clause


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
