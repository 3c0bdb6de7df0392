"""A strict, lossless, iterative reader of RFC 8259 texts.

It keeps every pair in order, every number and string as spelled, and the byte offsets of all
tokens. What a text should not have but can be read past (bad UTF-8 inside strings, unpaired
surrogates, repeated names, limits, ...) is recorded; what the grammar does not allow ends it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection
from dataclasses import dataclass
from typing import NoReturn

from whichwins.reference import numbers, strings, tape
from whichwins.reference.problems import Problem, ProblemKind
from whichwins.reference.tape import Node, Tape

BOM = b"\xef\xbb\xbf"
WHITE_SPACE = re.compile(rb"[ \t\n\r]*")
# Most strings: ASCII without escapes, so already text. The second form is the whole grammar.
PLAIN = re.compile(rb'"[ !#-\[\]-\x7f]*+"')
STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
STRING_PREFIX = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
LITERAL = re.compile(rb"null|true|false")
BRACKETS = re.compile(rb"\[+")

_SAFE_DIGITS = 15  # integers this short are within 2^53-1
_NUMBER_PARTS = frozenset(bytes([byte]) for byte in b"0123456789.+-eE")
_WORD = re.compile(rb"[A-Za-z0-9_$]")
_LITERALS = {b"null": tape.NULL, b"true": tape.TRUE, b"false": tape.FALSE}


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on size (bytes), depth (open containers) and number length are recorded."""

    max_bytes: int = 1 << 20
    max_depth: int = 64
    max_number: int = 400


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """What was read. `root` is None when the text is not in the grammar or reading was stopped.

    `depth` is the deepest nesting seen. `suspects` are the rows of the objects in which names
    repeat, or might for a decoder that replaces.
    """

    data: bytes
    tape: Tape
    root: Node | None
    problems: tuple[Problem, ...]
    depth: int
    suspects: tuple[int, ...]

    @property
    def fatal(self) -> Problem | None:
        """The problem that ended the reading, if one did."""
        return next((problem for problem in reversed(self.problems) if problem.fatal), None)


# The names an open object has so far: none, the only one, or a set of them.
_Names = str | bytes | set[str | bytes] | None


class _Broken(Exception):
    """The text left the grammar."""


class _Stopped(Exception):
    """A problem of a kind that the caller wanted to stop at."""


@dataclass(slots=True, eq=False)
class _State:
    """One reading under way: the tape, what was found, and what is open."""

    tape: Tape
    limits: Limits
    stop: Collection[ProblemKind]
    problems: list[Problem]
    suspects: set[int]
    depth: int = 0

    def note(self, kind: ProblemKind, offset: int, fatal: bool = False) -> None:
        self.problems.append(Problem(kind, offset, fatal, self.tape.data))

    def check(self, known: int) -> None:
        """Stop if a token brought a problem to stop at. Whole tokens, so that the first is known."""
        if self.stop and any(problem.kind in self.stop for problem in self.problems[known:]):
            raise _Stopped


def read(data: bytes, limits: Limits = DEFAULT_LIMITS, stop: Collection[ProblemKind] = ()) -> Reading:
    """Read a text. Never raises on any bytes.

    `stop` names kinds of problems at the first of which reading ends early (a guard needs no
    more than the first). Time is linear in the size; memory some 25 bytes a node.
    """
    state = _State(Tape(data), limits, stop, [], set())
    root: Node | None = None
    try:
        if len(data) > limits.max_bytes:
            state.note("size", 0)
        start = 0
        if data.startswith(BOM):
            state.note("bom", 0)
            start = len(BOM)
        state.check(0)
        _scan(state, start)
        root = Node(state.tape, 0)
    except (_Broken, _Stopped):
        pass
    problems = tuple(sorted(state.problems, key=lambda problem: problem.offset))
    return Reading(data, state.tape, root, problems, state.depth, tuple(sorted(state.suspects)))


def _scan(state: _State, at: int) -> None:
    """One value and nothing but white space around it."""
    data, kinds, starts = state.tape.data, state.tape.kinds, state.tape.starts
    ends, after, problems = state.tape.ends, state.tape.after, state.problems
    open_rows: array[int] = array("q")
    open_names: list[_Names] = []
    short = min(_SAFE_DIGITS, state.limits.max_number)

    while True:
        # A value begins here.
        byte = data[at : at + 1]
        if byte <= b" ":
            at = _skip(data, at)
            byte = data[at : at + 1]
        known, row = len(problems), len(kinds)
        opened = byte == b"[" or byte == b"{"
        if opened:
            at = _open(state, at, byte, open_rows)
        elif byte == b'"':
            kinds.append(tape.STRING)
            starts.append(at)
            match = PLAIN.match(data, at)
            at = match.end() if match else _odd_string(state, at)
        elif byte == b"-" or byte.isdigit():
            kinds.append(tape.NUMBER)
            starts.append(at)
            match = NUMBER.match(data, at)
            if match is None or data[match.end() : match.end() + 1] in _NUMBER_PARTS:
                _fail(state, at, "number")
            lexeme = match[0]
            if len(lexeme) > short or not lexeme.isdigit():
                _inspect_number(state, lexeme.decode("ascii"), at)
            at = match.end()
        else:
            match = LITERAL.match(data, at)
            if match is None or _WORD.match(data, match.end()):
                _fail(state, at, "literal" if _WORD.match(data, at) else None)
            kinds.append(_LITERALS[match[0]])
            starts.append(at)
            at = match.end()
        if len(problems) > known:
            state.check(known)
        if not opened:
            ends.append(at)
            after.append(row + 1)

        # A container has begun, or a value has ended; go on to the next value.
        while True:
            byte = data[at : at + 1]
            if byte <= b" ":
                at = _skip(data, at)
                byte = data[at : at + 1]
            if not open_rows:
                if byte:
                    _fail(state, at, "trailing-data")
                if kinds[0] < tape.ARRAY:
                    state.note("top-level", starts[0])
                return
            container = open_rows[-1]
            is_object = kinds[container] == tape.OBJECT
            if byte == (b"}" if is_object else b"]"):
                at += 1
                ends[container] = at
                after[container] = len(kinds)
                open_rows.pop()
                if is_object and not opened:
                    open_names.pop()
                opened = False
                continue
            if not opened:
                if byte != b",":
                    _fail(state, at)
                at += 1
            if is_object:
                if opened:
                    open_names.append(None)
                at = _name(state, at, container, open_names)
            break


