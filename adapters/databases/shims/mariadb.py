"""MariaDB's JSON functions, each as a query reads it.

A JSON column there is text with CHECK (JSON_VALID(...)): so that is asked first. Bytes go to the server,
which makes text of them: `CONVERT(... USING utf8mb4)` puts ? for what is not UTF-8, with a warning.
"""

import os

GIVEN = "WHICHWINS_MARIADB"
TEXT = "CONVERT(X'%s' USING utf8mb4)"
# Texts come as bytes: CONVERT lets surrogates in UTF-8 pass, on which the driver's own decoding breaks off.
SPOKEN = {"charset": "utf8mb4", "use_unicode": False, "autocommit": True}
TOO_DEEP, PATH_SYNTAX = 4040, 4042
AT_ONCE = 100


class MalformedJSON(Exception):
    """JSON_VALID says no."""


class TooDeep(Exception):
    """JSON_VALID says no, for its limit on nesting."""


def connected(kit):
    import pymysql

    given = os.environ.get(GIVEN)
    if not given:
        at = kit.sibling("server").socket_of(kit, "mariadb")
        return pymysql, pymysql.connect(unix_socket=at, user="root", **SPOKEN)
    from urllib.parse import unquote, urlsplit

    try:
        place = urlsplit(given)
        return pymysql, pymysql.connect(
            host=place.hostname or "127.0.0.1",
            port=place.port or 3306,
            user=unquote(place.username or ""),
            password=unquote(place.password or ""),
            **SPOKEN,
        )
    except (pymysql.Error, ValueError) as error:  # its words may hold a host and a user
        raise kit.sibling("server").NoServer("%s: %s" % (GIVEN, type(error).__name__)) from None


def shim(kit, parse_with):
    pymysql, connection = connected(kit)
    cursor = connection.cursor()

    def row(query, *given):
        """The first row; each %s is a text or bytes that become one on the server."""
        texts = (item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item for item in given)
        query %= tuple(TEXT % item.hex() for item in texts)
        try:
            cursor.execute(query.encode("utf-8", "surrogatepass"))
            found = cursor.fetchone()
        except pymysql.OperationalError as error:
            if not connection.open:  # the server is gone: so are we
                os._exit(70)
            if error.args[0] == PATH_SYNTAX:
                raise kit.Unsupported("a name that its paths cannot spell") from None
            raise
        return [item.decode("utf-8", "surrogatepass") if isinstance(item, bytes) else item for item in found]

    def warned():
        cursor.execute("SHOW WARNINGS")
        return [code for _, code, _ in cursor.fetchall()]

    def text_of(data):
        """The document as the server has it, once JSON_VALID says yes."""
        text, valid = row("SELECT d, JSON_VALID(d) FROM (SELECT %s AS d) AS s", data)
        if valid:
            return text
        raise (TooDeep if TOO_DEEP in warned() else MalformedJSON)("JSON_VALID gives 0")

    def asked(data):
        text = text_of(data)  # not valid is not valid, however long
        kit.within(data)
        return parse(text)

    driver = ".".join(map(str, pymysql.VERSION[:3]))  # __version__ names the driver that it stands in for
    version, mode = row("SELECT VERSION(), @@sql_mode")
    parse = parse_with(row)
    return {
        "parse": asked,
        "libraries": [("mariadb", version.partition("-")[0]), ("pymysql", driver)],
        "details": {"build": version, "sql_mode": mode},
        "files": [],
    }


def compact(kit):
    read = kit.sibling("written").whatever

    def parse_with(row):
        return lambda text: read(kit, row("SELECT JSON_COMPACT(%s)", text)[0])

    return shim(kit, parse_with)


