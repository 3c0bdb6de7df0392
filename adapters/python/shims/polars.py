"""polars: a record as a line of NDJSON, and as a JSON text; the row that its data frame has."""

import os

LEVELS = 1024
"""Its own limit: deeper is no JSON to it, before it makes a schema."""


def _stage(error):
    """One class says it of bytes that are no text, of text that is no JSON, of JSON that fits no frame."""
    said = str(error)
    if "UTF-8" in said or said.startswith("InvalidUtf8"):
        return "decode"
    return "parse" if " at character " in said or "DuplicateError" in type(error).__name__ else "bind"


def _subject(kit, lines):
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    import polars

    tables = kit.sibling("tables")
    read = polars.read_ndjson if lines else polars.read_json

    def parse(data):
        tables.record(kit, data, lines=lines)
        kit.within(data, refused_beyond=LEVELS)
        return tables.row(read(data).to_dicts())

    runtime = getattr(polars, "_plr", None) or getattr(polars, "polars", None)
    return {
        "parse": parse,
        "libraries": [("polars", polars.__version__)],
        "stage": _stage,
        "files": [getattr(runtime, "__file__", None) or polars.__file__],
    }


def ndjson(kit):
    return _subject(kit, True)


def json(kit):
    return _subject(kit, False)
