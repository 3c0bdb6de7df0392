"""The user's configuration: `whichwins.toml`, or `[tool.whichwins]` of `pyproject.toml`. Data only.

config = read()                  # of the working directory; an empty Config when there is none
config = read(Path("ci.toml"), kinds=KINDS, causes=CAUSES)
refuse_code(config)              # when it comes from a stranger
"""

from whichwins.config.reading import MAX_BYTES, read
from whichwins.config.settings import BASELINE, Config
from whichwins.config.trust import names_code, refuse_code

__all__ = ["BASELINE", "MAX_BYTES", "Config", "names_code", "read", "refuse_code"]
