"""pandas: a record as a line of NDJSON; the row that its data frame has."""

import io

SAYS_NO = ("Expected object or value", "Trailing data", "Value is too ", "Key name of object", "No ':' found")


class UjsonError(ValueError):
    """What the ujson inside pandas says of its input: it has no class of its own for that."""


def lines(kit):
    import pandas

    tables = kit.sibling("tables")
    options = {"lines": True, "dtype": False, "convert_axes": False}
    if tuple(map(int, pandas.__version__.split(".")[:2])) < (3, 1):  # after that `dtype=False` says it
        options["convert_dates"] = False

    def parse(data):
        tables.record(kit, data, lines=True)
        try:
            frame = pandas.read_json(io.BytesIO(data), **options)
        except ValueError as error:
            said = str(error)
            if type(error) is ValueError and (" decoding " in said or said.startswith(SAYS_NO)):
                raise UjsonError(said) from None
            raise
        return tables.row(frame.to_dict("records"))

    reader = __import__("pandas.io.json._json", fromlist=["_json"])
    extension = __import__("sys").modules[reader.ujson_loads.__module__]
    return {
        "parse": parse,
        "libraries": [("pandas", pandas.__version__)],
        "details": {"strings": getattr(pandas.Series(["x"]).dtype, "storage", "object")},
        "files": [getattr(extension, "__file__", None), reader.__file__],
    }
