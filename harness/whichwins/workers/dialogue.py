"""One worker, spoken to frame by frame: for checks of the protocol itself. Blocks; judges nothing."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from whichwins.workers.contract import Launch, Limits
from whichwins.workers.frames import Decoder, Frame
from whichwins.workers.process import Exit, Processes

_DEATH_SECONDS = 0.5
_HEED_SECONDS = 0.1


class Silence(str):
    """Why no frame came, as one line."""

    __slots__ = ()


class TooLate(Silence):
    """Nothing came in time: the worker may be slow rather than wrong."""

    __slots__ = ()


class Stopped(Exception):
    """Nobody waits for the conversation any more."""


class Dialogue:
    """A conversation with one worker process. Leaving it kills the worker and its group.

    `stopped` is looked at while time passes: whoever waits then gets `Stopped`. Raises OSError when the
    worker cannot be started.
    """

    def __init__(self, launch: Launch, limits: Limits, stopped: Callable[[], bool] = bool) -> None:
        self._stopped = stopped
        self._decoder = Decoder(limits.answer_bytes)
        self._frames: deque[Frame] = deque()
        self._exit: Exit | None = None
        self._closed = False
        self._processes = Processes()
        try:
            self._process = self._processes.spawn(launch)
        except BaseException:
            self._processes.close()
            raise

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the worker and its group."""
        self._processes.close()

    def send(self, data: bytes) -> None:
        """Write bytes, as the worker takes them; `hear` goes on with it."""
        self._processes.write(self._process, data)

    def settle(self, seconds: float) -> None:
        """Let so much time pass."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._exit is not None:
                self._heed()
                time.sleep(min(left, _HEED_SECONDS))
            else:
                self._turn(left)

    def hear(self, seconds: float) -> Frame | Silence:
        """The next frame, waiting for it so long, or why there is none."""
        end = time.monotonic() + seconds
        while not self._frames:
            if self._decoder.error is not None:
                return Silence(self._decoder.error)
            if self._exit is not None:
                return Silence(f"the worker ended ({self._exit})" + self._rest())
            if self._closed:
                if self.end(_DEATH_SECONDS) is None:
                    return Silence("the worker closed its output and runs on")
                continue
            left = end - time.monotonic()
            if left <= 0:
                return TooLate(f"no answer within {seconds:g} s" + self._rest())
            self._turn(left)
        return self._frames.popleft()

    def finish(self) -> None:
        """Close the worker's input; what it has not taken yet is dropped."""
        self._processes.finish(self._process)

    def end(self, seconds: float) -> Exit | None:
        """How the worker ended, waiting so long; None while it runs on."""
        end = time.monotonic() + seconds
        while self._exit is None and (left := end - time.monotonic()) > 0:
            self._turn(left)
        return self._exit

    def left_over(self) -> Frame | Silence | None:
        """What the worker has said and nobody has heard: a frame, or what is no frame."""
        if self._frames:
            return self._frames.popleft()
        if self._decoder.error is not None:
            return Silence(self._decoder.error)
        return Silence("half a frame") if self._decoder.partial else None

    def _rest(self) -> str:
        return " in the middle of a frame" if self._decoder.partial else ""

    def _heed(self) -> None:
        if self._stopped():
            raise Stopped

    def _turn(self, seconds: float) -> None:
        self._heed()
        for _, event in self._processes.poll(min(seconds, _HEED_SECONDS)):
            if isinstance(event, Exit):
                self._exit = event
            elif event:
                self._frames += self._decoder.feed(event)
            else:
                self._closed = True
