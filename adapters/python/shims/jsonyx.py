"""jsonyx."""


def _stage(error):
    return "decode" if str(error).startswith("(unicode error)") else "parse"


def loads(kit):
    from importlib.metadata import version

    import _jsonyx
    import jsonyx

    return {
        "parse": jsonyx.loads,
        "plain": True,
        "libraries": [("jsonyx", version("jsonyx"))],
        "stage": _stage,
        "files": [_jsonyx.__file__],
    }
