"""Readers damaged on purpose: the independent checks must notice every one of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.reference import checks
from whichwins.reference import layers, numbers, reader, strings, tape

Patch = pytest.MonkeyPatch
_read, _fail, _bad_utf8 = reader.read, reader._fail, strings.bad_utf8
_is_binary64 = numbers.is_binary64


def drops_a_pair(patch: Patch) -> None:
    members = vars(tape.Node)["members"].fget
    patch.setattr(
        tape.Node, "members", property(lambda node: tuple({m.name.key: m for m in members(node)}.values()))
    )


def _string(patch: Patch, old: bytes, new: bytes) -> None:
    for name in ("STRING", "STRING_PREFIX"):
        pattern = getattr(reader, name).pattern
        assert old in pattern
        patch.setattr(reader, name, re.compile(pattern.replace(old, new)))


def _number(patch: Patch, old: bytes, new: bytes) -> None:
    assert old in reader.NUMBER.pattern
    patch.setattr(reader, "NUMBER", re.compile(reader.NUMBER.pattern.replace(old, new)))


def misses_an_escape(patch: Patch) -> None:
    _string(patch, b"bfnrt", b"bnrt")


def takes_a_wrong_escape(patch: Patch) -> None:
    _string(patch, b"bfnrt", b"bfnrtv")


def takes_three_hex_digits(patch: Patch) -> None:
    _string(patch, b"{4}", b"{3,4}")


def reads_form_feed_as_f(patch: Patch) -> None:
    patch.setitem(strings._SHORT, "f", "f")


def takes_leading_zeros(patch: Patch) -> None:
    _number(patch, b"(?:0|[1-9][0-9]*+)", b"[0-9]++")


def takes_a_lone_minus(patch: Patch) -> None:
    _number(patch, b"(?:0|[1-9][0-9]*+)", b"(?:0|[1-9][0-9]*+|(?<=-))")


def takes_a_bare_point(patch: Patch) -> None:
    _number(patch, rb"\.[0-9]++", rb"\.[0-9]*+")


def takes_an_empty_exponent(patch: Patch) -> None:
    _number(patch, b"[+-]?[0-9]++", b"[+-]?[0-9]*+")


def takes_trailing_commas(patch: Patch) -> None:
    comma = re.compile(rb",(?=[ \t\n\r]*[\]}])")
    patch.setattr(reader, "read", lambda data: _read(comma.sub(b" ", data)))


def takes_raw_controls(patch: Patch) -> None:
    _string(patch, rb"\x00-\x1f", b"")


def takes_a_raw_tab(patch: Patch) -> None:
    patch.setattr(reader, "PLAIN", re.compile(rb'"[\t !#-\[\]-\x7f]*+"'))


def refuses_del(patch: Patch) -> None:
    patch.setattr(reader, "PLAIN", re.compile(rb'"[ !#-\[\]-\x7e]*+"'))
    _string(patch, rb"\x00-\x1f", rb"\x00-\x1f\x7f")


def takes_overlong_utf8(patch: Patch) -> None:
    overlong = re.compile(rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]")
    patch.setattr(strings, "bad_utf8", lambda raw: _bad_utf8(overlong.sub(lambda m: b"?" * len(m[0]), raw)))


def takes_surrogate_bytes(patch: Patch) -> None:
    def bad_utf8(raw: bytes) -> int | None:
        return None if strings.passed(raw) is not None else _bad_utf8(raw)

    patch.setattr(strings, "bad_utf8", bad_utf8)


def takes_form_feed_as_space(patch: Patch) -> None:
    patch.setattr(reader, "WHITE_SPACE", re.compile(rb"[ \t\n\r\f]*"))


def takes_nul_as_space(patch: Patch) -> None:
    patch.setattr(reader, "WHITE_SPACE", re.compile(rb"[ \t\n\r\x00]*"))


def knows_no_carriage_return(patch: Patch) -> None:
    patch.setattr(reader, "WHITE_SPACE", re.compile(rb"[ \t\n]*"))


def pairs_surrogates_wrongly(patch: Patch) -> None:
    patch.setattr(strings, "_pair", lambda high, low: 0x10000 + ((low & 0x3FF) << 10 | high & 0x3FF))


def pairs_no_surrogates(patch: Patch) -> None:
    def swap(pattern: str) -> str:
        return pattern.replace("[89abAB]", "[7]")

    patch.setattr(strings, "_ESCAPE", re.compile(swap(strings._ESCAPE.pattern)))
    patch.setattr(strings, "_ESCAPE_BYTES", re.compile(swap(strings._ESCAPE.pattern).encode()))


def ignores_trailing_data(patch: Patch) -> None:
    def fail(state: Any, at: int, kind: Any = None) -> None:
        if kind != "trailing-data":
            _fail(state, at, kind)

    patch.setattr(reader, "_fail", fail)


def takes_any_case_of_literals(patch: Patch) -> None:
    patch.setattr(reader, "LITERAL", re.compile(rb"(?:null|true|false)", re.IGNORECASE))
    patch.setattr(reader, "_LITERALS", {**reader._LITERALS, b"True": tape.TRUE, b"NULL": tape.NULL})


def takes_words_that_begin_like_literals(patch: Patch) -> None:
    patch.setattr(reader, "LITERAL", re.compile(rb"nulll|null|true|false"))
    patch.setattr(reader, "_LITERALS", {**reader._LITERALS, b"nulll": tape.NULL})


def is_off_by_one_in_depth(patch: Patch) -> None:
    patch.setattr(reader, "read", partial(_read, limits=reader.Limits(max_depth=65)))


def is_off_by_one_in_size(patch: Patch) -> None:
    patch.setattr(reader, "read", partial(_read, limits=reader.Limits(max_bytes=(1 << 20) - 1)))


def is_off_by_one_in_length(patch: Patch) -> None:
    patch.setattr(reader, "read", partial(_read, limits=reader.Limits(max_number=401)))


def takes_2_to_53_as_safe(patch: Patch) -> None:
    patch.setattr(numbers, "_SAFE", "9007199254740992")


def takes_any_finite_number(patch: Patch) -> None:
    patch.setattr(
        numbers, "is_binary64", lambda lexeme: _is_binary64(lexeme) or not numbers.overflows(lexeme)
    )


def overlooks_overflow(patch: Patch) -> None:
    patch.setattr(numbers, "overflows", lambda lexeme: False)


def compares_names_as_spelled(patch: Patch) -> None:
    decode = strings.decode
    patch.setattr(strings, "decode", lambda raw: None if b"\\" in raw else decode(raw))
    patch.setattr(strings, "unescaped_bytes", lambda raw: raw)


def folds_the_case_of_names(patch: Patch) -> None:
    state = reader._name.__globals__
    patch.setitem(state, "strings", _Folding())


class _Folding:
    def __getattr__(self, name: str) -> Any:
        return getattr(strings, name)

    def decode(self, raw: bytes) -> str | None:
        text = strings.decode(raw)
        return text and text.replace("\u212a", "k")


def forgets_repeats_after_a_nested_object(patch: Patch) -> None:
    name = reader._name

    def forgetful(state: Any, at: int, container: int, open_names: list[Any]) -> int:
        if state.tape.data[at - 2 : at] == b"},":
            open_names[-1] = None
        return name(state, at, container, open_names)

    patch.setattr(reader, "_name", forgetful)


def remembers_names_of_the_object_before(patch: Patch) -> None:
    name = reader._name
    last: list[Any] = [None]

    def sticky(state: Any, at: int, container: int, open_names: list[Any]) -> int:
        if open_names[-1] is None and len(open_names) > 1:
            open_names[-1] = last[0]
        end = name(state, at, container, open_names)
        last[0] = open_names[-1]
        return end

    patch.setattr(reader, "_name", sticky)


def overlooks_lone_surrogates(patch: Patch) -> None:
    patch.setattr(strings, "lone_surrogate", lambda raw: None)


def overlooks_noncharacters_beyond_the_bmp(patch: Patch) -> None:
    patch.setattr(strings, "_RAW_NONCHARACTER", re.compile(rb"\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]"))


def takes_no_bom(patch: Patch) -> None:
    patch.setattr(reader, "BOM", b"\xff\xfe")


def skips_a_bom_in_silence(patch: Patch) -> None:
    patch.setattr(reader, "read", lambda data: _read(data.removeprefix(b"\xef\xbb\xbf")))


def spells_numbers_anew(patch: Patch) -> None:
    patch.setattr(tape.Node, "number", property(lambda node: repr(float(node.lexeme))))


def renames_twins_into_each_other(patch: Patch) -> None:
    module = sys.modules["whichwins.reference.twin"]  # the package's attribute is the function
    patch.setattr(module, "_renamings", lambda node: [(m.name.end - 1, b"~2") for m in node.members[1:]])


def puts_free_before_reject(patch: Patch) -> None:
    patch.setattr(layers, "REJECT", "free")


DAMAGES: list[Callable[[Patch], None]] = [
    value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__ and not name.startswith("_")
]


def test_there_are_many_damages() -> None:
    assert len(DAMAGES) >= 30


def test_the_reader_itself_is_sound() -> None:
    assert list(checks.complaints()) == []


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_noticed(damage: Callable[[Patch], None], monkeypatch: Patch) -> None:
    damage(monkeypatch)
    try:
        complaint = next(checks.complaints(), None)
    except (ValueError, LookupError) as error:  # it fell over: that is noticed as well
        complaint = repr(error)
    assert complaint is not None
