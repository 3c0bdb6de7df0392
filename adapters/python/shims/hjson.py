"""hjson."""


def loads(kit):
    import hjson

    return {
        "parse": hjson.loads,
        "libraries": [("hjson", hjson.__version__)],
        "files": [hjson.decoder.__file__, hjson.scanner.__file__],
    }
