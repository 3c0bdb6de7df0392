"""orjson."""


def loads(kit):
    import orjson

    return {
        "parse": orjson.loads,
        "emit": lambda data: orjson.dumps(orjson.loads(data)),
        "plain": True,
        "libraries": [("orjson", orjson.__version__)],
        "files": [getattr(orjson, "orjson", orjson).__file__],
    }
