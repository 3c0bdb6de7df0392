"""pysimdjson: loads, and members looked up by name in its document."""

import re

_SAYS_NO = re.compile(r"[A-Z_]+: ")


class SimdjsonError(ValueError):
    """One of simdjson's own errors; the binding raises them as ValueError or as RuntimeError."""


def _own(parse):
    def read(data):
        try:
            return parse(data)
        except (ValueError, RuntimeError) as error:
            if type(error) in (ValueError, RuntimeError) and _SAYS_NO.match(str(error)):
                raise SimdjsonError(str(error)) from None
            raise

    return read


def _subject(parse):
    from importlib.metadata import version

    import csimdjson

    return {
        "parse": _own(parse),
        "plain": True,
        "libraries": [("pysimdjson", version("pysimdjson"))],
        "files": [csimdjson.__file__],
    }


def loads(kit):
    import simdjson

    return _subject(simdjson.loads)


def lookup(kit):
    import simdjson

    def found(members, name):
        try:
            return members[name]
        except KeyError:  # its own iteration has named it
            return kit.Missing()

    def read(data):
        root = [simdjson.Parser().parse(data)]  # a parser each: one document lives at a time
        todo = [(root, 0)]
        while todo:
            holder, at = todo.pop()
            value = holder[at]
            if isinstance(value, simdjson.Object):
                slots = [[name, found(value, name)] for name in dict.fromkeys(value.keys())]
                holder[at] = kit.Pairs(slots)
                todo += [(slot, 1) for slot in slots]
            elif isinstance(value, simdjson.Array):
                items = holder[at] = list(value)
                todo += [(items, place) for place in range(len(items))]
        return root[0]

    return _subject(read)
