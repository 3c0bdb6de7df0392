import pytest

from whichwins.model import Observation, Outcome
from whichwins.workers.answers import Batch, read_whole, understand
from whichwins.workers.frames import encode

TWO = [b"[20.0]", b"!"]
GOOD = encode("accept", 7, b"[20.0]") + encode("reject", 8, b"parse Bad no good")
ROWS = [
    Observation(Outcome.ACCEPT, "[20.0]"),
    Observation(Outcome.REJECT, stage="parse", error="Bad", message="no good"),
]


def test_the_answers_of_a_batch() -> None:
    assert read_whole(GOOD, Batch("parse", 7, TWO, 1)) == ROWS


def test_equal_answers_of_two_subjects_are_one_object() -> None:
    batch = Batch("parse", 7, TWO, 2)
    first, second = read_whole(GOOD, batch), read_whole(GOOD, batch)
    assert first is not None
    assert second is not None
    assert [a is b for a, b in zip(first, second, strict=True)] == [True, True]


def test_spellings_of_one_value_are_one_object() -> None:
    batch = Batch("parse", 0, [b"1e21"], 2)
    first, second = (
        read_whole(encode("accept", 0, spelling), batch)
        for spelling in (b"1e+21", b"1000000000000000000000.0")
    )
    assert first == second == [Observation(Outcome.ACCEPT, "1e+21")]
    assert first is not None
    assert second is not None
    assert first[0] is second[0]


@pytest.mark.parametrize(
    "output",
    [
        encode("reject", 8, b"parse Bad no good") + encode("accept", 7, b"[20.0]"),
        encode("accept", 7, b"[20.0]") * 2,
        encode("accept", 7, b"[20.0]"),
        GOOD + encode("accept", 9, b"1"),
        GOOD + b"x",
        b"hello\n" + GOOD,
        GOOD.replace(b"accept 7 6", b"accept 7 5"),
        GOOD.replace(b"accept 7 6", b"accept 07 6"),
        GOOD.replace(b"accept", b"ready"),
        encode("accept", 7, b'"a\nb"') + encode("reject", 8, b"parse Bad no good"),
    ],
)
def test_what_is_not_plainly_right_is_left_to_the_exact_decoder(output: bytes) -> None:
    batch = Batch("parse", 7, TWO, 2)
    assert read_whole(GOOD, batch) == ROWS  # an answer known from another subject must not hide disorder
    assert read_whole(output, batch) is None


@pytest.mark.parametrize(
    ("verb", "body", "expected"),
    [
        (b"accept", b"1E+21", Observation(Outcome.ACCEPT, "1e+21")),
        (
            b"fault",
            b"RecursionError too deep",
            Observation(Outcome.FAULT, error="RecursionError", message="too deep"),
        ),
        (b"fault", b"MemoryError", Observation(Outcome.FAULT, error="MemoryError")),
        (b"reject", b"decode U ", Observation(Outcome.REJECT, stage="decode", error="U")),
        (b"unsupported", b"no NUL", Observation(Outcome.UNSUPPORTED, reason="no NUL")),
    ],
)
def test_bodies(verb: bytes, body: bytes, expected: Observation) -> None:
    assert understand("parse", verb, body) == expected


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        (b"accept", b""),
        (b"accept", b"[1"),
        (b"accept", b'"\xff"'),
        (b"accept", b"undefined"),
        (b"reject", b"later Bad no"),
        (b"reject", b"parse"),
        (b"reject", b"parse Bad \x1b[31m"),
        (b"reject", b"parse Bad \xff"),
        (b"fault", b""),
        (b"fault", b" x"),
        (b"unsupported", b"two\nlines"),
    ],
)
def test_bodies_that_break_the_protocol(verb: bytes, body: bytes) -> None:
    assert understand("parse", verb, body).outcome is Outcome.GARBLED


def test_emitted_bytes_are_kept_as_latin_1() -> None:
    assert understand("emit", b"accept", b'\xff\n"') == Observation(Outcome.ACCEPT, '\xff\n"')
    assert understand("parse", b"accept", b"1") == Observation(Outcome.ACCEPT, "1")
    assert understand("emit", b"accept", b"1E5") == Observation(Outcome.ACCEPT, "1E5")
