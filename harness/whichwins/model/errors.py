"""Errors that become one line and an exit code."""

from __future__ import annotations


class WhichwinsError(Exception):
    """Base of the errors a user sees as one line. `exit_code` is the process's."""

    exit_code = 3


class BadInput(WhichwinsError):
    """A file, flag, manifest or ledger is wrong. Names the place and the remedy (exit 2)."""

    exit_code = 2


class MeasurementFailed(WhichwinsError):
    """What was asked could not be measured: no cases, a required subject absent, ... (exit 3)."""

    exit_code = 3
