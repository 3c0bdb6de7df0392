"""SQLite's JSON functions, read the way queries read them: names from json_each, values from json_extract.

json_extract finds the first member of a name. It may also find none where json_each named one (before 3.45
it compares names without decoding their escapes): that is spelled X"missing". Strings are bytes here,
since SQLite does not validate UTF-8. Array elements have no names and come from json_each.
"""

from functools import lru_cache

TEXT = "CAST(? AS TEXT)"  # bytes go in unread: no driver decodes them
SCALAR = "CASE WHEN json_type(d, p) IN ('object', 'array') THEN NULL ELSE json_extract(d, p) END"
ROOT = "SELECT json_type(d, p), %s FROM (SELECT %s AS d, '$' AS p)" % (SCALAR, TEXT)
TREE = "SELECT id, parent, key, type, atom FROM json_tree(%s)" % TEXT
NAMES = "SELECT key FROM json_each(%s, %s)" % (TEXT, TEXT)
ELEMENTS = "SELECT type, atom FROM json_each(%s, %s)" % (TEXT, TEXT)
ESCAPED = bytes(range(32)) + b'"\\'  # never stand in a name as they are
AT_ONCE = 100


@lru_cache(maxsize=None)
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

    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256)
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

    def look_up(document, paths):
        """Yield (type, value) for each path, from the getter; (None, None) where it finds nothing."""
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            yield from execute(lookups(len(some)), [*some, document]).fetchall()

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

    def by_tree(document):
        """Read it in few statements, or return None where the getter may not reach what the tree shows.

        That is: a name repeats, a name is written with escapes, the getter finds another type.
        """
        places, slots, paths, kinds, names = {None: ([None], b"$", False)}, [], [], [], {}
        for node, parent, key, kind, atom in execute(TREE, (document,)):
            holder, path, named = places[parent]
            if named:
                if key in names.setdefault(parent, set()) or len(key.translate(None, ESCAPED)) < len(key):
                    return None
                names[parent].add(key)
                path += b'."%s"' % key
                slots.append([text(key), None])
                paths.append(path)
                kinds.append(kind)
                holder.append(slots[-1])
            else:
                path += b"[%d]" % len(holder) if parent is not None else b""
                holder.append(scalar(kind, atom))
            if kind in (b"object", b"array"):
                inside = []
                holder[-1] = value = kit.Pairs(inside) if kind == b"object" else inside
                if named:
                    holder[-1] = slots[-1]
                    slots[-1][1] = value
                places[node] = (inside, path, kind == b"object")
        for slot, expected, (kind, value) in zip(slots, kinds, look_up(document, paths)):
            if kind != expected:
                return None
            if kind not in (b"object", b"array"):
                slot[1] = scalar(kind, value)
        return places[None][0][1:]

    def by_path(document):
        """Read one container after the other, each through the path of the names that led there."""
        root = [None]
        kind, value = execute(ROOT, (document,)).fetchone()
        todo = [(root, 0, b"$", kind, value)]
        while todo:
            holder, at, path, kind, value = todo.pop()
            if kind == b"object":
                names = list(dict.fromkeys([name for (name,) in execute(NAMES, (document, path))]))
                paths = [path + step(name) for name in names]
                slots = [[text(name), None] for name in names]
                holder[at] = kit.Pairs(slots)
                for slot, where, (kind, value) in zip(slots, paths, look_up(document, paths)):
                    todo.append((slot, 1, where, kind, value))
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
            tree = by_tree(data)
            return by_path(data) if tree is None else tree[0]
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
