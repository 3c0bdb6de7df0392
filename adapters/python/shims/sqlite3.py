"""SQLite's JSON functions, read the way queries read them: names from json_each, values from json_extract.

json_extract finds the first member of a name. It may also find none where json_each named one (before 3.45
it compares names without decoding their escapes): that is spelled X"missing". Strings are bytes here,
since SQLite does not validate UTF-8. Array elements have no names and come from json_each.
"""

TEXT = "CAST(? AS TEXT)"  # bytes go in unread: no driver decodes them
SCALAR = "CASE WHEN json_type(d, p) IN ('object', 'array') THEN NULL ELSE json_extract(d, p) END"
ROOT = "SELECT json_type(d, p), %s FROM (SELECT %s AS d, '$' AS p)" % (SCALAR, TEXT)
NAMES = "SELECT key FROM json_each(%s, %s)" % (TEXT, TEXT)
ELEMENTS = "SELECT type, atom FROM json_each(%s, %s)" % (TEXT, TEXT)
AT_ONCE = 100


def lookups(count):
    """The statement that looks up `count` paths, in their order, in one document."""
    wanted = ", ".join(["(%d, %s)" % (number, TEXT) for number in range(count)])
    form = (
        "WITH wanted(i, p) AS (VALUES %s) SELECT json_type(d, p), %s FROM wanted, (SELECT %s AS d) ORDER BY i"
    )
    return form % (wanted, SCALAR, TEXT)


class MalformedJSON(Exception):
    """SQLite calls the text malformed (its depth limit included)."""


def extract(kit):
    import sqlite3

    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.text_factory = bytes
    execute = connection.execute
    ((version, source),) = execute("SELECT sqlite_version(), sqlite_source_id()")
    execute(ROOT, (b"{}",))  # a build without JSON functions stops here

    def finds(document, path):
        return execute("SELECT json_extract(%s, %s)" % (TEXT, TEXT), (document, path)).fetchone()[0] == 1

    escapes = {b"\\": b"\\\\"}
    for byte, spelling in ((b'"', b'\\"'), (b"\0", b"\\u0000")):
        works = finds(b'{"a%sb":1}' % spelling, b'$."a%sb"' % spelling)
        escapes[byte] = spelling if works else None

    def step(name):
        """Spell one name in SQLite's path syntax."""
        for byte, spelling in escapes.items():
            if byte in name:
                if spelling is None:
                    raise kit.Unsupported(
                        "this SQLite's path syntax cannot express a name with %r" % byte.decode()
                    )
                name = name.replace(byte, spelling)
        return b'."%s"' % name

    def members(document, path):
        """Yield (name, its path, type, value) for the names that iterating the object gives."""
        names = list(dict.fromkeys([name for (name,) in execute(NAMES, (document, path))]))
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            paths = [path + step(name) for name in some]
            found = execute(lookups(len(paths)), [*paths, document]).fetchall()
            for name, where, (kind, value) in zip(some, paths, found):
                yield text(name), where, kind, value

    def text(raw):
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw

    def scalar(kind, value):
        if kind is None:
            return kit.Missing()
        if kind in (b"true", b"false"):
            return kind == b"true"
        return text(value) if kind == b"text" else value

    def read(document):
        root = [None]
        kind, value = execute(ROOT, (document,)).fetchone()
        todo = [(root, 0, b"$", kind, value)]
        while todo:
            holder, at, path, kind, value = todo.pop()
            if kind == b"object":
                slots = []
                holder[at] = kit.Pairs(slots)
                for name, where, kind, value in members(document, path):
                    slots.append([name, None])
                    todo.append((slots[-1], 1, where, kind, value))
            elif kind == b"array":
                items = holder[at] = []
                for kind, value in execute(ELEMENTS, (document, path)).fetchall():
                    items.append(None)
                    todo.append((items, len(items) - 1, path + b"[%d]" % (len(items) - 1), kind, value))
            else:
                holder[at] = scalar(kind, value)
        return root[0]

    def parse(data):
        try:
            return read(data)
        except sqlite3.OperationalError as error:
            if str(error) == "malformed JSON":
                raise MalformedJSON("malformed JSON") from None
            raise

    return {
        "parse": parse,
        "libraries": [("sqlite", version.decode())],
        "details": {
            "source": source.decode(),
            "quote-in-name": "yes" if escapes[b'"'] else "unsupported",
            "nul-in-name": "yes" if escapes[b"\0"] else "unsupported",
        },
        "files": [getattr(__import__("_sqlite3"), "__file__", None)],
    }
