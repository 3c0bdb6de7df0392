"""SQLite's JSON functions, read the way queries read them: names from json_each, values from json_extract.

json_extract finds the first member of a name. It may also find none where json_each named one (before 3.45
it compares names without decoding their escapes): that is spelled X"missing". Strings are bytes here,
since SQLite does not validate UTF-8. Array elements have no names: each is what json_each gives, and a
container among them is looked into as a document of its own.
(json_tree would be quicker, but in 3.40 it writes beyond its memory on some texts that are not JSON.)
"""

from functools import lru_cache

TEXT = "CAST(?%d AS TEXT)"  # bytes go in unread: no driver decodes them
FIND = "json_type(d, {0}), json_extract(d, {0})"
MEMBERS = "SELECT {} FROM json_each(%s, %s)" % (TEXT % 1, TEXT % 2)
NAMES, ELEMENTS = MEMBERS.format("key"), MEMBERS.format("type, value")
CONTAINERS = (b"object", b"array")
AT_ONCE = 100


@lru_cache(maxsize=None)
def lookups(count):
    """The statement that looks up `count` paths in one document: type and value of each, side by side."""
    found = ", ".join([FIND.format(TEXT % number) for number in range(2, count + 2)])
    return "SELECT %s FROM (SELECT %s AS d)" % (found, TEXT % 1)


class MalformedJSON(Exception):
    """SQLite calls the text malformed (its depth limit included)."""


def extract(kit):
    import sqlite3

    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256)
    connection.text_factory = bytes
    execute = connection.execute
    ((version, source),) = execute("SELECT sqlite_version(), sqlite_source_id()")
    execute(lookups(1), (b"{}", b"$"))  # a build without JSON functions stops here

    def finds(document, path):
        return execute(lookups(1), (document, path)).fetchone()[1] == 1

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
                        'no quoted path of this SQLite ($."name") reaches a name with %r' % byte.decode()
                    )
                name = name.replace(byte, spelling)
        return b'."%s"' % name

    def look_up(document, paths):
        """Yield (type, value) for each path, from the getter; (None, None) where it finds nothing."""
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            found = execute(lookups(len(some)), [document, *some]).fetchone()
            yield from zip(found[::2], found[1::2])

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
        """Read one container after the other, without recursion."""
        root = [None]
        todo = [(root, 0, document, b"$", *execute(lookups(1), (document, b"$")).fetchone())]
        while todo:
            holder, at, document, path, kind, value = todo.pop()
            if kind == b"object":
                names = list(dict.fromkeys([name for (name,) in execute(NAMES, (document, path))]))
                paths = [path + step(name) for name in names]
                slots = [[text(name), None] for name in names]
                holder[at] = kit.Pairs(slots)
                for slot, where, (kind, value) in zip(slots, paths, look_up(document, paths)):
                    if kind in CONTAINERS:
                        todo.append((slot, 1, document, where, kind, None))
                    else:
                        slot[1] = scalar(kind, value)
            elif kind == b"array":
                items = holder[at] = []
                for kind, value in execute(ELEMENTS, (document, path)).fetchall():
                    items.append(None if kind in CONTAINERS else scalar(kind, value))
                    if kind in CONTAINERS:
                        todo.append((items, len(items) - 1, value, b"$", kind, None))
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
        "plain": True,  # names are str or bytes, and the C encoder refuses bytes
        "libraries": [("sqlite", version.decode())],
        "details": {
            "source": source.decode(),
            "quote-in-name": "yes" if escapes[b'"'] else "unsupported",
            "nul-in-name": "yes" if escapes[b"\0"] else "unsupported",
        },
        "files": [getattr(__import__("_sqlite3"), "__file__", None)],
    }
