"""Oj and yajl-ruby on native Ruby: values worked out by hand, the doctor, messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.client import ready
from tests.adapters.started import greeting, parse, start
from tests.built.rows import HERE, Rows, ill, wrong

pytestmark = pytest.mark.built

OJ, COMPAT, YAJL = (
    "reject parse Oj::ParseError",
    "reject parse EncodingError",
    "reject parse Yajl::ParseError",
)
SHARED: Rows = [
    (b'{"a":1,"\\u0061":2,"a":3}', '{"a":3}'),
    (b'{"a":{"x":1},"b":0,"a":{"y":2}}', '{"a":{"y":2},"b":0}'),
    (b"[20,20.0,1.10,-0.0,-0,1e400]", "[20,20.0,1.1,-0.0,0,Infinity]"),
    (b"[18446744073709551616]", "[18446744073709551616]"),
    (b'"\\ud83d\\ude00\\u0000\x7f\\/"', '"\\ud83d\\ude00\\u0000\\u007f/"'),
    (b'{"^o":"Object","json_class":"String"}', '{"^o":"Object","json_class":"String"}'),
    (b'"\xed\xa0\x80"', 'b"eda080"'),
    (b"/**/[1]", "[1]"),
    (b"[" * 10_000 + b"]" * 10_000, "[" * 10_000 + "]" * 10_000),
]
BOTH_OJ: Rows = [
    (b'"\xff"', 'b"ff"'),
    (b'{"\xff":1,"\xfe":2}', '{b"ff":1,b"fe":2}'),
    (b'"a\tb"', '"a\\tb"'),
    (b"[1]\x00[2]", "[1]"),  # what it reads ends at a NUL
]
TABLES: dict[str, Rows] = {
    "ruby/oj-strict": [
        *SHARED,
        *BOTH_OJ,
        (b"[0.1234567890123456789012]", "[D0.1234567890123456789012e0]"),
        (b"[01]", "[1]"),
        (b"", "null"),
        *(
            (data, OJ)
            for data in (b'"\\ud800"', b"[NaN]", b"[1", b"[1,]", b"[1] 2", b"\xef\xbb\xbf[1]", b"{a:1}")
        ),
    ],
    "ruby/oj-compat": [
        *SHARED,
        *BOTH_OJ,
        (b"[0.1234567890123456789012]", "[0.12345678901234568]"),
        (b"[NaN,Infinity]", "[NaN,Infinity]"),
        *(
            (data, COMPAT)
            for data in (b'"\\ud800"', b"[01]", b"", b"[1", b"[1,]", b"[1] 2", b"\xef\xbb\xbf[1]")
        ),
    ],
    "ruby/yajl": [
        *SHARED,
        (b"[0.1234567890123456789012]", "[0.12345678901234568]"),
        (b'"\\ud800"', '"?"'),  # YAJL's own answer to half a pair
        (b"[1", "[1]"),  # an unfinished text is as good as it got
        (b'{"a":', '"a"'),
        (b"", "null"),
        *(
            (data, YAJL)
            for data in (b'"\xff"', b"[NaN]", b"[01]", b"[1,]", b"[1]\x00", b'"a\tb"', b"\xef\xbb\xbf[1]")
        ),
    ],
}


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


@pytest.mark.parametrize("pattern", ["ruby/oj-*", "ruby/yajl"])
def test_the_doctor_finds_them_well(pattern: str) -> None:
    assert ill(pattern) == {}


@pytest.mark.parametrize(("key", "library"), [("ruby/oj-strict", "oj 3."), ("ruby/yajl", "yajl-ruby 1.")])
def test_identity(key: str, library: str) -> None:
    lines = ready(start(key, HERE).argv, greeting(key)).text.splitlines()
    assert any(line.startswith(f"library {library}") for line in lines)
    (file,) = (line[5:] for line in lines if line.startswith("file "))
    assert Path(file).is_file()


@pytest.mark.parametrize("key", TABLES)
def test_messages_do_not_hold_the_input(key: str) -> None:
    for answer in parse(key, HERE, [b'{"secret" 1}', b'{"secret":1,"x":secret}', b'["secret",]']):
        assert answer.verb == "reject"
        assert "secret" not in answer.text


def test_a_gem_that_is_not_there_makes_its_subject_absent(tmp_path: Path) -> None:
    (tmp_path / "yajl.rb").write_text('raise LoadError, "cannot load such file -- yajl"\n', encoding="utf-8")
    found = start("ruby/yajl", HERE)
    said = ready(found.argv, greeting("ruby/yajl"), {**(found.env or {}), "RUBYLIB": str(tmp_path)})
    assert (said.verb, said.text) == ("fault", "LoadError cannot load such file -- yajl")
