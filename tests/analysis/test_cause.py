from __future__ import annotations

import pytest

from tests.analysis.views import case, view
from whichwins.analysis import compare

SUBJECTS = ("a", "b", "c")


def cause(
    data: str | bytes,
    answers: list[str],
    *twin: list[str],
    lookups: tuple[str, ...] = (),
    lens: str = "value/1",
) -> tuple[str, str]:
    made = view(SUBJECTS, ("f/x", data, answers, *twin), lookups=lookups)
    (split,) = compare(made, lens).splits
    return split.cause.name, split.cause.kind


@pytest.mark.parametrize(
    ("data", "answers", "name", "kind"),
    [
        ('{"q":2,"q":20}', ['{"q":2}', '{"q":20}', "-"], "repeated name", "different winners"),
        ('{"q":2,"q":2}', ['{"q":2}', '{"q":2,"q":2}', '{"q":2}'], "repeated name", "different winners"),
        ('{"q":2,"q":20}', ['{"q":20}', "-", '{"q":20}'], "repeated name", "rejected"),
        (r'{"\ud800":1,"\ud801":2}', [r'{"\ufffd":2}', r'{"\ud800":1,"\ud801":2}', "-"],
         "repeated name", "after replacement"),
        # Both keep the last; what they part over is the number.
        ('{"q":1,"q":9007199254740993}',
         ['{"q":9007199254740993}', '{"q":9007199254740992.0}', '{"q":9007199254740993}'],
         "number", "precision"),
        ("[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]", "-"], "number", "precision"),
        ("[1e400]", ["[Infinity]", "[D1e400]", "-"], "number", "range"),
        ("[1e400]", ["[Infinity]", "-", "-"], "number", "range"),
        ("[1e400]", ["[Infinity]", "[null]", "[Infinity]"], "number", "range"),
        ("[123456789012345678901234567890]", ["[123456789012345678901234567890]", "-", "-"],
         "number", "precision"),
        ("[" + "1" * 500 + "]", ["-", "-", "[" + "1" * 500 + "]"], "number", "range"),
        (r'["\ud800"]', [r'["\ud800"]', r'["\ufffd"]', "-"], "unicode", "surrogate"),
        (r'["\ud800"]', [r'["\ud800"]', "-", "-"], "unicode", "surrogate"),
        # A parser drops the surrogate: two names become one, and no number was misread.
        (r'{"":1,"\ud800":2}', ['{"":2}', r'{"":1,"\ud800":2}', '{"":2}'], "unicode", "surrogate"),
        ('{"a":1.5,"\\u0000":2}', ['{"a":2}', r'{"a":1.5,"\u0000":2}', "-"], "unicode", "NUL"),
        # ... unless the text has a number that can be.
        (r'{"\ud800":9007199254740993}',
         [r'{"\ud800":9007199254740993}', r'{"\ud800":9007199254740992.0}', "-"], "number", "precision"),
        ("[100000000000000000000.0]", ["[1e+20]", "-", "-"], "number", "length"),
        (r'["\uffff"]', [r'["\uffff"]', "-", "-"], "unicode", "noncharacter"),
        (r'["a\u0000b"]', [r'["a\u0000b"]', '["a"]', r'["a\u0000b"]'], "unicode", "NUL"),
        (b'["\xff"]', [r'["\ufffd"]', '[b"ff"]', "-"], "encoding", "invalid UTF-8"),
        (b'["\xff"]', [r'["\ufffd"]', "-", "-"], "encoding", "invalid UTF-8"),
        (b"\xef\xbb\xbf[]", ["[]", "-", "-"], "encoding", "BOM"),
        ("[]".encode("utf-16-le"), ["[]", "-", "-"], "encoding", "UTF-16"),
        ("[]".encode("utf-16"), ["[]", "-", "-"], "encoding", "UTF-16"),
        ("[]".encode("utf-32-be"), ["[]", "-", "-"], "encoding", "UTF-32"),
        ("[1,]", ["[1]", "-", "-"], "syntax", "trailing comma"),
        ("[1,,2]", ["[1,2]", "-", "-"], "syntax", "stray comma"),
        ("[1/*x*/]", ["[1]", "-", "-"], "syntax", "comment"),
        ("['a']", ['["a"]', "-", "-"], "syntax", "single quotes"),
        ("{a:1}", ['{"a":1}', "-", "-"], "syntax", "unquoted name"),
        ('{"b":1,a:1}', ['{"b":1,"a":1}', "-", "-"], "syntax", "unquoted name"),
        ("[NaN]", ["[NaN]", "-", "-"], "syntax", "NaN and infinities"),
        ("[-Infinity]", ["[-Infinity]", "-", "-"], "syntax", "NaN and infinities"),
        ("[True]", ["[true]", "-", "-"], "syntax", "literal spelling"),
        ("[01]", ["[1]", "-", "-"], "syntax", "number spelling"),
        ("[+1]", ["[1]", "-", "-"], "syntax", "number spelling"),
        ("[.5]", ["[0.5]", "-", "-"], "syntax", "number spelling"),
        ("[1\uff12]", ["[12]", "-", "-"], "syntax", "number spelling"),
        ("[\u0663]", ["[3]", "-", "-"], "syntax", "number spelling"),
        ("[1\u00b2]", ["[1]", "-", "-"], "syntax", "structure"),
        ('["\t"]', ['["\\t"]', "-", "-"], "syntax", "control character in a string"),
        (r'["\x41"]', ['["A"]', "-", "-"], "syntax", "escape"),
        ("\x0c[]", ["[]", "-", "-"], "syntax", "white space"),
        ("[\xa01]", ["[1]", "-", "-"], "syntax", "white space"),
        ("[1", ["[1]", "-", "-"], "syntax", "truncated"),
        ("", ["null", "-", "-"], "syntax", "empty text"),
        ("[01]", ["[1]", "[0]", "-"], "syntax", "number spelling"),
        ("[]x", ["[]", "-", "-"], "trailing data", "more text"),
        ("[]\x00", ["[]", "-", "-"], "trailing data", "NUL"),
        ("[" * 65 + "]" * 65, ["[" * 65 + "]" * 65, "-", "!fault"], "depth", ""),
        ('"' + "x" * (1 << 20) + '"', ['"x"', "-", "-"], "size", ""),
        ('{"__proto__":1}', ['{"__proto__":1}', "{}", "-"], "host key", "special name"),
        ('{"__proto__":1}', ['{"__proto__":1}', "-", "-"], "host key", "special name"),
        (r'{"\u005f_proto_\u005F":1}', ['{"__proto__":1}', "-", "-"], "host key", "special name"),
        (r'{"\u005f_prot\u00f8__":1}', [r'{"__prot\u00f8__":1}', "-", "-"], "other", ""),
        # A parser that assigns `__proto__` keeps none of the two: that it is there twice is no matter.
        ('{"__proto__":2,"__proto__":20}', ["{}", '{"__proto__":20}', "{}"], "host key", "special name"),
        ('{"__proto__":2,"__proto__":20}', ['{"__proto__":2}', '{"__proto__":20}', "{}"], "repeated name",
         "different winners"),
        ('{"q":2,"q":20}', ['{"q":22}', '{"q":20}', '{"q":20}'], "repeated name", "different winners"),
        ('{"1":1}', ['{"1":1}', '{X"int:1":1}', "-"], "host key", "integer-like name"),
        ("1", ["1", "-", "-"], "other", "top-level scalar"),
        ("[]", ["[]", "-", "-"], "other", ""),
        ("[1]", ["[1]", "[]", "-"], "other", ""),
    ],
)  # fmt: skip
def test_causes(data: str | bytes, answers: list[str], name: str, kind: str) -> None:
    assert cause(data, answers) == (name, kind)


