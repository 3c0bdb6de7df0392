"""Names of classes that may stand in a report: those that are written in the code."""

import sys


def class_name(kind):
    """The name of a class, or of its nearest ancestor that is written in a module or a function.

    A class that was made while a request was handled may be named by a value of it.
    """
    for each in getattr(kind, "__mro__", (kind,)):
        path = each.__qualname__
        if "<locals>" in path:
            return each.__name__
        found = sys.modules.get(each.__module__)
        for part in path.split("."):
            found = getattr(found, part, None)
        if found is each:
            return each.__name__
    return "Exception"
