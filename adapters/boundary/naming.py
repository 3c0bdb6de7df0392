"""Names of classes that may stand in a report: those that are written in the code."""

import sys

_HEAP, _IMMUTABLE = 1 << 9, 1 << 8
"""Flags of classes: one that a statement or a call made has the first alone; the others are written in C."""


def _written(kind):
    """A class, or its nearest ancestor that is written in a module or a function."""
    for each in kind.__mro__:
        path = each.__qualname__
        if "<locals>" in path or each.__flags__ & (_HEAP | _IMMUTABLE) != _HEAP:
            return each
        found = sys.modules.get(each.__module__)
        for part in path.split("."):
            found = getattr(found, part, None)
        if found is each:
            return each
    return object


def class_name(kind):
    """The name of a class. One that was made while a request was handled may be named by a value of it."""
    return _written(kind).__name__


def full_name(kind):
    """The name with its module, but for those that are built in."""
    kind = _written(kind)
    return kind.__name__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__name__)
