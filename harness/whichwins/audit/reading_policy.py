"""What a stack promises: `policy = "strict-tool-input"`, or a table `[stack.policy]`."""

from __future__ import annotations

from types import MappingProxyType

from whichwins.audit.stack import Policy
from whichwins.config.section import Section, suggestion
from whichwins.model import LAYERS
from whichwins.reference.layers import STRICT_TOOL_INPUT
from whichwins.reference.reader import DEFAULT_LIMITS, Limits

_KEYS = ("layer", "max-bytes", "max-depth", "max-number", "names", "aliases")
_LIMITS = ("max-bytes", "max-depth", "max-number")
_MOST = 1 << 40


def read_policy(head: Section) -> Policy:
    """Read the policy of a `[stack]`; without one it is `strict-tool-input/1`.

    Raises BadInput naming line and key of whatever is wrong.
    """
    if not isinstance(head.items.get("policy"), dict):
        return Policy(layer=_layer(head, "policy"))
    section = head.table("policy", "[stack.policy]")
    assert section is not None
    section.only(_KEYS)
    layer = _layer(section, "layer")
    for key in _LIMITS:
        if key in section.items and layer != STRICT_TOOL_INPUT:
            plain = STRICT_TOOL_INPUT.partition("/")[0]
            raise section.fail(f'`{key}`: {layer} has no limits: use layer = "{plain}", or leave it out', key)
    limits = Limits(
        _limit(section, "max-bytes", "bytes", DEFAULT_LIMITS.max_bytes),
        _limit(section, "max-depth", "open arrays and objects", DEFAULT_LIMITS.max_depth),
        _limit(section, "max-number", "characters", DEFAULT_LIMITS.max_number),
    )
    names = _names(section)
    return Policy(layer, limits, names, MappingProxyType(_aliases(section, names)))


def _layer(section: Section, key: str) -> str:
    """A layer, with its version or without."""
    value = section.text(key)
    if value is None:
        return STRICT_TOOL_INPUT
    plain = {layer.partition("/")[0]: layer for layer in LAYERS}
    if value in LAYERS:
        return value
    if value not in plain:
        raise section.fail(
            f"`{key}`: no layer is called so: {suggestion(value, list(plain), 'there are')}", key
        )
    return plain[value]


def _limit(section: Section, key: str, unit: str, default: int) -> int:
    value = section.number(key, unit, _MOST, whole=True)
    return default if value is None else int(value)


def _names(section: Section) -> frozenset[str] | None:
    """The only names that objects may have. They are JSON names: any text, the empty one too."""
    value = section.items.get("names")
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise section.fail("`names` must be a list of strings", "names")
    found: set[str] = set()
    for place, name in enumerate(value):
        if name in found:
            raise section.fail(f"`names`: element {place + 1} is there already: leave it out", "names", place)
        found.add(name)
    return frozenset(found)


def _aliases(section: Section, names: frozenset[str] | None) -> dict[str, str]:
    table = section.table("aliases", "[stack.policy.aliases]")
    if table is None:
        return {}
    found: dict[str, str] = {}
    targets = {name for name in table.items.values() if isinstance(name, str)}
    for alias, name in table.items.items():
        if not isinstance(name, str):
            raise table.fail('an alias must be a string: write alias = "name"', alias)
        if alias in (names or ()) or alias in targets:
            raise table.fail("an alias that is a name too: map each alias to a name", alias)
        if names is not None and name not in names:
            raise table.fail("an alias of a name that `names` does not have: add the name", alias)
        found[alias] = name
    return found
