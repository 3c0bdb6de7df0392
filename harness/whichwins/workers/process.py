"""Worker processes and the one selector that watches them all.

Nothing here blocks: every pipe is non-blocking, stderr is drained into a ring, and a process is
killed with its whole group before its id is given back to the system.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import resource
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator

from whichwins.workers.contract import MEBIBYTE, Launch

READ_BYTES = 256 * 1024
STDERR_BYTES = 64 * 1024
_PIPE_BYTES = 256 * 1024
_F_SETPIPE_SZ = 1031
_READS_AT_ONCE = 64
_LINUX = os.uname().sysname == "Linux"
_OUT, _ERR, _IN, _EXIT = "out", "err", "in", "exit"


class Process:
    """One worker process. `ready` belongs to the caller."""

    __slots__ = (
        "_ends",
        "_outgoing",
        "_popen",
        "_spent",
        "_writing",
        "alive",
        "born",
        "pid",
        "ready",
        "tail",
    )

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self.pid = popen.pid
        self.ready = False
        self.alive = True
        self.born = time.monotonic()
        self.tail = bytearray()
        self._outgoing: list[memoryview] = []
        self._writing = False
        self._ends: dict[str, int] = {}
        self._spent = 0.0

    @property
    def seconds(self) -> float:
        """Processor time so far, in hundredths; of its life, when it is over. 0 outside Linux."""
        return _processor_seconds(self.pid) if self.alive else self._spent


class Exit(str):
    """How a process ended: `exit 7`, `SIGSEGV`."""

    __slots__ = ()


Event = bytes | Exit
"""What was read from a worker's stdout (empty: it closed it), or how the worker ended."""


class Processes:
    """All processes of a pool. `close` leaves none of them behind."""

    __slots__ = ("_dying", "_living", "_selector")

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._living: set[Process] = set()
        self._dying: list[subprocess.Popen[bytes]] = []

    def spawn(self, launch: Launch) -> Process:
        """Start a worker in a session of its own. OSError when it cannot be started."""
        try:
            popen = subprocess.Popen(
                _command(launch),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=launch.env,
                cwd=launch.folder,
                bufsize=0,
                start_new_session=True,
            )
        except ValueError as error:  # a NUL in the command, or what the file system's encoding has not
            raise OSError(errno.EINVAL, str(error)) from None
        process = Process(popen)
        self._living.add(process)
        _limit(popen.pid, launch)
        for name, pipe in ((_IN, popen.stdin), (_OUT, popen.stdout), (_ERR, popen.stderr)):
            assert pipe is not None
            number = pipe.fileno()
            os.set_blocking(number, False)
            process._ends[name] = number
            if name != _IN:
                self._selector.register(number, selectors.EVENT_READ, (process, name))
            if name != _ERR:
                _widen(number)
        watch = _exit_descriptor(popen.pid)
        if watch is not None:
            process._ends[_EXIT] = watch
            self._selector.register(watch, selectors.EVENT_READ, (process, _EXIT))
        return process

    def write(self, process: Process, data: bytes) -> None:
        """Queue bytes for a worker's stdin and write what fits now."""
        if _IN in process._ends and data:
            process._outgoing.append(memoryview(data))
            self._flush(process)

    def finish(self, process: Process) -> None:
        """Close a worker's stdin: the end of its work."""
        self._close_end(process, _IN)

    def poll(self, seconds: float) -> list[tuple[Process, Event]]:
        """Move bytes for at most `seconds` until something happened; what was read, then who ended."""
        events: list[tuple[Process, Event]] = []
        ended: list[Process] = []
        for key, _ in self._selector.select(max(0.0, seconds)):
            process, end = key.data
            if end not in process._ends:
                continue
            if end is _OUT:
                self._read_output(process, events, 1)
            elif end is _ERR:
                self._drain(process)
            elif end is _IN:
                self._flush(process)
            else:
                ended.append(process)
        for process in ended:
            self._read_output(process, events, _READS_AT_ONCE)
            self._drain(process)
            self.kill(process)
            events.append((process, Exit(_describe(process._popen.wait()))))
        if self._dying:
            self._dying = [popen for popen in self._dying if popen.poll() is None]
        return events

    def kill(self, process: Process) -> None:
        """Kill a worker and its group at once. It is given back to the system when it is gone."""
        if not process.alive:
            return
        process._spent = process.seconds
        process.alive = False
        for send in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                send(process.pid, signal.SIGKILL)
        for end in list(process._ends):
            self._close_end(process, end)
        self._living.discard(process)
        self._dying.append(process._popen)

    def close(self) -> None:
        """Kill everything that lives and wait for it to be gone."""
        for process in list(self._living):
            self.kill(process)
        for popen in self._dying:
            with contextlib.suppress(subprocess.TimeoutExpired):
                popen.wait(5)
        self._dying.clear()
        self._selector.close()

    def _read_output(self, process: Process, events: list[tuple[Process, Event]], reads: int) -> None:
        number = process._ends.get(_OUT)
        if number is None:
            return
        for chunk in _chunks(number, reads):
            events.append((process, chunk))
            if not chunk:
                self._close_end(process, _OUT)
                if _EXIT not in process._ends:
                    self._ended_unwatched(process, events)

    def _ended_unwatched(self, process: Process, events: list[tuple[Process, Event]]) -> None:
        """Without an exit descriptor: a worker that closed stdout has a moment to be seen ending."""
        for _ in range(50):
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None:
                break
            time.sleep(0.002)
        else:
            return
        self._drain(process)
        self.kill(process)
        events.append((process, Exit(_describe(process._popen.wait()))))

    def _drain(self, process: Process) -> None:
        number = process._ends.get(_ERR)
        if number is None:
            return
        for chunk in _chunks(number, _READS_AT_ONCE):
            if not chunk:
                self._close_end(process, _ERR)
            process.tail += chunk
            if len(process.tail) > STDERR_BYTES:
                del process.tail[:-STDERR_BYTES]

    def _flush(self, process: Process) -> None:
        number = process._ends.get(_IN)
        if number is None:
            return
        outgoing = process._outgoing
        try:
            while outgoing:
                done = os.write(number, outgoing[0])
                if done < len(outgoing[0]):
                    outgoing[0] = outgoing[0][done:]
                else:
                    outgoing.pop(0)
        except BlockingIOError:
            pass
        except OSError:
            # It reads no more. Whether it still answers, or how it ended, is seen elsewhere.
            self._close_end(process, _IN)
            return
        if bool(outgoing) != process._writing:
            process._writing = bool(outgoing)
            if outgoing:
                self._selector.register(number, selectors.EVENT_WRITE, (process, _IN))
            else:
                self._selector.unregister(number)

    def _close_end(self, process: Process, end: str) -> None:
        number = process._ends.pop(end, None)
        if number is None:
            return
        if end is not _IN or process._writing:
            self._selector.unregister(number)
        pipe = {_IN: process._popen.stdin, _OUT: process._popen.stdout, _ERR: process._popen.stderr}.get(end)
        if pipe is not None:
            pipe.close()
        else:
            os.close(number)
        if end is _IN:
            process._outgoing.clear()
            process._writing = False