def test_a_repeat_is_the_cause_of_a_rejection_only_if_the_twin_is_accepted() -> None:
    data, answers = '{"q":1e400,"q":1e400}', ['{"q":Infinity}', "-", "-"]
    assert cause(data, answers, ["{}", "{}", "-"]) == ("repeated name", "rejected")
    assert cause(data, answers, ["{}", "-", "-"]) == ("number", "range")


@pytest.mark.parametrize(
    ("data", "otherwise"),
    [
        ('{"q":' + "[" * 70 + "]" * 70 + ',"q":1}', ("depth", "")),
        ('{"q":"' + "x" * (1 << 20) + '","q":1}', ("size", "")),
        (b'{"q":1,"q":"\xff"}', ("encoding", "invalid UTF-8")),
        (b'\xef\xbb\xbf{"q":1,"q":2}', ("encoding", "BOM")),
        ('{"q":1e400,"q":2}', ("number", "range")),
        (r'{"q":"\ud800","q":2}', ("unicode", "surrogate")),
        ('{"q":1,"q":2}', ("other", "")),
    ],
)
def test_who_accepts_the_twin_parts_over_the_repeat_whatever_else_is_odd(
    data: str | bytes, otherwise: tuple[str, str]
) -> None:
    value = '{"q":1}'
    assert cause(data, [value, "-", value], ["{}", "{}", "{}"]) == ("repeated name", "rejected")
    assert cause(data, [value, "!crash", value], ["{}", "{}", "{}"]) == ("repeated name", "failing")
    assert cause(data, [value, "-", "!fault"], ["{}", "{}", "{}"]) == ("repeated name", "rejected")
    # Who does not accept the twin either parts over something else.
    for ended in ("-", "!crash", "!fault", "!timeout"):
        assert cause(data, [value, ended, value], ["{}", ended, "{}"]) == otherwise, ended


