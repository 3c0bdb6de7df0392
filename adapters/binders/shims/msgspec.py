"""msgspec: a Struct whose `quantity` is called `qty` in JSON; it takes one name a field, never two."""


def _struct(**options):
    from typing import Union

    from msgspec import UNSET, Struct, UnsetType

    class Options(Struct, **options):
        mode: Union[str, UnsetType] = UNSET
        limit: Union[int, UnsetType] = UNSET

    class Order(Struct, rename={"quantity": "qty"}, **options):
        target: str
        quantity: Union[int, UnsetType] = UNSET
        options: Union[Options, UnsetType] = UNSET

    return Order


def _received(struct):
    from msgspec import UNSET, Struct

    members = ((name, getattr(struct, name)) for name in struct.__struct_fields__)
    return {
        name: _received(value) if isinstance(value, Struct) else value
        for name, value in members
        if value is not UNSET
    }


def _shim(parse):
    import msgspec

    return {
        "parse": lambda data: _received(parse(data)),
        "libraries": [("msgspec", msgspec.__version__)],
        "files": [msgspec._core.__file__],
    }


def decode(kit):
    import msgspec

    return _shim(msgspec.json.Decoder(_struct()).decode)


def forbid(kit):
    import msgspec

    return _shim(msgspec.json.Decoder(_struct(forbid_unknown_fields=True)).decode)


def convert(kit):
    import json

    import msgspec

    struct = _struct()
    return _shim(lambda data: msgspec.convert(json.loads(data), struct))
