"""Readers of tables, put to one record: what they can be given, and the one row that they make of it."""

BLANK, MARK = b" \t\n\r", b"\xef\xbb\xbf"


class Rows:
    """A table that has not one row."""

    __module__ = "builtins"

    def __init__(self, count):
        self.count = count

    def __repr__(self):
        return "%d rows" % self.count


Rows.__name__ = "table"


def record(kit, data, *, lines=False):
    """Raise `Unsupported` for what is no record: not an object, or, for `lines`, more than one line."""
    text = data[len(MARK) :] if data.startswith(MARK) else data
    if text.lstrip(BLANK)[:1] != b"{":
        raise kit.Unsupported("a reader of tables: it takes objects at the top only")
    if lines and b"\n" in data.strip(BLANK):
        raise kit.Unsupported("a reader of lines: a line feed within it would part it")


def row(rows):
    return rows[0] if len(rows) == 1 else Rows(len(rows))
