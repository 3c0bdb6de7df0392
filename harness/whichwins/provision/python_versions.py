"""Versions of Python libraries, each in an environment of its own, and of Python itself."""

from __future__ import annotations

from whichwins.provision.launches import Absent
from whichwins.provision.provide import Order, Provided


def provide_python(order: Order) -> Provided:
    """Return the runtimes of each subject that is asked for, or why it cannot be had here."""
    return {subject.key: Absent("not yet", "") for subject, _ in order.wanted}
