"""simplejson: as installed, without its extension, with NaN, with decimals."""


def _subject(parse):
    import simplejson
    from simplejson import decoder, scanner

    in_c = type(decoder.JSONDecoder().scan_once).__name__ != "function"
    return {
        "parse": parse,
        "emit": lambda data: simplejson.dumps(parse(data)).encode(),
        "plain": True,
        "libraries": [("simplejson", simplejson.__version__)],
        "details": {
            "scanner": "C" if in_c else "python",
            "strings": "python" if type(decoder.scanstring).__name__ == "function" else "C",
        },
        "files": [decoder.__file__, scanner.__file__, getattr(_speedups(), "__file__", None)],
    }


def _speedups():
    try:
        from simplejson import _speedups
    except ImportError:
        return None
    return _speedups


def loads(kit):
    import simplejson

    return _subject(simplejson.loads)


def pure(kit):
    import simplejson

    simplejson._toggle_speedups(False)  # for the whole process, which is this subject's alone
    return _subject(simplejson.loads)


def nan(kit):
    import simplejson

    return _subject(lambda data: simplejson.loads(data, allow_nan=True))


def decimal(kit):
    import simplejson

    return _subject(lambda data: simplejson.loads(data, use_decimal=True))
