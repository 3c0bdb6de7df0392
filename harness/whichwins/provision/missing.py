"""What is not here, and what would bring it."""

from __future__ import annotations

from typing import NamedTuple


class Missing(NamedTuple):
    """Why a runtime cannot be used, and the command that would bring it."""

    reason: str
    install: str
