"""The state of a value of user code: its attributes, or what it stands for. No property is called."""

import array
import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import re
import types
import uuid
from functools import cached_property

HEAP = 1 << 9
"""Flag of a class that was made at run time, as those of Python code are."""
WORD = tuple.__itemsize__
NOT_STATE = ("__dict__", "__weakref__", "__orig_class__")
BY_VALUE = (
    bytes,
    bytearray,
    complex,
    range,
    array.array,
    datetime.datetime,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
    decimal.Decimal,
    fractions.Fraction,
    uuid.UUID,
    pathlib.PosixPath,
    pathlib.WindowsPath,
    pathlib.PurePosixPath,
    pathlib.PureWindowsPath,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
    ipaddress.IPv4Interface,
    ipaddress.IPv6Interface,
)
"""Classes whose `repr` is the whole value."""


def slots(kind):
    """The names of `__slots__` that a class itself declares, as they are kept."""
    names = kind.__dict__.get("__slots__", ())
    for name in (names,) if isinstance(names, str) else tuple(names):
        if name.startswith("__") and not name.endswith("__"):
            name = "_" + kind.__name__.lstrip("_") + name
        if isinstance(kind.__dict__.get(name), types.MemberDescriptorType):
            yield name


def attributes(value, before=None, without=()):
    """(name, item) of what it holds in `__dict__` and in `__slots__` of its classes (up to `before`)."""
    found = {}
    kinds = type(value).__mro__
    kinds = kinds[: kinds.index(before)] if before in kinds else kinds
    for kind in reversed(kinds):
        for name in slots(kind):
            try:
                found[name] = kind.__dict__[name].__get__(value, kind)
            except AttributeError:  # not set
                continue
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        held = {}
    if type(held) is dict:
        found.update(held)
    made = {n for kind in kinds for n, item in kind.__dict__.items() if isinstance(item, cached_property)}
    return [
        (n, item) for n, item in found.items() if n not in NOT_STATE and n not in made and n not in without
    ]


def is_ordinary(kind):
    """Whether its instances hold nothing but `__dict__` and `__slots__`: no state of a class written in C."""
    if issubclass(kind, types.SimpleNamespace):
        return True
    if not kind.__flags__ & HEAP or kind.__itemsize__ or issubclass(kind, type):
        return False
    words = sum(1 for each in kind.__mro__ for _ in slots(each))
    words += (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    return kind.__basicsize__ <= object.__basicsize__ + words * WORD


def by_value(value):
    """(the class that says it, its words) of a value that its own words tell whole, or None."""
    kind = type(value)
    if isinstance(value, enum.Enum):
        said = repr(value._value_) if type(value._value_) in (int, float, str, bool, bytes) else "..."
        return kind, "<%s.%s: %s>" % (kind.__name__, value._name_, said)
    if isinstance(value, re.Pattern):  # its own words end after 200 characters
        return kind, "%r, %d" % (value.pattern, value.flags)
    if isinstance(value, type):
        return kind, type.__repr__(value)
    if value is Ellipsis or value is NotImplemented:
        return kind, repr(value)
    base = next((each for each in kind.__mro__ if each in BY_VALUE), None)
    if base is None:
        return None
    said = base.__repr__(value)
    return None if " at 0x" in said else (base, said)
