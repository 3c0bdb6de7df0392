"""What `whichwins init` proposes for a project, and writes whole or not at all. Nothing is started here.

proposed = plan(folder, adapters, absent)
write([*proposed.files, (folder / "whichwins.lock", baseline)])
"""

from whichwins.init.plan import Plan, Proposal, places, plan
from whichwins.init.surroundings import other_environment, other_versions
from whichwins.init.workflow import Toolchains, toolchains
from whichwins.init.writing import refuse_existing, write

__all__ = [
    "Plan",
    "Proposal",
    "Toolchains",
    "other_environment",
    "other_versions",
    "places",
    "plan",
    "refuse_existing",
    "toolchains",
    "write",
]
