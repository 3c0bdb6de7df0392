"""ujson."""


def loads(kit):
    import ujson

    return {
        "parse": ujson.loads,
        "emit": lambda data: ujson.dumps(ujson.loads(data)).encode(),
        "plain": True,
        "libraries": [("ujson", ujson.__version__)],
        # Before 5.2 it said no with a plain ValueError. Since then that is a limit of the interpreter.
        "rejects": [] if hasattr(ujson, "JSONDecodeError") else ["ValueError"],
        "files": [ujson.__file__],
    }
