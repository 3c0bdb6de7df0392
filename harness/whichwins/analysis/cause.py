"""Why subjects part on a case.

The reference's findings say what is odd about the text; the values, or who refuses, say which oddity
the subjects part over. In this order, the first that applies:

0. Nobody holds another value, and all who refuse accept the twin: `repeated name`.
1. Nobody holds another value, and the text is deep (over 64) or large (over 1 MiB): `depth`, `size`.
   Such limits fire before anything else is seen.
2. The text is no JSON: its encoding (UTF-16, UTF-32, bad UTF-8, a BOM where it is what ended the
   reading), trailing data, or the kind of syntax that some let pass.
3. Values differ: a repeated name, if the winners differ, and not just how names are spelled. Else what
   stands at the first differing place: numbers (range, precision), if both sides can be the number that the
   text has there, names that hosts treat specially (`__proto__`, integer-like ones), bad bytes (`encoding`),
   lone surrogates and NUL (`unicode`), a header with another charset (`encoding`); a lookup subject, if only
   such ones stand apart; other text; the order of members.
4. Some refuse or fail: encoding (bad UTF-8, BOM), a repeated name, if one of them accepts the twin;
   surrogates, numbers, noncharacters, special names; a lookup subject, if only such ones refuse; NUL; a
   scalar at the top.

Of a case that is for subjects that bind (it has a shape), and in which nothing but repeated names is odd:
a repeated name, if the winners differ, a refuser accepts the twin, or not every occurrence fits; else
`binding`, with what the text tries: distinct names that meet in one field, null, a type, an unknown name.

Without content only the values speak. `why` never quotes the input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from whichwins.analysis.binding import binding_kind
from whichwins.analysis.classes import FAILED, REJECTED, Classes
from whichwins.analysis.difference import Difference, same_but_for_names
from whichwins.analysis.facts import Facts
from whichwins.analysis.lens import value as same_value
from whichwins.analysis.lexemes import same_digits
from whichwins.analysis.result import WINNERS, Cause, Winner
from whichwins.analysis.syntax import leniency, wide_encoding
from whichwins.model import Observation, Outcome
from whichwins.model.shape import SHAPES, Shape
from whichwins.reference import Problem, ProblemKind

_NUMBER = re.compile(r"D?-?[0-9]|NaN|-?Infinity")
_NOT_TEXT = re.compile(r"\\ud[89a-f]|\\ufffd", re.IGNORECASE)
_HOST_NAME = re.compile(r"__proto__|constructor|prototype|toString|__class__|hasOwnProperty")
_INTEGER_NAME = re.compile(r"/(0|[1-9][0-9]{0,9})$")
_ASCII_ESCAPE = re.compile(r"\\u(00[0-7][0-9a-fA-F])")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:+-]+)""", re.IGNORECASE)
_EXPONENT = re.compile(rb"[0-9][eE][+-]?[0-9]{3}")

_LONG_NUMBER = re.compile(rb"[0-9]{19}")

_NOT_FOUND = 'X"missing"'
"""What adapters answer where the library's getter does not find a name that its iteration named."""
_ODD_TEXT: tuple[ProblemKind, ...] = ("utf-8", "surrogate")
_NUMBER_KINDS: dict[ProblemKind, str] = {
    "number-overflow": "range",
    "integer-range": "precision",
    "number-precision": "precision",
    "number-length": "length",
}


