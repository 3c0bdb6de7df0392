"""assert_decoder: right decoders pass, planted faults are found, and nothing else is."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.testing.decoders import corpus, guarded, last_wins, off_by_one, refuse, swallow
from whichwins.model import BadInput
from whichwins.testing import DecoderCase, assert_decoder, cases
from whichwins.testing.judging import FAULT, judge, terms_of


def failing(decode: Callable[[bytes], object], asked: list[DecoderCase], **words: Any) -> dict[str, str]:
    """The kind of failure by the id of the case, without the folder's name in front."""
    terms = terms_of(words.get("lens", "value/1"), words.get("rejects", Exception), words.get("dump"))
    found = ((case.id, judge(case.data, case.expectation, decode, terms).finding) for case in asked)
    return {name.removeprefix("mine/"): each.kind for name, each in found if each and each.kind != FAULT}


def says(decode: Callable[[bytes], object], **words: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_decoder(decode, **words)
    return str(caught.value)


def test_the_guard_passes_the_layer_that_it_is_made_for() -> None:
    assert_decoder(guarded)
    assert len(cases()) > 1900


def test_a_decoder_of_decimals_passes_as_well(tmp_path: Path) -> None:
    def decimals(data: bytes) -> Any:
        guarded(data)
        return json.loads(data, parse_float=Decimal, parse_int=Decimal)

    assert_decoder(decimals, families=["controls", "numbers-*"])


def test_last_wins_fails_on_the_repeats_and_on_nothing_else(tmp_path: Path) -> None:
    asked = cases(corpus=corpus(tmp_path))
    assert failing(last_wins, asked) == {
        "repeat/escaped": "accepts",
        "repeat/nested": "accepts",
        "repeat/plain": "accepts",
    }
    everywhere = failing(last_wins, cases(families=["repeated-*", "controls", "literals", "strings-*"]))
    assert {"repeated-conflicting/quantity-2-20", "repeated-special-names/empty"} <= everywhere.keys()
    assert {name.partition("-")[0] for name in everywhere} == {"repeated"}


def test_who_takes_everything_fails_but_where_it_is_right(tmp_path: Path) -> None:
    found = failing(swallow, cases(corpus=corpus(tmp_path)))
    assert found == {
        "good/array": "value",
        "good/object": "value",
        "odd/deep": "accepts",
        "odd/lone": "accepts",
        "odd/nan": "accepts",
        "repeat/escaped": "accepts",
        "repeat/nested": "accepts",
        "repeat/plain": "accepts",
    }


def test_who_takes_nothing_fails_where_it_must_accept(tmp_path: Path) -> None:
    found = failing(refuse, cases(corpus=corpus(tmp_path)))
    assert found == dict.fromkeys(("good/array", "good/null", "good/object"), "rejects")


def test_a_wrong_value_is_told_by_its_place(tmp_path: Path) -> None:
    where = corpus(tmp_path)
    assert failing(off_by_one, cases(corpus=where)) == {"good/object": "value"}
    assert says(off_by_one, corpus=where).splitlines() == [
        "tests.testing.decoders.off_by_one fails 1 of 9 cases under strict-tool-input/1",
        "another value than the text has: 1",
        '  mine/good/object: {"a":{"b":[1,2]},"c":"x"} gave 3 at /a/b/1, expected 2',
    ]


def test_the_summary_groups_by_clause_the_smallest_first(tmp_path: Path) -> None:
    assert says(last_wins, corpus=corpus(tmp_path)).splitlines() == [
        "tests.testing.decoders.last_wins fails 3 of 9 cases under strict-tool-input/1",
        "accepted, though strict-tool-input/1 rejects: 3",
        "  strict-tool-input: names once per object: 3",
        '    mine/repeat/plain: {"a":1,"a":2} gave {"a":2}',
        '    mine/repeat/nested: [{"k":1,"k":1}] gave [{"k":1}]',
        '    mine/repeat/escaped: {"a":1,"\\u0061":2} gave {"a":2}',
    ]


def test_the_summary_stays_short_and_plain() -> None:
    said = says(swallow)
    assert said.isascii()
    assert len(said.splitlines()) < 120
    assert max(map(len, said.splitlines())) < 400
    assert "\n  and " in said


# One text, two decoders: what the layers leave free, and what they do not.
DEEP = b"[" * 3000 + b"]" * 3000
RFC, I_JSON, JCS, STRICT = "rfc8259/1", "i-json/1", "jcs-input/1", "strict-tool-input/1"


def crash(data: bytes) -> Any:
    raise RecursionError("deep")


def giving(value: object) -> Callable[[bytes], object]:
    return lambda data: value


@pytest.mark.parametrize(
    ("layer", "text", "decode", "kind"),
    [
        # deeper than 64: free in RFC 8259 section 9, forbidden by strict-tool-input
        (RFC, DEEP, crash, None),
        (RFC, DEEP, refuse, None),
        (RFC, DEEP, giving([]), "value"),
        (STRICT, DEEP, crash, None),
        (STRICT, DEEP, giving([]), "accepts"),
        (RFC, b"[1]", crash, "rejects"),
        # repeated names: RFC 8259 section 4 leaves the value open too
        (RFC, b'{"a":1,"a":2}', giving({"a": 1}), None),
        (RFC, b'{"a":1,"a":2}', giving({"a": 2}), None),
        (RFC, b'{"a":1,"a":2}', refuse, None),
        (I_JSON, b'{"a":1,"a":2}', giving({"a": 2}), "accepts"),
        # a lone surrogate: section 8.2
        (RFC, b'["\\ud800"]', giving(["\ufffd"]), None),
        (JCS, b'["\\ud800"]', giving(["\ufffd"]), "accepts"),
        # a byte order mark may be ignored, section 8.1: what follows is the value
        (RFC, b"\xef\xbb\xbf[1]", refuse, None),
        (RFC, b"\xef\xbb\xbf[1]", giving([1]), None),
        (RFC, b"\xef\xbb\xbf[1]", giving([2]), "value"),
        # a top level that is no object or array: RFC 7493 section 4.1
        (I_JSON, b"1", refuse, None),
        (I_JSON, b"1", giving(1), None),
        (I_JSON, b"1", giving(2), "value"),
        (RFC, b"1", refuse, "rejects"),
        # 2^53+1: kept, or the nearest binary64; RFC 8259 section 6 allows a limit
        (RFC, b"[9007199254740993]", giving([9007199254740993]), None),
        (RFC, b"[9007199254740993]", giving([9007199254740992.0]), None),
        (RFC, b"[9007199254740993]", giving([9007199254740994.0]), "value"),
        (RFC, b"[9007199254740993]", giving([9007199254740993 % 2**32]), "value"),
        (RFC, b"[9007199254740993]", refuse, None),
        (RFC, b"[9007199254740991]", refuse, "rejects"),
        (STRICT, b"[9007199254740993]", giving([9007199254740993]), "accepts"),
        (RFC, b"[1e400]", giving([float("inf")]), None),
        (RFC, b"[1e400]", giving([Decimal("1e400")]), None),
        (RFC, b"[1e400]", giving([1.7976931348623157e308]), "value"),
        (RFC, b"[1e400]", refuse, None),
        (RFC, b'{"a":[0.10000000000000000555]}', giving({"a": [0.1]}), None),
        (RFC, b'{"a":[0.10000000000000000555]}', giving({"a": [Decimal("0.10000000000000000555")]}), None),
        (RFC, b'{"a":[0.10000000000000000555]}', giving({"a": [0.10000000000000002]}), "value"),
        (RFC, b'{"a":[0.10000000000000000555],"b":2}', giving({"b": 3, "a": [0.1]}), "value"),
        (RFC, b"[1" + b"0" * 5000 + b"]", giving([10**5000]), None),
        # the same number in another type, members in another order
        (STRICT, b'{"a":1,"b":2.0}', giving({"b": 2, "a": 1.0}), None),
        (STRICT, b'{"a":1}', giving({"a": True}), "value"),
        (STRICT, b'{"a":1}', giving({"a": 1, "b": 2}), "value"),
        (STRICT, b'{"a":1}', giving({}), "value"),
        (STRICT, b'{"1":1}', giving({1: 1}), "value"),
        (STRICT, b'["a"]', giving([b"a"]), "value"),
        (STRICT, b"[]", giving(()), None),
        # noncharacters
        (STRICT, b'["\\uffff"]', giving(["\uffff"]), None),
        (I_JSON, b'["\\uffff"]', giving(["\uffff"]), "accepts"),
        # no JSON at all
        (RFC, b"", giving(None), "accepts"),
        (RFC, b"", refuse, None),
        (RFC, b'["\xff"]', giving(["\ufffd"]), "accepts"),
    ],
)
def test_what_is_expected(
    layer: str, text: bytes, decode: Callable[[bytes], object], kind: str | None, tmp_path: Path
) -> None:
    asked = cases(layer, corpus=corpus(tmp_path, {"it": text}))
    assert failing(decode, asked) == ({} if kind is None else {"it": kind})


def test_what_a_file_states_comes_before_the_reference(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"id":"a","text":"[1]","expect":{"rfc8259":"reject: not wanted here"}}\n')
    (asked,) = cases("rfc8259", corpus=file)
    assert (asked.expectation, asked.clause) == ("reject", "not wanted here")
    assert "  not wanted here: 1\n" in says(json.loads, layer="rfc8259", corpus=[file])


def test_an_error_outside_rejects_fails_wherever_it_comes(tmp_path: Path) -> None:
    asked = cases("rfc8259", corpus=corpus(tmp_path, {"deep": DEEP, "bad": b"[", "good": b"[1]"}))
    assert failing(crash, asked) == {"good": "rejects"}
    assert failing(crash, asked, rejects=ValueError) == dict.fromkeys(("deep", "bad", "good"), "raises")
    assert failing(crash, asked, rejects=(ValueError, RecursionError)) == {"good": "rejects"}
    said = says(crash, layer="rfc8259", corpus=tmp_path / "mine", rejects=ValueError)
    assert "raised an error that is not among rejects: 3\n  mine/bad: [ gave RecursionError: deep (" in said


def test_a_recursion_error_is_no_failure_but_told(tmp_path: Path) -> None:
    where = corpus(tmp_path, {"deep": DEEP, "good": b"[1]"})
    assert says(crash, corpus=where).endswith(
        "not counted: 1 that ended in RecursionError or MemoryError (see rejects)"
    )
    assert "not counted" not in says(refuse, corpus=where)


class Panic(BaseException):
    """As libraries in Rust raise them."""


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__


def raising(error: BaseException) -> Callable[[bytes], object]:
    def decode(data: bytes) -> object:
        raise error

    return decode


def test_whatever_is_raised_is_an_answer(tmp_path: Path) -> None:
    asked = cases(corpus=corpus(tmp_path, {"bad": b"["}))
    assert failing(raising(Panic()), asked) == {"bad": "raises"}
    assert failing(raising(Panic()), asked, rejects=Panic) == {}
    assert failing(raising(SystemExit()), asked) == {"bad": "raises"}
    assert failing(raising(Unspeakable()), asked) == {}
    assert "Unspeakable (" in says(raising(Unspeakable()), corpus=tmp_path / "mine", rejects=ValueError)


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), pytest.fail.Exception("late"), pytest.skip.Exception()]
)
def test_what_ends_a_test_is_no_answer(error: BaseException) -> None:
    with pytest.raises(type(error)):
        assert_decoder(raising(error))


