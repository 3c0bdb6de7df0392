"""From adapter manifests to subjects. Data only: nothing is started here.

adapters = load_adapters([Path("my-adapters")])
subjects = select(adapters, ["python/*", "node/json"])
"""

from whichwins.subjects.find import load_adapters
from whichwins.subjects.manifest import PROTOCOL, read_manifest
from whichwins.subjects.select import select

__all__ = ["PROTOCOL", "load_adapters", "read_manifest", "select"]
