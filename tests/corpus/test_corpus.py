from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from whichwins.corpus import corpus_of, digest_of, load, select, source_of
from whichwins.model import BadInput, Case, MeasurementFailed, Source


def case(case_id: str, data: bytes = b"1") -> Case:
    return Case(case_id, case_id.split("/")[0], data, "w", Source(text=data.decode("latin-1")))


def test_the_digest_is_over_sorted_case_lines() -> None:
    one = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"  # SHA-256 of "1"
    line = (
        '{"clauses":{},"expect":{},"headers":{},"id":"a/b","input":"' + one + '",'
        '"refs":[],"shape":null,"twin_of":null,"why":"w"}\n'
    )
    second = line.replace("a/b", "a/c")
    wanted = "sha256:" + hashlib.sha256((line + second).encode()).hexdigest()
    assert digest_of([case("a/c"), case("a/b")]) == wanted
    assert digest_of([replace(case("a/c"), source=Source(hex="31")), case("a/b")]) == wanted


@pytest.mark.parametrize(
    "change",
    [
        {"data": b"2"},
        {"why": "x"},
        {"expect": {"rfc8259/1": "accept"}},
        {"clauses": {"rfc8259/1": "c"}},
        {"refs": ("r",)},
        {"headers": {"a": "b"}},
        {"shape": "order"},
        {"twin_of": "a/x"},
    ],
)
def test_the_digest_sees_every_statement(change: dict[str, object]) -> None:
    assert digest_of([replace(case("a/b"), **change)]) != digest_of([case("a/b")])  # type: ignore[arg-type]


def test_a_corpus_is_sorted_and_refuses_equal_ids() -> None:
    assert [c.id for c in corpus_of("n", [case("b/a"), case("a/z")]).cases] == ["a/z", "b/a"]
    with pytest.raises(BadInput, match="the id a/b is there twice"):
        corpus_of("n", [case("a/b"), case("a/b", b"2")])


def test_no_cases_is_no_measurement() -> None:
    with pytest.raises(MeasurementFailed, match="no cases"):
        corpus_of("n", [])


def test_select() -> None:
    corpus = corpus_of("n", [case("numbers/a"), case("numbers/b"), case("names-case/x")])
    assert select(corpus, []) is corpus
    assert [c.id for c in select(corpus, ["numbers"]).cases] == ["numbers/a", "numbers/b"]
    assert [c.id for c in select(corpus, ["n*/a", "names-*"]).cases] == ["names-case/x", "numbers/a"]
    assert select(corpus, ["numbers"]).digest != corpus.digest
    with pytest.raises(MeasurementFailed, match="no case matches 'numbesr'"):
        select(corpus, ["numbers", "numbesr"])


def test_built_in_cases_of_a_shape_come_only_where_it_is_asked_for(tmp_path: Path) -> None:
    plain, order = load(None), load(None, shapes=["order"])
    assert {case.shape for case in plain.cases} == {None}
    assert {case.shape for case in order.cases} == {"order"}
    assert len(load(None, shapes=["", "order"]).cases) == len(plain.cases) + len(order.cases)
    # One's own cases are taken as they are.
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'about = "a"\nexpect = "accept"\n[[case]]\nid = "x"\ntext = "[7,7]"\nwhy = "w"\nshape = "order"\n'
    )
    assert [case.shape for case in load([mine]).cases] == ["order"]
    assert len(load([mine], builtin=True).cases) == len(plain.cases) + 1


def test_own_cases_beside_the_built_in_ones(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.json").write_bytes(b"1")
    both, built_in = load([tmp_path / "mine"], builtin=True), load(None)
    assert {c.id for c in both.cases} == {c.id for c in built_in.cases} | {"mine/a.json"}
    assert both.name == "built-in+mine"
    assert load(None, builtin=True).digest == built_in.digest


def test_load_names_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        load([tmp_path / "missing"])
    (tmp_path / "a.json").write_bytes(b"1")
    with pytest.raises(BadInput, match="no corpus"):
        load([tmp_path / "a.json"])
    (tmp_path / "a.toml").write_bytes(b"")
    with pytest.raises(BadInput, match=r"holds TOML families and 'a\.json'"):
        load([tmp_path])


def test_toml_without_cases_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "notation.toml").write_bytes(b"[[vector]]\nx = 1\n")
    with pytest.raises(MeasurementFailed, match="no cases"):
        load([tmp_path])


@pytest.mark.parametrize(
    ("data", "source"),
    [
        ('{"é":"日本"}\t\r\n'.encode(), Source(text='{"é":"日本"}\t\r\n')),
        (b"\xff", Source(hex="ff")),
        (b"\xed\xa0\x80", Source(hex="eda080")),
        (b"\xef\xbb\xbf1", Source(hex="efbbbf31")),
        (b"a\x00", Source(hex="6100")),
        (b"\x7f", Source(hex="7f")),
        ("\u2028".encode(), Source(hex="e280a8")),
        ("\u202e".encode(), Source(hex="e280ae")),
        ("\U0001fffe".encode(), Source(hex="f09fbfbe")),
        ("\U0001f600".encode(), Source(text="\U0001f600")),
        (b"", Source(text="")),
    ],
)
def test_bytes_are_shown_as_text_only_when_all_of_it_can_be_seen(data: bytes, source: Source) -> None:
    assert source_of(replace(case("a/b"), data=data)) == source


def test_parts_are_shown_as_written() -> None:
    parts = Source(parts=(("[", None, 9), (None, "ff", 1)))
    assert source_of(replace(case("a/b"), source=parts)) == parts
