"""SQLite's json(), which writes a text anew: what it wrote is read with every pair."""


class MalformedJSON(Exception):
    """SQLite calls the text malformed (its depth limit included)."""


def written(kit, expression):
    import sqlite3

    read = kit.sibling("written").whatever
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.text_factory = bytes
    ((version, source),) = connection.execute("SELECT sqlite_version(), sqlite_source_id()")
    # Bytes go in unread: no driver decodes them.
    query = "SELECT " + expression % "CAST(? AS TEXT)"

    def parse(data):
        try:
            ((text,),) = connection.execute(query, (data,))
        except sqlite3.OperationalError as error:
            if str(error) == "malformed JSON":
                raise MalformedJSON("malformed JSON") from None
            raise
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise kit.Unsupported("what SQLite wrote is not UTF-8, as its input was not") from None
        return read(kit, text)

    return {
        "parse": parse,
        "libraries": [("sqlite", version.decode())],
        "details": {"source": source.decode()},
        "files": [getattr(__import__("_sqlite3"), "__file__", None)],
    }


def json(kit):
    return written(kit, "json(%s)")
