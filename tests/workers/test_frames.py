import pytest

from whichwins.workers.frames import Decoder, Frame, encode, encode_batch

STREAM = b'accept 1 15\n{"quantity":20}\nreject 2 0\n\nunsupported 10 3\na\nb\n'
FRAMES = [
    Frame(b"accept", 1, b'{"quantity":20}'),
    Frame(b"reject", 2, b""),
    Frame(b"unsupported", 10, b"a\nb"),
]


def test_encode_is_the_transcript_of_the_protocol() -> None:
    assert (
        encode("parse", 1, b'{"quantity":2,"quantity":20}') == b'parse 1 28\n{"quantity":2,"quantity":20}\n'
    )
    assert encode("bye", 2) == b"bye 2 0\n\n"


def test_a_batch_holds_the_frames_of_its_cases() -> None:
    assert encode_batch("parse", 9, [b"[]", b"\n"]) == b"batch 9 26\nparse 9 2\n[]\nparse 10 1\n\n\n\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_any_chunking_gives_the_same_frames(size: int) -> None:
    decoder = Decoder(100)
    found = []
    for at in range(0, len(STREAM), size):
        found += decoder.feed(STREAM[at : at + size])
    assert found == FRAMES
    assert decoder.error is None
    assert not decoder.partial


@pytest.mark.parametrize(
    "stream",
    [
        b"Welcome to jq\n",
        b"Welcome",  # no line feed needed to see that this is no header
        b"accept 1\n[]\n",
        b"accept 01 2\n[]\n",
        b"accept 1 -2\n[]\n",
        b"ACCEPT 1 2\n[]\n",
        b"accept  1 2\n[]\n",
        b"accept 1 2 \n[]\n",
        b"accept 1 2\r\n[]\r\n",
        b"accept 1 1\n[]\n",
        b"accept 1 3\n[]\naccept 2 2\n[]\n",
        b"\xff",
        b"\n",
        b"a" * 100,
        b"accept 1 101\n",
        b"accept 1 99999999999999999999\n",
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_broken_stream_is_an_error_and_ends_the_reading(stream: bytes, whole: bool) -> None:
    decoder = Decoder(100)
    found = decoder.feed(encode("reject", 0, b"x"))
    for piece in [stream] if whole else [bytes([b]) for b in stream]:
        found += decoder.feed(piece)
    assert found == [Frame(b"reject", 0, b"x")]
    assert decoder.error is not None
    assert decoder.feed(STREAM) == []


def test_half_a_frame_is_partial_and_no_error() -> None:
    decoder = Decoder(100)
    assert decoder.feed(b"accept 1 10\n[1,2") == []
    assert decoder.error is None
    assert decoder.partial


def test_a_large_body_in_small_pieces_is_linear() -> None:
    decoder = Decoder(4_000_000)
    body = b"x" * 2_000_000
    stream = encode("accept", 5, body)
    found = []
    for at in range(0, len(stream), 1000):
        found += decoder.feed(stream[at : at + 1000])
    assert found == [Frame(b"accept", 5, body)]
