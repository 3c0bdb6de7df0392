"""Adapters that are built: these tests run with `make test-all`, where a build that is missing fails."""