def cause_of(
    facts: Facts,
    classes: Classes,
    difference: Difference | None,
    winners: Sequence[Winner] | None,
    lookups: Sequence[bool],
    controls: Sequence[Observation | None] | None,
) -> Cause:
    """The cause of a split. `difference` is that of the first two value classes, if there are two.

    `winners`, `lookups` and `controls` stand in the order of the subjects. `winners` is None without repeats;
    `controls` are the answers to the twin, None where it was not asked.
    """
    twins = _Twins.of(classes, controls)
    if not classes.value and twins.all_accepted:
        return _repeat_refused(facts, twins)
    if not classes.value and (facts.deep or facts.large):
        return _limit(facts)
    if facts.reading is not None and (fatal := facts.reading.fatal) is not None:
        return _not_json(facts.reading.data, fatal)
    shape = SHAPES.get(facts.shape or "")
    if shape is not None and facts.kinds <= {"repeated-name"}:
        return _bound_cause(facts, shape, classes, winners)
    value = None
    if classes.value:
        value = _value_cause(facts, classes, difference, winners, lookups)
        if value.name != "other" or not classes.verdict:
            return value
    verdict = _verdict_cause(facts, classes, twins, lookups)
    return value if value is not None and verdict.name == "other" else verdict


def _bound_cause(facts: Facts, shape: Shape, classes: Classes, winners: Sequence[Winner] | None) -> Cause:
    """The cause among subjects that bind: the text is plain JSON, so they part over names and types."""
    if facts.reading is None:
        return Cause("other", "", "what was bound differs, and the ledger holds no input to say why")
    if winners is not None:
        pairs = list(zip(winners, classes.signature, strict=True))
        mine = {winner for winner, number in pairs if number >= 0 and winner not in ("equal", "n/a")}
        if len(mine) > 1:
            told = ", ".join(name for name in WINNERS if name in mine)
            return Cause("repeated name", "different winners", f"a name repeats in its object: {told}")
        if any(winner == "reject" and number == REJECTED for winner, number in pairs):
            return Cause("repeated name", "rejected", "a name repeats in its object; some reject that")
        if any(each.repeats and not all(name.fits for name in each.members) for each in facts.fields):
            why = "a name repeats in its object, and not every value fits; some look at every occurrence"
            return Cause("repeated name", "occurrence that does not fit", why)
    kind, why = binding_kind(facts.fields, shape)
    return Cause("binding", kind, why)


def _limit(facts: Facts) -> Cause:
    if facts.deep:
        return Cause("depth", "", "nesting is deeper than some accept")
    return Cause("size", "", "the text is larger than some accept")


def _not_json(data: bytes, fatal: Problem) -> Cause:
    wide = wide_encoding(data)
    if wide is not None:
        return Cause("encoding", wide, f"the bytes look like {wide}, which JSON between systems must not be")
    if fatal.kind == "utf-8":
        return Cause("encoding", "invalid UTF-8", f"bytes that are not UTF-8 at byte {fatal.offset}")
    if data.startswith(b"\xef\xbb\xbf") and fatal.offset <= 3:
        return Cause("encoding", "BOM", "a byte order mark that nothing follows")
    if fatal.kind == "trailing-data":
        if data[fatal.offset :].startswith((b"//", b"/*", b"#")):
            return Cause("syntax", "comment", f"a comment after the value, at byte {fatal.offset}")
        kind = "NUL" if data[fatal.offset : fatal.offset + 1] == b"\x00" else "more text"
        return Cause("trailing data", kind, f"something follows the value at byte {fatal.offset}")
    kind = leniency(data, fatal)
    return Cause("syntax", kind, f"not in the grammar at byte {fatal.offset}: {kind}")


def _value_cause(
    facts: Facts,
    classes: Classes,
    difference: Difference | None,
    winners: Sequence[Winner] | None,
    lookups: Sequence[bool],
) -> Cause:
    accepters = [index for index, number in enumerate(classes.signature) if number >= 0]
    if winners is not None:
        mine = {winners[index] for index in accepters}
        # `equal` may stand for first or last: beside one of them the values differ for another reason.
        others = mine not in ({"equal", "first"}, {"equal", "last"})
        # Where no policy explains the other value, a name that hosts treat specially does.
        one = len(mine - {"other"}) < 2
        hosts = one and difference is not None and _HOST_NAME.search(_names(difference))
        if len(mine) > 1 and others and not hosts and not _only_spelled(classes):
            kind = "different winners" if "repeated-name" in facts.kinds else "after replacement"
            told = ", ".join(name for name in WINNERS if name in mine)
            return Cause("repeated name", kind, f"a name repeats in its object: {told}")
    if difference is None:
        return Cause("other", "", "values differ")
    plain = {classes.signature[index] for index in accepters if not lookups[index]}
    return _difference_cause(facts, difference, only_lookups=len(plain) == 1 and any(lookups))


