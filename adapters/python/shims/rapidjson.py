"""python-rapidjson: its default numbers, and NM_NATIVE."""


def _subject(rapidjson, parse):
    return {
        "parse": parse,
        "emit": lambda data: rapidjson.dumps(parse(data)).encode(),
        "plain": True,
        "libraries": [("python-rapidjson", rapidjson.__version__)],
        "details": {"rapidjson": rapidjson.__rapidjson_version__},
        "files": [rapidjson.__file__],
    }


def loads(kit):
    import rapidjson

    return _subject(rapidjson, rapidjson.loads)


def native(kit):
    import rapidjson

    return _subject(rapidjson, lambda data: rapidjson.loads(data, number_mode=rapidjson.NM_NATIVE))
