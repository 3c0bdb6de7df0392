"""A device that is always full, for tests that must not harm the machine's own."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

_FULL = Path("/dev/full")


def full_device(folder: Path) -> Path:
    """A full device: one of its own in `folder` for root, who could replace the machine's; else that."""
    if not _FULL.is_char_device():
        pytest.skip("only Linux has a full device")
    if os.geteuid() != 0:
        return _FULL
    own = folder / "full-device"
    try:
        if not own.exists():
            os.mknod(own, stat.S_IFCHR | 0o666, _FULL.stat().st_rdev)
        own.open("w").close()
    except OSError:
        pytest.skip("root may make no device here")
    return own
