"""ujson."""


def loads(kit):
    import ujson

    return {
        "parse": ujson.loads,
        "emit": lambda data: ujson.dumps(ujson.loads(data)).encode(),
        "plain": True,
        "libraries": [("ujson", ujson.__version__)],
        "files": [ujson.__file__],
    }
