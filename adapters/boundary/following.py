"""Threads and pooled work know the case that began them, and the worker waits for them, a moment.

A case that starts a process is marked: nobody follows it there.
"""

import concurrent.futures
import concurrent.futures.thread as pools
import functools
import os
import subprocess
import threading
import time

_start = threading.Thread.start
_submit = pools.ThreadPoolExecutor.submit


def follow(desk):
    """From now on, mark each thread and each piece of pooled work with the case at work."""

    def start(self, *args, **kwargs):
        case = desk.owner()
        waits = getattr(self, "_target", None) is getattr(pools, "_worker", 0)
        if case is not None and not waits and not type(self).__module__.startswith("anyio."):
            self._whichwins_case = case  # the thread of a pool waits for work: that is marked instead
            case.threads.append(self)
        return _start(self, *args, **kwargs)

    def submit(self, *args, **kwargs):
        case = desk.owner()
        if case is None or not args:
            return _submit(self, *args, **kwargs)
        function = args[0]

        def marked(*inner, **named):
            desk.local.case = case
            try:
                return function(*inner, **named)
            finally:
                desk.local.case = None

        future = _submit(self, marked, *args[1:], **kwargs)
        case.work.append(future)
        return future

    threading.Thread.start = start
    pools.ThreadPoolExecutor.submit = submit


def watch_processes(desk):
    """From now on, mark the case at work when it starts a process, in whatever way."""

    def mark():
        case = desk.case()
        if case is not None:
            case.began_process()

    def marking(function):
        @functools.wraps(function)
        def marked(*args, **kwargs):
            mark()
            return function(*args, **kwargs)

        return marked

    os.register_at_fork(before=mark)
    subprocess.Popen.__init__ = marking(subprocess.Popen.__init__)
    places = [(os, ("system", "posix_spawn", "posix_spawnp"))]
    try:
        import _posixsubprocess  # what multiprocessing spawns with
    except ImportError:
        pass
    else:
        places.append((_posixsubprocess, ("fork_exec",)))
    for module, names in places:
        for name in names:
            if hasattr(module, name):
                setattr(module, name, marking(getattr(module, name)))


def busy(case):
    """What the case began that still runs."""
    if not case.threads and not case.work:
        return 0
    me = threading.current_thread()
    case.threads[:] = [each for each in case.threads if each.is_alive() and each is not me]
    case.work[:] = [each for each in case.work if not each.done()]
    return len(case.threads) + len(case.work)


def settle(case, seconds):
    """Wait for threads and pooled work that the case began; how many outlast it."""
    until = time.monotonic() + seconds
    while busy(case):
        left = until - time.monotonic()
        if left <= 0:
            return busy(case)
        if case.threads:
            case.threads[0].join(min(left, 0.02) if len(case.threads) > 1 or case.work else left)
        else:
            concurrent.futures.wait(case.work, left)
    return 0
