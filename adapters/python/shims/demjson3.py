"""demjson3: as it is, and strict."""


class Failure(Exception):
    """Something else that was raised while demjson3 read: no word of its own on the input."""


def _stage(error):
    return "decode" if "Unicode decoding error" in str(error) else "parse"


def loads(kit, **options):
    from importlib.metadata import version

    import demjson3

    def parse(data):
        kit.within(data)
        try:
            return demjson3.decode(data, **options)
        except demjson3.JSONDecodeError as error:
            cause = error.__cause__ or error.__context__
            if "unexpected failure" in str(error) or isinstance(cause, (RecursionError, MemoryError)):
                raise Failure(type(cause).__name__) from None
            raise

    return {
        "parse": parse,
        "libraries": [("demjson3", version("demjson3"))],
        "stage": _stage,
        "files": [demjson3.__file__],
    }


def strict(kit):
    return loads(kit, strict=True)
