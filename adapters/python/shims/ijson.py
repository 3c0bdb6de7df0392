"""ijson by backend: the one item of the empty prefix, which is the whole value."""

from io import BytesIO


def _subject(kit, name, module):
    from importlib import import_module
    from importlib.metadata import version

    import ijson

    items = ijson.get_backend(name).items

    def parse(data):
        kit.within(data)
        (value,) = items(BytesIO(data), "")
        return value

    return {
        "parse": parse,
        "libraries": [("ijson", version("ijson"))],
        "details": {"backend": name},
        "files": [import_module("ijson.backends." + module).__file__],
    }


def python(kit):
    return _subject(kit, "python", "python")


def yajl2_c(kit):
    return _subject(kit, "yajl2_c", "_yajl2")
