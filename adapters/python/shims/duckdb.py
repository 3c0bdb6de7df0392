"""DuckDB's JSON functions: members found by json_extract, and the text that json() makes.

Names come from json_keys. A name is put as a JSON Pointer, which reaches every name. A number of type DOUBLE
that DuckDB prints as it stood in the text is one it kept (beyond binary64 or 64 bits).
"""

import json

EXTRACT = "SELECT json_type($1, $2), json_extract_string($1, $2), json_extract($1, $2)"


class MalformedJSON(Exception):
    """DuckDB calls the text malformed."""


def _subject(make):
    import duckdb

    connection = duckdb.connect(config={"threads": 1})

    def ask(query, *values):
        try:
            return connection.execute(query, list(values)).fetchone()
        except duckdb.InvalidInputException as error:
            said = str(error)
            if "Malformed JSON" in said:
                raise MalformedJSON(said[said.index("Malformed JSON") :].partition("  Input:")[0]) from None
            raise

    ask("SELECT json('{}')")  # a build without JSON functions stops here
    extension = __import__("_duckdb")
    return {
        "parse": make(ask),
        "libraries": [("duckdb", duckdb.__version__)],
        "files": [extension.__file__],
    }


def _number(kit, kind, text):
    if kind in ("UBIGINT", "BIGINT"):
        return int(text)
    value = float(text)
    if text.lstrip("-").isdigit() or (value in (float("inf"), -float("inf")) and text[-1].isdigit()):
        return kit.Literal(text)
    return value


def extract(kit):
    def scalar(kind, string, text):
        if kind == "VARCHAR":
            return string
        if kind == "BOOLEAN":
            return text == "true"
        return None if kind == "NULL" else _number(kit, kind, text)

    def reader(ask):
        def parse(data):
            text = data.decode()
            root = [None]
            (kind, string, whole) = ask(EXTRACT, text, "")  # malformed is malformed, however deep
            kit.within(data)
            todo = [(root, 0, kind, string, whole)]
            while todo:
                holder, at, kind, string, text = todo.pop()
                if kind == "OBJECT":
                    names = list(dict.fromkeys(ask("SELECT json_keys($1)", text)[0]))
                    paths = ["/" + name.replace("~", "~0").replace("/", "~1") for name in names]
                    slots = [[name, kit.Missing()] for name in names]
                    holder[at] = kit.Pairs(slots)
                    places = [(slot, 1) for slot in slots]
                elif kind == "ARRAY":
                    size = ask("SELECT json_array_length($1)", text)[0]
                    items = holder[at] = [None] * size
                    paths = ["$[%d]" % place for place in range(size)]
                    places = [(items, place) for place in range(size)]
                else:
                    holder[at] = scalar(kind, string, text)
                    continue
                if not paths:
                    continue
                for place, found in zip(places, zip(*ask(EXTRACT, text, paths))):
                    if found[0] is not None:
                        todo.append((*place, *found))
            return root[0]

        return parse

    return _subject(reader)


def minified(kit):
    decoder = json.JSONDecoder(object_pairs_hook=kit.Pairs, parse_int=kit.Literal, parse_float=kit.Literal)

    def reader(ask):
        def parse(data):
            (text,) = ask("SELECT json($1)", data.decode())
            try:
                return decoder.decode(text)
            except (ValueError, RecursionError) as error:
                said = type(error).__name__
                raise kit.Unsupported("json() gave a text that cannot be read here (%s)" % said) from None

        return parse

    return _subject(reader)