def test_whatever_is_returned_is_an_answer(tmp_path: Path) -> None:
    where = corpus(tmp_path, {"good": b"[1]", "bad": b"["})
    for value in (Unspeakable(), Unspeakable, object(), {Unspeakable(): 1}, float, iter([1]), {1, 2}, 1j):
        assert failing(giving(value), cases(corpus=where)) == {"good": "value", "bad": "accepts"}
    assert 'X"complex:(1+2j)" at the top, expected [1]' in says(giving(1 + 2j), corpus=where)


def test_a_type_with_an_odd_name_and_a_value_that_cannot_be_read(tmp_path: Path) -> None:
    class Broken(dict[str, int]):
        def items(self) -> Any:
            raise ZeroDivisionError

    Broken.__name__ = 'o"\u202e'
    said = says(giving(Broken(a=1)), corpus=corpus(tmp_path, {"it": b"{}"}))
    assert r'gave X"o\"\u202e" at the top, expected {}' in said


def test_deep_values_are_compared(tmp_path: Path) -> None:
    where = corpus(tmp_path, {"deep": DEEP})

    def iterative(data: bytes) -> Any:
        value: list[Any] = []
        for _ in range(2999):
            value = [value]
        return value

    assert_decoder(iterative, "rfc8259", corpus=where)
    assert failing(lambda data: [iterative(data)], cases("rfc8259", corpus=where)) == {"deep": "value"}


