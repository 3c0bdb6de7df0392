"""PostgreSQL's json and jsonb, each as a query reads it.

Bytes go to the server, which makes text of them: `convert_from(bytea, 'UTF8')`.
"""

import os
import sys
import time

GIVEN = "WHICHWINS_POSTGRESQL"
DOCUMENT = "convert_from(%b, 'UTF8')"
# Of a value: its type, its text, and what a string says once its escapes are read.
SHAPE = "json_typeof({0}), ({0})::text, CASE json_typeof({0}) WHEN 'string' THEN {0} #>> '{{}}' END"
ROOT = "SELECT " + SHAPE.format("d") + " FROM (SELECT " + DOCUMENT + "::json AS d) AS s"
ELEMENTS = "SELECT " + SHAPE.format("value") + " FROM json_array_elements(%s::json)"
EACH = "SELECT key, " + SHAPE.format("value") + " FROM json_each(%s::json)"
# Each name once, as often as it stands there; OFFSET keeps the lookup from being made three times.
GET = (
    "SELECT k, "
    + SHAPE.format("v")
    + " FROM (SELECT %s::json AS d) AS s,"
    + " LATERAL (SELECT k, min(o) AS o FROM json_object_keys(d) WITH ORDINALITY AS t(k, o) GROUP BY k) AS n,"
    + " LATERAL (SELECT d -> k AS v OFFSET 0) AS m ORDER BY o"
)
CONTAINERS = ("object", "array")


def patiently(psycopg, **where):
    """Connect to a server that listens, and may still be starting up: so says its first answer."""
    until = time.monotonic() + 20
    while True:
        try:
            return psycopg.connect(autocommit=True, **where)
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def connected(kit):
    import psycopg

    if os.environ.get(GIVEN):
        try:
            connection = psycopg.connect(os.environ[GIVEN], autocommit=True)
        except psycopg.Error as error:  # its words may hold a host and a user
            raise kit.sibling("server").NoServer("%s: %s" % (GIVEN, type(error).__name__)) from None
    else:
        at = kit.sibling("server").socket_of(kit, "postgresql")
        connection = patiently(psycopg, host=os.path.dirname(at), user="whichwins", dbname="postgres")
    return psycopg, connection


def shim(kit, parse_with):
    psycopg, connection = connected(kit)
    connection.prepare_threshold = 2

    def rows(query, given):
        try:
            return connection.execute(query, (given,)).fetchall()
        except psycopg.OperationalError as error:
            if connection.closed:  # the server's process for us is gone: so are we
                print(type(error).__name__, file=sys.stderr)
                os._exit(70)
            raise

    ((version, encoding, stack),) = rows(
        "SELECT current_setting('server_version'), current_setting('server_encoding'),"
        " current_setting('max_stack_depth') WHERE %s::text IS NOT NULL",
        "",
    )
    return {
        "parse": parse_with(rows),
        "libraries": [("postgresql", version.split()[0]), ("psycopg", psycopg.__version__)],
        "details": {"build": version, "encoding": encoding, "max_stack_depth": stack},
        "files": [],
    }


def jsonb(kit):
    read = kit.sibling("written").value

    def parse_with(rows):
        def parse(data):
            ((text,),) = rows("SELECT " + DOCUMENT + "::jsonb::text", data)
            return read(kit, text)

        return parse

    return shim(kit, parse_with)


def walker(kit, members):
    """Reads a json value container by container; `members` is the query for those of an object."""
    number = kit.sibling("written").number

    def parse_with(rows):
        def scalar(kind, text, said):
            if kind == "string":
                return said
            return number(text) if kind == "number" else {"true": True, "false": False, "null": None}[text]

        def parse(data):
            root = [None]
            todo = [(root, 0, *rows(ROOT, data)[0])]  # malformed is malformed, however deep
            kit.within(data)
            while todo:
                holder, at, kind, text, said = todo.pop()
                if kind == "object":
                    found = rows(members, text)
                    slots = [[name, None] for name, *_ in found]
                    holder[at] = kit.Pairs(slots)
                    todo.extend((slot, 1, *rest) for slot, (_, *rest) in zip(slots, found))
                elif kind == "array":
                    found = rows(ELEMENTS, text)
                    items = holder[at] = [None] * len(found)
                    todo.extend((items, place, *rest) for place, rest in enumerate(found))
                else:
                    holder[at] = scalar(kind, text.strip(), said)
            return root[0]

        return parse

    return shim(kit, parse_with)


def get(kit):
    return walker(kit, GET)


def each(kit):
    return walker(kit, EACH)
