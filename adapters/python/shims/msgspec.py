"""msgspec: json.decode without a type."""


def decode(kit):
    import msgspec

    return {
        "parse": msgspec.json.decode,
        "emit": lambda data: msgspec.json.encode(msgspec.json.decode(data)),
        "plain": True,
        "libraries": [("msgspec", msgspec.__version__)],
        "files": [msgspec._core.__file__],
    }