def last_words(process: Process) -> str:
    """The tail of a worker's stderr, as text that is safe to hold; never a signal of anything."""
    return process.tail.decode("ascii", "replace")


def _chunks(number: int, reads: int) -> Iterator[bytes]:
    """At most `reads` chunks of what is there; an empty one at the end of the stream."""
    for _ in range(reads):
        try:
            chunk = os.read(number, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        yield chunk
        if not chunk:
            return


def _processor_seconds(pid: int) -> float:
    """User and system time of a process that has not been waited for."""
    if not _LINUX:
        return 0.0
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 -- once for every end of a worker
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _describe(status: int) -> str:
    if status >= 0:
        return f"exit {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _command(launch: Launch) -> tuple[str, ...]:
    if launch.memory != "address-space" or _LINUX:
        return launch.argv
    # No prlimit here: a shell lowers its own limit where the system lets it, and becomes the worker.
    script = 'ulimit -v "$0" 2>/dev/null; exec "$@"'
    return ("/bin/sh", "-c", script, str(launch.memory_mb * 1024), *launch.argv)


def _limit(pid: int, launch: Launch) -> None:
    """Apply the memory limit, and no core dumps: a crash is an everyday event here."""
    if not _LINUX:
        return
    limits = [(resource.RLIMIT_CORE, 0)]
    if launch.memory == "address-space":
        limits.append((resource.RLIMIT_AS, launch.memory_mb * MEBIBYTE))
    for kind, most in limits:
        with contextlib.suppress(OSError, ValueError):
            hard = resource.prlimit(pid, kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, kind, (most, most))


def _widen(number: int) -> None:
    """Let a whole batch fit into a pipe where the system allows it."""
    if _LINUX:
        with contextlib.suppress(OSError):
            fcntl.fcntl(number, _F_SETPIPE_SZ, _PIPE_BYTES)


def _exit_descriptor(pid: int) -> int | None:
    """A descriptor that becomes readable when the process ends, without taking its status."""
    try:
        if _LINUX:
            return os.pidfd_open(pid)
        queue = getattr(select, "kqueue")()  # noqa: B009, not on Linux, where types are checked
        kind, add, exits = (getattr(select, f"KQ_{n}") for n in ("FILTER_PROC", "EV_ADD", "NOTE_EXIT"))
        queue.control([getattr(select, "kevent")(pid, kind, add, exits)], 0)  # noqa: B009
        number: int = os.dup(queue.fileno())
        queue.close()
        return number
    except OSError:
        return None