def test_without_a_twin_nothing_tells() -> None:
    made = view(SUBJECTS, ("f/x", '{"q":1,"q":2}', ['{"q":1}', "!crash", '{"q":1}']), twins=False)
    (split,) = compare(made).splits
    assert (split.cause.name, split.cause.kind) == ("repeated name", "no twin")


def test_lookup_subjects_that_stand_apart() -> None:
    good, bad = r'{"a\/b":1}', ['{"a/b":1}', '{"a/b":null}', '{"a/b":1}']
    assert cause(good, bad, lookups=("b",)) == ("lookup", "value")
    assert cause(good, bad) == ("other", "")
    missing = [r'{"\ud800":1}', r'{"\ud800":X"missing"}', r'{"\ud800":1}']
    assert cause(r'{"\ud800":1}', missing, lookups=("b",)) == ("lookup", "value")
    assert cause(r'["a\u0000b"]', [r'["a\u0000b"]', '["a"]', "-"], lookups=("b",)) == ("unicode", "NUL")
    assert cause("[]", ["[]", "-", "[]"], lookups=("b",)) == ("lookup", "refusal")


def test_members_in_another_order_are_a_split_under_the_exact_lens() -> None:
    answers = ['{"b":1,"a":2}', '{"a":2,"b":1}', '{"b":1,"a":2}']
    assert cause('{"b":1,"a":2}', answers, lens="exact/1") == ("host key", "order")


def test_without_content_the_values_speak() -> None:
    made = view(
        SUBJECTS,
        ("f/n", "[9007199254740993]", ["[9007199254740993]", "[9007199254740992.0]", "-"]),
        ("f/x", "[1,]", ["[1]", "-", "-"]),
        content=False,
    )
    found = {split.case: split.cause.name for split in compare(made).splits}
    assert found == {"f/n": "number", "f/x": "other"}


def test_a_comment_after_the_value_is_a_comment() -> None:
    for data in ("[1] // note", "[1] /* note */", "[1] # note"):
        assert cause(data, ["[1]", "-", "-"]) == ("syntax", "comment"), data
    assert cause("[1] [2]", ["[1]", "-", "-"]) == ("trailing data", "more text")


def test_numbers_that_differ_in_type_alone() -> None:
    assert cause("[3]", ["[3]", "[3.0]", "[3]"], lens="exact/1") == ("number", "type")


@pytest.mark.parametrize(
    ("data", "left", "right", "expected"),
    [
        # The digits of the text, in a binary32, in 32 bits, in 53; beyond all of them.
        ("[0.1]", "[0.1]", "[0.10000000149011612]", ("number", "precision")),
        ("[4294967297]", "[4294967297]", "[1]", ("number", "precision")),
        ("[2147483648]", "[2147483648]", "[-2147483648]", ("number", "precision")),
        (
            '{"a/b":9007199254740993}',
            '{"a/b":9007199254740993}',
            '{"a/b":9007199254740992.0}',
            ("number", "precision"),
        ),
        ("[1e-400]", "[D1e-400]", "[0.0]", ("number", "precision")),
        # Another number was read: nothing of its digits was lost.
        ("[1]", "[1]", "[2]", ("other", "")),
        ("[0]", "[0]", "[5]", ("other", "")),
        ('{"q":2,"r":[20]}', '{"q":2,"r":[20]}', '{"q":20,"r":[20]}', ("other", "")),
        ('{"q":2}', '{"q":2,"r":1}', '{"q":2,"r":3}', ("other", "")),  # nothing stands there
        ("[1,9007199254740993]", "[1,9007199254740993]", "[7,9007199254740993]", ("other", "")),
    ],
)
def test_precision_is_lost_of_the_digits_that_stand_there(
    data: str, left: str, right: str, expected: tuple[str, str]
) -> None:
    assert cause(data, [left, right, left]) == expected
    assert cause(data, [right, left, left]) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"content-type": "application/json; charset=utf-7"}, ("encoding", "charset")),
        ({"Content-Type": 'application/json;charset="UTF-16LE"'}, ("encoding", "charset")),
        ({"content-type": "application/json; charset=UTF-8"}, ("other", "")),
        ({"content-type": "application/json"}, ("other", "")),
        ({"x-charset": "charset=utf-7"}, ("other", "")),
    ],
)
def test_a_header_that_names_another_encoding(headers: dict[str, str], expected: tuple[str, str]) -> None:
    text = '{"to":1,"+AHQ-o":2}'  # in UTF-7 a repeated name
    made = view(SUBJECTS, ("f/x", case("f/x", text, headers=headers), [text, '{"to":2}', "-"]))
    (split,) = compare(made).splits
    assert (split.cause.name, split.cause.kind) == expected
