"""Worker processes: frames, one process, the pool, public fakes."""

from whichwins.workers.contract import Identity, Launch, Limits, Observer
from whichwins.workers.fakes import FakePool
from whichwins.workers.pool import WorkerPool

__all__ = ["FakePool", "Identity", "Launch", "Limits", "Observer", "WorkerPool"]
