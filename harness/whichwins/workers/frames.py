"""Frames of the worker protocol, as bytes: `verb SP sequence SP length LF`, body, LF. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

PROTOCOL = 1
_HEADER_BYTES = 64
_HEADER = re.compile(rb"([a-z]{1,20}) (0|[1-9][0-9]{0,17}) (0|[1-9][0-9]{0,17})")
_HEADER_BEGUN = re.compile(rb"[a-z]{0,20}|[a-z]{1,20} [0-9]{0,18}|[a-z]{1,20} [0-9]{1,18} [0-9]{0,18}")
_LF = 10


class Frame(NamedTuple):
    """One frame as it was read."""

    verb: bytes
    sequence: int
    body: bytes


def encode(verb: str, sequence: int, body: bytes = b"") -> bytes:
    """The frame on the wire."""
    return b"%b %d %d\n%b\n" % (verb.encode("ascii"), sequence, len(body), body)


def encode_batch(verb: str, first: int, bodies: Sequence[bytes]) -> bytes:
    """One `batch` frame that holds a `verb` frame per body, numbered from `first`."""
    name = verb.encode("ascii")
    inner = b"".join([b"%b %d %d\n%b\n" % (name, first + i, len(b), b) for i, b in enumerate(bodies)])
    return b"batch %d %d\n%b\n" % (first, len(inner), inner)


class Decoder:
    """Reads frames from any chunking of a stream. After an error nothing more is read.

    `error` says what broke the protocol, never quoting the stream.
    """

    __slots__ = ("_body_at", "_buffer", "_head", "error", "limit")

    def __init__(self, limit: int) -> None:
        self._buffer = bytearray()
        self._head: tuple[bytes, int, int] | None = None
        self._body_at = 0
        self.limit = limit
        self.error: str | None = None

    @property
    def partial(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes: those before the first error."""
        frames: list[Frame] = []
        buffer = self._buffer
        if self.error is not None:
            return frames
        buffer += data
        at = 0
        while True:
            if self._head is None:
                end = buffer.find(b"\n", at, at + _HEADER_BYTES)
                if end < 0:
                    if not _HEADER_BEGUN.fullmatch(buffer, at):
                        self.error = "a header line is not `verb sequence length`"
                    break
                match = _HEADER.fullmatch(buffer, at, end)
                if match is None:
                    self.error = "a header line is not `verb sequence length`"
                    break
                length = int(match[3])
                if length > self.limit:
                    self.error = f"an answer is larger than {self.limit} bytes"
                    break
                self._head = bytes(match[1]), int(match[2]), length
                self._body_at = end + 1
            verb, sequence, length = self._head
            end = self._body_at + length
            if len(buffer) <= end:
                break
            if buffer[end] != _LF:
                self.error = "a body does not end where its header says"
                break
            frames.append(Frame(verb, sequence, bytes(buffer[self._body_at : end])))
            self._head = None
            at = end + 1
        if at:
            del buffer[:at]
            self._body_at -= at
        return frames
