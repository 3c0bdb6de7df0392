"""Where the programs and data that travel with the package are found."""

from __future__ import annotations

from pathlib import Path


def bundled(name: str) -> Path:
    """Return the folder `name` ("adapters" or "fixtures"), from a wheel or from a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "_bundled" / name
    return inside if inside.is_dir() else package.parent.parent / name