def _open(state: _State, at: int, byte: bytes, open_rows: array[int]) -> int:
    """Open an object, or a run of arrays at once. Returns the offset after what was opened."""
    tree, before, row = state.tape, len(open_rows), len(state.tape.kinds)
    run = 1
    if byte == b"[" == tree.data[at + 1 : at + 2] and (match := BRACKETS.match(tree.data, at)):
        run = match.end() - at
        if before <= state.limits.max_depth < before + run:
            run = state.limits.max_depth + 1 - before  # no further than what may have to end here
    tree.kinds.extend(bytes([tape.ARRAY if byte == b"[" else tape.OBJECT]) * run)
    tree.starts.extend(range(at, at + run))
    tree.ends.extend(range(at + 1, at + 1 + run))
    tree.after.extend(range(row + 1, row + 1 + run))
    open_rows.extend(range(row, row + run))
    if before + run > state.depth:
        state.depth = before + run
        if state.depth == state.limits.max_depth + 1:
            state.note("depth", at + run - 1)
    return at + run


def _skip(data: bytes, at: int) -> int:
    """The offset after white space."""
    match = WHITE_SPACE.match(data, at)
    return match.end() if match else at


def _name(state: _State, at: int, container: int, open_names: list[_Names]) -> int:
    """A name and its colon. Returns the offset after them."""
    data, rows = state.tape.data, state.tape
    if data[at : at + 1] <= b" ":
        at = _skip(data, at)
    if data[at : at + 1] != b'"':
        _fail(state, at)
    known = len(state.problems)
    match = PLAIN.match(data, at)
    if match:
        end = match.end()
        key: str | bytes = data[at + 1 : end - 1].decode("ascii")
    else:
        end = _odd_string(state, at)
        raw = data[at + 1 : end - 1]
        text = strings.decode(raw)
        key = strings.unescaped_bytes(raw) if text is None else text
        if any(problem.kind in ("utf-8", "surrogate") for problem in state.problems[known:]):
            state.suspects.add(container)
    names = open_names[-1]
    if names is None:
        open_names[-1] = key
    else:
        if not isinstance(names, set):
            names = {names}
            open_names[-1] = names
        if key in names:
            state.note("repeated-name", at)
            state.suspects.add(container)
        names.add(key)
    if len(state.problems) > known:
        state.check(known)
    rows.kinds.append(tape.STRING)
    rows.starts.append(at)
    rows.ends.append(end)
    rows.after.append(len(rows.kinds))
    if data[end : end + 1] <= b" ":
        end = _skip(data, end)
    if data[end : end + 1] != b":":
        _fail(state, end)
    return end + 1


def _odd_string(state: _State, at: int) -> int:
    """A string that is not plain: note what is odd, return the offset after it."""
    data = state.tape.data
    match = STRING.match(data, at)
    if match is None:
        prefix = STRING_PREFIX.match(data, at)
        stop = prefix.end() if prefix else at
        byte = data[stop : stop + 1]
        kind: ProblemKind = "string" if not byte else "escape" if byte == b"\\" else "control-character"
        bad = strings.bad_utf8(data[at:stop])
        if bad is not None:
            state.note("utf-8", at + bad)
        _fail(state, at if kind == "string" else stop, kind)
    raw = data[at + 1 : match.end() - 1]
    bad = strings.bad_utf8(raw)
    found: list[tuple[ProblemKind, int | None]] = [
        ("utf-8", bad),
        ("surrogate", strings.lone_surrogate(raw)),
        ("noncharacter", strings.noncharacter(raw) if bad is None else None),
    ]
    for kind, offset in found:
        if offset is not None:
            state.note(kind, at + 1 + offset)
    return match.end()


def _inspect_number(state: _State, lexeme: str, at: int) -> None:
    """Note what a number asks beyond binary64 interoperability."""
    if len(lexeme) > state.limits.max_number:
        state.note("number-length", at)
    if numbers.is_integer(lexeme) and not numbers.is_safe_integer(lexeme):
        state.note("integer-range", at)
    if not numbers.is_binary64(lexeme):
        state.note("number-overflow" if numbers.overflows(lexeme) else "number-precision", at)


def _fail(state: _State, at: int, kind: ProblemKind | None = None) -> NoReturn:
    """End the reading at `at`. Bytes that are not UTF-8 are called so, whatever was expected."""
    here = state.tape.data[at : at + 4]
    bad = strings.bad_utf8(here)
    if here and bad == 0:
        kind = "utf-8"
    elif not here and not state.tape.kinds and kind is None:
        kind = "empty"
    state.note(kind or "structure", at, fatal=True)
    raise _Broken
