"""Worker processes: frames, one process, the pool, public fakes."""
