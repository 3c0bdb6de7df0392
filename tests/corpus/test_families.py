from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.corpus import load
from whichwins.model import BadInput, Case

EXPECT = """about = "a family"
[expect]
rfc8259 = "accept"
i-json = "free: RFC 7493 section 2.2"
jcs-input = "accept"
"strict-tool-input/1" = "reject: numbers"
"""
ONE = """[[case]]
id = "one"
text = '{"a":"\\u0000é"}'
why = "a reason"
"""


def family(folder: Path, text: str, name: str = "fam.toml") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def cases(folder: Path, text: str) -> tuple[Case, ...]:
    return load([family(folder, text)]).cases


def test_a_case_has_its_bytes_its_expectations_and_clauses(tmp_path: Path) -> None:
    override = (
        'expect = { jcs-input = "reject: RFC 8785 section 3.2.2.3" }\nrefs = ["CVE-1"]\nshape = "order"\n'
    )
    (case,) = cases(tmp_path, EXPECT + ONE + override + 'headers = { content-type = "application/json" }\n')
    assert case.id == "fam/one"
    assert case.family == "fam"
    assert case.data == b'{"a":"\\u0000\xc3\xa9"}'
    assert dict(case.expect) == {
        "rfc8259/1": "accept",
        "i-json/1": "free",
        "jcs-input/1": "reject",
        "strict-tool-input/1": "reject",
    }
    assert dict(case.clauses) == {
        "i-json/1": "RFC 7493 section 2.2",
        "jcs-input/1": "RFC 8785 section 3.2.2.3",
        "strict-tool-input/1": "numbers",
    }
    assert (case.refs, case.shape, case.headers["content-type"]) == (("CVE-1",), "order", "application/json")


def test_one_verdict_speaks_for_every_layer(tmp_path: Path) -> None:
    (case,) = cases(tmp_path, EXPECT + ONE + 'expect = "reject: RFC 8259 section 2"')
    assert set(case.expect.values()) == {"reject"}
    assert set(case.clauses.values()) == {"RFC 8259 section 2"}
    assert len(case.expect) == len(case.clauses) == 4


def test_hex_and_parts(tmp_path: Path) -> None:
    text = EXPECT + (
        '[[case]]\nid = "hex"\nhex = "7b 7D"\nwhy = "w"\n'
        "[[case]]\nid = 'parts'\nwhy = 'w'\n"
        "parts = [{text='[', repeat=3}, {hex='ff'}, {text=']', repeat=3}]\n"
        '[[case]]\nid = "nothing"\ntext = ""\nwhy = "w"\n'
    )
    found = {case.id: case for case in cases(tmp_path, text)}
    assert found["fam/hex"].data == b"{}"
    assert found["fam/parts"].data == b"[[[\xff]]]"
    assert found["fam/parts"].source.parts == (("[", None, 3), (None, "ff", 1), ("]", None, 3))
    assert found["fam/nothing"].data == b""


def test_ids_are_percent_encoded_once(tmp_path: Path) -> None:
    text = EXPECT + "[[case]]\nid = 'a b%20~é%'\ntext = '1'\nwhy = 'w'\n"
    assert cases(tmp_path, text)[0].id == "fam/a%20b%20%7E%C3%A9%25"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (EXPECT + ONE + ONE.replace("é", "e"), "fam.toml: case one: the id is there twice"),
        (EXPECT + ONE + ONE.replace("é", "e").replace('"one"', '"ONE"'), "differs from one in case only"),
        (
            EXPECT + ONE + ONE.replace('"one"', '"two"'),
            "fam.toml: case fam/two: has the very bytes of fam/one",
        ),
        (EXPECT + ONE + "txet = '1'", "fam.toml: case one: unknown key 'txet'"),
        ("kind = 'x'\n" + EXPECT + ONE, "fam.toml: unknown key 'kind'"),
        (EXPECT.replace("rfc8259", "# ") + ONE, "case one: expect says nothing of rfc8259/1"),
        (EXPECT.replace("rfc8259", "rfc8295") + ONE, "expect has no layer 'rfc8295'"),
        (EXPECT.replace("rfc8259", '"rfc8259/2"') + ONE, "expect has no layer 'rfc8259/2'"),
        (EXPECT + '"rfc8259/1" = "accept"\n' + ONE, "expect states rfc8259/1 twice"),
        (EXPECT.replace('"accept"', '"acept"', 1) + ONE, "expect 'rfc8259' is 'acept'"),
        (EXPECT.replace('"accept"', "true", 1) + ONE, "expect 'rfc8259' is True"),
        (EXPECT + ONE + "expect = 1", "case one: expect must be a verdict"),
        (EXPECT + ONE + "expect = 'maybe'", "case one: expect 'rfc8259/1' is 'maybe'"),
        (EXPECT + ONE.replace("one", "../one"), "has a slash"),
        (EXPECT + ONE.replace("one", "/etc/passwd"), "has a slash"),
        (EXPECT + ONE.replace("one", ".."), "id '..' is not a name"),
        (EXPECT + ONE.replace('"one"', '""'), "case 1: id must be there"),
        (EXPECT + ONE.replace("one", "x" * 241), "longer than 240"),
        (EXPECT + ONE.replace("a reason", " "), "case one: why must be there"),
        (EXPECT + ONE + "hex = '00'", "exactly one of text, hex and parts (found text, hex)"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\n", "exactly one of text, hex and parts (found none)"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nhex='7g'", "case x: hex must be hexadecimal"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nhex='7'", "case x: hex must be whole pairs"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\ntext=1", "case x: text must be a string"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[]", "case x: parts must be a list"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[{text='a',repeat=0}]", "part 1: repeat must be"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[{text='a',repeat=true}]", "part 1: repeat must be"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[{text='a',hex='00'}]", "part 1: give exactly one"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[{txt='a'}]", "part 1: unknown key 'txt'"),
        (EXPECT + "[[case]]\nid='x'\nwhy='w'\nparts=[{text='ab',repeat=9000000}]", "over 16777216 bytes"),
        (EXPECT + ONE + "refs = 'CVE'", "refs must be a list"),
        (EXPECT + ONE + "headers = {a=1}", "headers must be a table of strings"),
        (EXPECT + ONE + "same_bytes_as = 'fam/other'", "same_bytes_as 'fam/other' names no case"),
        (EXPECT.replace("about", "# ") + ONE, "fam.toml: about must be there"),
        ("about = 'x'\ncase = 1\n", "case must be [[case]] tables"),
        ("about = ", "not TOML"),
        ("about = " + "9" * 5000, "not TOML"),
        ("about = " + "[" * 5000, "not TOML"),
        ("\ufeff" + EXPECT + ONE, "not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        cases(tmp_path, text)
    assert says in str(caught.value)
    assert "fam" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_are_shared_on_purpose_only(tmp_path: Path) -> None:
    again = EXPECT + ONE.replace('"one"', '"again"')
    paths = [family(tmp_path, EXPECT + ONE, "a.toml"), family(tmp_path, again, "b.toml")]
    with pytest.raises(BadInput, match="case b/again: has the very bytes of a/one"):
        load(paths)
    paths[1] = family(tmp_path, again + "same_bytes_as = 'a/one'\n", "b.toml")
    assert [case.id for case in load(paths).cases] == ["a/one", "b/again"]


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fam.toml").symlink_to("/dev/zero")
    with pytest.raises(BadInput, match="is over 16777216 bytes"):
        load([tmp_path / "fam.toml"])


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fam.toml"
    path.write_bytes(b'about = "\xe9"\n')
    with pytest.raises(BadInput, match="byte 9 is not UTF-8"):
        load([path])
