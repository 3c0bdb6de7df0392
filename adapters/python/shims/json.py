"""json of the standard library: bytes, text, pure Python, lax, unique, pairs."""

import sys


def _module():
    import json

    return json


def _subject(json, parse, **details):
    decoder = json.JSONDecoder()
    details.update(scanner=_language(decoder.scan_once), strings=_language(json.decoder.scanstring))
    files = [sys.modules[name].__file__ for name in ("json", "json.decoder", "json.scanner")]
    extension = sys.modules.get("_json")
    files.append(getattr(extension, "__file__", None))
    return {
        "parse": parse,
        "emit": lambda data: json.dumps(parse(data)).encode(),
        "plain": True,
        "libraries": [("json", vars(json).get("__version__", sys.version.split()[0]))],
        "details": details,
        "files": files,
    }


def _language(function):
    return "python" if type(function).__name__ == "function" else "C"


def from_bytes(kit):
    json = _module()
    return _subject(json, json.loads)


def from_str(kit):
    json = _module()
    return _subject(json, lambda data: json.loads(data.decode()))


def lax(kit):
    json = _module()
    return _subject(json, lambda data: json.loads(data, strict=False))


def pure(kit):
    # Without its extension the package falls back to its own scanner *and* string reader.
    for name in [name for name in sys.modules if name == "json" or name.startswith("json.")]:
        del sys.modules[name]
    sys.modules["_json"] = None
    json = _module()
    if json.decoder.c_scanstring or json.scanner.c_make_scanner:
        raise ImportError("the C scanner cannot be turned off here")
    return _subject(json, json.loads)


class RepeatedName(ValueError):
    """An object names a member twice. The name is not said: it may be a secret."""


def unique(kit):
    json = _module()

    def once(pairs):
        names = dict(pairs)
        if len(names) != len(pairs):
            raise RepeatedName("an object repeats a name")
        return names

    return _subject(json, lambda data: json.loads(data, object_pairs_hook=once))


def pairs(kit):
    json = _module()
    subject = _subject(json, lambda data: json.loads(data, object_pairs_hook=kit.Pairs))
    del subject["emit"]
    return subject