def _only_spelled(classes: Classes) -> bool:
    """Whether all values are the same but for how names are spelled: then no winner differs."""
    (first, *_), *others = classes.texts
    return all(same_but_for_names(first, texts[0], "value/1") for texts in others)


class _Twins(NamedTuple):
    """What those who refuse or fail make of the twin: `accepted` says who accepts it, by `rejects`."""

    rejects: tuple[bool, ...]
    accepted: tuple[bool | None, ...]

    @classmethod
    def of(cls, classes: Classes, controls: Sequence[Observation | None] | None) -> _Twins:
        rows = (None,) * len(classes.signature) if controls is None else controls
        mine = [
            (number == REJECTED, None if control is None else control.outcome is Outcome.ACCEPT)
            for number, control in zip(classes.signature, rows, strict=True)
            if number in (REJECTED, FAILED)
        ]
        return cls(tuple(rejects for rejects, _ in mine), tuple(accepted for _, accepted in mine))

    @property
    def all_accepted(self) -> bool:
        return bool(self.accepted) and all(self.accepted)

    @property
    def unknown(self) -> bool:
        return None in self.accepted


def _repeat_refused(facts: Facts, twins: _Twins) -> Cause:
    """The cause where some refuse, or fail over, what they accept once the names are renamed apart."""
    said = any(rejects for rejects, accepted in zip(*twins, strict=True) if accepted)
    if facts.reading is not None and "repeated-name" not in facts.kinds:
        kind = "after replacement"
    else:
        kind = "rejected" if said else "failing"
    return Cause(
        "repeated name", kind, f"a name repeats in its object; some {'reject' if said else 'fail over'} that"
    )


def _difference_cause(facts: Facts, difference: Difference, only_lookups: bool) -> Cause:
    sides = [side for side in (difference.left, difference.right) if side is not None]
    names = _names(difference)
    nul = b"\\u0000" in (facts.record.data or b"")
    lookup = Cause("lookup", "value", "only subjects that read members by name differ")
    plain_text = not nul and facts.kinds.isdisjoint(_ODD_TEXT)
    if only_lookups and (_NOT_FOUND in sides or ("null" in sides and plain_text)):
        return lookup
    numbers = [side for side in sides if _NUMBER.match(side)]
    odd_number = facts.reading is None or not facts.kinds.isdisjoint(_NUMBER_KINDS)
    if len(sides) == 2 and (len(numbers) == 2 or (numbers and odd_number)):
        whole = len(numbers) == 2 and not any("..." in side for side in numbers)  # a long one is cut
        if whole and same_value(numbers[0]) == same_value(numbers[1]):
            return Cause("number", "type", "a number of the same value has another type or spelling")
        # Plain numbers beside odd text, or digits that do not stand there: no number was misread.
        if (plain_text or odd_number) and (not whole or _misread(facts, difference)):
            infinite = any("Inf" in side or "NaN" in side for side in numbers)
            beyond = infinite or len(numbers) == 1 or "number-overflow" in facts.kinds
            kind = "range" if beyond else "precision"
            return Cause("number", kind, f"a number differs in {kind}")
    if _HOST_NAME.search(names):
        return Cause("host key", "special name", "a name that hosts treat specially")
    if 'X"int:' in names or (len(sides) < 2 and _is_integer_name(facts, difference.pointer)):
        return Cause("host key", "integer-like name", "an integer-like name")
    if "utf-8" in facts.kinds:
        return Cause("encoding", "invalid UTF-8", "bytes that are not UTF-8 are read differently")
    if "surrogate" in facts.kinds:
        return Cause("unicode", "surrogate", "a lone surrogate is read differently")
    if nul:
        return Cause("unicode", "NUL", "an escaped NUL is read differently")
    if other_charset(facts.record.case.headers):
        return Cause("encoding", "charset", "a header says that the bytes are in another encoding")
    if only_lookups:
        return lookup
    if all(side[:1] in ('"', "u", "b") for side in sides) or _NOT_TEXT.search(difference.pointer):
        kind = "noncharacter" if "noncharacter" in facts.kinds else "text"
        return Cause("unicode", kind, "text is read differently")
    if len(sides) == 2 and all(side[:1] == "{" for side in sides):
        return Cause("host key", "order", "members stand in another order")
    return Cause("other", "", "values differ")


