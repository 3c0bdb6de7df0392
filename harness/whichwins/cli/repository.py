"""Files as a code host names them: from the root of the repository, wherever a step works in it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from whichwins.model import Place

if TYPE_CHECKING:
    from whichwins.analysis.change_result import Gate
    from whichwins.model import Allow


def from_its_root(gate: Gate) -> Gate:
    """The gate with its places as seen from `GITHUB_WORKSPACE`; as it is where that is not above."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace:
        return gate
    here, root = Path.cwd(), Path(workspace).resolve()
    if here == root or not here.is_relative_to(root):
        return gate

    def seen(place: Place) -> Place:
        path = Path(os.path.normpath(here / place.file))
        inside = place.file and path.is_relative_to(root)
        return Place(path.relative_to(root).as_posix() if inside else place.file, place.line)

    def moved(allow: Allow) -> Allow:
        return replace(allow, place=seen(allow.place))

    return replace(
        gate,
        excused=tuple(replace(one, allow=moved(one.allow)) for one in gate.excused),
        lapses=tuple(replace(one, allow=moved(one.allow)) for one in gate.lapses),
        places=None if gate.places is None else {key: seen(place) for key, place in gate.places.items()},
        home=None if gate.home is None else seen(gate.home),
    )
