"""A database server for as long as this worker lives, or one that the user names."""

import os
import subprocess
import sys


class NoServer(Exception):
    """It could not be started: the subject is absent."""


def socket_of(kit, kind):
    """Start a throwaway server (../keeper.py); return the path of its socket.

    The keeper stops it and removes its folder once our end of the pipe closes, however we end.
    """
    keeper = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "keeper.py")
    # The keeper must not hold the protocol's descriptors open: only these two pipes are its.
    keeping = subprocess.Popen(
        [sys.executable, keeper, kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    said, _, rest = keeping.stdout.readline().decode("utf-8", "replace").strip().partition(" ")
    if said != "ready":
        raise NoServer(rest or "the server's keeper ended")
    kit.keeping = keeping  # its pipe stays open as long as this worker does
    return rest
