"""The notation of a Python value: the C encoder where it is right, an exact iterative writer elsewhere."""

import sys

try:
    # Straight from the extension, so that `json` itself stays unimported until a shim asks for it.
    from _json import encode_basestring, encode_basestring_ascii, make_encoder
except ImportError:  # an interpreter without it
    from json.encoder import py_encode_basestring as encode_basestring
    from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii

    make_encoder = None


class Unsupported(Exception):
    """The case cannot be put to this entry point: no statement about the parser."""


class Pairs:
    """An object with all its pairs. Not a list and not a dict, so that the C encoder hands it back."""

    __slots__ = ("pairs",)

    def __init__(self, pairs):
        self.pairs = pairs


class Literal:
    """A number of which a library kept the text."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


class Missing:
    """What a lookup gave for a name that the library's own iteration had named."""


class NotPlain(Exception):
    """The C encoder met a type that only the exact writer can spell."""


def _plainly(value):
    if type(value) is Pairs:
        names = dict(value.pairs)
        if len(names) == len(value.pairs):  # nothing is repeated, so a dict says it all
            return names
    raise NotPlain


def _encoder(text):
    return make_encoder(None, _plainly, text, None, ":", ",", False, False, True)


_escaped, _raw = (
    (_encoder(encode_basestring_ascii), _encoder(encode_basestring)) if make_encoder else (None, None)
)


def render(value):
    """Spell a value whose names are text or bytes (the C encoder would quote numbers as names unnoticed)."""
    try:
        text = "".join(_escaped(value, 0))
        if "\\ud" in text:
            # An astral character and two lone surrogates look alike here; only the former is UTF-8.
            "".join(_raw(value, 0)).encode()
        return text
    except Exception:  # depth, digits, other types, surrogates: the exact writer has the last word
        return exact(value)


def exact(value, members=None):
    """Spell any value, of any depth and any number of digits; `members` opens containers as `opened` does."""
    members = members or opened
    lift = getattr(sys, "set_int_max_str_digits", None)
    if not lift:
        return _write(value, members)
    limit = sys.get_int_max_str_digits()
    lift(0)  # the parser has had its limit; it gets it back below
    try:
        return _write(value, members)
    finally:
        lift(limit)


def _float(value):
    text = float.__repr__(value)
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _text(value):
    if value.isascii():
        return encode_basestring_ascii(value)
    try:
        value.encode()
    except UnicodeEncodeError:
        # A high and a low surrogate side by side would read as the one character they are not.
        joined = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if len(joined) != len(value):
            return 'u"%s"' % value.encode("utf-32-be", "surrogatepass").hex()
    return encode_basestring_ascii(value)


def _bytes(value):
    try:
        value.decode()
    except UnicodeDecodeError:
        return 'b"%s"' % value.hex()
    return _other(value)


def _other(value):
    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else kind.__module__ + "." + kind.__name__
    if kind is Missing:
        return 'X"missing"'
    try:
        shown = "" if kind.__repr__ is object.__repr__ else repr(value)
    except Exception:
        shown = ""
    # An address would differ from run to run.
    return "X" + encode_basestring_ascii(name if not shown or " at 0x" in shown else name + ":" + shown)


_SCALARS = {
    str: _text,
    int: int.__repr__,
    float: _float,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
    bytes: _bytes,
}


def _scalar(value):
    if isinstance(value, str):
        return _text(str.__str__(value))
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float(value)
    if type(value).__name__ == "Decimal" and value.is_finite():
        return "D" + str(value)
    if type(value) is Literal or type(value).__name__ == "LosslessFloat":  # jiter's
        text = str(value)
        return text if text in ("NaN", "Infinity", "-Infinity") else "D" + text
    return _other(value)


def _name(key):
    if isinstance(key, str):
        return _text(key)
    return _bytes(key) if isinstance(key, bytes) else _other(key)


def opened(value):
    """Return (iterator, holds pairs, opening, closing) of a container, or None."""
    if isinstance(value, dict):
        return iter(value.items()), True, "{", "}"
    if type(value) is Pairs:
        return iter(value.pairs), True, "{", "}"
    if isinstance(value, (list, tuple)):
        return iter(value), False, "[", "]"
    return None


def _write(root, members):
    out, stack = [], []
    rest, named, closing, comma = iter((root,)), False, "", ""
    while True:
        for item in rest:
            if named:
                key, item = item
                out.append(comma + _name(key) + ":")
            elif comma:
                out.append(comma)
            comma = ","
            scalar = _SCALARS.get(item.__class__)
            if scalar:
                out.append(scalar(item))
                continue
            inside = members(item)
            if inside is None:
                out.append(_scalar(item))
                continue
            stack.append((rest, named, closing))
            rest, named, opening, closing = inside
            out.append(opening)
            comma = ""
            break
        else:
            out.append(closing)
            if not stack:
                return "".join(out)
            rest, named, closing = stack.pop()
            comma = ","
