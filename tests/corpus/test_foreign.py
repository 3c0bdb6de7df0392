from __future__ import annotations

import os
from pathlib import Path

import pytest

from whichwins.corpus import foreign, load
from whichwins.model import BadInput, MeasurementFailed


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_names_of_jsontestsuite_are_claims(tmp_path: Path) -> None:
    for name in ("y_a.json", "n_b.json", "i_c.json"):
        write(tmp_path / "suite" / name, name.encode())
    found = {case.id: case for case in load([tmp_path / "suite"]).cases}
    assert {key: dict(case.expect) for key, case in found.items()} == {
        "suite/y_a.json": {"rfc8259/1": "accept"},
        "suite/n_b.json": {"rfc8259/1": "reject"},
        "suite/i_c.json": {"rfc8259/1": "free"},
    }
    assert found["suite/n_b.json"].clauses["rfc8259/1"].startswith("the file's name")


def test_one_other_name_in_a_folder_takes_the_claims_away(tmp_path: Path) -> None:
    for name in ("y_a.json", "other.json"):
        write(tmp_path / "suite" / name, name.encode())
    assert [dict(case.expect) for case in load([tmp_path / "suite"]).cases] == [{}, {}]


def test_raw_files_recursively_with_encoded_ids(tmp_path: Path) -> None:
    root = tmp_path / "my corpus"
    write(root / "b" / "ü|.json", b"\xff")
    write(root / "a.json", b"1")
    write(root / "c%20", b"2")
    write(root / ".git" / "config", b"not a case")
    write(root / ".hidden", b"not a case")
    corpus = load([root])
    assert [(case.id, case.family, case.data) for case in corpus.cases] == [
        ("my%20corpus/a.json", "my%20corpus", b"1"),
        ("my%20corpus/b/%C3%BC%7C.json", "my%20corpus/b", b"\xff"),
        ("my%20corpus/c%2520", "my%20corpus", b"2"),
    ]
    assert corpus.cases[1].source.hex == "ff"
    assert load([root], "n").cases[0].id == "n/a.json"


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    root = tmp_path / "raw"
    root.mkdir()
    try:
        write(root / os.fsdecode(b"\xff.json"), b"1")
    except OSError:
        pytest.skip("this file system keeps Unicode names only")
    assert load([root]).cases[0].id == "raw/%FF.json"


def test_links_never_lead_out(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", b"s")
    root = tmp_path / "raw"
    write(root / "a.json", b"1")
    (root / "inside").symlink_to("a.json")
    assert [case.id for case in load([root]).cases] == ["raw/a.json", "raw/inside"]
    (root / "out").symlink_to(secret)
    with pytest.raises(BadInput, match="symbolic link 'out' leaves"):
        load([root])
    (root / "out").unlink()
    (root / "outdir").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(BadInput, match="symbolic link 'outdir' leaves"):
        load([root])


@pytest.mark.parametrize("target", ["circle", "other"])
def test_links_in_a_circle(tmp_path: Path, target: str) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "circle").symlink_to(target)
    (tmp_path / "raw" / "other").symlink_to("circle")
    with pytest.raises(BadInput, match="leads in a circle"):
        load([tmp_path / "raw"])
    write(tmp_path / "raw" / "expectations.jsonl", b'{"id":"a/b"}')
    write(tmp_path / "raw" / "a" / "c.json", b"")
    (tmp_path / "raw" / "a" / "b.json").symlink_to("b.json")
    with pytest.raises(BadInput, match="leads in a circle"):
        load([tmp_path / "raw"])


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".toml", "x" * 300 + ".jsonl"])
def test_a_path_that_no_system_takes(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be read: File name too long"):
        load([tmp_path / name])


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "raw"
    root.mkdir()
    os.mkfifo(root / "pipe")
    with pytest.raises(BadInput, match="'pipe' is neither a file nor a folder"):
        load([root])


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "raw"
    write(root / "a", b"12345")
    monkeypatch.setattr(foreign, "MAX_CASE", 4)
    with pytest.raises(BadInput, match="over 4 bytes"):
        load([root])
    lines = write(tmp_path / "l.jsonl", b'{"text":"12345"}')
    with pytest.raises(BadInput, match="line 1: is over 4 bytes"):
        load([lines])
    monkeypatch.setattr(foreign, "MAX_CASE", 99)
    monkeypatch.setattr(foreign, "MAX_TOTAL", 4)
    with pytest.raises(BadInput, match="4 bytes"):
        load([root])


def test_an_empty_folder_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(MeasurementFailed, match="no cases"):
        load([tmp_path])


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        b'{"text":"{\\"a\\":1}","id":"a b","why":"w","refs":["r"],"expect":{"rfc8259":"accept"},"more":1}',
        b"",
        b'{"text":"' + "\u2028\u2029\u0085".encode() + b'"}\r',
        b'{"base64":"/w=="}',
        b'{"input_b64":"","id":"x/empty"}',
        b'{"hex":"00 ff"}',
    ]
    corpus = load([write(tmp_path / "my.jsonl", b"\n".join(lines))])
    assert [(case.id, case.data) for case in corpus.cases] == [
        ("my/000003", "\u2028\u2029\u0085".encode()),
        ("my/000004", b"\xff"),
        ("my/000006", b"\x00\xff"),
        ("my/a%20b", b'{"a":1}'),
        ("my/x/empty", b""),
    ]
    assert corpus.cases[3].why == "w"
    assert dict(corpus.cases[3].expect) == {"rfc8259/1": "accept"}
    assert corpus.cases[4].family == "my/x"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "not a JSON object a line"),
        (b"[" * 100_000, "not a JSON object a line"),
        (b"1", "must be a JSON object"),
        (b'{"text":"a","text":"b"}', "a name is there twice"),
        (b"{}", "found none"),
        (b'{"text":"a","base64":""}', "found text, base64"),
        (b'{"text":1}', "text must be a string"),
        (b'{"input_b64":null}', "input_b64 must be a string"),
        (b'{"base64":"_w=="}', "base64: "),
        (b'{"base64":"/w="}', "base64: "),
        (b'{"hex":"0"}', "hex: "),
        (b'{"text":"\\ud800"}', "lone surrogate"),
        (b'{"text":"\xff"}', "byte 9 is not UTF-8"),
        (b'{"text":"a","id":1}', "id must be a string"),
        (b'{"text":"a","id":"../x"}', "is not a name"),
        (b'{"text":"a","id":"/x"}', "is not a name"),
        (b'{"text":"a","why":1}', "why must be a string"),
        (b'{"text":"a","expect":{"rfc8259":"yes"}}', "write accept, reject or free"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, says: str) -> None:
    path = write(tmp_path / "my.jsonl", b'{"text":"1"}\n' + line + b"\n")
    with pytest.raises(BadInput) as caught:
        load([path])
    assert "my.jsonl: line 2: " in str(caught.value)
    assert says in str(caught.value)
