"""What a manifest says is too much for a subject (`bounds`), counted on the bytes of a case.

Strings of JSON are left out, so that brackets within them do not count. A text in another syntax may be
counted wrongly: it is then asked, or not asked, as one of JSON would be.
"""

import re

STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
COUNTED = {
    "bytes": lambda data, bare, most: len(data),
    "depth": lambda data, bare, most: _deepest(bare, most),
    "object-depth": lambda data, bare, most: _deepest(bare.translate(None, b"[]"), most),
    "values": lambda data, bare, most: bare.count(b",") + bare.count(b"[") + bare.count(b"{"),
    "members": lambda data, bare, most: bare.count(b":"),
    "containers": lambda data, bare, most: bare.count(b"[") + bare.count(b"{"),
}
SAID = {"depth": "levels", "object-depth": "levels of objects", "containers": "objects and arrays"}


def _deepest(bare, most):
    """How deep it goes, as far as that is beyond `most`."""
    level = deepest = 0
    for mark in bare.translate(None, NO_BRACKET):
        if mark in b"[{":
            level += 1
            if level > deepest:
                deepest = level
                if deepest > most:
                    break
        elif level:
            level -= 1
    return deepest


def excess(bounds, data):
    """The first of the bounds that a text is beyond, in words; empty where it is within all of them."""
    if not bounds or len(data) <= min(bounds.values()):  # there is no more of anything than there are bytes
        return ""
    bare = STRING.sub(b'""', data) if set(bounds) - {"bytes"} else b""
    for name in sorted(bounds):
        if COUNTED[name](data, bare, bounds[name]) > bounds[name]:
            return "more than %d %s: beyond the bound of this subject" % (bounds[name], SAID.get(name, name))
    return ""


def guard(kit, declared):
    """Of lines such as `depth 500`: what raises `Unsupported` for a text beyond, and details for `ready`."""
    bounds = {name: int(most) for name, most in (line.split() for line in declared)}

    def within(data, refused_beyond=None):
        """`refused_beyond`: levels that the library itself refuses at once; deeper texts are asked again."""
        said = excess(bounds, data)
        if said and (
            refused_beyond is None or _deepest(STRING.sub(b'""', data), refused_beyond) <= refused_beyond
        ):
            raise kit.Unsupported(said)

    return within, {"bound-" + name: str(most) for name, most in bounds.items()}
