"""Ledgers without content: neither inputs nor values in any form, equal values equal, all of it keyed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from pathlib import Path

import pytest

from tests.run.ledgers import LONG, accept, corpus, records, write
from whichwins.analysis import compare
from whichwins.analysis.lens import lens
from whichwins.corpus import digest_of
from whichwins.model import Observation, Outcome
from whichwins.run import Withheld, read_ledger

SECRET = "hunter2-4711"
INPUT = b'{"token":"' + SECRET.encode() + b'","token":1}'
KEY = bytes(range(16))
WITHHELD = Withheld(KEY, lens("value/1"))

FLEET = {
    "a/echo": lambda data: accept(json.dumps(data.decode("latin-1"))),
    "b/message": lambda _: Observation(Outcome.REJECT, stage="parse", error="E", message=f"at {SECRET}"),
    "c/reason": lambda _: Observation(Outcome.UNSUPPORTED, reason=f"no member {SECRET}"),
    "d/integer": lambda _: accept('{"b":20,"a":1}'),
    "e/double": lambda _: accept('{"a":1.0,"b":20.0}'),
    "f/other": lambda _: accept('{"b":21,"a":1}'),
    "g/long": lambda _: accept(LONG),
    "h/fault": lambda _: Observation(Outcome.FAULT, error="E", message=SECRET),
}
CASES = corpus(("s/one", INPUT), ("s/two", b"[]"))


def forms(text: str) -> set[str]:
    """A text as it might hide in a ledger."""
    raw = text.encode()
    spaced, wide = raw.hex(" "), text.encode("utf-16-be")
    found = {
        text,
        json.dumps(text)[1:-1],
        json.dumps(json.dumps(text))[1:-1],
        text[::-1],
        raw.hex(),
        raw.hex().upper(),
        spaced,
        wide.hex(),
        wide.decode("latin-1"),
    }
    found |= {base64.b64encode(b"x" * shift + raw).decode()[4:-4] for shift in range(3)}
    found |= {make(raw).hexdigest() for make in (hashlib.sha256, hashlib.md5, hashlib.sha1)}
    return found


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    write(tmp_path / "l", CASES, FLEET, WITHHELD)
    return tmp_path / "l"


def test_the_search_finds_it_in_an_ordinary_ledger(tmp_path: Path) -> None:
    write(tmp_path / "l", CASES, FLEET)
    assert any(form in (tmp_path / "l").read_text("ascii") for form in forms(SECRET))


def test_neither_input_nor_values_are_there_in_any_form(ledger: Path) -> None:
    text = ledger.read_text("ascii")
    for form in forms(SECRET) | forms(INPUT.decode()) | {"token"} | forms('{"b":20,"a":1}'):
        assert form not in text
    twin = INPUT.replace(b'"token":1', b'"token~2":1')
    for data in (INPUT, twin, b"[]", LONG.encode()):
        assert hashlib.sha256(data).hexdigest() not in text
    assert all(kind["kind"] != "value" for kind in records(ledger))
    assert "xxxx" not in text


def test_every_digest_is_keyed(ledger: Path) -> None:
    digests = re.findall(r"[0-9a-f]{64}", ledger.read_text("ascii"))
    assert digests
    assert len(re.findall(r"hmac-sha256:[0-9a-f]{64}", ledger.read_text("ascii"))) == len(digests)
    one = next(line for line in records(ledger) if line["kind"] == "case")
    assert one["input"] == "hmac-sha256:" + hmac.new(KEY, INPUT, hashlib.sha256).hexdigest()
    assert one["length"] == len(INPUT)


def test_the_corpus_cannot_be_guessed_from_its_digest(ledger: Path) -> None:
    """All that the plain digest covers besides the inputs stands in the ledger."""
    said = records(ledger)[0]["corpus"]["digest"]
    assert said != CASES.digest
    assert CASES.digest == digest_of(CASES.cases)
    assert said == "hmac-sha256:" + hmac.new(KEY, CASES.digest.encode(), hashlib.sha256).hexdigest()


def answers(path: Path) -> dict[str, str]:
    return {
        line["subject"]: line["value"]
        for line in records(path)
        if line["kind"] == "observation" and line["case"] == "s/two" and "value" in line
    }


def test_equal_values_stay_equal_and_different_ones_apart(ledger: Path) -> None:
    said = answers(ledger)
    assert said["d/integer"] == said["e/double"]  # equal under value/1: order and type are not in it
    assert len({said["d/integer"], said["f/other"], said["g/long"], said["a/echo"]}) == 4


def test_another_key_makes_other_digests(ledger: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", CASES, FLEET, Withheld(KEY[::-1], lens("value/1")))
    write(tmp_path / "same", CASES, FLEET, WITHHELD)
    assert (tmp_path / "same").read_bytes() == ledger.read_bytes()
    assert not set(answers(tmp_path / "other").values()) & set(answers(ledger).values())


def test_it_is_read_and_compared(ledger: Path) -> None:
    view = read_ledger(ledger)
    assert all(record.data is None for record in view.cases.values())
    assert [record.length for record in view.cases.values()] == [len(INPUT), len(INPUT) + 2, 2]
    found = compare(view)
    assert found.content is False
    assert found.summary.split == 2
    pairs = {(cell.row, cell.column): cell.value for row in found.pairs.cells for cell in row if cell}
    assert pairs["d/integer", "e/double"] == 0
    assert pairs["d/integer", "f/other"] == 2


def test_values_that_only_the_notation_can_say(tmp_path: Path) -> None:
    odd = [
        '"\\ud800"',
        'u"0000d83d0000de00"',
        'b"ff"',
        'X"bytes"',
        "NaN",
        "D1e999999999999",
        "[" * 9000 + "]" * 9000,
    ]
    fleet = {f"a/{place}": (lambda _, text=text: accept(text)) for place, text in enumerate(odd)}
    write(tmp_path / "l", CASES, fleet, WITHHELD)
    assert len(set(answers(tmp_path / "l").values())) == len(odd)
    read_ledger(tmp_path / "l")
