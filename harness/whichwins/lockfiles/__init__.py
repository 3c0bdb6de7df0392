"""Which versions lock files hold, and what differs between two states of one. Data only.

old, new = read(Path("/dev/fd/63")), read(Path("uv.lock"))
found = gated(changed(old, new), adapters)
"""

from whichwins.lockfiles.change import PackageChange, changed, still
from whichwins.lockfiles.files import DISK, Disk, Files
from whichwins.lockfiles.gating import ECOSYSTEMS, KNOWN, Gated, LockGate, Unmeasured, gated, package_name
from whichwins.lockfiles.locked import Locked, Pinned, Unpinned
from whichwins.lockfiles.reading import MAX_BYTES, read

__all__ = [
    "DISK",
    "ECOSYSTEMS",
    "KNOWN",
    "MAX_BYTES",
    "Disk",
    "Files",
    "Gated",
    "LockGate",
    "Locked",
    "PackageChange",
    "Pinned",
    "Unmeasured",
    "Unpinned",
    "changed",
    "gated",
    "package_name",
    "read",
    "still",
]
