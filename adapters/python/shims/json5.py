"""json5: its reader in Python."""


class Json5Error(ValueError):
    """What json5 says of its input: it has no class of its own for that."""


def loads(kit, **options):
    import json5

    def parse(data):
        kit.within(data)
        try:
            return json5.loads(data, **options)
        except ValueError as error:
            said = str(error)
            if type(error) is ValueError and said.startswith(("<string>:", "Empty strings", "Duplicate key")):
                raise Json5Error(said) from None
            raise

    return {
        "parse": parse,
        "libraries": [("json5", json5.__version__)],
        "files": [json5.__file__, json5.lib.__file__, json5.parser.__file__],
    }


def unique(kit):
    return loads(kit, allow_duplicate_keys=False)