def path_of(name):
    text = name if isinstance(name, str) else name.text
    return '$."%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def walker(kit, looked_up):
    """Reads container by container; `looked_up(row, text, paths)` gives the text at each path, or None."""
    read = kit.sibling("written").value

    def found(row, text, paths):
        for start in range(0, len(paths), AT_ONCE):
            yield from looked_up(row, text, paths[start : start + AT_ONCE])

    def parse_with(row):
        def parse(text):
            root = [None]
            todo = [(root, 0, text)]
            while todo:
                holder, at, text = todo.pop()
                kind = None if text is None else text.lstrip(" \t\n\r")[:1]
                if kind == "{":
                    names = list(dict.fromkeys(read(kit, row("SELECT JSON_KEYS(%s)", text)[0])))
                    paths = [path_of(name) for name in names]
                    slots = [[name, None] for name in names]
                    holder[at] = kit.Pairs(slots)
                    todo.extend((slot, 1, inner) for slot, inner in zip(slots, found(row, text, paths)))
                elif kind == "[":
                    (length,) = row("SELECT JSON_LENGTH(%s)", text)
                    items = holder[at] = [None] * length
                    paths = ["$[%d]" % place for place in range(length)]
                    todo.extend((items, place, inner) for place, inner in enumerate(found(row, text, paths)))
                else:
                    holder[at] = kit.Missing() if text is None else read(kit, text)
            return root[0]

        return parse

    return shim(kit, parse_with)


def extract(kit):
    def looked_up(row, text, paths):
        columns = ", ".join(["JSON_EXTRACT(d, %s)"] * len(paths))
        return row("SELECT %s FROM (SELECT %%s AS d) AS s" % columns, *paths, text)

    return walker(kit, looked_up)


def table(kit):
    def looked_up(row, text, paths):
        # A path of JSON_TABLE is a literal.
        quoted = ["'%s'" % path.replace("\\", "\\\\").replace("'", "''") for path in paths]
        columns = ", ".join("c%d JSON PATH %s" % (place, path) for place, path in enumerate(quoted))
        columns = columns.replace("%", "%%")
        return row("SELECT * FROM JSON_TABLE(%%s, '$' COLUMNS (%s)) AS t" % columns, text)

    return walker(kit, looked_up)


def value(kit):
    """JSON_VALUE, which gives scalars as SQL's text, and JSON_QUERY for the rest.

    That text says no type: it is that of the first member of the name whose text it is.
    """
    read = kit.sibling("written").value

    def says(member, text):
        if isinstance(member, bool):
            return text == ("1" if member else "0")
        return member is not None and not isinstance(member, (list, kit.Pairs)) and str(member) == text

    def parse_with(row):
        def looked_up(text, paths):
            for start in range(0, len(paths), AT_ONCE):
                some = paths[start : start + AT_ONCE]
                columns = ", ".join(["JSON_VALUE(d, %s), JSON_QUERY(d, %s)"] * len(some))
                query = "SELECT %s FROM (SELECT %%s AS d) AS s" % columns
                found = row(query, *[path for path in some for _ in range(2)], text)
                yield from zip(found[::2], found[1::2])

        def opened(held, scalar, container, todo, holder, at):
            """What a lookup found among the members `held`; a container is put on the list."""
            if scalar is not None:
                holder[at] = next((member for member in held if says(member, scalar)), scalar)
            elif container is not None:
                todo.append((holder, at, container))
            else:
                holder[at] = None if None in held else kit.Missing()

        def parse(text):
            root, todo = [None], []
            opened([read(kit, text)], *next(looked_up(text, ["$"])), todo, root, 0)
            while todo:
                holder, at, text = todo.pop()
                whole = read(kit, text)
                if isinstance(whole, list):
                    items = holder[at] = [None] * len(whole)
                    asked = [("$[%d]" % place, [item], items, place) for place, item in enumerate(whole)]
                else:
                    members = {}
                    for name, item in whole.pairs:
                        members.setdefault(name, []).append(item)
                    slots = [[name, None] for name in members]
                    holder[at] = kit.Pairs(slots)
                    asked = [(path_of(slot[0]), members[slot[0]], slot, 1) for slot in slots]
                for (_, held, *place), found in zip(asked, looked_up(text, [path for path, *_ in asked])):
                    opened(held, *found, todo, *place)
            return root[0]

        return parse

    return shim(kit, parse_with)