@dataclasses.dataclass
class Order:
    sku: str
    quantity: float


def test_objects_are_dumped(tmp_path: Path) -> None:
    where = corpus(tmp_path, {"order": b'{"sku":"x","quantity":2}', "bad": b'{"sku":1,"sku":2}'})

    def decode(data: bytes) -> Order:
        return Order(**guarded(data))

    assert_decoder(decode, corpus=where, dump=dataclasses.asdict)
    assert 'gave X"tests.testing.test_asserting.Order' in says(decode, corpus=where)
    assert "gave dump raised TypeError: asdict()" in says(guarded, corpus=where, dump=dataclasses.asdict)


def test_a_lens_decides_what_is_equal(tmp_path: Path) -> None:
    asked = cases(corpus=corpus(tmp_path, {"it": b'{"a":1,"b":2.5}'}))
    for value, lenses in [
        ({"a": 1, "b": 2.5}, set()),
        ({"b": 2.5, "a": 1}, {"exact/1"}),
        ({"a": 1.0, "b": Decimal("2.5")}, {"exact/1"}),
        ({"a": 1, "b": Decimal("2.50000000000000000001")}, {"exact/1", "value/1"}),
        ({"a": 1, "b": 3}, {"exact/1", "value/1", "binary64/1"}),
    ]:
        found = {
            lens for lens in ("exact/1", "value/1", "binary64/1") if failing(giving(value), asked, lens=lens)
        }
        assert found == lenses


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"layer": "json"}, "there is no layer 'json': the layers are rfc8259/1, i-json/1, jcs-input/1, "),
        ({"layer": "rfc8259/2"}, "there is no layer 'rfc8259/2': the layers are "),
        ({"families": "repeated"}, "there is no family 'repeated': the families are clauses, controls, "),
        ({"families": ["controls", "x*"]}, "there is no family 'x*': "),
        ({"families": []}, "families must be a name or a list of names, at least one: found []"),
        ({"families": 3}, "families must be a name or a list of names, at least one: found 3"),
        ({"cases": "controls/nothing"}, "there is no case 'controls/nothing' in the corpus built-in: "),
        ({"families": "controls", "cases": "depth/*"}, "there is no case 'depth/*' in these families: "),
        ({"lens": "value/9"}, "unknown lens 'value/9': choose one of value/1, exact/1, binary64/1"),
        ({"corpus": "no-such-folder"}, "no-such-folder: there is no such file or folder"),
        ({"corpus": [None]}, "corpus must be a name or a list of names, at least one: found [None]"),
    ],
)
def test_what_is_not_there_is_named_in_one_line(words: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        assert_decoder(guarded, **words)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_an_empty_folder_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no cases"):
        assert_decoder(guarded, corpus=tmp_path)


def test_rejects_must_be_exceptions() -> None:
    with pytest.raises(TypeError, match="rejects must be an exception class"):
        assert_decoder(guarded, rejects="ValueError")  # type: ignore[arg-type]


def test_a_choice_of_cases() -> None:
    assert {case.layer for case in cases("i-json", "controls")} == {"i-json/1"}
    assert cases("i-json/1", "controls") == cases("i-json", ["controls"])
    names = [case.id for case in cases(families="repeated-*", cases=["*/quantity-2-20", "*/quantity-20-2"])]
    assert names == ["repeated-conflicting/quantity-2-20", "repeated-conflicting/quantity-20-2"]
    assert all(len(repr(case)) < 500 for case in cases(families="size"))


def test_one_case_tells_all_that_it_knows() -> None:
    (case,) = cases("i-json", cases="repeated-conflicting/quantity-2-20")
    case.check(guarded)
    with pytest.raises(AssertionError) as caught:
        case.check(json.loads)
    assert str(caught.value).splitlines() == [
        "repeated-conflicting/quantity-2-20: accepted, though i-json/1 rejects",
        "  why       the reviewer sees 2, the executor receives 20",
        '  text      {"quantity":2,"quantity":20}',
        "  hex       7b 22 71 75 61 6e 74 69 74 79 22 3a 32 2c 22 71 75 61 6e 74 69 74 79 22 3a 32 30 7d"
        " (28 bytes)",
        "  expected  reject: RFC 7493 section 2.3: MUST NOT have duplicate names",
        '  came      {"quantity":20}',
    ]


def test_one_case_tells_a_wrong_value_and_an_error(tmp_path: Path) -> None:
    (case,) = cases(corpus=corpus(tmp_path, {"it": '{"a/b":["é"]}'.encode()}))
    with pytest.raises(AssertionError) as caught:
        case.check(giving({"a/b": ["e"]}))
    assert [line for line in str(caught.value).splitlines() if "expected" in line or "came" in line] == [
        '  expected  "\\u00e9" at /a~1b/0 (accept)',
        '  came      "e" at /a~1b/0',
    ]
    with pytest.raises(AssertionError, match=r"  came      ValueError: no \(decoders.py:\d+\)$"):
        case.check(refuse)


def test_nothing_is_left_in_the_interpreter() -> None:
    paths, limit = list(sys.path), sys.get_int_max_str_digits()
    assert_decoder(guarded, families="controls")
    assert sys.path == paths
    assert sys.get_int_max_str_digits() == limit
    assert not {"render", "words", "_whichwins_render"} & sys.modules.keys()


def test_what_is_said_of_the_standard_library_is_so() -> None:
    """Each text that `json.loads` should not have taken is no JSON by another check: strict UTF-8, no NaN."""

    def strictly(data: bytes) -> Any:
        def refuse_constant(name: str) -> Any:
            raise ValueError(name)

        return json.loads(data.decode("utf-8"), parse_constant=refuse_constant)

    asked = {case.id: case for case in cases("rfc8259")}
    found = failing(json.loads, list(asked.values()))
    assert {"numbers-leniencies/nan", "invalid-utf8/name-surrogate", "encodings-bom/utf16le"} <= found.keys()
    assert set(found.values()) == {"accepts"}
    for name in found:
        with pytest.raises(ValueError, match=r"codec can't decode|NaN|Infinity|Expecting|Extra data"):
            strictly(asked[name].data)
    assert failing(strictly, list(asked.values())) == {}
