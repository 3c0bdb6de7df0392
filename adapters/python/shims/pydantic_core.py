"""pydantic-core's reader, which is jiter built in."""


def from_json(kit):
    import pydantic_core

    return {
        "parse": pydantic_core.from_json,
        "emit": lambda data: pydantic_core.to_json(pydantic_core.from_json(data)),
        "plain": True,
        "libraries": [("pydantic-core", pydantic_core.__version__)],
        "files": [pydantic_core._pydantic_core.__file__],
    }