def _misread(facts: Facts, difference: Difference) -> bool:
    """Whether two numbers that differ are of one number of the text; without content only they speak."""
    if facts.reading is None or difference.left is None or difference.right is None:
        return True
    return same_digits(facts.reading, difference.pointer, difference.left, difference.right)


def other_charset(headers: Mapping[str, str]) -> bool:
    """Whether headers say that a text is in another encoding than UTF-8: some decode it first."""
    kinds = (value for name, value in headers.items() if name.lower() == "content-type")
    found = _CHARSET.search(next(kinds, ""))
    return found is not None and found[1].lower() not in ("utf-8", "utf8", "us-ascii")


def _names(difference: Difference) -> str:
    """The place where values differ, and what stands there if it has names."""
    sides = (side for side in (difference.left, difference.right) if side is not None)
    return difference.pointer + "".join(side for side in sides if side[:1] in "{X")


def _unescaped(data: bytes) -> str:
    """A text with its escapes of ASCII characters resolved: `"\\u005f_proto__"` is the same name."""
    text = data.decode("latin-1")
    return _ASCII_ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "\\u00" in text else text


def _is_integer_name(facts: Facts, pointer: str) -> bool:
    """Whether the pointer ends in an integer that is a name and no place in an array."""
    found = _INTEGER_NAME.search(pointer)
    name = rb'"%s"[ \t\r\n]*:' % found[1].encode() if found else b""
    return found is not None and re.search(name, facts.record.data or b"") is not None


def _verdict_cause(facts: Facts, classes: Classes, twins: _Twins, lookups: Sequence[bool]) -> Cause:
    refusers = [index for index, number in enumerate(classes.signature) if number in (REJECTED, FAILED)]
    kinds = facts.kinds
    if "utf-8" in kinds:
        return Cause("encoding", "invalid UTF-8", "bytes that are not UTF-8 inside a string")
    if "bom" in kinds:
        return Cause("encoding", "BOM", "a byte order mark at the start")
    if any(twins.accepted):
        return _repeat_refused(facts, twins)
    if "surrogate" in kinds:
        return Cause("unicode", "surrogate", "an escaped lone surrogate")
    for kind, narrow in _NUMBER_KINDS.items():
        if kind in kinds:
            return Cause("number", narrow, f"a number whose {narrow} some do not take")
    if "noncharacter" in kinds:
        return Cause("unicode", "noncharacter", "a noncharacter in a string")
    data = facts.record.data or b""
    if _HOST_NAME.search(_unescaped(data)):
        return Cause("host key", "special name", "a name that hosts treat specially")
    if refusers and all(lookups[index] for index in refusers):
        return Cause("lookup", "refusal", "only subjects that read members by name refuse")
    if b"\\u0000" in data:
        return Cause("unicode", "NUL", "an escaped NUL in a string")
    if _EXPONENT.search(data):
        return Cause("number", "range", "a number with an exponent that some do not take")
    if _LONG_NUMBER.search(data):
        return Cause("number", "length", "a number of many digits that some do not take")
    if "top-level" in kinds:
        return Cause("other", "top-level scalar", "the text is no object and no array")
    if "repeated-name" in kinds and twins.unknown:
        return Cause("repeated name", "no twin", "a name repeats in its object; no twin tells if that is it")
    if facts.reading is None and facts.limited:
        return Cause("number", "range", "a number whose range or precision some do not take")
    return Cause("other", "", "some refuse a text in which nothing stands out")
